#pragma once
// Time on the device: a pair of CUDA events around work in a stream.

#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

#include "sectorscope/cuda_check.hpp"

namespace sectorscope {

/// Move-only owner of a CUDA event.
class Event {
 public:
  Event() { SECTORSCOPE_CUDA_CHECK(cudaEventCreate(&event_)); }
  ~Event() {
    if (event_ != nullptr && cudaEventDestroy(event_) != cudaSuccess) std::fputs("warning: event leaked\n", stderr);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  Event(const Event&) = delete;  // two owners would destroy it twice
  Event& operator=(const Event&) = delete;

  cudaEvent_t get() const noexcept { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Measures what a stream does between start and stop.
class EventTimer {
 public:
  void start(cudaStream_t stream) { SECTORSCOPE_CUDA_CHECK(cudaEventRecord(start_.get(), stream)); }
  void stop(cudaStream_t stream) { SECTORSCOPE_CUDA_CHECK(cudaEventRecord(stop_.get(), stream)); }

  /// Waits for stop. Seconds, resolution about 0.5 us.
  double seconds() const {
    float milliseconds = 0;
    SECTORSCOPE_CUDA_CHECK(cudaEventSynchronize(stop_.get()));
    SECTORSCOPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  Event start_;
  Event stop_;
};

}  // namespace sectorscope
