#pragma once
// Records as lines of CSV: one row a configuration, and one sample row a run.

#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "sectorscope/columns.hpp"
#include "sectorscope/csv.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/units.hpp"

namespace sectorscope {

/// The text of a cell; empty stays empty.
inline std::string csv_text(const Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::monostate>) return "";
        if constexpr (std::is_same_v<T, std::int64_t>) return std::to_string(v);
        if constexpr (std::is_same_v<T, double>) return csv_number(v);
        if constexpr (std::is_same_v<T, std::string>) return v;
      },
      value);
}

inline std::string row_header() {
  std::vector<std::string> names;
  for (const Column& column : columns) names.emplace_back(column.name);
  return csv_line(names);
}

inline std::string row_line(const Record& record) {
  std::vector<std::string> cells;
  for (const Column& column : columns) cells.push_back(csv_text(column.get(record)));
  return csv_line(cells);
}

inline std::string samples_header() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < key_columns; ++i) names.emplace_back(columns[i].name);
  for (const char* name : {"gpu", "uuid", "run", "ms", "gbps", "mismatches"}) names.emplace_back(name);
  return csv_line(names);
}

/// The sample of run `run` (from 1), in seconds; needs a measured record.
inline std::string sample_line(const Record& record, std::size_t run, double seconds) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < key_columns; ++i) cells.push_back(csv_text(columns[i].get(record)));
  cells.push_back(record.machine->gpu);
  cells.push_back(record.machine->uuid);
  cells.push_back(std::to_string(run));
  cells.push_back(csv_number(to_milliseconds(seconds)));
  cells.push_back(csv_number(gigabytes_per_second(record.prediction.useful_bytes(), seconds)));
  cells.push_back(std::to_string(record.measured->mismatches));
  return csv_line(cells);
}

}  // namespace sectorscope
