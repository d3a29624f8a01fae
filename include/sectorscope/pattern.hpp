#pragma once
// Input data: a hash of the index, so that every wrong index shows as a wrong value. A counter held in a float collides
// above 2^24 and hides an off-by-one copy; constants hide everything.

#include <cstdint>
#include <cstring>
#include <limits>

#include "sectorscope/element.hpp"

namespace sectorscope {

/// Every byte of an output that no kernel may leave behind: the poison, and what guard bands and padding must stay.
inline constexpr unsigned char poison_byte = 0xFF;

/// A 64-bit index mixed to 32 bits (two multiply-xorshift rounds); `salt` gives independent streams.
constexpr std::uint32_t mix(std::uint64_t index, std::uint32_t salt) {
  std::uint32_t x = static_cast<std::uint32_t>(index) ^ (static_cast<std::uint32_t>(index >> 32) * 0x9E3779B9U) ^ salt;
  x = (x ^ (x >> 16)) * 0x7FEB352DU;
  x = (x ^ (x >> 15)) * 0x846CA68BU;
  return x ^ (x >> 16);
}

/// The input element at `index`. The lowest bit is the parity of the index, so neighbours always differ; it is never
/// all ones, so no element equals the poison.
template <class T>
constexpr T pattern(std::uint64_t index) {
  T value{};
  if constexpr (sizeof(T) == 8) {
    value = static_cast<T>((static_cast<std::uint64_t>(mix(index, 0x51ED270BU)) << 32) | mix(index, 0));
  } else {
    value = static_cast<T>(mix(index, 0));
  }
  value = static_cast<T>((value & ~T{1}) | static_cast<T>(index & 1));
  return value == std::numeric_limits<T>::max() ? static_cast<T>(value >> 1) : value;
}

template <>
constexpr Bits128 pattern<Bits128>(std::uint64_t index) {
  return {pattern<std::uint64_t>(index),
          (static_cast<std::uint64_t>(mix(index, 0xC2B2AE35U)) << 32) | mix(index, 0x27D4EB2FU)};
}

/// The value that untouched output memory holds: every byte of it is poison.
template <class T>
T poison() {
  T value;
  std::memset(&value, poison_byte, sizeof(T));
  return value;
}

}  // namespace sectorscope
