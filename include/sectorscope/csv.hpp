#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace sectorscope {

/// A field as RFC 4180 writes it: in quotes only where a reader would otherwise not get the same text back.
/// Spaces at the ends count among those: many readers trim them.
inline std::string csv_field(std::string_view text) {
  const bool is_padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!is_padded && text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field.append(1, '"');
}

/// The fields as one line that ends in LF.
inline std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    line += csv_field(field);
  }
  return line += '\n';
}

/// A real number in the shortest text that is right to 9 significant digits, with '.' in every locale; empty where
/// it is nan or infinite: that was not measured. Counts do not belong here: above 10^9 they would lose digits.
inline std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : ""; }

}  // namespace sectorscope
