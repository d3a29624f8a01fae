#pragma once
// Which memory a row measures: the L2 cache, the DRAM, or both.

#include <cstdint>
#include <string>

#include "sectorscope/record.hpp"

namespace sectorscope {

/// Bytes of an L2 line, in which a sector takes up a place.
inline constexpr std::uint64_t l2_line_bytes = 128;

/// The most bytes that a launch can bring into the L2: all of its arrays, or a line for each of its sectors, whichever
/// is less. Few accesses far apart leave most of a large array alone.
inline std::uint64_t cached_bytes(const Prediction& p) {
  const std::uint64_t sectors = p.load_sectors + p.store_sectors;
  return sectors <= p.footprint_bytes / l2_line_bytes ? sectors * l2_line_bytes : p.footprint_bytes;
}

/// "l2" while so many bytes fit, "mixed" below four times the L2, "dram" from there on.
inline std::string regime(std::uint64_t bytes, std::uint64_t l2_bytes) {
  if (bytes <= l2_bytes) return "l2";
  return bytes / 4 < l2_bytes ? "mixed" : "dram";
}

/// The regime of a row; empty where the L2 is unknown.
inline std::string regime(const Record& r) {
  return r.l2_bytes ? regime(cached_bytes(r.prediction), *r.l2_bytes) : std::string();
}

}  // namespace sectorscope
