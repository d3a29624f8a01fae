#pragma once
// The element types that the experiments move: plain bit patterns of 1, 2, 4, 8 and 16 bytes.

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace sectorscope {

/// 16 bytes that a thread moves with one 128-bit access (the alignment makes the compiler emit it).
struct alignas(16) Bits128 {
  std::uint64_t low;
  std::uint64_t high;

  friend bool operator==(const Bits128& a, const Bits128& b) { return a.low == b.low && a.high == b.high; }
  friend bool operator!=(const Bits128& a, const Bits128& b) { return !(a == b); }
};

template <class T>
struct ElementTag {
  using type = T;
};

/// Calls `function(ElementTag<T>{})` with the type that is `bytes` wide; throws std::logic_error for any other width.
template <class Function>
decltype(auto) with_element_type(std::size_t bytes, Function&& function) {
  switch (bytes) {
    case 1:
      return function(ElementTag<std::uint8_t>{});
    case 2:
      return function(ElementTag<std::uint16_t>{});
    case 4:
      return function(ElementTag<std::uint32_t>{});
    case 8:
      return function(ElementTag<std::uint64_t>{});
    case 16:
      return function(ElementTag<Bits128>{});
    default:
      throw std::logic_error("no element type of this width");
  }
}

}  // namespace sectorscope
