// AoS against SoA: the same particles, the same arithmetic, the same number of instructions; what changes is where the
// fields lie. A warp that reads one field of a 16-byte struct covers 16 sectors to use an eighth of their bytes; the
// same field in an array of its own lies in 4. AoSoA is the compromise: blocks of `lanes` particles, each field
// together.

#include <tuple>

#include "layout_comparison.hpp"
#include "sectorscope/contiguous.hpp"
#include "sectorscope/experiment.hpp"
#include "sectorscope/items.hpp"
#include "sectorscope/sizes.hpp"

namespace sectorscope {

// (Particle i, field f) -> float.
struct AosAddress {
  std::size_t fields;
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t i, std::size_t f) const { return i * fields + f; }
  static constexpr std::uint64_t period() { return warp_size; }
};

// Every field's array begins at a multiple of 256 bytes, as arrays of their own would: `pitch` floats apart.
struct SoaAddress {
  std::size_t pitch;
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t i, std::size_t f) const { return f * pitch + i; }
  static constexpr std::uint64_t period() { return warp_size; }
};

// The lane count is a power of two, 2^shift.
struct AosoaAddress {
  std::size_t fields;
  unsigned shift;
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t i, std::size_t f) const {
    const std::size_t lane = i & ((std::size_t{1} << shift) - 1);
    return ((((i >> shift) * fields) + f) << shift) + lane;
  }
  constexpr std::uint64_t period() const { return std::max(warp_size, std::uint64_t{1} << shift); }
};

// One field of a layout, as the sector model takes it.
template <class Address>
struct FieldAddress {
  Address address;
  std::size_t field;
  constexpr std::size_t operator()(std::size_t i) const { return address(i, field); }
  constexpr std::uint64_t period() const { return address.period(); }
};

SECTORSCOPE_HD constexpr float transformed(float sum) { return sum * 1.25F - 0.5F; }

// Whether a kernel moves a particle of so many floats as one 128-bit vector: all of a 16-byte struct, from two fields
// on.
SECTORSCOPE_HD constexpr bool is_vector(std::size_t fields, std::size_t fields_used) {
  return fields == 4 && fields_used >= 2;
}

// All loads first, so that those of all items are in flight together.
template <int Used, int Items, class Address>
__device__ void transform_items(const float* in, float* out, std::size_t n, Address address) {
  float value[Items][Used];
#pragma unroll
  for (int item = 0; item < Items; ++item) {
    const std::size_t i = item_index<Items>(item);
#pragma unroll
    for (int f = 0; f < Used; ++f) value[item][f] = i < n ? in[address(i, f)] : 0;
  }
#pragma unroll
  for (int item = 0; item < Items; ++item) {
    const std::size_t i = item_index<Items>(item);
    float sum = 0;
#pragma unroll
    for (int f = 0; f < Used; ++f) sum += value[item][f];
    if (i < n) out[ContiguousAddress{}(i)] = transformed(sum);
  }
}

template <int Used, int Items>
__device__ void transform_vectors(const float4* in, float* out, std::size_t n) {
  float4 value[Items];
#pragma unroll
  for (int item = 0; item < Items; ++item) {
    const std::size_t i = item_index<Items>(item);
    if (i < n) value[item] = in[ContiguousAddress{}(i)];
  }
#pragma unroll
  for (int item = 0; item < Items; ++item) {
    const std::size_t i = item_index<Items>(item);
    const float4 v = value[item];
    const float sum = v.x + v.y + (Used > 2 ? v.z : 0) + (Used > 3 ? v.w : 0);
    if (i < n) out[ContiguousAddress{}(i)] = transformed(sum);
  }
}

template <int Fields, int Used, int Items>
__global__ void aos_transform(const float* in, float* out, std::size_t n) {
  if constexpr (is_vector(Fields, Used)) {
    transform_vectors<Used, Items>(reinterpret_cast<const float4*>(in), out, n);
  } else {
    transform_items<Used, Items>(in, out, n, AosAddress{Fields});
  }
}

template <int Used, int Items>
__global__ void soa_transform(const float* in, float* out, std::size_t n, SoaAddress address) {
  transform_items<Used, Items>(in, out, n, address);
}

