#pragma once
// The address model of a modular walk, index = (i * stride) mod n, which has no short period: warps fall into few
// classes instead, and one warp of each class is enumerated.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sectorscope/arithmetic.hpp"
#include "sectorscope/floor_sum.hpp"
#include "sectorscope/sectors.hpp"

namespace sectorscope {

/// Sorts the full warps of a modular walk by the element that their first lane touches. Lane l sits l*stride further
/// on, less n for each wrap; the wraps of all lanes are fixed between two neighbouring borders n - (l*stride mod n),
/// and there the sectors depend on the first element only through its place within its sector.
class ModularClasses {
 public:
  /// `stride` < n; `width` is the access width in bytes.
  ModularClasses(std::uint64_t n, std::uint64_t stride, std::uint64_t width) : places_(sector_bytes / width) {
    borders_ = {0, n};
    std::uint64_t step = 0;
    for (std::uint64_t lane = 1; lane < warp_size; ++lane) {
      step = step >= n - stride ? step - (n - stride) : step + stride;
      borders_.push_back(n - step);
    }
    std::sort(borders_.begin(), borders_.end());
    borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
  }

  std::uint64_t places() const { return places_; }
  /// Interval k is [borders()[k], borders()[k + 1]).
  const std::vector<std::uint64_t>& borders() const { return borders_; }
  std::size_t size() const { return (borders_.size() - 1) * static_cast<std::size_t>(places_); }
  std::size_t index(std::size_t interval, std::uint64_t place) const {
    return interval * static_cast<std::size_t>(places_) + static_cast<std::size_t>(place);
  }

  std::size_t operator()(std::uint64_t first) const {
    std::size_t interval = 0;
    if (first >= borders_[1]) {
      interval =
          static_cast<std::size_t>(std::upper_bound(borders_.begin(), borders_.end(), first) - borders_.begin() - 1);
    }
    return index(interval, first % places_);
  }

 private:
  std::uint64_t places_;
  std::vector<std::uint64_t> borders_;
};

/// Walks through all full warps, enumerating the first of each class. The walk is followed by the address object
/// itself, so a wrong one cannot be predicted as the right one.
template <class Address>
Traffic walk_modular(const Address& address, const ModularClasses& classes, std::uint64_t warps, std::uint64_t width) {
  std::vector<std::uint64_t> sectors(classes.size(), 0);
  Traffic total{warps, 0};
  for (std::uint64_t warp = 0; warp < warps; ++warp) {
    const auto enumerated = [&] { return enumerate_warps(address, warp * warp_size, warp_size, width).sectors; };
    const std::uint64_t first = address(warp * warp_size);
    if (first >= classes.borders().back()) {  // of no class: an address that does not wrap is counted as it is
      total.sectors += enumerated();
      continue;
    }
    std::uint64_t& known = sectors[classes(first)];
    if (known == 0) known = enumerated();
    total.sectors += known;
  }
  return total;
}

#ifdef __SIZEOF_INT128__
/// How many of the first `warps` warps fall into each class, without walking. Warp w begins at element 32*stride*w mod
/// n. Its place in a sector is that value mod `places`, which follows from w mod places and, where places does not
/// divide n, from how often the walk has wrapped mod places: x = 32*stride*w mod (n*places) tells both.
inline std::vector<std::uint64_t> class_sizes(const ModularClasses& classes, std::uint64_t warps, std::uint64_t n,
                                              std::uint64_t stride) {
  std::vector<std::uint64_t> sizes(classes.size(), 0);
  const std::uint64_t places = classes.places();
  const std::uint64_t wraps = n % places == 0 ? 1 : places;
  const std::uint64_t modulus = n * wraps;
  const std::uint64_t step = multiply_mod(warp_size, stride, modulus);
  const std::uint64_t stride_of_places = multiply_mod(places, step, modulus);
  for (std::uint64_t t = 0; t < std::min(places, warps); ++t) {  // the warps w = places*q + t
    const std::uint64_t count = divide_up(warps - t, places);
    const std::uint64_t start = multiply_mod(t, step, modulus);
    for (std::uint64_t wrap = 0; wrap < wraps; ++wrap) {  // those with x in [wrap*n, wrap*n + n)
      const std::uint64_t place = (start % places + places - wrap * (n % places) % places) % places;
      std::uint64_t below = count_below(count, modulus, stride_of_places, start, wrap * n);
      for (std::size_t k = 0; k + 1 < classes.borders().size(); ++k) {
        const std::uint64_t end = wrap * n + classes.borders()[k + 1];
        const std::uint64_t below_end = count_below(count, modulus, stride_of_places, start, end);
        sizes[classes.index(k, place)] += below_end - below;
        below = below_end;
      }
    }
  }
  return sizes;
}

/// As walk_modular, in O(log n): one warp of each class that occurs is enumerated and multiplied. Needs gcd(stride, n)
/// = 1 and n < 2^56.
template <class Address>
Traffic solve_modular(const Address& address, const ModularClasses& classes, std::uint64_t warps, std::uint64_t n,
                      std::uint64_t stride, std::uint64_t width) {
  const std::vector<std::uint64_t> sizes = class_sizes(classes, warps, n, stride);
  const std::uint64_t inverse = *modular_inverse(stride, n);
  Traffic total{warps, 0};
  for (std::size_t k = 0; k + 1 < classes.borders().size(); ++k) {
    for (std::uint64_t place = 0; place < classes.places(); ++place) {
      const std::uint64_t size = sizes[classes.index(k, place)];
      if (size == 0) continue;
      const std::uint64_t border = classes.borders()[k];
      const std::uint64_t first = border + (place + classes.places() - border % classes.places()) % classes.places();
      const std::uint64_t i = multiply_mod(first, inverse, n);  // the index that touches `first`
      total.sectors += size * sectors_of_request(warp_size, [&](std::uint64_t lane) {
                         return address(i + lane < n ? i + lane : i + lane - n) * width;
                       });
    }
  }
  return total;
}
#endif

/// n threads of a modular walk; `address(i)` is (i * stride) mod n, `stride` < n. Exact either way; walking is quicker
/// for small n, and the only way where strides share a factor with n.
template <class Address>
Traffic count_modular(const Address& address, std::uint64_t n, std::uint64_t stride, std::uint64_t width) {
  const ModularClasses classes(n, stride, width);
  const std::uint64_t warps = n / warp_size;
  Traffic total = enumerate_warps(address, warps * warp_size, n - warps * warp_size, width);
#ifdef __SIZEOF_INT128__
  constexpr std::uint64_t walked_up_to = std::uint64_t{1} << 26;
  if (n > walked_up_to && n < std::uint64_t{1} << 56 && modular_inverse(stride, n)) {
    total += solve_modular(address, classes, warps, n, stride, width);
    return total;
  }
#endif
  total += walk_modular(address, classes, warps, width);
  return total;
}

}  // namespace sectorscope
