#pragma once
// Move-only owners of device memory.

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "sectorscope/cuda_check.hpp"
#include "sectorscope/pattern.hpp"

namespace sectorscope {

/// Bytes of device memory from cudaMalloc, so 256-byte aligned. Uninitialized.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
    const cudaError_t status = cudaMalloc(&data_, bytes);
    if (status != cudaErrorMemoryAllocation) {
      SECTORSCOPE_CUDA_CHECK(status);
      return;
    }
    std::size_t free = 0;
    std::size_t total = 0;
    cudaGetLastError();  // the failed allocation is not sticky
    SECTORSCOPE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    throw CudaError(
        fmt::format("out of device memory: {} bytes needed, {} bytes free{}", bytes, free, cuda_remedy(status)));
  }
  ~DeviceBuffer() {
    if (data_ != nullptr && cudaFree(data_) != cudaSuccess) std::fputs("warning: device memory leaked\n", stderr);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;  // two owners would free it twice
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  void* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Bytes of a guard band, one on each side of an output. A multiple of 256: the elements keep cudaMalloc's alignment.
inline constexpr std::size_t guard_bytes = 4096;

/// A view of `count` elements between two guard bands, in the first bytes of a buffer. The trailing band starts right
/// after the last element, so that a store one element too far is seen. The poison covers bands and elements; what a
/// kernel must not touch stays poison.
template <class T>
class GuardedArray {
 public:
  /// `memory` holds at least the elements and two guard bands, and outlives the view.
  GuardedArray(const DeviceBuffer& memory, std::uint64_t count)
      : memory_(static_cast<unsigned char*>(memory.data())), count_(count) {}

  T* data() const noexcept { return reinterpret_cast<T*>(leading_band() + guard_bytes); }
  std::uint64_t count() const noexcept { return count_; }
  unsigned char* leading_band() const noexcept { return memory_; }
  unsigned char* trailing_band() const noexcept { return reinterpret_cast<unsigned char*>(data() + count_); }

  void poison(cudaStream_t stream) const {
    SECTORSCOPE_CUDA_CHECK(cudaMemsetAsync(memory_, poison_byte, count_ * sizeof(T) + 2 * guard_bytes, stream));
  }

 private:
  unsigned char* memory_;
  std::uint64_t count_;
};

}  // namespace sectorscope