template <int Used, int Items>
__global__ void aosoa_transform(const float* in, float* out, std::size_t n, AosoaAddress address) {
  transform_items<Used, Items>(in, out, n, address);
}

// Particles of x, y, z, vx, vy, vz: one Euler step, in place.
constexpr float dt = 0.5F;

template <int Items, class Address>
__device__ void step_items(float* particles, std::size_t n, Address address) {
  float value[Items][6];
#pragma unroll
  for (int item = 0; item < Items; ++item) {
    const std::size_t i = item_index<Items>(item);
#pragma unroll
    for (int f = 0; f < 6; ++f) value[item][f] = i < n ? particles[address(i, f)] : 0;
  }
#pragma unroll
  for (int item = 0; item < Items; ++item) {
    const std::size_t i = item_index<Items>(item);
#pragma unroll
    for (int f = 0; f < 3; ++f) {
      if (i < n) particles[address(i, f)] = value[item][f] + value[item][f + 3] * dt;
    }
  }
}

template <int Items>
__global__ void aos_step(float* particles, std::size_t n, AosAddress address) {
  step_items<Items>(particles, n, address);
}

template <int Items>
__global__ void soa_step(float* particles, std::size_t n, SoaAddress address) {
  step_items<Items>(particles, n, address);
}

template <int Items>
__global__ void aosoa_step(float* particles, std::size_t n, AosoaAddress address) {
  step_items<Items>(particles, n, address);
}

template <int Fields, int Items>
__global__ void aos_to_soa(const float* in, float* out, std::size_t n, SoaAddress destination) {
#pragma unroll
  for (int item = 0; item < Items; ++item) {
    const std::size_t i = item_index<Items>(item);
    if (i >= n) return;
    float value[Fields];
    if constexpr (is_vector(Fields, Fields)) {
      const float4 v = reinterpret_cast<const float4*>(in)[ContiguousAddress{}(i)];
      value[0] = v.x, value[1] = v.y, value[2] = v.z, value[3] = v.w;
    } else {
#pragma unroll
      for (int f = 0; f < Fields; ++f) value[f] = in[AosAddress{Fields}(i, f)];
    }
#pragma unroll
    for (int f = 0; f < Fields; ++f) out[destination(i, f)] = value[f];
  }
}

// --- host: data and reference ---------------------------------------------------------------------------------------

enum class Op { transform, step, conversion };

// Integers held in floats, so that every result is exact: fields below 2^19 sum below 2^22, and a quarter of that has
// 24 bits. Neighbouring particles, and neighbouring fields, differ.
float transform_field(std::uint64_t i, std::uint64_t f) {
  const std::uint32_t hash = mix(i, static_cast<std::uint32_t>(f) * 0x9E3779B9U + 1);
  return static_cast<float>((hash & 0x7FFFEU) | ((i + f) & 1));
}

// Positions below 2^20, velocities 1..62; after 2^17 steps a position is below 2^23 and a multiple of a half.
float step_field(std::uint64_t i, std::uint64_t f, std::uint64_t steps) {
  const auto field = [i](std::uint64_t which) {
    const std::uint32_t hash = mix(i, static_cast<std::uint32_t>(which) * 0x85EBCA6BU + 1);
    const std::uint64_t even = which < 3 ? hash & 0xFFFFEU : 1 + 2 * (hash % 31);
    return static_cast<double>(even + ((i + which) & 1));
  };
  return static_cast<float>(f < 3 ? field(f) + static_cast<double>(steps) * field(f + 3) * 0.5 : field(f));
}

// A layout written out a second time, from the array to the particle: blocks of `lanes` particles, in which each of the
// `fields` fields lies together. AoS is one lane a block; SoA is one block of all particles.
struct LayoutMap {
  std::uint64_t n, lanes, fields;
  std::uint64_t words() const { return divide_up(n, lanes) * lanes * fields; }
};

// What an array of that layout holds; lanes without a particle hold poison.
template <class FieldValue>
struct LayoutReference {
  LayoutMap map;
  FieldValue field_value;

