// Stride: out[i] = in[(i * s) mod n]. The same elements move and the same number of instructions run, whatever the
// stride; what changes is how many sectors a warp touches: 4 for floats side by side, 32 from a stride of 8 on.

#include <numeric>

#include "sectorscope/contiguous.hpp"
#include "sectorscope/element.hpp"
#include "sectorscope/experiment.hpp"
#include "sectorscope/items.hpp"
#include "sectorscope/modular_sectors.hpp"
#include "sectorscope/sizes.hpp"

namespace sectorscope {

// Index i -> element (i * stride) mod n: a permutation where gcd(stride, n) is 1. A 64-bit remainder takes a GPU about
// a hundred instructions, so the quotient is estimated by a multiplication with floor((2^64 - 1) / n); the estimate is
// the quotient or one less.
struct PermutedAddress {
  std::size_t n, stride, reciprocal;
  std::size_t block_step;  // elements from an index to the one a block further on, mod n

  // Needs (n - 1) * (stride mod n) < 2^64.
  static constexpr PermutedAddress of(const LinearShape& shape, std::size_t stride) {
    return {shape.n, stride % shape.n, ~std::size_t{0} / shape.n,
            shape.block_size % shape.n * (stride % shape.n) % shape.n};
  }
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t i) const {
    const std::size_t product = i * stride;
    const std::size_t rest = product - multiply_high(product, reciprocal) * n;
    return rest >= n ? rest - n : rest;
  }
  // The element of index i + block_size, from that of index i.
  SECTORSCOPE_HD constexpr std::size_t block_ahead(std::size_t element) const {
    const std::size_t sum = element + block_step;
    return sum >= n ? sum - n : sum;
  }
};

// Index i -> element i * stride; stride 0 is a broadcast.
struct DisjointAddress {
  std::size_t stride;
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t i) const { return i * stride; }
  static constexpr std::uint64_t period() { return warp_size; }
};

template <class T, int Items>
__global__ void stride_gather(const T* in, T* out, std::size_t n, PermutedAddress source) {
  move_items<Items>(in, out, n, source, ContiguousAddress{});
}

template <class T, int Items>
__global__ void stride_scatter(const T* in, T* out, std::size_t n, PermutedAddress destination) {
  move_items<Items>(in, out, n, ContiguousAddress{}, destination);
}

template <class T, int Items>
__global__ void stride_both(const T* in, T* out, std::size_t n, PermutedAddress element) {
  move_items<Items>(in, out, n, element, element);
}

template <class T, int Items>
__global__ void stride_disjoint(const T* in, T* out, std::size_t n, DisjointAddress source) {
  move_items<Items>(in, out, n, source, ContiguousAddress{});
}

// The reference, written out a second time: out[j] holds in[(j * step) mod n], where step is the stride for a gather
// and its inverse for a scatter, followed by adding and wrapping.
template <class T>
struct PermutedReference {
  std::uint64_t n, step;

  std::optional<std::uint64_t> source(std::uint64_t j) const { return multiply_mod(j, step, n); }
  void fill(std::uint64_t first, std::uint64_t count, T* expected) const {
    std::uint64_t element = multiply_mod(first, step, n);
    for (std::uint64_t k = 0; k < count; ++k) {
      // What comes before the next wrap needs no comparison, and the compiler vectorizes it.
      const bool is_long = step > 0 && step <= n / 16;  // or it would not pay for the division
      const std::uint64_t straight = is_long ? std::min(count - k, (n - 1 - element) / step) : 0;
      for (std::uint64_t j = 0; j < straight; ++j) expected[k + j] = pattern<T>(element + j * step);
      k += straight;
      element += straight * step;
      if (k == count) break;
      expected[k] = pattern<T>(element);
      element = element >= n - step ? element - (n - step) : element + step;
    }
  }
};

template <class T>
struct DisjointReference {
  std::uint64_t stride;

  std::optional<std::uint64_t> source(std::uint64_t j) const { return j * stride; }
  void fill(std::uint64_t first, std::uint64_t count, T* expected) const {
    std::uint64_t element = first * stride;
    for (std::uint64_t k = 0; k < count; ++k, element += stride) expected[k] = pattern<T>(element);
  }
};

enum class Pattern { gather, scatter, both, disjoint };
constexpr std::array<std::pair<std::string_view, Pattern>, 3> access_names{
    {{"gather", Pattern::gather}, {"scatter", Pattern::scatter}, {"both", Pattern::both}}};

