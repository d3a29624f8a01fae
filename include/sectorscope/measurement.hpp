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
#include "sectorscope/held_arrays.hpp"
#include "sectorscope/measure.hpp"
#include "sectorscope/verify.hpp"

namespace sectorscope {

/// What a configuration left: its times, and the verdict on its output.
struct Outcome {
  Timing timing;
  Verification verification;
};

/// One process's session on a device.
class Measurement : public HeldArrays {
 public:
  /// `flush_l2_bytes`: the L2 to flush before every timed launch; empty: hot.
  Measurement(int device, const Schedule& schedule, std::optional<std::size_t> flush_l2_bytes, ArrayBytes largest)
      : HeldArrays(device, largest), schedule_(schedule) {
    if (flush_l2_bytes) flush_.emplace(*flush_l2_bytes);
  }

  const Schedule& schedule() const { return schedule_; }

  /// Called right after the last timed launch of a configuration, while the clocks are still what they were.
  void set_observer(std::function<void()> observer) { observer_ = std::move(observer); }

  /// Times `launch`, which holds the launch and nothing else; `poison` prepares the outputs.
  Timing time(const std::function<void()>& launch, const std::function<void()>& poison) const {
    Timing timing = measure(schedule_, launch, poison, flush_ ? &*flush_ : nullptr, stream());
    if (observer_) observer_();
    return timing;
  }

  /// As above, poisoning one output array.
  template <class T>
  Timing time(const std::function<void()>& launch, const GuardedArray<T>& output) const {
    return time(launch, [&] { output.poison(stream()); });
  }

  /// Compares every element of `output` with the reference (see compare), and both guard bands with the poison.
  template <class T, class Reference>
  Verification verify(const GuardedArray<T>& output, const Reference& reference) {
    Verification result;
    std::mutex mutex;
    transfer().download(output.data(), output.count(), [&](std::uint64_t first, std::uint64_t count, const T* host) {
      Verification part = compare(host, first, count, reference);
      const std::lock_guard<std::mutex> lock(mutex);
      result.merge(std::move(part));
    });
    result.merge(guard(output.leading_band(), "leading guard band"));
    result.merge(guard(output.trailing_band(), "trailing guard band"));
    return result;
  }

 private:
  static Verification guard(const unsigned char* source, const char* place) {
    std::vector<unsigned char> band(guard_bytes);
    SECTORSCOPE_CUDA_CHECK(cudaMemcpy(band.data(), source, band.size(), cudaMemcpyDeviceToHost));
    return check_guard(band, place);
  }

  Schedule schedule_;
  std::optional<L2Flush> flush_;
  std::function<void()> observer_;
};

}  // namespace sectorscope
