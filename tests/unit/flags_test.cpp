#include "sectorscope/flags.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sectorscope/nvml.hpp"

namespace sectorscope {
namespace {

/// The names, without the one that this test's own build earns.
std::string names(const Summary& summary, const Circumstances& circumstances) {
  std::string text;
  for (const Flag& flag : flags_of(summary, circumstances)) {
    if (flag.name != "debug") text += std::string(flag.name) + " ";
  }
  return text;
}

Summary of(double median, std::optional<double> deviation) { return {median, median, median, median, deviation}; }

constexpr Circumstances calm{1, false, false};

TEST(Flags, ACalmRunHasNone) { EXPECT_EQ(names(of(1, 0.001), calm), ""); }

TEST(Flags, SpreadIsADeviationAboveTwoPercentOfTheMedian) {
  EXPECT_EQ(names(of(1, 0.02), calm), "");
  EXPECT_EQ(names(of(1, 0.0201), calm), "spread ");
  EXPECT_EQ(names(of(1, std::nullopt), calm), "");  // one run: unknown
}

TEST(Flags, ShortIsAnIntervalUnder100Microseconds) {
  EXPECT_EQ(names(of(1, 0), {100e-6, false, false}), "");
  EXPECT_EQ(names(of(1, 0), {99e-6, false, false}), "short ");
}

TEST(Flags, AllOfThemInAFixedOrder) { EXPECT_EQ(names(of(1, 1), {0, true, true}), "spread short throttled profiled "); }

TEST(Flags, DebugFollowsTheBuild) {
  const auto flags = flags_of(of(1, 0), calm);
  EXPECT_EQ(!flags.empty() && flags.back().name == "debug", build_type == "Debug");
}

TEST(Throttled, ByPowerOrHeatAndNotByIdlenessOrASetting) {
  const auto is_throttled = [](std::uint64_t reasons) {
    GpuState state;
    state.throttle_reasons = reasons;
    return throttled(state);
  };
  for (const unsigned reason : {0x4U, 0x8U, 0x20U, 0x40U, 0x80U}) EXPECT_TRUE(is_throttled(reason)) << reason;
  for (const unsigned reason : {0x0U, 0x1U, 0x2U, 0x10U, 0x100U}) EXPECT_FALSE(is_throttled(reason)) << reason;
  EXPECT_FALSE(throttled(GpuState{}));  // unknown
}

TEST(Flags, EachComesWithAdvice) {
  for (const Flag& flag : {spread_flag, short_flag, throttled_flag, profiled_flag, debug_flag}) {
    EXPECT_FALSE(flag.advice.empty()) << flag.name;
    EXPECT_EQ(flag.name.find(';'), std::string_view::npos) << flag.name;
  }
}

#ifndef _WIN32
TEST(IsProfiled, FollowsTheEnvironmentOfAProfiler) {
  for (const char* name : {"NV_COMPUTE_PROFILER_PERFWORKS_DIR", "CUDA_INJECTION64_PATH"}) {
    unsetenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR");
    unsetenv("CUDA_INJECTION64_PATH");
    EXPECT_FALSE(is_profiled());
    setenv(name, "/somewhere", 1);
    EXPECT_TRUE(is_profiled()) << name;
    unsetenv(name);
  }
}
#endif

}  // namespace
}  // namespace sectorscope
