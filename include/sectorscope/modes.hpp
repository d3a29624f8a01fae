#pragma once
// What is done with planned configurations: predict or measure them.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sectorscope/context.hpp"
#include "sectorscope/measured.hpp"
#include "sectorscope/notices.hpp"
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

template <class Results>
std::vector<Record> records_of(const Results& results) {
  std::vector<Record> records;
  for (const auto& result : results) records.push_back(result.record);
  return records;
}

/// Runs one configuration and fills in its record's machine and measured parts; returns the samples.
template <class Experiment, class Configuration>
std::vector<double> measure_one(const Experiment& experiment, Result<Configuration>& result, Session& session,
                                Advice& advice) {
  const NvtxRange range(range_name(result.record.key));
  const GpuState before = session.state();
  Outcome outcome = experiment.run(result.configuration, session.measurement());
  const GpuState& after = session.timed_state();

  const Timing& timing = outcome.timing;
  const Summary summary = summarize(timing.samples);
  const std::vector<Flag> flags =
      flags_of(summary, {timing.shortest_interval_s, throttled(before) || throttled(after), is_profiled()});
  Measured measured = measured_of(summary, outcome.verification, flags);
  measured.ceiling_gbps = session.ceiling(result.record);
  measured.sm_clock_mhz = after.sm_clock_mhz;
  measured.memory_clock_mhz = after.memory_clock_mhz;
  result.record.machine = session.machine();
  result.record.measured = measured;
  result.verification = std::move(outcome.verification);
  advice.give(flags);
  if (!is_profiled() && !launches_block()) {
    advice.compare_with_issue(configuration_name(result.record.key), summary.median, timing.issue_s);
  }
  explain(result.verification, configuration_name(result.record.key));
  return outcome.timing.samples;
}

/// Runs all configurations; rows that were measured stay written whatever happens to a later one.
template <class Experiment, class Results>
ExitCode measure_all(const Experiment& experiment, Results& results, const Options& options, bool is_auto) {
  const std::vector<Record> records = records_of(results);
  Session session(options, records);
  Reporter reporter(options);  // opens every target before anything is measured
  session.measure_ceilings(records);
  Progress progress(!options.quiet);
  Advice advice(!options.quiet);
  if (!options.quiet) note_circumstances(session.neighbours(), session.ceilings_are_steady());
  reporter.begin({context_line(session.gpu_pieces()), context_line(shape_pieces(records, options, is_auto)),
                  context_line(session.ceiling_pieces()), context_line(session.cold_pieces())},
                 records);
  bool passed = true;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::string name = configuration_name(records[k].key);
    progress.show(k + 1, results.size(), name);
    try {
      const std::vector<double> samples = measure_one(experiment, results[k], session, advice);
      progress.clear();
      reporter.write(results[k].record, samples);
    } catch (const ClosedPipe&) {
      throw;
    } catch (const Error& error) {
      throw Error(error.exit_code(),
                  fmt::format("configuration {} of {} ({}): {}", k + 1, results.size(), name, error.what()));
    }
    passed = passed && results[k].verification.mismatches == 0;
  }
  reporter.finish(experiment.summary(results), passed ? "PASSED" : "FAILED");
  return passed ? ExitCode::ok : ExitCode::mismatch;
}

/// The address layer alone.
template <class Results>
void predict_all(const Results& results, const Options& options, bool is_auto) {
  const std::vector<Record> records = records_of(results);
  Reporter reporter(options);
  reporter.begin({"address layer only: nothing was run, times are not measured\n",
                  context_line(shape_pieces(records, options, is_auto))},
                 records);
  for (const Record& record : records) reporter.write(record, {});
  reporter.finish({}, "not run");
}

}  // namespace sectorscope
