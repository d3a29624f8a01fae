#pragma once
// The address model of a modular walk, index = (i * stride) mod n, which has no short period: warps fall into few
// classes instead, and one warp of each class is enumerated.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sectorscope/sectors.hpp"

namespace sectorscope {

/// Sorts the full warps of a modular walk by the element that their first lane touches. Lane l sits l*stride further
/// on, less n for each wrap; the wraps of all lanes are fixed between two neighbouring breakpoints n - (l*stride mod
/// n), and there the sectors depend on the first element only through its place within its sector.
class ModularClasses {
 public:
  /// `stride` < n; `width` is the access width in bytes.
  ModularClasses(std::uint64_t n, std::uint64_t stride, std::uint64_t width) : places_(sector_bytes / width) {
    std::uint64_t step = 0;
    for (std::uint64_t lane = 1; lane < warp_size; ++lane) {
      step = step >= n - stride ? step - (n - stride) : step + stride;
      if (step > 0) breakpoints_.push_back(n - step);
    }
    std::sort(breakpoints_.begin(), breakpoints_.end());
  }

  std::size_t size() const { return static_cast<std::size_t>((breakpoints_.size() + 1) * places_); }

  std::size_t operator()(std::uint64_t first) const {
    std::uint64_t interval = 0;
    if (!breakpoints_.empty() && first >= breakpoints_.front()) {
      interval = static_cast<std::uint64_t>(std::upper_bound(breakpoints_.begin(), breakpoints_.end(), first) -
                                            breakpoints_.begin());
    }
    return static_cast<std::size_t>(interval * places_ + first % places_);
  }

 private:
  std::uint64_t places_;
  std::vector<std::uint64_t> breakpoints_;
};

/// n threads of a modular walk; `address(i)` is (i * stride) mod n, `stride` < n.
template <class Address>
Traffic count_modular(const Address& address, std::uint64_t n, std::uint64_t stride, std::uint64_t width) {
  const ModularClasses classes(n, stride, width);
  std::vector<std::uint64_t> sectors(classes.size(), 0);
  const std::uint64_t whole = n / warp_size;
  Traffic total;
  for (std::uint64_t warp = 0; warp < whole; ++warp) {
    // The walk is followed by the address object itself, so a wrong one cannot be predicted as the right one.
    std::uint64_t& known = sectors[classes(address(warp * warp_size))];
    if (known == 0) known = enumerate_warps(address, warp * warp_size, warp_size, width).sectors;
    total += {1, known};
  }
  total += enumerate_warps(address, whole * warp_size, n - whole * warp_size, width);
  return total;
}

}  // namespace sectorscope
