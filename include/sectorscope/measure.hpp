#pragma once
// Measuring one configuration: poison, warm-up, poison again, then the timed runs.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "sectorscope/cuda_check.hpp"
#include "sectorscope/event_timer.hpp"
#include "sectorscope/l2_flush.hpp"

namespace sectorscope {

struct Schedule {
  std::uint64_t warmup = 10;       ///< untimed launches
  std::uint64_t runs = 7;          ///< samples
  std::uint64_t iterations = 100;  ///< timed launches in a sample
};

/// One run.
struct Sample {
  double seconds;                 ///< a launch
  double shortest_interval_s;     ///< between one pair of events
  std::optional<double> issue_s;  ///< what the host needed to issue a launch; empty in cold mode, where flushes hide it
};

/// What the runs of one configuration took.
struct Timing {
  std::vector<double> samples;  ///< seconds a launch, one value for each run
  double shortest_interval_s = std::numeric_limits<double>::infinity();
  std::optional<double> issue_s;  ///< of the run where it was shortest; empty where it cannot be told
};

/// Launches that a stream takes without making the host wait: issuing is timed on no more than these.
inline constexpr std::uint64_t most_unhindered = 256;

/// One sample in hot mode: all launches between one pair of events, so that the microseconds which an event pair adds
/// are shared by all of them.
inline Sample sample_batch(const std::function<void()>& launch, std::uint64_t iterations, cudaStream_t stream) {
  using Clock = std::chrono::steady_clock;
  const std::uint64_t clocked = std::min(iterations, most_unhindered);
  EventTimer timer;
  timer.start(stream);
  const Clock::time_point begin = Clock::now();
  for (std::uint64_t i = 0; i < clocked; ++i) launch();
  const std::chrono::duration<double> issuing = Clock::now() - begin;
  for (std::uint64_t i = clocked; i < iterations; ++i) launch();
  timer.stop(stream);
  SECTORSCOPE_CUDA_CHECK(cudaGetLastError());
  const double interval = timer.seconds();
  return {interval / static_cast<double>(iterations), interval, issuing.count() / static_cast<double>(clocked)};
}

/// One sample in cold mode: every launch has an event pair of its own, started right after a flush of the L2. The event
/// pair's own microseconds are in it (see event_pair.hpp).
inline Sample sample_cold(const std::function<void()>& launch, std::uint64_t iterations, const L2Flush& flush,
                          cudaStream_t stream) {
  constexpr std::uint64_t most_in_flight = 256;  // bounds the number of events, not the result
  std::vector<EventTimer> timers(std::min(iterations, most_in_flight));
  double total = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::uint64_t done = 0; done < iterations; done += timers.size()) {
    const std::uint64_t batch = std::min<std::uint64_t>(timers.size(), iterations - done);
    for (std::uint64_t i = 0; i < batch; ++i) {
      flush(stream);
      timers[i].start(stream);
      launch();
      timers[i].stop(stream);
    }
    SECTORSCOPE_CUDA_CHECK(cudaGetLastError());
    for (std::uint64_t i = 0; i < batch; ++i) {
      const double interval = timers[i].seconds();
      total += interval;
      shortest = std::min(shortest, interval);
    }
  }
  return {total / static_cast<double>(iterations), shortest, std::nullopt};
}

/// Times one configuration. `launch` holds the launch and nothing else. `poison` prepares the outputs before the
/// warm-up, and again before the timed launches, so that only what those wrote is verified. `flush` makes the runs
/// cold. The launches are exactly warmup + runs * iterations.
inline Timing measure(const Schedule& schedule, const std::function<void()>& launch,
                      const std::function<void()>& poison, const L2Flush* flush, cudaStream_t stream) {
  poison();
  for (std::uint64_t i = 0; i < schedule.warmup; ++i) {
    launch();
    SECTORSCOPE_CUDA_CHECK(cudaGetLastError());
  }
  poison();
  Timing timing;
  for (std::uint64_t run = 0; run < schedule.runs; ++run) {
    const Sample sample = flush != nullptr ? sample_cold(launch, schedule.iterations, *flush, stream)
                                           : sample_batch(launch, schedule.iterations, stream);
    timing.samples.push_back(sample.seconds);
    timing.shortest_interval_s = std::min(timing.shortest_interval_s, sample.shortest_interval_s);
    // The first launch of a kernel loads it, and a long warm-up still fills the queue when the first run begins.
    const bool is_unhindered = run > 0 || (schedule.warmup > 0 && schedule.warmup <= most_unhindered);
    if (sample.issue_s && is_unhindered)
      timing.issue_s = std::min(timing.issue_s.value_or(*sample.issue_s), *sample.issue_s);
  }
  SECTORSCOPE_CUDA_CHECK(cudaStreamSynchronize(stream));
  return timing;
}

}  // namespace sectorscope
