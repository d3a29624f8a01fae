#pragma once
// The one main: argv -> options -> plan -> describe -> run -> record -> report. Report side and device side meet here.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sectorscope/access.hpp"
#include "sectorscope/audit.hpp"
#include "sectorscope/command_line.hpp"
#include "sectorscope/context.hpp"
#include "sectorscope/flags.hpp"
#include "sectorscope/launch_order.hpp"
#include "sectorscope/nvtx.hpp"
#include "sectorscope/plan_text.hpp"
#include "sectorscope/progress.hpp"
#include "sectorscope/reporter.hpp"
#include "sectorscope/session.hpp"

namespace sectorscope {

/// A configuration, and what is known of it once it has run.
template <class Configuration>
struct Result {
  Configuration configuration;
  Record record;
  Verification verification;
};

/// What an experiment may leave out.
struct ExperimentDefaults {
  /// Whether the size was left to the suite.
  bool is_automatic(const Options& options) const { return !options.n; }

  /// Closing lines of the table, from all results in executed order.
  template <class Results>
  std::vector<std::string> summary(const Results&) const {
    return {};
  }
};

namespace experiment_detail {

inline void warn(const std::string& text) { fmt::print(stderr, "{}\n", text); }

/// Now, in UTC, as ISO 8601 writes it.
inline std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text.data();
}

/// The measured part of a record.
inline Measured summarized(const Outcome& outcome, const Session& session, const Record& record, const Options& options,
                           bool throttled, std::set<std::string>& advised) {
  const Summary summary = summarize(outcome.samples);
  const double launches = options.l2 == L2Mode::hot ? static_cast<double>(options.iterations) : 1;
  Measured measured;
  measured.median_s = summary.median;
  measured.mean_s = summary.mean;
  measured.min_s = summary.min;
  measured.max_s = summary.max;
  measured.deviation_s = summary.sample_deviation;
  measured.ceiling_gbps = session.ceiling(record);
  measured.mismatches = outcome.verification.mismatches;
  if (outcome.verification.error_is_finite) measured.max_abs_error = outcome.verification.max_abs_error;
  for (const Flag& flag : flags_of(summary, {summary.min * launches, throttled, is_profiled()})) {
    measured.flags += (measured.flags.empty() ? "" : ";") + std::string(flag.name);
    if (advised.emplace(flag.name).second && !options.quiet) warn(fmt::format("{}: {}", flag.name, flag.advice));
  }
  measured.timestamp = timestamp();
  return measured;
}

/// The first wrong elements, for people.
inline void explain(const Verification& verification, const Key& key) {
  constexpr std::size_t most_shown = 8;
  if (verification.mismatches == 0) return;
  warn(fmt::format("{}: {} mismatches", configuration_name(key), verification.mismatches));
  for (std::size_t i = 0; i < std::min(most_shown, verification.kept.size()); ++i) {
    const Mismatch& m = verification.kept[i];
    warn(fmt::format("  {} index {}: source {}, expected {}, actual {}", m.place, m.index,
                     m.source ? fmt::format("index {}", *m.source) : "none (nothing may be written here)", m.expected,
                     m.actual));
  }
}

template <class Experiment, class Results>
void audit(const Experiment& experiment, const Results& results, std::uint64_t warp) {
  for (const auto& result : results) {
    print(fmt::format("{}: {}\n", configuration_name(result.record.key), result.record.prediction.access));
    for (const Access& access : experiment.accesses(result.configuration)) {
      if (warp >= access.warps) {
        throw UsageError(fmt::format("--warp: '{}' is out of range (legal: 0..{})", warp, access.warps - 1));
      }
      print(audit_text(access, warp) + "\n");
    }
  }
}

/// Runs all configurations; rows that were measured stay written whatever happens to a later one.
template <class Experiment, class Results>
ExitCode measure_all(const Experiment& experiment, Results& results, const Options& options, bool is_auto) {
  std::vector<Record> records;
  for (const auto& result : results) records.push_back(result.record);
  Session session(options, records);
  Reporter reporter(options);
  Progress progress(!options.quiet);
  if (!session.neighbours().empty() && !options.quiet) {
    warn(fmt::format("note: other processes use this GPU: pid {}", fmt::join(session.neighbours(), ", ")));
  }
  reporter.begin({context_line(session.gpu_pieces()), context_line(shape_pieces(records, options, is_auto)),
                  context_line(session.ceiling_pieces())},
                 records);
  bool passed = true;
  std::set<std::string> advised;
  for (std::size_t k = 0; k < results.size(); ++k) {
    auto& result = results[k];
    const std::string name = configuration_name(result.record.key);
    progress.show(k + 1, results.size(), name);
    try {
      const NvtxRange range(result.record.key.experiment + ":" + name);
      const GpuState before = session.state();
      Outcome outcome = experiment.run(result.configuration, session.measurement());
      const GpuState after = session.state();
      result.record.machine = session.machine();
      result.record.measured =
          summarized(outcome, session, result.record, options, throttled(before) || throttled(after), advised);
      result.record.measured->sm_clock_mhz = after.sm_clock_mhz;
      result.record.measured->memory_clock_mhz = after.memory_clock_mhz;
      result.verification = std::move(outcome.verification);
      progress.clear();
      explain(result.verification, result.record.key);
      reporter.write(result.record, outcome.samples);
      passed = passed && result.verification.mismatches == 0;
    } catch (const ClosedPipe&) {
      throw;
    } catch (const Error& error) {
      throw Error(error.exit_code(),
                  fmt::format("configuration {} of {} ({}): {}", k + 1, results.size(), name, error.what()));
    }
  }
  reporter.finish(experiment.summary(results), passed ? "PASSED" : "FAILED");
  return passed ? ExitCode::ok : ExitCode::mismatch;
}

/// The address layer alone.
template <class Results>
void predict_all(const Results& results, const Options& options, bool is_auto) {
  std::vector<Record> records;
  for (const auto& result : results) records.push_back(result.record);
  Reporter reporter(options);
  reporter.begin({"address layer only: nothing was run, times are not measured\n",
                  context_line(shape_pieces(records, options, is_auto))},
                 records);
  for (const Record& record : records) reporter.write(record, {});
  reporter.finish({}, "not run");
}

template <class Experiment>
ExitCode run(int argc, const char* const* argv) {
  Experiment experiment;
  CommandLine line(Experiment::name, Experiment::question);
  experiment.add_options(line);
  if (const auto text = line.parse(argc, argv)) {
    print(*text);
    return ExitCode::ok;
  }
  const Options& options = line.options();
  const std::optional<std::uint64_t> l2 = options.l2_bytes ? options.l2_bytes : probe_l2_bytes(options.device);

  auto configurations = experiment.plan(options, l2);
  put_in_order(configurations, options.order, options.seed);
  std::vector<Result<typename Experiment::Configuration>> results;
  for (const auto& configuration : configurations) {
    Record record = experiment.describe(configuration);
    complete(record, options, l2, results.size());
    results.push_back({configuration, std::move(record), {}});
  }

  const bool is_auto = experiment.is_automatic(options);
  switch (options.mode) {
    case Mode::plan:
      for (const auto& result : results) {
        print(plan_text(result.record, options, std::vector<std::string>(argv, argv + argc)));
      }
      return ExitCode::ok;
    case Mode::audit:
      audit(experiment, results, options.audit_warp);
      return ExitCode::ok;
    case Mode::predict:
      predict_all(results, options, is_auto);
      return ExitCode::ok;
    case Mode::measure:
      break;
  }
  return measure_all(experiment, results, options, is_auto);
}

}  // namespace experiment_detail

/// The whole of an experiment's main(). Returns the exit code of the contract.
template <class Experiment>
int run_experiment(int argc, char** argv) {
  platform::ignore_write_signals();
  const auto fail = [](ExitCode code, const char* reason) {
    fmt::print(stderr, "{}: error: {}\n", Experiment::name, reason);
    return static_cast<int>(code);
  };
  try {
    return static_cast<int>(experiment_detail::run<Experiment>(argc, argv));
  } catch (const ClosedPipe&) {
    return static_cast<int>(ExitCode::failure);  // nobody is left to tell
  } catch (const Error& error) {
    return fail(error.exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::failure, "out of host memory");
  } catch (const std::exception& error) {
    return fail(ExitCode::failure, error.what());
  }
}

}  // namespace sectorscope
