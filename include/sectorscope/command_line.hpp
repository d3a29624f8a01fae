#pragma once
// From argv to Options. CLI11 finds the options and their texts; every text is parsed by our own checked parsers, since
// CLI11's numbers accept '', '-1' into an unsigned, '010' and '1,,3'.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sectorscope/errors.hpp"
#include "sectorscope/options.hpp"
#include "sectorscope/parse.hpp"
#include "sectorscope/version.hpp"

namespace sectorscope {

/// The command line of one experiment. The experiment adds its own axes, and those of the shared options that it
/// honours: one that it does not honour is unknown to it.
class CommandLine {
 public:
  using Setter = std::function<void(const std::string& text)>;

  CommandLine(const std::string& experiment, const std::string& question)
      : app_(question, experiment), title_(fmt::format("{} (sectorscope {})", experiment, version)) {
    app_.set_version_flag("--version", title_);
    app_.get_formatter()->column_width(34);
    iterations_ = add_size("-i,--iterations", options_.iterations, 1, 10000, "timed launches in one run");
    runs_ = add_size("-r,--runs", options_.runs, 1, 1000, "timed runs per configuration");
    add_size("-w,--warmup", options_.warmup, 0, 10000, "untimed launches per configuration");
    add_size("-d,--device", options_.device, 0, 1023, "CUDA device index");
    add_name("--l2", options_.l2, l2_modes, "cold: the L2 is flushed before every timed launch");
    add_name("--order", options_.order, orders, "order in which configurations run");
    add_size("--seed", options_.seed, 0, std::numeric_limits<std::int64_t>::max(), "seed of --order shuffled");
    add(
        "--csv", [this](const std::string& text) { options_.csv = target("--csv", text); }, "",
        "append one row per configuration to a file; -: CSV alone on stdout", "FILE");
    add(
        "--samples", [this](const std::string& text) { options_.samples = target("--samples", text); }, "",
        "append one row per run to a file; -: to stdout", "FILE");
    add_mode("--predict", Mode::predict, "print the address layer alone; needs no GPU");
    add_mode("--plan", Mode::plan, "print launch indices and ncu command lines; needs no GPU");
    add_mode("--audit", Mode::audit, "print one warp's addresses and sectors per access; needs no GPU");
    warp_ = add_size("--warp", options_.audit_warp, 0, largest_size, "the warp that --audit shows");
    add(
        "--l2-bytes",
        [this](const std::string& text) { options_.l2_bytes = parse_size_in("--l2-bytes", text, 1, largest_size / 8); },
        "the device's", "L2 size to plan for when it is not this machine's", "SIZE");
    app_.add_flag("-q,--quiet", options_.quiet, "print no table and no progress: the verdict line and errors only");
  }

  Options& options() { return options_; }

  /// -n, -b, -u and the positional forms N and ITERATIONS.
  void add_elements() {
    CLI::Option* n = add(
        "-n,--n", [this](const std::string& t) { options_.n = parse_size_in("-n", t, 1, largest_size); }, "auto",
        "elements", "SIZE");
    add_size("-b,--block-size", options_.block_size, 32, 1024, "threads per block, a multiple of 32");
    add_size("-u,--items-per-thread", options_.items_per_thread, 1, 8, "elements each thread moves: 1, 2, 4, 8");
    add_twin("N", n, "same as -n");
    add_iterations_twin();
  }

  /// -e.
  void add_element_bytes() {
    add_size("-e,--element-bytes", options_.element_bytes, 1, 16, "bytes of an element: 1, 2, 4, 8, 16");
  }

  /// One size in min..max.
  CLI::Option* add_size(const std::string& names, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
                        const std::string& description) {
    return add(
        names,
        [&value, name = shown(names), min, max](const std::string& text) {
          value = parse_size_in(name, text, min, max);
        },
        std::to_string(value), description, "SIZE");
  }

  /// A list of sizes in min..max; `initial` is the default, in the syntax of the option.
  CLI::Option* add_list(const std::string& name, std::vector<std::uint64_t>& values, const std::string& initial,
                        std::uint64_t min, std::uint64_t max, const std::string& description) {
    const auto set = [&values, name, min, max](const std::string& text) {
      values = parse_list_in(name, text, min, max);
    };
    set(initial);
    return add(name, set, initial, description, "LIST");
  }

  /// A list of words.
  template <class E, std::size_t N>
  CLI::Option* add_names(const std::string& name, std::vector<E>& values, const std::string& initial,
                         const std::array<std::pair<std::string_view, E>, N>& names, const std::string& description) {
    const auto set = [&values, name, names](const std::string& text) { values = parse_names(name, text, names); };
    set(initial);
    return add(name, set, initial, description, "NAMES");
  }