  std::optional<std::uint64_t> source(std::uint64_t word) const {
    const std::uint64_t block = word / (map.lanes * map.fields);
    const std::uint64_t i = block * map.lanes + word % map.lanes;
    if (i >= map.n) return std::nullopt;
    return i * map.fields + word / map.lanes % map.fields;
  }
  void fill(std::uint64_t first, std::uint64_t count, float* expected) const {
    std::uint64_t lane = first % map.lanes;
    std::uint64_t f = first / map.lanes % map.fields;
    std::uint64_t block_start = first / (map.lanes * map.fields) * map.lanes;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t i = block_start + lane;
      expected[k] = i < map.n ? field_value(i, f) : poison<float>();
      if (++lane < map.lanes) continue;
      lane = 0;
      if (++f < map.fields) continue;
      f = 0;
      block_start += map.lanes;
    }
  }
};
template <class FieldValue>
LayoutReference(LayoutMap, FieldValue) -> LayoutReference<FieldValue>;

struct TransformReference {
  std::uint64_t used;

  static std::optional<std::uint64_t> source(std::uint64_t i) { return i; }
  void fill(std::uint64_t first, std::uint64_t count, float* expected) const {
    for (std::uint64_t i = first; i < first + count; ++i) {
      double sum = 0;
      for (std::uint64_t f = 0; f < used; ++f) sum += transform_field(i, f);
      expected[i - first] = static_cast<float>(sum * 1.25 - 0.5);
    }
  }
};

// --- plan and description -------------------------------------------------------------------------------------------

constexpr std::array<std::pair<std::string_view, Layout>, 3> layout_names{
    {{"aos", Layout::aos}, {"soa", Layout::soa}, {"aosoa", Layout::aosoa}}};
constexpr std::array<std::pair<std::string_view, Op>, 2> op_names{{{"transform", Op::transform}, {"step", Op::step}}};

struct ParticleConfiguration {
  Op op;
  Layout layout;
  std::uint64_t struct_bytes;
  std::uint64_t lanes;  // of a block; 1 where the layout has none
  std::uint64_t used;   // fields that the kernel reads
  LinearShape shape;

  std::uint64_t fields() const { return struct_bytes / 4; }
  std::uint64_t soa_pitch() const { return divide_up(shape.n, 64) * 64; }
  // The particles' array; of an SoA only the arrays that the kernel touches.
  LayoutMap map() const {
    if (layout == Layout::soa) return {shape.n, soa_pitch(), used};
    return {shape.n, lanes, fields()};
  }
  LayoutMap converted() const { return {shape.n, soa_pitch(), fields()}; }
  std::uint64_t output_words() const {
    return op == Op::transform ? shape.n : op == Op::step ? map().words() : converted().words();
  }
  std::uint64_t particle_bytes() const {
    return layout == Layout::soa ? shape.n * used * 4 : divide_up(shape.n, lanes) * lanes * struct_bytes;
  }
  std::uint64_t read_bytes() const { return shape.n * 4 * used; }
  std::uint64_t written_bytes() const {
    return shape.n * (op == Op::transform ? 4 : op == Op::step ? 12 : struct_bytes);
  }
  std::uint64_t footprint() const { return particle_bytes() + (op == Op::step ? 0 : written_bytes()); }
};

std::string sum_formula(const ParticleConfiguration& c, const std::string& prefix, const std::string& suffix) {
  std::string sum;
  for (std::uint64_t f = 0; f < c.used; ++f) sum += fmt::format("{}{}f{}{}", f == 0 ? "" : " + ", prefix, f, suffix);
  return sum;
}

std::string formula(const ParticleConfiguration& c) {
  if (c.op == Op::conversion) return fmt::format("soa.f[i] = aos[i].f for all {} fields", c.used);
  const std::string prefix = c.layout == Layout::aos   ? "p[i]."
                             : c.layout == Layout::soa ? ""
                                                       : fmt::format("p[i/{}].", c.lanes);
  const std::string suffix = c.layout == Layout::aos   ? ""
                             : c.layout == Layout::soa ? "[i]"
                                                       : fmt::format("[i%{}]", c.lanes);
  if (c.op == Op::transform) return fmt::format("out[i] = ({}) * 1.25 - 0.5", sum_formula(c, prefix, suffix));
  return fmt::format("{0}x{1} += {0}vx{1} * 0.5; y, z alike", prefix, suffix);
}

class AosSoa : public ExperimentDefaults {
 public:
  static constexpr const char* name = "aos_soa";
  static constexpr const char* question = "AoS, SoA or AoSoA: what does it cost to read some fields of every particle?";
  using Configuration = ParticleConfiguration;

