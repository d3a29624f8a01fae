# Installed packages first; where one is missing, its release, pinned by hash. fmt 9.1.0 is pinned because it compiles
# under every nvcc that we support.
#
# Sets SECTORSCOPE_FMT and SECTORSCOPE_CUDART, the targets to link.

include(FetchContent)

# Of a fetched package nothing is installed. The policy makes its option() heed these even where it asks for an old CMake.
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
set(CLI11_INSTALL OFF)
set(FMT_INSTALL OFF)
set(INSTALL_GTEST OFF)

find_package(Threads REQUIRED)
find_package(CUDAToolkit 12.0 REQUIRED)
if(TARGET CUDA::cudart_static AND NOT CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Shared")
  set(SECTORSCOPE_CUDART CUDA::cudart_static)
else()
  set(SECTORSCOPE_CUDART CUDA::cudart)
endif()

find_package(CLI11 2.1 CONFIG QUIET)
if(NOT TARGET CLI11::CLI11)
  message(STATUS "CLI11 is not installed: fetching 2.4.1")
  FetchContent_Declare(
    cli11
    URL "https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.1.tar.gz"
    URL_HASH SHA256=73b7ec52261ce8fe980a29df6b4ceb66243bb0b779451dbd3d014cfec9fdbb58
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    SYSTEM)
  FetchContent_MakeAvailable(cli11)
endif()

find_package(fmt CONFIG QUIET)
if(NOT TARGET fmt::fmt-header-only AND NOT TARGET fmt::fmt)
  message(STATUS "fmt is not installed: fetching 9.1.0")
  FetchContent_Declare(
    fmt
    URL "https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz"
    URL_HASH SHA256=5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    SYSTEM)
  FetchContent_MakeAvailable(fmt)
endif()
# The library, not its header-only twin: compiling fmt again costs every source file ten seconds and more.
if(TARGET fmt::fmt)
  set(SECTORSCOPE_FMT fmt::fmt)
else()
  set(SECTORSCOPE_FMT fmt::fmt-header-only)
endif()

if(SECTORSCOPE_BUILD_TESTS)
  find_package(GTest QUIET)
  if(NOT TARGET GTest::gtest)
    message(STATUS "GoogleTest is not installed: fetching 1.14.0")
    set(gtest_force_shared_crt ON)
    FetchContent_Declare(
      googletest
      URL "https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz"
      URL_HASH SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
      DOWNLOAD_EXTRACT_TIMESTAMP ON
      SYSTEM)
    FetchContent_MakeAvailable(googletest)
  endif()
endif()
