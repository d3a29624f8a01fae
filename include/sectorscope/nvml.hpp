#pragma once
// Clocks, throttle reasons, driver version and neighbours through NVML, loaded at run time and never linked: where the
// library is missing, or will not say, every answer is empty.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sectorscope/platform.hpp"

namespace sectorscope {

/// The state of one GPU at one moment.
struct GpuState {
  std::optional<std::uint64_t> sm_clock_mhz, memory_clock_mhz;
  std::optional<std::uint64_t> throttle_reasons;  ///< NVML's clocks-event-reasons bits
};

class Nvml {
 public:
  /// `uuid` as in "GPU-...".
  explicit Nvml(const std::string& uuid) : library_(platform::nvml_library) {
    const auto init = library_.symbol<int()>("nvmlInit_v2");
    const auto by_uuid = library_.symbol<int(const char*, Device*)>("nvmlDeviceGetHandleByUUID");
    ready_ = init != nullptr && by_uuid != nullptr && init() == 0 && by_uuid(uuid.c_str(), &device_) == 0;
    clock_ = library_.symbol<int(Device, int, unsigned*)>("nvmlDeviceGetClockInfo");
    // Renamed in driver 535; the old name is still there, and alone in older drivers.
    reasons_ = library_.symbol<int(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
  }

  /// The driver's own version, as in "580.65.06"; empty without NVML.
  std::string driver_version() const {
    std::array<char, 80> text{};
    const auto get = library_.symbol<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
    return ready_ && get != nullptr && get(text.data(), text.size()) == 0 ? text.data() : "";
  }

  GpuState state() const {
    GpuState state;
    state.sm_clock_mhz = clock(sm_domain);
    state.memory_clock_mhz = clock(memory_domain);
    unsigned long long reasons = 0;
    if (ready_ && reasons_ != nullptr && reasons_(device_, &reasons) == 0) state.throttle_reasons = reasons;
    return state;
  }

  /// Process ids that hold a CUDA context on the GPU, this process among them where the system shows it.
  std::vector<unsigned> processes() const {
    struct Process {  // nvmlProcessInfo_t of the _v3 call
      unsigned pid;
      unsigned long long used_bytes;
      unsigned gpu_instance, compute_instance;
    };
    const auto get = library_.symbol<int(Device, unsigned*, Process*)>("nvmlDeviceGetComputeRunningProcesses_v3");
    if (!ready_ || get == nullptr) return {};
    std::vector<Process> found(64);
    constexpr int too_small = 7;  // NVML_ERROR_INSUFFICIENT_SIZE; `count` is then what there is
    auto count = static_cast<unsigned>(found.size());
    int status = get(device_, &count, found.data());
    for (int tries = 0; status == too_small && tries < 3; ++tries) {
      found.resize(count + 16);  // others may start meanwhile
      count = static_cast<unsigned>(found.size());
      status = get(device_, &count, found.data());
    }
    std::vector<unsigned> pids;
    for (unsigned i = 0; status == 0 && i < count; ++i) pids.push_back(found[i].pid);
    return pids;
  }

 private:
  using Device = void*;
  static constexpr int sm_domain = 1;
  static constexpr int memory_domain = 2;

  std::optional<std::uint64_t> clock(int domain) const {
    unsigned mhz = 0;
    if (!ready_ || clock_ == nullptr || clock_(device_, domain, &mhz) != 0) return std::nullopt;
    return mhz;
  }

  platform::DynamicLibrary library_;
  Device device_ = nullptr;
  bool ready_ = false;
  int (*clock_)(Device, int, unsigned*) = nullptr;
  int (*reasons_)(Device, unsigned long long*) = nullptr;
};

/// The reasons that make a time no result: the clocks were held down by power or heat, not by idleness or a user's
/// setting. Bits of NVML: 0x4 software power cap, 0x8 hardware slowdown, 0x20 and 0x40 thermal, 0x80 power brake.
inline bool throttled(const GpuState& state) { return (state.throttle_reasons.value_or(0) & 0xECU) != 0; }

}  // namespace sectorscope
