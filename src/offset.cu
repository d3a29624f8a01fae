// Offset: out[i] = in[i + k], or out[i + k] = in[i]. What does it cost a warp to start k elements past a sector
// boundary? A warp of 32 floats covers 4 sectors when it is aligned and 5 when it is not: 128 of 160 bytes are used.

#include "sectorscope/element.hpp"
#include "sectorscope/experiment.hpp"
#include "sectorscope/items.hpp"
#include "sectorscope/sizes.hpp"

namespace sectorscope {

// Index i -> element. Every 32 indices on, the address has moved by 32 elements: a multiple of a sector.
struct OffsetAddress {
  std::size_t offset;
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t i) const { return i + offset; }
  static constexpr std::uint64_t period() { return warp_size; }
};

constexpr OffsetAddress aligned{0};

template <class T, int Items>
__global__ void offset_read(const T* in, T* out, std::size_t n, OffsetAddress source) {
  move_items<Items>(in, out, n, source, aligned);
}

template <class T, int Items>
__global__ void offset_write(const T* in, T* out, std::size_t n, OffsetAddress destination) {
  move_items<Items>(in, out, n, aligned, destination);
}

// The reference, written out a second time: out[j] holds in[j + read - write]; the `write` elements in front of the
// first one are never written.
template <class T>
struct OffsetReference {
  std::uint64_t read, write;

  std::optional<std::uint64_t> source(std::uint64_t j) const {
    return j < write ? std::nullopt : std::optional<std::uint64_t>(j - write + read);
  }
  void fill(std::uint64_t first, std::uint64_t count, T* expected) const {
    for (std::uint64_t j = first; j < first + count; ++j) {
      expected[j - first] = j < write ? poison<T>() : pattern<T>(j - write + read);
    }
  }
};

enum class AccessSide { read, write };
constexpr std::array<std::pair<std::string_view, AccessSide>, 2> access_names{
    {{"read", AccessSide::read}, {"write", AccessSide::write}}};

class Offset : public ExperimentDefaults {
 public:
  static constexpr const char* name = "offset";
  static constexpr const char* question =
      "out[i] = in[i + k]: what does it cost a warp to start k elements past a sector boundary?";

  struct Configuration {
    AccessSide access;
    std::uint64_t offset;
    std::uint64_t element_bytes;
    LinearShape shape;

    std::uint64_t moved_bytes() const { return shape.n * element_bytes; }
    std::uint64_t input_elements() const { return shape.n + (access == AccessSide::read ? offset : 0); }
    std::uint64_t output_elements() const { return shape.n + (access == AccessSide::write ? offset : 0); }
  };

  void add_options(CommandLine& line) {
    line.add_elements();
    line.add_element_bytes();
    line.add_list("--offsets", offsets_, "0:7", 0, largest_size - 1, "elements past the boundary");
    line.add_names("--access", access_, "read", access_names, "the side that is offset: read, write");
  }

  std::vector<Configuration> plan(const Options& options, std::optional<std::uint64_t> l2_bytes) const {
    const std::uint64_t width = options.element_bytes;
    const std::uint64_t smallest = *std::min_element(offsets_.begin(), offsets_.end());
    const std::uint64_t n = options.n ? *options.n : automatic_size(1 << 24, l2_bytes, [&](std::uint64_t size) {
      return (2 * size + smallest) * width;
    });
    array_bytes("-n", checked_product("-n", 2, n), width);
    std::vector<Configuration> configurations;
    for (const AccessSide access : access_) {
      for (const std::uint64_t offset : offsets_) {
        array_bytes("--offsets", checked_sum("--offsets", checked_product("-n", 2, n), offset), width);
        configurations.push_back({access, offset, width, {n, options.block_size, options.items_per_thread}});
        require_grid(configurations.back().shape.blocks());
      }
    }
    return configurations;
  }

  std::vector<Access> accesses(const Configuration& c) const {
    const bool reads = c.access == AccessSide::read;
    const OffsetAddress shifted{c.offset};
    const std::string index = fmt::format("[i + {}]", c.offset);
    return {
        linear_access(Side::load, reads ? "in" + index : "in[i]", reads ? shifted : aligned, c.element_bytes, c.shape),
        linear_access(Side::store, reads ? "out[i]" : "out" + index, reads ? aligned : shifted, c.element_bytes,
                      c.shape)};
  }

  Record describe(const Configuration& c) const {
    const bool reads = c.access == AccessSide::read;
    Record record = linear_record(name, c.shape, accesses(c));
    record.key.variant = reads ? "offset_read" : "offset_write";
    record.key.parameter = "offset";
    record.key.value = c.offset;
    record.key.element_bytes = c.element_bytes;
    record.prediction.access = fmt::format(reads ? "out[i] = in[i + {}]" : "out[i + {}] = in[i]", c.offset);
    record.prediction.lane_byte_gap = static_cast<std::int64_t>(c.element_bytes);
    record.prediction.needed_load_bytes = c.moved_bytes();
    record.prediction.needed_store_bytes = c.moved_bytes();
    record.prediction.input_bytes = c.input_elements() * c.element_bytes;
    record.prediction.output_bytes = c.output_elements() * c.element_bytes;
    record.prediction.footprint_bytes = record.prediction.input_bytes + record.prediction.output_bytes;
    return record;
  }

  Outcome run(const Configuration& c, Measurement& measurement) const {
    return with_element_type(c.element_bytes, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const bool reads = c.access == AccessSide::read;
      const std::uint64_t n = c.shape.n;
      const T* const in = measurement.pattern_input<T>(c.input_elements());
      const GuardedArray<T> output = measurement.output<T>(c.output_elements());
      const auto kernel = with_items(
          c.shape.items, [&](auto items) { return reads ? offset_read<T, items()> : offset_write<T, items()>; });
      const auto launch = [&] {
        kernel<<<c.shape.grid(), c.shape.block(), 0, measurement.stream()>>>(in, output.data(), n, {c.offset});
      };
      Outcome outcome{measurement.time(launch, output), {}};
      outcome.verification = measurement.verify(output, OffsetReference<T>{reads ? c.offset : 0, reads ? 0 : c.offset});
      return outcome;
    });
  }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<AccessSide> access_;
};

}  // namespace sectorscope

int main(int argc, char** argv) { return sectorscope::run_experiment<sectorscope::Offset>(argc, argv); }
