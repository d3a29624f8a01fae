#pragma once
// What it costs to time a launch alone, as cold mode must: the events' own part of the interval.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "sectorscope/cuda_check.hpp"
#include "sectorscope/device_buffer.hpp"
#include "sectorscope/measure.hpp"
#include "sectorscope/statistics.hpp"

namespace sectorscope {

/// Seconds that a pair of events adds to one launch between them: a device-to-device copy timed alone, less the same
/// copy in a batch, where a hundred share one pair. A copy and no kernel, as the only kernels of a process are the
/// experiment's. Medians; 2.1-2.5 us on an H200.
inline double measure_event_pair(cudaStream_t stream) {
  constexpr std::size_t bytes = std::size_t{1} << 20;  // short, so that the difference is not one of large numbers
  constexpr int times = 51;
  const DeviceBuffer from(bytes);
  const DeviceBuffer to(bytes);
  const auto copy = [&] {
    SECTORSCOPE_CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream));
  };
  SECTORSCOPE_CUDA_CHECK(cudaMemsetAsync(from.data(), 0x5A, bytes, stream));
  std::vector<double> alone;
  std::vector<double> in_a_batch;
  for (int i = 0; i < times; ++i) {
    alone.push_back(sample_batch(copy, 1, stream).seconds);
    in_a_batch.push_back(sample_batch(copy, 100, stream).seconds);
  }
  return summarize(alone).median - summarize(in_a_batch).median;
}

}  // namespace sectorscope
