#pragma once
// Move-only owner of a CUDA stream.

#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

#include "sectorscope/cuda_check.hpp"

namespace sectorscope {

/// A stream that does not wait for the legacy default stream.
class Stream {
 public:
  Stream() { SECTORSCOPE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() {
    // A destructor must not throw; after a sticky error this fails too, and the first error has been reported.
    if (stream_ != nullptr && cudaStreamDestroy(stream_) != cudaSuccess) std::fputs("warning: stream leaked\n", stderr);
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  Stream(const Stream&) = delete;  // two owners would destroy it twice
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const noexcept { return stream_; }
  void synchronize() const { SECTORSCOPE_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace sectorscope
