#pragma once
// The table for people: pure functions from records to lines of at most 100 columns.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sectorscope/columns.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/regime.hpp"
#include "sectorscope/units.hpp"

namespace sectorscope {

inline constexpr std::size_t table_width = 100;

/// Which of the optional columns a table has, and how wide its names are: the same for all of its rows.
struct TableLayout {
  std::size_t variant_width = 7;
  std::string parameter;  ///< heads the value column; empty: no such column
  bool has_struct = false;
  bool has_lanes = false;
  bool color = false;

  static TableLayout of(const std::vector<Record>& records, bool color) {
    TableLayout layout;
    layout.color = color;
    for (const Record& r : records) {
      layout.variant_width = std::max(layout.variant_width, r.key.variant.size());
      if (!r.key.parameter.empty()) layout.parameter = r.key.parameter;
      layout.has_struct = layout.has_struct || r.key.struct_bytes.has_value();
      layout.has_lanes = layout.has_lanes || r.key.lanes.has_value();
    }
    return layout;
  }
};

namespace table_detail {

inline std::string right(const std::string& text, std::size_t width) { return fmt::format(" {:>{}}", text, width); }

/// A real with as many of `decimals` as fit `width`; empty where there is none.
inline std::string real(const std::optional<double>& value, int decimals, std::size_t width) {
  if (!value) return right("", width);
  std::string text = fmt::format("{:.{}f}", *value, decimals);
  while (text.size() > width && decimals > 0) text = fmt::format("{:.{}f}", *value, --decimals);
  return right(text, width);
}

inline std::string integer(const std::optional<std::uint64_t>& value, std::size_t width) {
  return right(value ? std::to_string(*value) : "", width);
}

inline std::optional<double> number(const Value& value) {
  const double* real = std::get_if<double>(&value);
  return real != nullptr ? std::optional<double>(*real) : std::nullopt;
}

inline std::optional<double> column(const Record& r, std::string_view name) {
  for (const Column& c : columns) {
    if (c.name == name) return number(c.get(r));
  }
  return std::nullopt;
}

inline std::string colored(const std::string& text, std::string_view code, bool color) {
  return color && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

}  // namespace table_detail

inline std::string table_header(const TableLayout& layout) {
  using namespace table_detail;
  std::string line = fmt::format("{:<{}}", "variant", layout.variant_width);
  if (layout.has_struct) line += right("B", 2);
  if (layout.has_lanes) line += right("lanes", 5);
  if (!layout.parameter.empty()) line += right(layout.parameter, 7);
  line += right("gap B", 6) + right("ld s/r", 6) + right("st s/r", 6) + right("ld %", 5) + right("st %", 5);
  return line + right("median ms", 9) + right("+-%", 4) + right("GB/s", 7) + right("% ceil", 6) + "\n";
}

/// One row; its flags (and the regime when it is not dram), then its verdict. What would pass 100 columns goes to a
/// line below.
inline std::string table_row(const TableLayout& layout, const Record& r) {
  using namespace table_detail;
  std::string line = fmt::format("{:<{}}", r.key.variant, layout.variant_width);
  if (layout.has_struct) line += integer(r.key.struct_bytes, 2);
  if (layout.has_lanes) line += integer(r.key.lanes, 5);
  if (!layout.parameter.empty()) line += integer(r.key.value, 7);
  line += right(std::to_string(r.prediction.lane_byte_gap), 6);
  line += real(column(r, "load_sectors_per_request"), 2, 6) + real(column(r, "store_sectors_per_request"), 2, 6);
  line += real(column(r, "load_efficiency_pct"), 1, 5) + real(column(r, "store_efficiency_pct"), 1, 5);
  std::optional<double> spread;
  if (r.measured && r.measured->deviation_s) spread = 100 * *r.measured->deviation_s / r.measured->median_s;
  line += real(column(r, "median_ms"), 5, 9) + real(spread, 1, 4) + real(useful_gbps(r), 1, 7);
  line += real(column(r, "pct_of_ceiling"), 1, 6);

  std::string notes = regime(r);
  if (notes == "dram") notes.clear();
  if (r.measured) notes += (notes.empty() || r.measured->flags.empty() ? "" : " ") + r.measured->flags;
  std::replace(notes.begin(), notes.end(), ';', ' ');
  std::string verdict;
  if (r.measured) verdict = r.measured->mismatches == 0 ? "ok" : "MISMATCH";

  const bool notes_fit = notes.empty() || line.size() + notes.size() + verdict.size() + 2 <= table_width;
  const bool verdict_fits = line.size() + verdict.size() + 1 <= table_width;
  notes = colored(notes, "33", layout.color);
  verdict = colored(verdict, verdict == "ok" ? "32" : "1;31", layout.color);
  std::string below;
  for (const auto& [text, fits] : {std::pair{notes, notes_fit}, std::pair{verdict, verdict_fits}}) {
    if (!text.empty()) (fits ? line : below).append(1, ' ').append(text);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n" + (below.empty() ? "" : std::string(layout.variant_width, ' ') + below + "\n");
}

}  // namespace sectorscope
