#pragma once
// Lists of sizes and of words as the command line writes them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sectorscope/parse_size.hpp"

namespace sectorscope {

inline constexpr std::size_t most_list_entries = 100'000;

namespace detail {

inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

/// Appends a list's item: a size, first:last[:step] or first:last:*factor.
inline void append_item(const Argument& argument, std::string_view item, std::vector<std::uint64_t>& values) {
  const std::vector<std::string_view> parts = split(item, ':');
  if (parts.size() > 3) argument.refuse(item, "is not a range", "first:last[:step] or first:last:*factor");
  const std::uint64_t first = parse_size(argument, parts[0]);
  const std::uint64_t last = parts.size() > 1 ? parse_size(argument, parts[1]) : first;
  const bool is_geometric = parts.size() == 3 && parts[2].substr(0, 1) == "*";
  const std::uint64_t step = parts.size() < 3 ? 1 : parse_size(argument, parts[2].substr(is_geometric ? 1 : 0));
  if (first > last) argument.refuse(item, "ends before it starts", "first:last with first <= last");
  if (!is_geometric && step < 1) argument.refuse(item, "never advances", "a step of at least 1");
  if (is_geometric && step < 2) argument.refuse(item, "never advances", "a factor of at least 2");
  if (is_geometric && first == 0) argument.refuse(item, "never advances", "a geometric range from at least 1");

  // Counts before it expands, and asks what is left up to `last` before each step: `value * step` may wrap.
  std::uint64_t steps = is_geometric ? 0 : (last - first) / step;
  for (std::uint64_t value = first; is_geometric && value <= last / step; value *= step) ++steps;
  if (steps >= most_list_entries - std::min(values.size(), most_list_entries)) {
    argument.refuse(item, "makes the list too long", fmt::format("at most {} entries in all", most_list_entries));
  }
  std::uint64_t value = first;
  values.push_back(value);
  for (; steps != 0; --steps) values.push_back(value = is_geometric ? value * step : value + step);
}

}  // namespace detail

/// Sizes and ranges of sizes, separated by commas, in the order given; 1..100,000 entries, none twice.
inline std::vector<std::uint64_t> parse_list(std::string_view option, std::string_view text) {
  const detail::Argument argument{option, text};
  std::vector<std::uint64_t> values;
  for (const std::string_view item : detail::split(text, ',')) detail::append_item(argument, item, values);
  std::vector<std::uint64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) argument.refuse(std::to_string(*twice), "is listed twice", "each value once");
  return values;
}

/// A list whose every entry is in min..max, both legal.
inline std::vector<std::uint64_t> parse_list_in(std::string_view option, std::string_view text, std::uint64_t min,
                                                std::uint64_t max) {
  std::vector<std::uint64_t> values = parse_list(option, text);
  const detail::Argument argument{option, text};
  for (const std::uint64_t value : values) argument.require_range(std::to_string(value), value, min, max);
  return values;
}

/// The words of a table of names, as messages list them.
template <class E, std::size_t N>
std::string listed(const std::array<std::pair<std::string_view, E>, N>& names) {
  std::string text;
  for (const auto& name : names) text.append(text.empty() ? "" : ", ").append(name.first);
  return text;
}

/// Words separated by commas, each one of `names`, none twice, in the order given.
template <class E, std::size_t N>
std::vector<E> parse_names(std::string_view option, std::string_view text,
                           const std::array<std::pair<std::string_view, E>, N>& names) {
  const detail::Argument argument{option, text};
  std::vector<E> values;
  std::vector<std::string_view> seen;
  for (const std::string_view word : detail::split(text, ',')) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.first == word; });
    if (found == names.end()) {
      argument.refuse(word, "is unknown", listed(names));
    }
    if (std::find(seen.begin(), seen.end(), word) != seen.end()) {
      argument.refuse(word, "is listed twice", "each name once");
    }
    seen.push_back(word);
    values.push_back(found->second);
  }
  return values;
}

}  // namespace sectorscope
