#pragma once

#include <string_view>

namespace sectorscope {

// The build reads the number from this line; it stands nowhere else.
inline constexpr std::string_view version = "0.1.0";

// What the build says it is; a bare compiler line is judged by its flags (nvcc -G sets __CUDACC_DEBUG__).
#if defined(SECTORSCOPE_BUILD_TYPE)
inline constexpr std::string_view build_type = SECTORSCOPE_BUILD_TYPE;
#elif defined(__CUDACC_DEBUG__)
inline constexpr std::string_view build_type = "Debug";
#elif defined(NDEBUG) || defined(__OPTIMIZE__)
inline constexpr std::string_view build_type = "Release";
#else
inline constexpr std::string_view build_type = "Debug";
#endif

}  // namespace sectorscope