  void add_options(CommandLine& line) {
    line.add_elements();
    line.add_names("--layouts", layouts_, "aos,soa,aosoa", layout_names, "layouts: aos, soa, aosoa");
    struct_option_ = line.add_list("--struct-bytes", struct_bytes_, "16", 16, 24, "bytes of a particle: 16, 24");
    fields_option_ = line.add_list("--fields", fields_, "1", 1, 6, "fields read: 1..4 of 16 bytes, 1..6 of 24");
    line.add_list("--lanes", lanes_, "32", 1, 64, "particles in one AoSoA block: 1, 2, 4, ... 64");
    line.add_name("--op", op_, op_names, "transform: out[i] from the fields; step: x += vx*dt in place, 24 bytes");
    line.add_flag("--conversion", conversion_, "time AoS to SoA too, and print the break-even count");
  }

  std::vector<Configuration> plan(const Options& options, std::optional<std::uint64_t> l2_bytes) const {
    const std::vector<std::uint64_t> structs = check(options);
    const LinearShape unsized{0, options.block_size, options.items_per_thread};
    std::vector<Configuration> configurations;
    for (const Layout layout : layouts_) {
      for (const std::uint64_t bytes : structs) {
        for (const std::uint64_t lanes : layout == Layout::aosoa ? lanes_ : std::vector<std::uint64_t>{1}) {
          for (const std::uint64_t used : op_ == Op::step ? std::vector<std::uint64_t>{6} : fields_) {
            configurations.push_back({op_, layout, bytes, lanes, used, unsized});
          }
        }
      }
    }
    for (const std::uint64_t bytes : structs) {
      if (conversion_) configurations.push_back({Op::conversion, Layout::aos, bytes, 1, bytes / 4, unsized});
    }
    const auto smallest = [&](std::uint64_t n) {
      std::uint64_t bytes = largest_size;
      for (Configuration c : configurations) {
        c.shape.n = n;
        bytes = std::min(bytes, c.footprint());
      }
      return bytes;
    };
    const std::uint64_t n = options.n ? *options.n : automatic_size(1 << 23, l2_bytes, smallest);
    array_bytes("-n", checked_sum("-n", n, 64), 64);  // no layout takes more than 48 bytes a particle, and its padding
    for (Configuration& c : configurations) {
      c.shape.n = n;
      require_grid(c.shape.blocks());
    }
    return configurations;
  }

  std::vector<Access> accesses(const Configuration& c) const {
    const std::uint64_t loaded = c.op == Op::transform ? c.used : c.fields();
    const std::uint64_t stored = c.op == Op::step ? 3 : c.op == Op::conversion ? c.fields() : 0;
    std::vector<Access> all;
    const auto add = [&](Side side, const auto& address, std::uint64_t count) {
      for (std::uint64_t f = 0; f < count; ++f) {
        const FieldAddress<std::decay_t<decltype(address)>> field{address, f};
        all.push_back(linear_access(side, fmt::format("field {}", f), field, 4, c.shape));
      }
    };
    const auto add_layout = [&](Side side, std::uint64_t count) {
      if (c.layout == Layout::soa) return add(side, SoaAddress{c.soa_pitch()}, count);
      if (c.layout == Layout::aosoa) return add(side, AosoaAddress{c.fields(), shift_of(c.lanes)}, count);
      return add(side, AosAddress{c.fields()}, count);
    };
    if (c.layout == Layout::aos && c.op != Op::step && is_vector(c.fields(), loaded)) {
      all.push_back(linear_access(Side::load, "whole struct", ContiguousAddress{}, 16, c.shape));
    } else {
      add_layout(Side::load, loaded);
    }
    if (c.op == Op::transform) all.push_back(linear_access(Side::store, "out[i]", ContiguousAddress{}, 4, c.shape));
    if (c.op == Op::conversion) add(Side::store, SoaAddress{c.soa_pitch()}, stored);
    if (c.op == Op::step) add_layout(Side::store, stored);
    return all;
  }

