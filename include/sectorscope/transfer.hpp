#pragma once
// Streaming between host and device in chunks: every worker thread generates or checks its own chunk while the others'
// chunks travel, so host work and copies overlap and host memory stays bounded whatever the array's size.

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "sectorscope/arithmetic.hpp"
#include "sectorscope/cuda_check.hpp"
#include "sectorscope/stream.hpp"

namespace sectorscope {

/// Owner of page-locked host memory.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t bytes) { SECTORSCOPE_CUDA_CHECK(cudaMallocHost(&data_, bytes)); }
  ~PinnedBuffer() {
    if (data_ != nullptr && cudaFreeHost(data_) != cudaSuccess) std::fputs("warning: pinned memory leaked\n", stderr);
  }
  PinnedBuffer(const PinnedBuffer&) = delete;  // two owners would free it twice
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  void* data() const noexcept { return data_; }

 private:
  void* data_ = nullptr;
};

/// Worker threads with a page-locked chunk and a stream each; reused for every array of the process.
class Transfer {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{2} << 20;

  explicit Transfer(int device) : device_(device), staging_(worker_count() * chunk_bytes) {
    for (unsigned i = 0; i < worker_count(); ++i) {
      workers_.push_back({static_cast<unsigned char*>(staging_.data()) + i * chunk_bytes, Stream()});
    }
  }

  /// Fills `count` elements at `target`; `generate(first, count, T* host)` writes elements [first, first + count) and
  /// is called from several threads. Returns when all is on the device.
  template <class T, class Generate>
  void upload(T* target, std::uint64_t count, const Generate& generate) {
    for_each_chunk(count, sizeof(T), [&](const Worker& worker, std::uint64_t first, std::uint64_t n) {
      generate(first, n, static_cast<T*>(worker.staging));
      SECTORSCOPE_CUDA_CHECK(
          cudaMemcpyAsync(target + first, worker.staging, n * sizeof(T), cudaMemcpyHostToDevice, worker.stream.get()));
      worker.stream.synchronize();
    });
  }

  /// Hands `count` elements at `source` to `consume(first, count, const T* host)`, from several threads, in no order.
  template <class T, class Consume>
  void download(const T* source, std::uint64_t count, const Consume& consume) {
    for_each_chunk(count, sizeof(T), [&](const Worker& worker, std::uint64_t first, std::uint64_t n) {
      SECTORSCOPE_CUDA_CHECK(
          cudaMemcpyAsync(worker.staging, source + first, n * sizeof(T), cudaMemcpyDeviceToHost, worker.stream.get()));
      worker.stream.synchronize();
      consume(first, n, static_cast<const T*>(worker.staging));
    });
  }

 private:
  struct Worker {
    void* staging;  ///< its chunk of page-locked memory
    Stream stream;
  };
  // At least four, so that copies overlap with host work on small machines; more than 16 do not speed a copy up.
  static unsigned worker_count() { return std::clamp(std::thread::hardware_concurrency(), 4U, 16U); }

  using ChunkFunction = std::function<void(const Worker&, std::uint64_t first, std::uint64_t count)>;

  void for_each_chunk(std::uint64_t count, std::size_t element_bytes, const ChunkFunction& function) {
    const std::uint64_t chunk = chunk_bytes / element_bytes;
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&](const Worker& worker) {
      try {
        SECTORSCOPE_CUDA_CHECK(cudaSetDevice(device_));  // the current device is a thread's own
        for (std::uint64_t first = chunk * next++; first < count; first = chunk * next++) {
          function(worker, first, std::min(chunk, count - first));
        }
      } catch (...) {
        next = count;  // the others stop at their next chunk
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    };
    const std::uint64_t chunks = divide_up(count, chunk);
    std::vector<std::thread> threads;
    threads.reserve(workers_.size());  // what throws below must be no more than a thread that cannot be had
    for (std::size_t i = 1; i < workers_.size() && i < chunks; ++i) {
      try {
        threads.emplace_back([&work, this, i] { work(workers_[i]); });
      } catch (const std::system_error&) {
        break;  // no more threads to be had: those that run do it all
      }
    }
    work(workers_.front());
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
  }

  int device_;
  PinnedBuffer staging_;  // all chunks at once: every call has a price of its own
  std::vector<Worker> workers_;
};

}  // namespace sectorscope
