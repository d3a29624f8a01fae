#pragma once
// The command line of an experiment: the options that all share, and the checks between them.

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "sectorscope/errors.hpp"
#include "sectorscope/options.hpp"
#include "sectorscope/parse.hpp"
#include "sectorscope/same_target.hpp"
#include "sectorscope/typed_options.hpp"
#include "sectorscope/version.hpp"

namespace sectorscope {

/// The experiment adds its own axes, and those of the shared options that it honours: one that it does not honour is
/// unknown to it.
class CommandLine : public TypedOptions {
 public:
  CommandLine(const std::string& experiment, const std::string& question)
      : TypedOptions(experiment, question, fmt::format("{} (sectorscope {})", experiment, version)) {
    iterations_ = add_size("-i,--iterations", options_.iterations, 1, 10000, "timed launches in one run");
    runs_ = add_size("-r,--runs", options_.runs, 1, 1000, "timed runs per configuration");
    add_size("-w,--warmup", options_.warmup, 0, 10000, "untimed launches per configuration");
    add_size("-d,--device", options_.device, 0, 1023, "CUDA device index");
    add_name("--l2", options_.l2, l2_modes, "cold: the L2 is flushed before every timed launch");
    add_name("--order", options_.order, orders, "order in which configurations run");
    add_size("--seed", options_.seed, 0, std::numeric_limits<std::int64_t>::max(), "seed of --order shuffled");
    add_target("--csv", options_.csv, "append one row per configuration to a file; -: CSV alone on stdout");
    add_target("--samples", options_.samples, "append one row per run to a file; -: to stdout");
    add_mode("--predict", Mode::predict, "print the address layer alone; needs no GPU");
    add_mode("--plan", Mode::plan, "print launch indices and ncu command lines; needs no GPU");
    add_mode("--audit", Mode::audit, "print one warp's addresses and sectors per access; needs no GPU");
    warp_ = add_size("--warp", options_.audit_warp, 0, largest_size, "the warp that --audit shows");
    const auto set_l2 = [this](const std::string& text) {
      options_.l2_bytes = parse_size_in("--l2-bytes", text, 1, most_l2_bytes);
    };
    add("--l2-bytes", set_l2, "the device's", "L2 size to plan for when it is not this machine's", "SIZE");
    add_flag("-q,--quiet", options_.quiet, "print no table and no progress: the verdict line and errors only");
  }

  const Options& options() const { return options_; }

  /// -n, -b, -u and the positional forms N and ITERATIONS.
  void add_elements() {
    const auto set_n = [this](const std::string& text) {
      options_.n = parse_size_in(shown("-n,--n"), text, 1, largest_size / 2);
    };
    CLI::Option* n = add("-n,--n", set_n, "auto", "elements", "SIZE");
    add_size("-b,--block-size", options_.block_size, 32, 1024, "threads per block, a multiple of 32");
    add_size("-u,--items-per-thread", options_.items_per_thread, 1, 8, "elements each thread moves: 1, 2, 4, 8");
    add_twin("N", n, "same as -n");
    add_iterations_twin();
  }

  /// -e.
  void add_element_bytes() {
    add_size("-e,--element-bytes", options_.element_bytes, 1, 16, "bytes of an element: 1, 2, 4, 8, 16");
  }

  void add_iterations_twin() {
    iterations_twin_ = add_twin("ITERATIONS", iterations_, "same as -i; implies -r 1 without -r");
  }

  /// Throws UsageError. Returns the text to print where --help or --version was given.
  std::optional<std::string> parse(int argc, const char* const* argv) {
    if (const auto text = TypedOptions::parse(argc, argv)) return text;
    // The articles' programs time one run; so do their command lines here, and their launch numbers hold.
    if (iterations_twin_ != nullptr && iterations_twin_->count() > 0 && runs_->count() == 0) options_.runs = 1;
    check();
    return std::nullopt;
  }

 private:
  void add_target(const std::string& name, std::optional<std::string>& target, const std::string& description) {
    const auto set = [&target, name](const std::string& text) {
      require(!text.empty(), name + ": '' is no file name (legal: a file's path, or -)");
      // More likely the next option, behind a forgotten name, than a file.
      require(text == "-" || text.front() != '-',
              fmt::format("{}: {} looks like an option (legal: a file's path, as in ./-x, or -)", name,
                          detail::quoted(text)));
      target = text;
    };
    add(name, set, "", description, "FILE");
  }

  void add_mode(const std::string& name, Mode mode, const std::string& description) {
    const auto set = [this, name, mode] {
      require(options_.mode == Mode::measure, name + ": given with another (legal: one of --predict, --plan, --audit)");
      options_.mode = mode;
    };
    add_flag(name, set, description);
  }

  static void require(bool holds, const std::string& message) {
    if (!holds) throw UsageError(message);
  }

  void check() const {
    const Options& o = options_;
    const auto power_of_two = [](std::uint64_t x) { return (x & (x - 1)) == 0; };
    require(o.block_size % 32 == 0,
            fmt::format("-b, --block-size: '{}' is no multiple of 32 (legal: 32, 64, ... 1024)", o.block_size));
    require(power_of_two(o.items_per_thread),
            fmt::format("-u, --items-per-thread: '{}' is not served (legal: 1, 2, 4, 8)", o.items_per_thread));
    require(power_of_two(o.element_bytes),
            fmt::format("-e, --element-bytes: '{}' is not served (legal: 1, 2, 4, 8, 16)", o.element_bytes));
    require(!(o.csv == "-" && o.samples == "-"), "--samples: '-' with --csv - (legal: stdout carries one of them)");
    require(!o.csv || !o.samples || !is_same_target(*o.csv, *o.samples),
            "--samples: the same file as --csv (legal: another)");
    const bool rows = o.mode == Mode::measure || o.mode == Mode::predict;
    require(rows || (!o.csv && !o.samples),
            "--csv, --samples: given with --plan or --audit (legal: where there are rows)");
    require(o.mode == Mode::audit || warp_->count() == 0, "--warp: given without --audit (legal: with it)");
  }

  /// Far above any L2, and what is chosen for it fits a grid: no message then blames an -n that nobody gave.
  static constexpr std::uint64_t most_l2_bytes = std::uint64_t{1} << 33;

  Options options_;
  CLI::Option* iterations_ = nullptr;
  CLI::Option* iterations_twin_ = nullptr;
  CLI::Option* runs_ = nullptr;
  CLI::Option* warp_ = nullptr;
};

}  // namespace sectorscope