  Record describe(const Configuration& c) const {
    Record record = linear_record(name, c.shape, accesses(c));
    record.key.variant = variant(c);
    if (c.op == Op::transform) {
      record.key.parameter = "fields";
      record.key.value = c.used;
    }
    record.key.struct_bytes = c.struct_bytes;
    if (c.layout == Layout::aosoa) record.key.lanes = c.lanes;
    record.key.element_bytes = 4;
    const bool together = c.layout == Layout::soa || (c.layout == Layout::aosoa && c.lanes > 1);
    record.prediction.access = formula(c);
    record.prediction.lane_byte_gap = together ? 4 : static_cast<std::int64_t>(c.struct_bytes);
    record.prediction.needed_load_bytes = c.read_bytes();
    record.prediction.needed_store_bytes = c.written_bytes();
    record.prediction.footprint_bytes = c.footprint();
    record.prediction.input_bytes = c.op == Op::step ? 0 : 4 * c.map().words();
    record.prediction.output_bytes = 4 * c.output_words();
    return record;
  }

  Outcome run(const Configuration& c, Measurement& m) const {
    return with_items(c.shape.items, [&](auto items) {
      if (c.op == Op::transform) return run_transform<items()>(c, m);
      if (c.op == Op::step) return run_step<items()>(c, m);
      return run_conversion<items()>(c, m);
    });
  }

  // Speedups, agreement of the layouts, the largest error, and what a conversion costs.
  template <class Results>
  std::vector<std::string> summary(const Results& results) const {
    std::vector<LayoutResult> layouts;
    for (const auto& r : results) {
      const Configuration& c = r.configuration;
      layouts.push_back(
          {c.layout, c.op == Op::conversion, c.struct_bytes, c.used, r.record.measured->median_s, &r.verification});
    }
    return compare_layouts(layouts);
  }

 private:
  static unsigned shift_of(std::uint64_t lanes) {
    unsigned shift = 0;
    while ((std::uint64_t{1} << shift) < lanes) ++shift;
    return shift;
  }

  static std::string variant(const Configuration& c) {
    if (c.op == Op::conversion) return "aos_to_soa";
    return fmt::format("{}_{}", name_of(c.layout, layout_names), name_of(c.op, op_names));
  }

  // Refuses what the options cannot mean together; returns the struct sizes to run.
  std::vector<std::uint64_t> check(const Options& options) const {
    for (const std::uint64_t lanes : lanes_) {
      if ((lanes & (lanes - 1)) != 0) {
        throw UsageError(fmt::format("--lanes: '{}' is no power of two (legal: 1, 2, 4, 8, 16, 32, 64)", lanes));
      }
    }
    for (const std::uint64_t bytes : struct_bytes_) {
      if (bytes != 16 && bytes != 24) {
        throw UsageError(fmt::format("--struct-bytes: '{}' is not served (legal: 16, 24)", bytes));
      }
    }
    if (op_ == Op::step) {
      if (fields_option_->count() > 0) throw UsageError("--fields: --op step reads all six (legal: leave it out)");
      if (struct_option_->count() > 0 && struct_bytes_ != std::vector<std::uint64_t>{24}) {
        throw UsageError("--struct-bytes: --op step moves particles of 24 bytes (legal: 24)");
      }
      constexpr std::uint64_t most_launches = 1 << 17;
      if (options.launches_per_configuration() > most_launches) {
        throw UsageError(
            fmt::format("--op step: {} launches would leave the integers that floats hold exactly (legal: "
                        "warmup + runs * iterations up to {})",
                        options.launches_per_configuration(), most_launches));
      }
      return {24};
    }
    for (const std::uint64_t bytes : struct_bytes_) {
      for (const std::uint64_t used : fields_) {
        if (used > bytes / 4) {
          throw UsageError(fmt::format("--fields: '{}' is more than a struct of {} bytes has (legal: 1..{})", used,
                                       bytes, bytes / 4));
        }
      }
    }
    return struct_bytes_;
  }

  // Calls function(ItemCount<used>{}) for the number of fields read.
  template <class Function>
  static auto with_used(std::uint64_t used, Function&& function) {
    switch (used) {
      case 1:
        return function(ItemCount<1>{});
      case 2:
        return function(ItemCount<2>{});
      case 3:
        return function(ItemCount<3>{});
      case 4:
        return function(ItemCount<4>{});
      case 5:
        return function(ItemCount<5>{});
      default:
        return function(ItemCount<6>{});
    }
  }

