#pragma once
// What makes a launch find nothing in the L2.

#include <cuda_runtime.h>

#include <cstddef>

#include "sectorscope/cuda_check.hpp"
#include "sectorscope/device_buffer.hpp"

namespace sectorscope {

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

}  // namespace sectorscope
