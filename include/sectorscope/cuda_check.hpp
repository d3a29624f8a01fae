#pragma once
// Checks for CUDA calls: one macro around one function, never compiled out.

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <string>

#include "sectorscope/errors.hpp"

namespace sectorscope {

/// A CUDA call failed. The message carries file:line, the expression, the error's name and its text.
class CudaError : public Error {
 public:
  explicit CudaError(const std::string& message) : Error(ExitCode::failure, message) {}
};

/// What to do about a failure, where there is one thing to do.
inline const char* cuda_remedy(cudaError_t status) {
  switch (status) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "; this build holds no code for this GPU: rebuild with -DCMAKE_CUDA_ARCHITECTURES set to its compute "
             "capability, e.g. 90";
    case cudaErrorMemoryAllocation:
      return "; ask for fewer elements with -n (transpose: --rows, --cols)";
    default:
      return "";
  }
}

/// Throws CudaError unless `status` is success.
inline void check_cuda(cudaError_t status, const char* expression, const char* file, int line) {
  if (status == cudaSuccess) return;
  throw CudaError(fmt::format("{}:{}: {}: {} ({}){}", file, line, expression, cudaGetErrorName(status),
                              cudaGetErrorString(status), cuda_remedy(status)));
}

}  // namespace sectorscope

#define SECTORSCOPE_CUDA_CHECK(expression) ::sectorscope::check_cuda((expression), #expression, __FILE__, __LINE__)
