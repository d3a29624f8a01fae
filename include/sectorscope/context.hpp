#pragma once
// The context lines above a table: what was moved, why so much, and how it was launched and timed.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sectorscope/options.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/regime.hpp"
#include "sectorscope/table.hpp"
#include "sectorscope/units.hpp"

namespace sectorscope {

/// Pieces on one line, or on several where one would pass 100 columns; nothing of no pieces.
inline std::string context_line(const std::vector<std::string>& pieces) {
  std::string text;
  std::size_t width = 0;
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    const bool starts = width == 0;
    const bool wraps = !starts && width + 3 + piece.size() > table_width;
    text += starts ? "" : wraps ? "\n    " : "   ";
    width = starts ? piece.size() : wraps ? 4 + piece.size() : width + 3 + piece.size();
    text += piece;
  }
  return text.empty() ? text : text + "\n";
}

/// What was moved, and why so much: "n = 33,554,432 x 4 B (auto: 4.3x L2)".
inline std::string size_text(const std::vector<Record>& records, bool is_auto) {
  const Key& key = records.front().key;
  std::string text =
      key.rows ? fmt::format("{} x {} x {} B", group_digits(*key.rows), group_digits(*key.cols), key.element_bytes)
      : key.struct_bytes ? fmt::format("n = {} particles", group_digits(key.n))
                         : fmt::format("n = {} x {} B", group_digits(key.n), key.element_bytes);
  std::uint64_t smallest = cached_bytes(records.front().prediction);
  for (const Record& r : records) smallest = std::min(smallest, cached_bytes(r.prediction));
  const auto& l2 = records.front().l2_bytes;
  const std::string times =
      l2 ? fmt::format("{:.1f}x L2", static_cast<double>(smallest) / static_cast<double>(*l2)) : "L2 unknown";
  return text + fmt::format(" ({}: {})", is_auto ? "auto" : "given", times);
}

/// Size, launch shape and schedule; and a warning where a row does not measure memory.
inline std::vector<std::string> shape_pieces(const std::vector<Record>& records, const Options& options, bool is_auto) {
  const Key& key = records.front().key;
  std::vector<std::string> pieces{size_text(records, is_auto)};
  if (!key.rows) {
    pieces.push_back(fmt::format("{} item{} a thread, {} threads", key.items_per_thread,
                                 key.items_per_thread == 1 ? "" : "s", key.block_size));
  }
  const auto plural = [](std::uint64_t count, const char* ending) { return count == 1 ? "" : ending; };
  pieces.push_back(fmt::format("{} warm-up{}, {} run{} x {} launch{}, L2 {}", options.warmup,
                               plural(options.warmup, "s"), options.runs, plural(options.runs, "s"), options.iterations,
                               plural(options.iterations, "es"), name_of(options.l2, l2_modes)));
  const bool cached =
      std::any_of(records.begin(), records.end(), [](const Record& r) { return r.l2_bytes && regime(r) != "dram"; });
  if (cached) pieces.emplace_back("rows marked l2 or mixed do not measure memory: the L2 holds their data or a part");
  return pieces;
}

}  // namespace sectorscope
