#pragma once
// --audit: one warp's addresses, written out lane by lane as one would by hand, and a drawing of its sectors.

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sectorscope/access.hpp"
#include "sectorscope/errors.hpp"
#include "sectorscope/plan_text.hpp"
#include "sectorscope/sectors.hpp"
#include "sectorscope/standard_streams.hpp"

namespace sectorscope {

/// The touched sectors, a line each, byte by byte: '#' used, '.' fetched for nothing.
inline std::string sector_drawing(const std::vector<Lane>& lanes, std::uint64_t width) {
  std::map<std::uint64_t, std::string> sectors;
  for (const Lane& lane : lanes) {
    const std::uint64_t byte = lane.element * width;
    std::string& cells = sectors.try_emplace(byte / sector_bytes, sector_bytes, '.').first->second;
    for (std::uint64_t i = 0; i < width; ++i) cells[byte % sector_bytes + i] = '#';
  }
  std::string text;
  std::uint64_t expected = sectors.empty() ? 0 : sectors.begin()->first;
  for (const auto& [sector, cells] : sectors) {
    if (sector != expected) text += fmt::format("  {:>16}  {} untouched\n", "...", sector - expected);
    text += fmt::format("  {:>16}  |{}|\n", sector, cells);
    expected = sector + 1;
  }
  return text;
}

/// One access of a configuration: the table of one warp, its totals, and the drawing.
inline std::string audit_text(const Access& access, std::uint64_t warp) {
  const char* const side = access.side == Side::load ? "load" : "store";
  std::string text =
      fmt::format("{} {}, {} B a lane, warp {} of {}\n", side, access.formula, access.width, warp, access.warps);
  const std::vector<Lane> lanes = access.lanes(warp);
  if (lanes.empty()) return text + "  no active lane: this warp makes no request\n";
  text += fmt::format("  {:>4} {:>14} {:>14} {:>16} {:>16}\n", "lane", "thread", "element", "byte", "sector");
  for (const Lane& lane : lanes) {
    const std::uint64_t byte = lane.element * access.width;
    text += fmt::format("  {:>4} {:>14} {:>14} {:>16} {:>16}\n", lane.thread % warp_size, lane.thread, lane.element,
                        byte, byte / sector_bytes);
  }
  const std::uint64_t sectors =
      sectors_of_request(lanes.size(), [&](std::uint64_t i) { return lanes[i].element * access.width; });
  const std::uint64_t useful = lanes.size() * access.width;
  text += fmt::format("  {} active lane{} for {} bytes; {} sector{} {} bytes: efficiency {:.1f} %\n", lanes.size(),
                      lanes.size() == 1 ? " asks" : "s ask", useful, sectors, sectors == 1 ? " covers" : "s cover",
                      sectors * sector_bytes,
                      100.0 * static_cast<double>(useful) / static_cast<double>(sectors * sector_bytes));
  return text + fmt::format("  {:>16}  bytes 0..31 (# asked for, . moved for nothing)\n", "sector") +
         sector_drawing(lanes, access.width);
}

/// One warp of every access of every configuration. Throws UsageError, before anything is printed, where one of them
/// has no such warp.
template <class Experiment, class Results>
void audit(const Experiment& experiment, const Results& results, std::uint64_t warp) {
  for (const auto& result : results) {
    for (const Access& access : experiment.accesses(result.configuration)) {
      if (warp < access.warps) continue;
      throw UsageError(fmt::format("--warp: '{}' is out of range (legal: 0..{})", warp, access.warps - 1));
    }
  }
  for (const auto& result : results) {
    print(fmt::format("{}: {}\n", configuration_name(result.record.key), result.record.prediction.access));
    for (const Access& access : experiment.accesses(result.configuration)) print(audit_text(access, warp) + "\n");
  }
}

}  // namespace sectorscope
