#pragma once
// Verification on the host: every element of an output against an independent reference, bit for bit.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sectorscope/element.hpp"
#include "sectorscope/pattern.hpp"

namespace sectorscope {

/// One wrong element. `source` is the input element that it should have come from; empty where nothing may be written.
struct Mismatch {
  std::uint64_t index;
  std::optional<std::uint64_t> source;
  std::string expected, actual;
  std::string place;  ///< "output", or the guard band
};

/// The verdict over an output; chunks are compared apart and merged.
struct Verification {
  static constexpr std::size_t most_kept = 65536;

  std::uint64_t mismatches = 0;
  std::vector<Mismatch> kept;           ///< the lowest indices, at most most_kept, ascending
  std::optional<double> max_abs_error;  ///< floating-point outputs only
  bool error_is_finite = true;          ///< false once a wrong element is nan or infinite: no number can say how wrong

  bool is_full() const { return kept.size() >= most_kept; }

  void add(Mismatch mismatch) {
    ++mismatches;
    if (!is_full()) kept.push_back(std::move(mismatch));
  }

  void merge(Verification other) {
    mismatches += other.mismatches;
    const auto by_index = [](const Mismatch& a, const Mismatch& b) { return a.index < b.index; };
    // An output that is wrong all over has a full part from every chunk: most of them come too late.
    if (!is_full() || (!other.kept.empty() && by_index(other.kept.front(), kept.back()))) {
      const auto middle = static_cast<std::ptrdiff_t>(kept.size());
      kept.insert(kept.end(), std::make_move_iterator(other.kept.begin()), std::make_move_iterator(other.kept.end()));
      std::inplace_merge(kept.begin(), kept.begin() + middle, kept.end(), by_index);
      if (kept.size() > most_kept) kept.erase(kept.begin() + most_kept, kept.end());
    }
    if (other.max_abs_error) max_abs_error = std::max(max_abs_error.value_or(0), *other.max_abs_error);
    error_is_finite = error_is_finite && other.error_is_finite;
  }
};

/// A value for people: floats in decimal, bit patterns in hexadecimal.
template <class T>
std::string element_text(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return fmt::format("{:.9g}", value);
  } else if constexpr (std::is_same_v<T, Bits128>) {
    return fmt::format("0x{:016x}{:016x}", value.high, value.low);
  } else {
    return fmt::format("0x{:0{}x}", value, 2 * sizeof(T));
  }
}

/// Compares actual[0, count), which are the elements from index `first` on. The reference writes the kernel's mapping
/// out a second time: `fill(first, count, T* expected)` and `source(index)`; what must stay untouched it fills with
/// poison. Floats are compared by their bits too: every result is exact.
template <class T, class Reference>
Verification compare(const T* actual, std::uint64_t first, std::uint64_t count, const Reference& reference) {
  constexpr std::uint64_t block = 1024;  // expected values stay in the L1 cache
  std::vector<T> expected(block);
  Verification result;
  if constexpr (std::is_floating_point_v<T>) result.max_abs_error = 0;
  for (std::uint64_t done = 0; done < count; done += block) {
    const std::uint64_t length = std::min(block, count - done);
    reference.fill(first + done, length, expected.data());
    if (std::memcmp(actual + done, expected.data(), length * sizeof(T)) == 0) continue;
    for (std::uint64_t i = 0; i < length; ++i) {
      const T& is = actual[done + i];
      const T& should_be = expected[i];
      if (std::memcmp(&is, &should_be, sizeof(T)) == 0) continue;
      const std::uint64_t index = first + done + i;
      if (result.is_full()) {
        ++result.mismatches;  // without the texts, which cost more than all the rest
      } else {
        result.add({index, reference.source(index), element_text(should_be), element_text(is), "output"});
      }
      if constexpr (std::is_floating_point_v<T>) {
        const double error = std::abs(static_cast<double>(is) - static_cast<double>(should_be));
        result.error_is_finite = result.error_is_finite && std::isfinite(error);
        if (std::isfinite(error)) result.max_abs_error = std::max(*result.max_abs_error, error);
      }
    }
  }
  return result;
}

/// Counts the bytes of a guard band that are no longer poison; each is a mismatch at its byte of the band.
inline Verification check_guard(const std::vector<unsigned char>& band, const std::string& place) {
  Verification result;
  for (std::size_t i = 0; i < band.size(); ++i) {
    if (band[i] != poison_byte) result.add({i, std::nullopt, element_text(poison_byte), element_text(band[i]), place});
  }
  return result;
}

}  // namespace sectorscope
