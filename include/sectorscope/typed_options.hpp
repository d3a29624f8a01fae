#pragma once
// Options with a type, each text parsed by our own checked parsers: CLI11's numbers accept '', '-1' into an unsigned,
// '010' and '1,,3'.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sectorscope/errors.hpp"
#include "sectorscope/option_parser.hpp"
#include "sectorscope/options.hpp"
#include "sectorscope/parse.hpp"

namespace sectorscope {

/// The targets of options must outlive the parser.
class TypedOptions : public OptionParser {
 public:
  using OptionParser::add_flag;
  using OptionParser::OptionParser;

  /// One size in min..max.
  CLI::Option* add_size(const std::string& names, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
                        const std::string& description) {
    const auto set = [&value, name = shown(names), min, max](const std::string& text) {
      value = parse_size_in(name, text, min, max);
    };
    return add(names, set, std::to_string(value), description, "SIZE");
  }

  /// A list of sizes in min..max; `initial` is the default, in the syntax of the option.
  CLI::Option* add_list(const std::string& names, std::vector<std::uint64_t>& values, const std::string& initial,
                        std::uint64_t min, std::uint64_t max, const std::string& description) {
    const auto set = [&values, name = shown(names), min, max](const std::string& text) {
      values = parse_list_in(name, text, min, max);
    };
    set(initial);
    return add(names, set, initial, description, "LIST");
  }

  /// A list of words.
  template <class E, std::size_t N>
  CLI::Option* add_names(const std::string& names, std::vector<E>& values, const std::string& initial,
                         const std::array<std::pair<std::string_view, E>, N>& words, const std::string& description) {
    const auto set = [&values, name = shown(names), words](const std::string& text) {
      values = parse_names(name, text, words);
    };
    set(initial);
    return add(names, set, initial, description, "NAMES");
  }

  /// One word.
  template <class E, std::size_t N>
  CLI::Option* add_name(const std::string& names, E& value, const std::array<std::pair<std::string_view, E>, N>& words,
                        const std::string& description) {
    const auto set = [&value, name = shown(names), words](const std::string& text) {
      const auto values = parse_names(name, text, words);
      if (values.size() != 1) {
        throw UsageError(fmt::format("{}: '{}' is more than one (legal: one of {})", name, text, listed(words)));
      }
      value = values.front();
    };
    return add(names, set, std::string(name_of(value, words)), fmt::format("{} ({})", description, listed(words)),
               "NAME");
  }

  CLI::Option* add_flag(const std::string& names, bool& value, const std::string& description) {
    return add_flag(
        names, [&value] { value = true; }, description);
  }

  /// "-i, --iterations", as messages name an option.
  static std::string shown(const std::string& names) {
    const std::size_t comma = names.find(',');
    return comma == std::string::npos ? names : names.substr(0, comma) + ", " + names.substr(comma + 1);
  }
};

}  // namespace sectorscope
