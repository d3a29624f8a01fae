#pragma once
// What an experiment's run() works with: arrays on the device, timing, and verification of what the kernel left behind.

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sectorscope/device_buffer.hpp"
#include "sectorscope/measure.hpp"
#include "sectorscope/stream.hpp"
#include "sectorscope/transfer.hpp"
#include "sectorscope/verify.hpp"

namespace sectorscope {

/// What a configuration left: seconds a launch, one value for each run, and the verdict on its output.
struct Outcome {
  std::vector<double> samples;
  Verification verification;
};

/// One process's session on a device.
class Measurement {
 public:
  /// `flush_l2_bytes`: the L2 to flush before every timed launch; empty: hot.
  Measurement(int device, const Schedule& schedule, std::optional<std::size_t> flush_l2_bytes)
      : schedule_(schedule), transfer_(device) {
    if (flush_l2_bytes) flush_.emplace(*flush_l2_bytes);
  }

  const Schedule& schedule() const { return schedule_; }
  cudaStream_t stream() const { return stream_.get(); }

  /// Fills device memory; `generate(first, count, T* host)` writes elements [first, first + count).
  template <class T, class Generate>
  void upload(T* target, std::uint64_t count, const Generate& generate) {
    transfer_.upload(target, count, generate);
  }

  /// A device array of `count` elements that hold the hash pattern of their index. The next configuration mostly asks
  /// for the same, so it stays until one asks for another.
  template <class T>
  const T* pattern_input(std::uint64_t count) {
    if (!pattern_input_ || pattern_input_->width != sizeof(T) || pattern_input_->buffer.bytes() != count * sizeof(T)) {
      pattern_input_.reset();  // its memory may be needed for the next one
      DeviceBuffer buffer(count * sizeof(T));
      upload(static_cast<T*>(buffer.data()), count, [](std::uint64_t first, std::uint64_t n, T* host) {
        for (std::uint64_t i = 0; i < n; ++i) host[i] = pattern<T>(first + i);
      });
      pattern_input_.emplace(PatternInput{std::move(buffer), sizeof(T)});
    }
    return static_cast<const T*>(pattern_input_->buffer.data());
  }

  /// A guarded array that holds input: poisoned, then filled as by upload, so that its guard bands can be checked.
  template <class T, class Generate>
  GuardedArray<T> guarded_input(std::uint64_t count, const Generate& generate) {
    GuardedArray<T> array(count);
    array.poison(stream());
    stream_.synchronize();  // the upload runs in other streams
    upload(array.data(), count, generate);
    return array;
  }

  /// Called right after the last timed launch of a configuration, while the clocks are still what they were.
  void set_observer(std::function<void()> observer) { observer_ = std::move(observer); }

  /// Times `launch`, which holds the launch and nothing else; `poison` prepares the outputs.
  std::vector<double> time(const std::function<void()>& launch, const std::function<void()>& poison) const {
    std::vector<double> samples = measure(schedule_, launch, poison, flush_ ? &*flush_ : nullptr, stream());
    if (observer_) observer_();
    return samples;
  }

  /// As above, poisoning one output array.
  template <class T>
  std::vector<double> time(const std::function<void()>& launch, const GuardedArray<T>& output) const {
    return time(launch, [&] { output.poison(stream()); });
  }

  /// Compares every element of `output` with the reference (see compare), and both guard bands with the poison.
  template <class T, class Reference>
  Verification verify(const GuardedArray<T>& output, const Reference& reference) {
    Verification result;
    std::mutex mutex;
    transfer_.download(output.data(), output.count(), [&](std::uint64_t first, std::uint64_t count, const T* host) {
      Verification part = compare(host, first, count, reference);
      const std::lock_guard<std::mutex> lock(mutex);
      result.merge(std::move(part));
    });
    result.merge(guard(output.buffer(), 0, GuardedArray<T>::guard_bytes, "leading guard band"));
    result.merge(guard(output.buffer(), output.buffer().bytes() - GuardedArray<T>::guard_bytes,
                       GuardedArray<T>::guard_bytes, "trailing guard band"));
    return result;
  }

 private:
  struct PatternInput {
    DeviceBuffer buffer;
    std::size_t width;  ///< bytes of an element
  };

  static Verification guard(const DeviceBuffer& buffer, std::size_t offset, std::size_t bytes, const char* place) {
    std::vector<unsigned char> band(bytes);
    SECTORSCOPE_CUDA_CHECK(cudaMemcpy(band.data(), static_cast<const unsigned char*>(buffer.data()) + offset, bytes,
                                      cudaMemcpyDeviceToHost));
    return check_guard(band, place);
  }

  Schedule schedule_;
  Stream stream_;
  Transfer transfer_;
  std::optional<L2Flush> flush_;
  std::optional<PatternInput> pattern_input_;
  std::function<void()> observer_;
};

}  // namespace sectorscope
