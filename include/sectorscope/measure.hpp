#pragma once
// Measuring one configuration: poison, warm-up, poison again, then the timed runs.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "sectorscope/cuda_check.hpp"
#include "sectorscope/device_buffer.hpp"
#include "sectorscope/event_timer.hpp"

namespace sectorscope {

struct Schedule {
  std::uint64_t warmup = 10;       ///< untimed launches
  std::uint64_t runs = 7;          ///< samples
  std::uint64_t iterations = 100;  ///< timed launches in a sample
};

/// Evicts a device's L2: a memset of twice its size.
class L2Flush {
 public:
  static constexpr std::size_t bytes_for(std::size_t l2_bytes) { return 2 * l2_bytes; }

  explicit L2Flush(std::size_t l2_bytes) : buffer_(bytes_for(l2_bytes)) {}
  void operator()(cudaStream_t stream) const {
    SECTORSCOPE_CUDA_CHECK(cudaMemsetAsync(buffer_.data(), 0, buffer_.bytes(), stream));
  }

 private:
  DeviceBuffer buffer_;
};

/// One sample in hot mode: all launches between one pair of events, so that the microseconds which an event pair adds
/// are shared by all of them. Seconds a launch.
inline double sample_batch(const std::function<void()>& launch, std::uint64_t iterations, cudaStream_t stream) {
  EventTimer timer;
  timer.start(stream);
  for (std::uint64_t i = 0; i < iterations; ++i) launch();
  timer.stop(stream);
  SECTORSCOPE_CUDA_CHECK(cudaGetLastError());
  return timer.seconds() / static_cast<double>(iterations);
}

/// One sample in cold mode: every launch has an event pair of its own, started right after a flush of the L2. Seconds a
/// launch, the event pair's own microseconds included (see event_pair.hpp).
inline double sample_cold(const std::function<void()>& launch, std::uint64_t iterations, const L2Flush& flush,
                          cudaStream_t stream) {
  constexpr std::uint64_t most_in_flight = 256;  // bounds the number of events, not the result
  std::vector<EventTimer> timers(std::min(iterations, most_in_flight));
  double total = 0;
  for (std::uint64_t done = 0; done < iterations; done += timers.size()) {
    const std::uint64_t batch = std::min<std::uint64_t>(timers.size(), iterations - done);
    for (std::uint64_t i = 0; i < batch; ++i) {
      flush(stream);
      timers[i].start(stream);
      launch();
      timers[i].stop(stream);
    }
    SECTORSCOPE_CUDA_CHECK(cudaGetLastError());
    for (std::uint64_t i = 0; i < batch; ++i) total += timers[i].seconds();
  }
  return total / static_cast<double>(iterations);
}

/// Seconds a launch, one value for each run. `launch` holds the launch and nothing else. `poison` prepares the outputs
/// before the warm-up, and again before the timed launches, so that only what those wrote is verified. `flush` makes
/// the runs cold. The launches are exactly warmup + runs * iterations.
inline std::vector<double> measure(const Schedule& schedule, const std::function<void()>& launch,
                                   const std::function<void()>& poison, const L2Flush* flush, cudaStream_t stream) {
  poison();
  for (std::uint64_t i = 0; i < schedule.warmup; ++i) {
    launch();
    SECTORSCOPE_CUDA_CHECK(cudaGetLastError());
  }
  poison();
  std::vector<double> samples;
  for (std::uint64_t run = 0; run < schedule.runs; ++run) {
    samples.push_back(flush != nullptr ? sample_cold(launch, schedule.iterations, *flush, stream)
                                       : sample_batch(launch, schedule.iterations, stream));
  }
  SECTORSCOPE_CUDA_CHECK(cudaStreamSynchronize(stream));
  return samples;
}

}  // namespace sectorscope
