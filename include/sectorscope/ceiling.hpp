#pragma once
// The ceiling: what a device-to-device copy of the same size reaches, in the same process.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sectorscope/cuda_check.hpp"
#include "sectorscope/device_buffer.hpp"
#include "sectorscope/measure.hpp"
#include "sectorscope/statistics.hpp"
#include "sectorscope/units.hpp"

namespace sectorscope {

/// Bytes that the ceiling for a row moves, read and write counted: as many as the row's useful bytes, and no less than
/// four times the L2, so that the ceiling is the memory's and not the cache's.
inline std::uint64_t ceiling_bytes(std::uint64_t useful_bytes, std::uint64_t l2_bytes) {
  return std::max(useful_bytes, 4 * l2_bytes);
}

struct Ceiling {
  std::uint64_t bytes;  ///< moved by the copy, read and write counted
  double gbps;
  bool is_steady;  ///< its runs agree as those of a row without the flag `spread`
};

/// A device-to-device copy that reads and writes `bytes` in all. Timed in a stream, not in a graph, where the same copy
/// is slower (2773 against 4234 GB/s on an H200). Its buffers are gone when this returns.
inline Ceiling measure_ceiling(std::uint64_t bytes, cudaStream_t stream) {
  const DeviceBuffer from(bytes / 2);
  const DeviceBuffer to(bytes / 2);
  SECTORSCOPE_CUDA_CHECK(cudaMemsetAsync(from.data(), 0x5A, from.bytes(), stream));
  const auto copy = [&] {
    SECTORSCOPE_CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream));
  };
  for (int i = 0; i < 5; ++i) copy();
  const double once = sample_batch(copy, 1, stream).seconds;
  const auto batch = static_cast<std::uint64_t>(std::clamp(0.008 / once, 5.0, 100.0));  // about 8 ms a sample
  std::vector<double> samples;
  for (int run = 0; run < 5; ++run) samples.push_back(sample_batch(copy, batch, stream).seconds);
  const Summary summary = summarize(samples);
  const std::uint64_t moved = 2 * from.bytes();
  return {moved, gigabytes_per_second(moved, summary.median), !is_spread(summary)};
}

}  // namespace sectorscope