  /// One word.
  template <class E, std::size_t N>
  CLI::Option* add_name(const std::string& name, E& value, const std::array<std::pair<std::string_view, E>, N>& names,
                        const std::string& description) {
    std::string legal;
    for (const auto& entry : names) legal.append(legal.empty() ? "" : ", ").append(entry.first);
    return add(
        name,
        [&value, name, names, legal](const std::string& text) {
          const auto words = parse_names(name, text, names);
          if (words.size() != 1) detail::Argument{name, text}.refuse(text, "is more than one word", "one of " + legal);
          value = words.front();
        },
        std::string(name_of(value, names)), fmt::format("{} ({})", description, legal), "NAME");
  }

  CLI::Option* add_flag(const std::string& name, bool& value, const std::string& description) {
    return app_.add_flag(name, value, description);
  }

  /// An option whose text `set` parses.
  CLI::Option* add(const std::string& names, const Setter& set, const std::string& initial,
                   const std::string& description, const std::string& type) {
    CLI::Option* option = app_.add_option_function<std::string>(names, set, description);
    option->default_str(initial)->type_name(type);
    setters_.emplace_back(option, set);
    return option;
  }

  /// A positional twin of an option; giving both is a usage error.
  CLI::Option* add_twin(const std::string& name, CLI::Option* option, const std::string& description) {
    Setter set;
    for (const auto& [known, setter] : setters_) {
      if (known == option) set = setter;
    }
    CLI::Option* twin = add(name, set, "", description, "SIZE");
    twins_.emplace_back(twin, option);
    return twin;
  }

  void add_iterations_twin() {
    iterations_twin_ = add_twin("ITERATIONS", iterations_, "same as -i; implies -r 1 without -r");
  }

  /// Parses; throws UsageError. Returns the text to print where --help or --version was given.
  std::optional<std::string> parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return app_.help();
    } catch (const CLI::CallForVersion&) {
      return title_ + "\n";
    } catch (const CLI::ParseError& error) {
      throw UsageError(fmt::format("{} (legal options: {})", error.what(), option_names()));
    }
    for (const auto& [twin, option] : twins_) {
      if (twin->count() > 0 && option->count() > 0) {
        throw UsageError(fmt::format("{} and {} are the same: give one of them (legal: {} {} or {} {})",
                                     twin->get_name(), option->get_name(), option->get_name(),
                                     option->results().front(), twin->get_name(), twin->results().front()));
      }
    }
    // The articles' programs time one run; so do their command lines here, and their launch numbers hold.
    if (iterations_twin_ != nullptr && iterations_twin_->count() > 0 && runs_->count() == 0) options_.runs = 1;
    check();
    return std::nullopt;
  }

 private:
  static std::string shown(const std::string& names) { return names.substr(names.rfind(',') + 1); }

  static std::string target(const std::string& option, const std::string& text) {
    if (text.empty()) throw UsageError(option + ": '' is no file name (legal: a file's path, or -)");
    return text;
  }

  void add_mode(const std::string& name, Mode mode, const std::string& description) {
    app_.add_flag_callback(
        name,
        [this, name, mode] {
          if (options_.mode != Mode::measure) throw UsageError(name + ": one of --predict, --plan, --audit at a time");
          options_.mode = mode;
        },
        description);
  }

  std::string option_names() const {
    std::string names;
    for (const CLI::Option* option : app_.get_options()) {
      names.append(names.empty() ? "" : " ").append(option->get_name());
    }
    return names;
  }

  static void require(bool holds, const std::string& message) {
    if (!holds) throw UsageError(message);
  }

  void check() const {
    const Options& o = options_;
    require(o.block_size % 32 == 0,
            fmt::format("--block-size: '{}' is no multiple of 32 (legal: 32, 64, ... 1024)", o.block_size));
    const auto power_of_two = [](std::uint64_t x) { return (x & (x - 1)) == 0; };
    require(power_of_two(o.items_per_thread),
            fmt::format("--items-per-thread: '{}' is not served (legal: 1, 2, 4, 8)", o.items_per_thread));
    require(power_of_two(o.element_bytes),
            fmt::format("--element-bytes: '{}' is not served (legal: 1, 2, 4, 8, 16)", o.element_bytes));
    require(!(o.csv == "-" && o.samples == "-"), "--csv - and --samples -: stdout carries one of them");
    const bool text_only = o.mode == Mode::plan || o.mode == Mode::audit;
    require(!(text_only && (o.csv || o.samples)), "--csv and --samples take rows: not with --plan or --audit");
    require(o.mode == Mode::audit || warp_->count() == 0, "--warp: needs --audit");
  }

  Options options_;
  CLI::App app_;
  std::string title_;
  CLI::Option* iterations_ = nullptr;
  CLI::Option* iterations_twin_ = nullptr;
  CLI::Option* runs_ = nullptr;
  CLI::Option* warp_ = nullptr;
  std::vector<std::pair<CLI::Option*, Setter>> setters_;
  std::vector<std::pair<CLI::Option*, CLI::Option*>> twins_;  ///< positional, option
};

}  // namespace sectorscope