enum class Mapping { permutation, disjoint };
constexpr std::array<std::pair<std::string_view, Mapping>, 2> mapping_names{
    {{"permutation", Mapping::permutation}, {"disjoint", Mapping::disjoint}}};

// Refuses a stride that does not visit every element exactly once, and names the nearest ones that do: the strided
// store of such a stride would be a race.
void require_permutation(std::uint64_t stride, std::uint64_t n) {
  const std::uint64_t divisor = std::gcd(stride, n);
  if (divisor != 1) {
    std::uint64_t above = stride + 1;
    while (above < largest_size && std::gcd(above, n) != 1) ++above;
    std::uint64_t below = stride;
    while (below > 0 && std::gcd(below, n) != 1) --below;
    const std::string legal = below == 0              ? std::to_string(above)
                              : above == largest_size ? std::to_string(below)
                                                      : fmt::format("{} or {}", below, above);
    throw UsageError(
        fmt::format("--strides: '{}' is no permutation of n = {} elements: their greatest common divisor "
                    "is {} (legal: coprime to n, nearest {}; or --mapping disjoint)",
                    stride, n, divisor, legal));
  }
  if (!checked_multiply(n - 1, stride % n)) {
    throw UsageError(fmt::format("--strides: '{}' times n = {} passes 2^64 (legal: at most {}, or --mapping disjoint)",
                                 stride, n, ~std::uint64_t{0} / (n - 1)));
  }
}

class Stride : public ExperimentDefaults {
 public:
  static constexpr const char* name = "stride";
  static constexpr const char* question =
      "out[i] = in[(i * s) mod n]: what does it cost a warp to spread over more sectors?";

  struct Configuration {
    Pattern pattern;
    std::uint64_t stride;
    std::uint64_t element_bytes;
    LinearShape shape;

    std::uint64_t input_elements() const { return pattern == Pattern::disjoint ? (shape.n - 1) * stride + 1 : shape.n; }
    std::uint64_t moved_bytes() const { return shape.n * element_bytes; }
    // Elements from lane to lane, the shorter way round.
    std::int64_t lane_step() const {
      if (pattern == Pattern::disjoint) return static_cast<std::int64_t>(stride);
      const std::uint64_t step = stride % shape.n;
      return static_cast<std::int64_t>(step) - static_cast<std::int64_t>(step > shape.n / 2 ? shape.n : 0);
    }
    std::uint64_t footprint() const { return input_elements() * element_bytes + moved_bytes(); }
  };

  void add_options(CommandLine& line) {
    line.add_elements();
    line.add_element_bytes();
    line.add_list("--strides", strides_, "1,3,5,9,17,33,65", 0, largest_size - 1,
                  "elements between neighbouring lanes");
    line.add_names("--access", access_, "gather", access_names, "the strided side: gather, scatter, both");
    line.add_name("--mapping", mapping_, mapping_names, "wrap around in n elements, or spread over n * s");
  }

  std::vector<Configuration> plan(const Options& options, std::optional<std::uint64_t> l2_bytes) const {
    std::vector<Pattern> patterns = access_;
    if (mapping_ == Mapping::disjoint) {
      if (access_ != std::vector<Pattern>{Pattern::gather}) {
        throw UsageError("--access: --mapping disjoint gathers only (legal: gather)");
      }
      patterns = {Pattern::disjoint};
    }
    const std::uint64_t width = options.element_bytes;
    const LinearShape shape{0, options.block_size, options.items_per_thread};
    const std::uint64_t smallest = *std::min_element(strides_.begin(), strides_.end());
    const std::uint64_t n = options.n ? *options.n : automatic_size(1 << 22, l2_bytes, [&](std::uint64_t size) {
      return cached_bytes(describe({patterns.front(), smallest, width, {size, 32, 1}}).prediction);
    });
    std::vector<Configuration> configurations;
    for (const Pattern pattern : patterns) {
      for (const std::uint64_t stride : strides_) {
        if (pattern == Pattern::disjoint) {
          array_bytes("--strides", stride, width);  // the gap from lane to lane must fit too, whatever n
          const std::uint64_t last = checked_product("--strides", n - 1, stride);
          array_bytes("--strides", checked_sum("-n", checked_sum("--strides", last, 1), n), width);
        } else {
          require_permutation(stride, n);
          array_bytes("-n", checked_product("-n", 2, n), width);
        }
        configurations.push_back({pattern, stride, width, {n, shape.block_size, shape.items}});
        require_grid(configurations.back().shape.blocks());
      }
    }
    return configurations;
  }

