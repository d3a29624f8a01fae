#pragma once
// The address that every experiment's other side has.

#include <cstddef>
#include <cstdint>

#include "sectorscope/arithmetic.hpp"
#include "sectorscope/sectors.hpp"

namespace sectorscope {

/// Index i -> element i.
struct ContiguousAddress {
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t i) const { return i; }
  static constexpr std::uint64_t period() { return warp_size; }
};

}  // namespace sectorscope
