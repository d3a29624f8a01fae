#pragma once
// A cell of a row: empty (not measured, or does not apply), an integer, a real, or text.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "sectorscope/record.hpp"
#include "sectorscope/units.hpp"

namespace sectorscope {

using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

inline Value cell(std::uint64_t value) { return static_cast<std::int64_t>(value); }
inline Value cell(std::int64_t value) { return value; }
inline Value cell(double value) { return value; }
inline Value cell(const std::string& text) { return text.empty() ? Value{} : Value{text}; }
template <class T>
Value cell(const std::optional<T>& value) {
  return value ? cell(*value) : Value{};
}

/// A member of the measured part.
template <class T>
Value measured_cell(const Record& r, T Measured::*member) {
  return r.measured ? cell((*r.measured).*member) : Value{};
}

/// A time of the measured part, in milliseconds.
template <class T>
Value milliseconds_cell(const Record& r, T Measured::*member) {
  if (!r.measured) return {};
  const std::optional<double> seconds = (*r.measured).*member;
  return seconds ? cell(to_milliseconds(*seconds)) : Value{};
}

/// A member of the machine part.
template <class T>
Value machine_cell(const Record& r, T Machine::*member) {
  return r.machine ? cell((*r.machine).*member) : Value{};
}

/// scale * part / whole, empty for an empty whole.
inline Value ratio_cell(std::uint64_t part, std::uint64_t whole, double scale) {
  return whole == 0 ? Value{} : cell(scale * static_cast<double>(part) / static_cast<double>(whole));
}

/// 100 * part / whole where both are known.
inline Value percent_cell(const std::optional<double>& part, const std::optional<double>& whole) {
  return part && whole && *whole > 0 ? cell(100 * *part / *whole) : Value{};
}

}  // namespace sectorscope
