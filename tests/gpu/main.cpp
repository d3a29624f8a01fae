// main of the tests that need a GPU. Exit 77, which ctest shows as skipped, only where there is no GPU or no driver at
// all: any other trouble of CUDA fails, or a broken driver would pass for a machine without a GPU.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace {

constexpr int skipped = 77;
constexpr int failed = 1;

int check_device() {
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);  // 0 without a driver
  cudaRuntimeGetVersion(&runtime);
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (driver == 0 || status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    std::puts("skipped: no CUDA device");
    return skipped;
  }
  if (status != cudaSuccess) {
    std::printf("cudaGetDeviceCount: %s: %s (driver %d, runtime %d)\n", cudaGetErrorName(status),
                cudaGetErrorString(status), driver, runtime);
    return failed;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!testing::GTEST_FLAG(list_tests)) {
    if (const int status = check_device(); status != 0) {
      return status;
    }
  }
  return RUN_ALL_TESTS();
}
