#pragma once
// A process's hold on one GPU: choosing it, refusing what does not fit, its ceilings, its state around a configuration.

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sectorscope/ceiling.hpp"
#include "sectorscope/device_info.hpp"
#include "sectorscope/event_pair.hpp"
#include "sectorscope/measurement.hpp"
#include "sectorscope/memory_limit.hpp"
#include "sectorscope/nvml.hpp"
#include "sectorscope/options.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/units.hpp"

namespace sectorscope {

class Session {
 public:
  /// Throws NoDevice, EnvironmentError (old driver, too little memory), UsageError (no such index), CudaError.
  Session(const Options& options, const std::vector<Record>& records)
      : index_(require_device(options.device)),
        cold_(options.l2 == L2Mode::cold),
        info_(device_info(index_)),
        nvml_(info_.uuid) {
    neighbours_ = nvml_.processes();  // before this process has a context of its own
    SECTORSCOPE_CUDA_CHECK(cudaSetDevice(index_));
    std::size_t free = 0;
    std::size_t total = 0;
    SECTORSCOPE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const ArrayBytes arrays = arrays_for(records, info_.l2_bytes, cold_, free);
    measurement_.emplace(index_, Schedule{options.warmup, options.runs, options.iterations},
                         cold_ ? std::optional<std::size_t>(info_.l2_bytes) : std::nullopt, arrays);
    measurement_->set_observer([this] { timed_state_ = nvml_.state(); });
  }
  Session(const Session&) = delete;  // the observer points here
  Session& operator=(const Session&) = delete;

  /// Measures the ceiling of every record, once for each distinct size, and in cold mode what an event pair adds.
  void measure_ceilings(const std::vector<Record>& records) {
    for (const Record& r : records) {
      const std::uint64_t bytes = ceiling_bytes(r.prediction.useful_bytes(), info_.l2_bytes);
      if (ceilings_.count(bytes) == 0) ceilings_.emplace(bytes, measure_ceiling(bytes, measurement_->stream()));
    }
    if (cold_) event_pair_s_ = measure_event_pair(measurement_->stream());
  }

  Measurement& measurement() { return *measurement_; }
  GpuState state() const { return nvml_.state(); }
  /// Right after the last timed launch of the configuration that ran last.
  const GpuState& timed_state() const { return timed_state_; }
  double ceiling(const Record& r) const {
    return ceilings_.at(ceiling_bytes(r.prediction.useful_bytes(), info_.l2_bytes)).gbps;
  }

  Machine machine() const {
    return {info_.name,
            info_.uuid,
            fmt::format("{}.{}", info_.compute_major, info_.compute_minor),
            nvml_.driver_version(),
            info_.runtime,
            info_.peak_gbps};
  }

  /// The GPU's and the ceilings' context lines.
  std::vector<std::string> gpu_pieces() const {
    const std::string driver = nvml_.driver_version();
    return {fmt::format("{}, sm_{}{}, {} SMs, L2 {}, driver {}, CUDA {}", info_.name, info_.compute_major,
                        info_.compute_minor, info_.multiprocessors, format_bytes(info_.l2_bytes),
                        driver.empty() ? "unknown" : driver, info_.runtime)};
  }
  std::vector<std::string> ceiling_pieces() const {
    std::vector<std::string> pieces;
    for (const auto& [bytes, ceiling] : ceilings_) {
      pieces.push_back(fmt::format("{}{:.0f} GB/s (device copy of {:.0f} MB)", pieces.empty() ? "ceiling " : "",
                                   ceiling.gbps, static_cast<double>(ceiling.bytes) / 1e6));
    }
    if (info_.peak_gbps) pieces.push_back(fmt::format("nominal peak {:.0f} GB/s", *info_.peak_gbps));
    return pieces;
  }
  bool ceilings_are_steady() const {
    return std::all_of(ceilings_.begin(), ceilings_.end(), [](const auto& entry) { return entry.second.is_steady; });
  }
  /// What cold mode does to a time; nothing in hot mode.
  std::vector<std::string> cold_pieces() const {
    if (!cold_) return {};
    return {fmt::format("cold: each launch is timed alone, its event pair adds {:.1f} us", event_pair_s_ * 1e6),
            "the flush leaves dirty lines in the L2"};
  }

  /// Ids of processes that were on the GPU before this one, as far as the system shows them.
  const std::vector<unsigned>& neighbours() const { return neighbours_; }

 private:
  int index_;
  bool cold_;
  DeviceInfo info_;
  Nvml nvml_;
  std::vector<unsigned> neighbours_;
  GpuState timed_state_;
  std::optional<Measurement> measurement_;
  std::map<std::uint64_t, Ceiling> ceilings_;  ///< by bytes asked for
  double event_pair_s_ = 0;                    ///< cold mode only
};

}  // namespace sectorscope
