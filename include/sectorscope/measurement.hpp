#pragma once
// What an experiment's run() works with: arrays on the device, timing, and verification of what the kernel left behind.

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sectorscope/device_buffer.hpp"
#include "sectorscope/measure.hpp"
#include "sectorscope/pattern.hpp"
#include "sectorscope/stream.hpp"
#include "sectorscope/transfer.hpp"
#include "sectorscope/verify.hpp"

namespace sectorscope {

/// What a configuration left: seconds a launch, one value for each run, and the verdict on its output.
struct Outcome {
  std::vector<double> samples;
  Verification verification;
};

/// Bytes of the two arrays that a process works in: the largest that any of its configurations needs, guard bands not
/// counted.
struct ArrayBytes {
  std::size_t input = 0, output = 0;
};

/// One process's session on a device. Its input and its output are allocated once, when the first configuration asks
/// for them, and all configurations work in them: the time of one and the same kernel depends on the physical pages
/// that its arrays lie in (by 1 % on an H200), and with arrays of its own a configuration's time would depend on what
/// was allocated and freed before it.
class Measurement {
 public:
  /// `flush_l2_bytes`: the L2 to flush before every timed launch; empty: hot.
  Measurement(int device, const Schedule& schedule, std::optional<std::size_t> flush_l2_bytes, ArrayBytes bytes)
      : schedule_(schedule), transfer_(device), bytes_(bytes) {
    if (flush_l2_bytes) flush_.emplace(*flush_l2_bytes);
  }

  const Schedule& schedule() const { return schedule_; }
  cudaStream_t stream() const { return stream_.get(); }

  /// An input of `count` elements; `generate(first, count, T* host)` writes elements [first, first + count).
  template <class T, class Generate>
  const T* input(std::uint64_t count, const Generate& generate) {
    T* const elements = static_cast<T*>(hold(input_, count * sizeof(T), bytes_.input).data());
    pattern_width_ = 0;
    transfer_.upload(elements, count, generate);
    return elements;
  }

  /// An input of at least `count` elements that hold the hash pattern of their index. It is uploaded once, as large as
  /// any configuration needs it.
  template <class T>
  const T* pattern_input(std::uint64_t count) {
    const DeviceBuffer& held = hold(input_, count * sizeof(T), bytes_.input);
    if (pattern_width_ != sizeof(T)) {
      input<T>(held.bytes() / sizeof(T), [](std::uint64_t first, std::uint64_t n, T* host) {
        for (std::uint64_t i = 0; i < n; ++i) host[i] = pattern<T>(first + i);
      });
      pattern_width_ = sizeof(T);
    }
    return static_cast<const T*>(held.data());
  }

  /// An output of `count` elements, with what an earlier configuration left in it.
  template <class T>
  GuardedArray<T> output(std::uint64_t count) {
    return {hold(output_, count * sizeof(T) + 2 * guard_bytes, bytes_.output + 2 * guard_bytes), count};
  }

  /// An output that is input too: poisoned, then filled as by input, so that its guard bands can be checked.
  template <class T, class Generate>
  GuardedArray<T> in_place(std::uint64_t count, const Generate& generate) {
    const GuardedArray<T> array = output<T>(count);
    array.poison(stream());
    stream_.synchronize();  // the upload runs in other streams
    transfer_.upload(array.data(), count, generate);
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
    result.merge(guard(output.leading_band(), "leading guard band"));
    result.merge(guard(output.trailing_band(), "trailing guard band"));
    return result;
  }

 private:
  static const DeviceBuffer& hold(std::optional<DeviceBuffer>& array, std::size_t needed, std::size_t largest) {
    if (needed > largest) {
      throw std::logic_error(fmt::format("{} bytes asked for, {} described", needed, largest));
    }
    if (!array) array.emplace(largest);
    return *array;
  }

  static Verification guard(const unsigned char* source, const char* place) {
    std::vector<unsigned char> band(guard_bytes);
    SECTORSCOPE_CUDA_CHECK(cudaMemcpy(band.data(), source, band.size(), cudaMemcpyDeviceToHost));
    return check_guard(band, place);
  }

  Schedule schedule_;
  Stream stream_;
  Transfer transfer_;
  std::optional<L2Flush> flush_;
  ArrayBytes bytes_;
  std::optional<DeviceBuffer> input_, output_;
  std::size_t pattern_width_ = 0;  ///< bytes of an element of the pattern that the input holds; 0: it holds none
  std::function<void()> observer_;
};

}  // namespace sectorscope
