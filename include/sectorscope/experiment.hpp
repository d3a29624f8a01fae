#pragma once
// The one main: argv -> options -> plan -> describe -> run -> record -> report. Report side and device side meet here.

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "sectorscope/audit.hpp"
#include "sectorscope/command_line.hpp"
#include "sectorscope/launch_order.hpp"
#include "sectorscope/modes.hpp"
#include "sectorscope/plan_text.hpp"
#include "sectorscope/platform.hpp"
#include "sectorscope/reporter.hpp"
#include "sectorscope/standard_streams.hpp"

namespace sectorscope {

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

/// The flow; throws Error.
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
  const std::optional<std::uint64_t> device_l2 = probe_l2_bytes(options.device);
  const std::optional<std::uint64_t> planned_l2 = options.l2_bytes ? options.l2_bytes : device_l2;

  auto configurations = experiment.plan(options, planned_l2);
  if (configurations.size() > most_list_entries) {
    throw UsageError(
        fmt::format("{} configurations (legal: at most {} in all)", configurations.size(), most_list_entries));
  }
  put_in_order(configurations, options.order, options.seed);
  std::vector<Result<typename Experiment::Configuration>> results;
  for (const auto& configuration : configurations) {
    Record record = experiment.describe(configuration);
    // Whatever its size was planned for, a row is measured on this device's L2.
    complete(record, options, options.mode == Mode::measure ? device_l2 : planned_l2, results.size());
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

/// The whole of an experiment's main(). Returns the exit code of the contract.
template <class Experiment>
int run_experiment(int argc, char** argv) {
  platform::reserve_standard_streams();
  platform::ignore_write_signals();
  const auto fail = [](ExitCode code, const char* reason) {
    warn(fmt::format("{}: error: {}", Experiment::name, reason));
    return static_cast<int>(code);
  };
  try {
    return static_cast<int>(run<Experiment>(argc, argv));
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
