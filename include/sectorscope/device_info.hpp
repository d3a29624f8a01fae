#pragma once
// Facts about a device, by attributes (properties that newer toolkits removed are not used).

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sectorscope/cuda_check.hpp"
#include "sectorscope/errors.hpp"

namespace sectorscope {

struct DeviceInfo {
  std::string name;
  std::string uuid;  ///< of the physical GPU, as nvidia-smi prints it
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  std::string runtime;  ///< CUDA runtime version, as in "13.0"

  std::optional<double> peak_gbps;  ///< 2 * memory clock * bus width; empty where the driver does not tell the clock
};

inline int device_attribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  SECTORSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// A CUDA version number (1000 * major + 10 * minor) as text.
inline std::string cuda_version_text(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

/// Number of CUDA devices; throws NoDevice where there is none, or no driver, and EnvironmentError where the driver is
/// older than the runtime that this program was built with.
inline int require_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) {
    // The runtime answers this both for an old driver and for none; the driver's version is 0 only for none.
    int driver = 0;
    int runtime = 0;
    SECTORSCOPE_CUDA_CHECK(cudaDriverGetVersion(&driver));
    SECTORSCOPE_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    if (driver == 0) throw NoDevice("no NVIDIA driver is installed; --predict, --plan and --audit work without one");
    throw EnvironmentError(
        fmt::format("the NVIDIA driver serves CUDA {}, older than this program's runtime {}: update "
                    "the driver, or build with an older CUDA Toolkit",
                    cuda_version_text(driver), cuda_version_text(runtime)));
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    throw NoDevice("no CUDA device is visible; --predict, --plan and --audit work without one");
  }
  check_cuda(status, "cudaGetDeviceCount(&count)", __FILE__, __LINE__);
  return count;
}

/// The index as CUDA takes it; throws UsageError naming the legal indices (and what require_devices throws).
inline int require_device(std::uint64_t index) {
  const auto count = static_cast<std::uint64_t>(require_devices());
  if (index >= count) {
    throw UsageError(fmt::format("--device: '{}' is not on this machine (legal: 0..{})", index, count - 1));
  }
  return static_cast<int>(index);
}

inline std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

inline DeviceInfo device_info(int index) {
  cudaDeviceProp properties{};
  SECTORSCOPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  DeviceInfo info;
  info.name = properties.name;
  info.uuid = uuid_text(properties.uuid);
  info.compute_major = device_attribute(cudaDevAttrComputeCapabilityMajor, index);
  info.compute_minor = device_attribute(cudaDevAttrComputeCapabilityMinor, index);
  info.multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, index);
  info.l2_bytes = static_cast<std::size_t>(device_attribute(cudaDevAttrL2CacheSize, index));
  int runtime = 0;
  SECTORSCOPE_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  info.runtime = cuda_version_text(runtime);
  const double clock_khz = device_attribute(cudaDevAttrMemoryClockRate, index);
  const double bus_bits = device_attribute(cudaDevAttrGlobalMemoryBusWidth, index);
  if (clock_khz > 0 && bus_bits > 0) info.peak_gbps = 2 * clock_khz * 1e3 * bus_bits / 8 / 1e9;  // double data rate
  return info;
}

/// The L2 of the device that would run; empty where there is none to ask. Creates no context.
inline std::optional<std::uint64_t> probe_l2_bytes(std::uint64_t device) {
  int count = 0;
  int bytes = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || device >= static_cast<std::uint64_t>(count) ||
      cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, static_cast<int>(device)) != cudaSuccess) {
    cudaGetLastError();  // not this call's business: a measuring run reports it
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace sectorscope