  template <int Items>
  static Outcome run_transform(const Configuration& c, Measurement& m) {
    const std::uint64_t n = c.shape.n;
    const LayoutReference input{c.map(), transform_field};
    const float* const in = m.input<float>(c.map().words(), [&](auto... range) { input.fill(range...); });
    const GuardedArray<float> output = m.output<float>(n);
    const unsigned grid = c.shape.grid();
    const unsigned block = c.shape.block();
    const auto launch = with_used(c.used, [&](auto used) -> std::function<void()> {
      if (c.layout == Layout::soa) {
        return [=, &m, out = output.data(), address = SoaAddress{c.soa_pitch()}] {
          soa_transform<used(), Items><<<grid, block, 0, m.stream()>>>(in, out, n, address);
        };
      }
      if (c.layout == Layout::aosoa) {
        return [=, &m, out = output.data(), address = AosoaAddress{c.fields(), shift_of(c.lanes)}] {
          aosoa_transform<used(), Items><<<grid, block, 0, m.stream()>>>(in, out, n, address);
        };
      }
      const auto kernel =
          c.fields() == 4 ? aos_transform<4, std::min(used(), 4), Items> : aos_transform<6, used(), Items>;
      return [=, &m, out = output.data()] { kernel<<<grid, block, 0, m.stream()>>>(in, out, n); };
    });
    Outcome outcome{m.time(launch, output), {}};
    outcome.verification = m.verify(output, TransformReference{c.used});
    return outcome;
  }

  template <int Items>
  static Outcome run_step(const Configuration& c, Measurement& m) {
    const std::uint64_t n = c.shape.n;
    const auto after = [](std::uint64_t steps) {
      return [steps](std::uint64_t i, std::uint64_t f) { return step_field(i, f, steps); };
    };
    const LayoutReference input{c.map(), after(0)};
    const auto particles = m.in_place<float>(c.map().words(), [&](auto... range) { input.fill(range...); });
    const unsigned grid = c.shape.grid();
    const unsigned block = c.shape.block();
    const auto launch = [&] {
      if (c.layout == Layout::soa) {
        soa_step<Items><<<grid, block, 0, m.stream()>>>(particles.data(), n, SoaAddress{c.soa_pitch()});
      } else if (c.layout == Layout::aosoa) {
        const AosoaAddress address{c.fields(), shift_of(c.lanes)};
        aosoa_step<Items><<<grid, block, 0, m.stream()>>>(particles.data(), n, address);
      } else {
        aos_step<Items><<<grid, block, 0, m.stream()>>>(particles.data(), n, AosAddress{c.fields()});
      }
    };
    Outcome outcome{m.time(launch, [] {}), {}};  // the arrays hold input: nothing to poison
    const Schedule& s = m.schedule();
    outcome.verification = m.verify(particles, LayoutReference{c.map(), after(s.warmup + s.runs * s.iterations)});
    return outcome;
  }

  template <int Items>
  static Outcome run_conversion(const Configuration& c, Measurement& m) {
    const std::uint64_t n = c.shape.n;
    const LayoutReference input{c.map(), transform_field};
    const float* const in = m.input<float>(c.map().words(), [&](auto... range) { input.fill(range...); });
    const LayoutMap converted = c.converted();
    const GuardedArray<float> output = m.output<float>(converted.words());
    const auto kernel = c.fields() == 4 ? aos_to_soa<4, Items> : aos_to_soa<6, Items>;
    const auto launch = [&] {
      kernel<<<c.shape.grid(), c.shape.block(), 0, m.stream()>>>(in, output.data(), n, SoaAddress{c.soa_pitch()});
    };
    Outcome outcome{m.time(launch, output), {}};
    outcome.verification = m.verify(output, LayoutReference{converted, transform_field});
    return outcome;
  }

  std::vector<Layout> layouts_;
  std::vector<std::uint64_t> struct_bytes_, fields_, lanes_;
  Op op_ = Op::transform;
  bool conversion_ = false;
  CLI::Option* struct_option_ = nullptr;
  CLI::Option* fields_option_ = nullptr;
};

}  // namespace sectorscope

int main(int argc, char** argv) { return sectorscope::run_experiment<sectorscope::AosSoa>(argc, argv); }
