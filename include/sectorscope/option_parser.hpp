#pragma once
// Options by name, positional twins, flags: CLI11 finds them, their texts go to setters in the order of the options.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sectorscope/errors.hpp"
#include "sectorscope/parse.hpp"

namespace sectorscope {

/// Names are as CLI11 takes them ("-i,--iterations"), and error messages show them. Targets must outlive the parser.
class OptionParser {
 public:
  using Setter = std::function<void(const std::string& text)>;

  OptionParser(const std::string& program, const std::string& question, std::string title)
      : app_(question, program), title_(std::move(title)) {
    app_.set_version_flag("--version", title_)->disable_flag_override();
    app_.get_help_ptr()->disable_flag_override();
    app_.get_formatter()->column_width(34);
  }

  CLI::Option* add_flag(const std::string& names, const std::function<void()>& set, const std::string& description) {
    CLI::Option* option = app_.add_flag(names, description)->disable_flag_override();
    setters_.emplace_back(option, [set](const std::string&) { set(); });
    return option;
  }

  /// An option whose text `set` parses, once CLI11 has found no fault with the line as a whole: an unknown option is
  /// named before its value is mistaken for a positional's.
  CLI::Option* add(const std::string& names, const Setter& set, const std::string& initial,
                   const std::string& description, const std::string& type) {
    CLI::Option* option = app_.add_option_function<std::string>(
        names, [](const std::string&) {}, description);
    option->default_str(initial)->type_name(type)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    setters_.emplace_back(option, set);
    return option;
  }

  /// A positional twin of an option: giving both is a usage error.
  CLI::Option* add_twin(const std::string& name, CLI::Option* option, const std::string& description) {
    Setter set;
    for (const auto& [known, setter] : setters_) {
      if (known == option) set = setter;
    }
    CLI::Option* twin = add(name, set, "", description, "SIZE");
    twins_.emplace_back(twin, option);
    return twin;
  }

  /// Throws UsageError. Returns the text to print where --help or --version was given.
  std::optional<std::string> parse(int argc, const char* const* argv) {
    refuse_wrong_assignments(argc, argv);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return app_.help();
    } catch (const CLI::CallForVersion&) {
      return title_ + "\n";
    } catch (const CLI::ArgumentMismatch& error) {
      throw UsageError(fmt::format("{} (legal: the option and its value)", error.what()));
    } catch (const CLI::ParseError& error) {
      throw UsageError(fmt::format("{} (legal options: {})", error.what(), option_names()));
    }
    for (const auto& [option, set] : setters_) {
      if (option->count() > 1) {
        throw UsageError(fmt::format("{}: given {} times (legal: once)", option->get_name(), option->count()));
      }
      if (option->count() == 1) set(option->results().front());
    }
    for (const auto& [twin, option] : twins_) {
      if (twin->count() == 0 || option->count() == 0) continue;
      throw UsageError(fmt::format("{0} {1} and {2} {3} are the same option given twice (legal: {0} or {2})",
                                   twin->get_name(), twin->results().front(), option->get_name(),
                                   option->results().front()));
    }
    return std::nullopt;
  }

 private:
  /// CLI11 takes '--csv= --predict' for a file of that name, and '--predict=' for the flag.
  void refuse_wrong_assignments(int argc, const char* const* argv) const {
    for (int k = 1; k < argc && argv[k] != std::string_view("--"); ++k) {
      const std::string_view word = argv[k];
      const std::size_t sign = word.find('=');
      if (word.substr(0, 2) != "--" || sign == word.npos) continue;
      const std::string name(word.substr(0, sign));
      const CLI::Option* option = app_.get_option_no_throw(name);
      if (option == nullptr) continue;  // CLI11 names it
      if (option->get_items_expected_max() == 0) {
        throw UsageError(fmt::format("{0}: {1} behind a flag (legal: {0})", name, detail::quoted(word.substr(sign))));
      }
      if (sign + 1 == word.size()) {
        throw UsageError(fmt::format("{0}: '' behind '=' (legal: {0}=VALUE or {0} VALUE)", name));
      }
    }
  }

  std::string option_names() const {
    std::string names;
    for (const CLI::Option* option : app_.get_options()) {
      names.append(names.empty() ? "" : " ").append(option->get_name());
    }
    return names;
  }

  CLI::App app_;
  std::string title_;
  std::vector<std::pair<CLI::Option*, Setter>> setters_;
  std::vector<std::pair<CLI::Option*, CLI::Option*>> twins_;  ///< positional, option
};

}  // namespace sectorscope
