#pragma once
// Sizes as the command line writes them, checked: no wrap-around, no sign, no leading zero.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sectorscope/errors.hpp"
#include "sectorscope/one_line.hpp"

namespace sectorscope {

inline constexpr std::uint64_t largest_size = std::uint64_t{1} << 63;

namespace detail {

/// Text in quotes for a one-line message: control characters masked, cut where it would drown the message.
inline std::string quoted(std::string_view text) {
  std::size_t end = 60;
  const auto is_continued = [&] { return (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80; };
  while (end < text.size() && end > 57 && is_continued()) --end;  // a UTF-8 character stays whole
  return "'" + one_line(text.substr(0, end)) + (text.size() > end ? "...'" : "'");
}

/// An option and all the text it got, of which an error may concern a part.
struct Argument {
  std::string_view option;
  std::string_view text;

  [[noreturn]] void refuse(std::string_view part, std::string_view problem, std::string_view legal) const {
    const std::string place = part == text ? "" : " in " + quoted(text);
    throw UsageError(fmt::format("{}: {}{} {} (legal: {})", option, quoted(part), place, problem, legal));
  }

  void require_range(std::string_view part, std::uint64_t value, std::uint64_t min, std::uint64_t max) const {
    if (value < min || value > max) refuse(part, "is out of range", fmt::format("{}..{}", min, max));
  }
};

inline std::uint64_t parse_size(const Argument& argument, std::string_view text) {
  std::string_view digits = text;
  const bool is_power = digits.substr(0, 2) == "2^";
  if (is_power) digits.remove_prefix(2);
  unsigned shift = 0;
  if (!is_power && !digits.empty()) {
    shift = digits.back() == 'K' ? 10 : digits.back() == 'M' ? 20 : digits.back() == 'G' ? 30 : 0;
    if (shift != 0) digits.remove_suffix(1);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos ||
      (digits.front() == '0' && (digits.size() > 1 || shift != 0))) {
    argument.refuse(text, "is not a size", "0, a decimal number with an optional K, M or G, or 2^k");
  }
  const std::uint64_t limit = is_power ? 62 : largest_size >> shift;
  std::uint64_t value = 0;
  for (const char digit : digits) {
    const auto units = static_cast<std::uint64_t>(digit - '0');
    if (units > limit || value > (limit - units) / 10) {
      argument.refuse(text, "is too large", "at most 2^63; in 2^k, k is 0..62");
    }
    value = value * 10 + units;
  }
  return is_power ? std::uint64_t{1} << value : value << shift;
}

}  // namespace detail

/// A size: `0`, `[1-9][0-9]*[KMG]?` (binary) or `2^k` with k in 0..62, at most 2^63. Anything else: UsageError.
inline std::uint64_t parse_size(std::string_view option, std::string_view text) {
  return detail::parse_size({option, text}, text);
}

/// A size in min..max, both legal.
inline std::uint64_t parse_size_in(std::string_view option, std::string_view text, std::uint64_t min,
                                   std::uint64_t max) {
  const std::uint64_t value = parse_size(option, text);
  detail::Argument{option, text}.require_range(text, value, min, max);
  return value;
}

}  // namespace sectorscope