  std::vector<Access> accesses(const Configuration& c) const {
    const std::string strided = c.pattern == Pattern::disjoint ? fmt::format("[i*{}]", c.stride)
                                                               : fmt::format("[(i*{}) mod {}]", c.stride, c.shape.n);
    const bool strided_load = c.pattern != Pattern::scatter;
    const bool strided_store = c.pattern == Pattern::scatter || c.pattern == Pattern::both;
    return {access(c, Side::load, "in" + (strided_load ? strided : "[i]"), strided_load),
            access(c, Side::store, "out" + (strided_store ? strided : "[i]"), strided_store)};
  }

  Record describe(const Configuration& c) const {
    const std::vector<Access> both = accesses(c);
    Record record = linear_record(name, c.shape, both);
    record.key.variant =
        c.pattern == Pattern::disjoint ? "stride_disjoint" : "stride_" + std::string(name_of(c.pattern, access_names));
    record.key.parameter = "stride";
    record.key.value = c.stride;
    record.key.element_bytes = c.element_bytes;
    record.prediction.access = both[1].formula + " = " + both[0].formula;
    record.prediction.lane_byte_gap = c.lane_step() * static_cast<std::int64_t>(c.element_bytes);
    record.prediction.needed_load_bytes = c.moved_bytes();
    record.prediction.needed_store_bytes = c.moved_bytes();
    record.prediction.input_bytes = c.input_elements() * c.element_bytes;
    record.prediction.footprint_bytes = c.footprint();
    record.prediction.output_bytes = c.moved_bytes();
    return record;
  }

  Outcome run(const Configuration& c, Measurement& measurement) const {
    return with_element_type(c.element_bytes, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const std::uint64_t n = c.shape.n;
      const T* const in = measurement.pattern_input<T>(c.input_elements());
      const GuardedArray<T> output = measurement.output<T>(n);
      Outcome outcome;
      if (c.pattern == Pattern::disjoint) {
        const auto kernel = with_items(c.shape.items, [](auto items) { return stride_disjoint<T, items()>; });
        const auto launch = [&] {
          kernel<<<c.shape.grid(), c.shape.block(), 0, measurement.stream()>>>(in, output.data(), n, {c.stride});
        };
        outcome.timing = measurement.time(launch, output);
        outcome.verification = measurement.verify(output, DisjointReference<T>{c.stride});
        return outcome;
      }
      const auto kernel = with_items(c.shape.items, [&](auto items) {
        return c.pattern == Pattern::gather    ? stride_gather<T, items()>
               : c.pattern == Pattern::scatter ? stride_scatter<T, items()>
                                               : stride_both<T, items()>;
      });
      const PermutedAddress address = PermutedAddress::of(c.shape, c.stride);
      const auto launch = [&] {
        kernel<<<c.shape.grid(), c.shape.block(), 0, measurement.stream()>>>(in, output.data(), n, address);
      };
      outcome.timing = measurement.time(launch, output);
      const std::uint64_t step = c.pattern == Pattern::gather    ? c.stride % n
                                 : c.pattern == Pattern::scatter ? *modular_inverse(c.stride, n)
                                                                 : 1 % n;
      outcome.verification = measurement.verify(output, PermutedReference<T>{n, step});
      return outcome;
    });
  }

 private:
  static Access access(const Configuration& c, Side side, std::string formula, bool strided) {
    if (!strided) return linear_access(side, std::move(formula), ContiguousAddress{}, c.element_bytes, c.shape);
    if (c.pattern == Pattern::disjoint) {
      return linear_access(side, std::move(formula), DisjointAddress{c.stride}, c.element_bytes, c.shape);
    }
    const PermutedAddress address = PermutedAddress::of(c.shape, c.stride);
    return linear_access(side, std::move(formula), address, c.element_bytes, c.shape,
                         count_modular(address, c.shape.n, address.stride, c.element_bytes));
  }

  std::vector<std::uint64_t> strides_;
  std::vector<Pattern> access_;
  Mapping mapping_ = Mapping::permutation;
};

}  // namespace sectorscope

int main(int argc, char** argv) { return sectorscope::run_experiment<sectorscope::Stride>(argc, argv); }
