#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sectorscope {

constexpr double to_milliseconds(double seconds) { return seconds * 1e3; }

/// Throughput in GB/s; 1 GB = 1e9 bytes. No other function computes one. Infinite or nan for 0 s: no measurement.
constexpr double gigabytes_per_second(std::uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / 1e9 / seconds;
}

/// Bytes for people, in the largest binary unit that leaves at least 1, rounded to one decimal: "320 B", "1.5 GiB".
inline std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (unit + 1 < units.size() && (bytes >> (10 * unit)) >= 1024) ++unit;
  const std::uint64_t size = std::uint64_t{1} << (10 * unit);
  std::uint64_t whole = bytes / size;
  std::uint64_t tenths = (bytes % size * 10 + size / 2) / size;
  if (tenths == 10) {  // rounded up to the next whole number, and perhaps to the next unit
    tenths = 0;
    ++whole;
    if (whole == 1024 && unit + 1 < units.size()) {
      whole = 1;
      ++unit;
    }
  }
  std::string text = std::to_string(whole);
  if (tenths != 0) text.append(1, '.').append(std::to_string(tenths));
  return text.append(1, ' ').append(units[unit]);
}

/// Decimal digits in groups of three, "16,777,216", whatever the locale.
inline std::string group_digits(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

}  // namespace sectorscope
