// The device side of the shared layer: owners, checks, timing, transfers, and guard bands that see a stray store.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sectorscope/ceiling.hpp"
#include "sectorscope/device_info.hpp"
#include "sectorscope/measurement.hpp"
#include "sectorscope/modes.hpp"
#include "sectorscope/nvml.hpp"
#include "sectorscope/session.hpp"

namespace sectorscope {
namespace {

__global__ void fill(std::uint32_t* out, std::uint64_t from, std::uint64_t to, std::uint32_t value) {
  for (std::uint64_t i = from; i < to; ++i) out[i] = value;
}

// One thread follows a chain: its time is latency alone, a few times longer from the memory than from the L2.
__global__ void chase(const std::uint32_t* next, std::uint32_t steps, std::uint32_t* out) {
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < steps; ++i) at = next[at];
  *out = at;
}

__global__ void fault() { __trap(); }

struct Same {
  static std::optional<std::uint64_t> source(std::uint64_t i) { return i; }
  static void fill(std::uint64_t first, std::uint64_t count, std::uint32_t* expected) {
    for (std::uint64_t k = 0; k < count; ++k) expected[k] = pattern<std::uint32_t>(first + k);
  }
};

constexpr Schedule once{1, 1, 1};
constexpr std::size_t some_bytes = 4 * Transfer::chunk_bytes;

TEST(CudaCheck, NamesPlaceExpressionAndReason) {
  try {
    SECTORSCOPE_CUDA_CHECK(cudaSetDevice(-1));
    FAIL() << "no error was thrown";
  } catch (const CudaError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("device_layer_test.cu:"), std::string::npos) << text;
    EXPECT_NE(text.find("cudaSetDevice(-1)"), std::string::npos) << text;
    EXPECT_NE(text.find("cudaErrorInvalidDevice"), std::string::npos) << text;
    EXPECT_EQ(error.exit_code(), ExitCode::failure);
  }
  cudaGetLastError();
}

TEST(DeviceBuffer, MovesItsMemoryAndFreesItOnce) {
  DeviceBuffer first(1024);
  void* const data = first.data();
  DeviceBuffer second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(second.bytes(), 1024U);
  DeviceBuffer third(64);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
}

TEST(DeviceBuffer, SaysWhatWasNeededAndWhatIsFree) {
  try {
    const DeviceBuffer buffer(std::size_t{1} << 46);
    FAIL() << "64 TiB were allocated";
  } catch (const CudaError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("70368744177664 bytes needed"), std::string::npos) << text;
    EXPECT_NE(text.find(" bytes free"), std::string::npos) << text;
  }
}

TEST(Verify, AcceptsWhatWasUploadedInChunks) {
  Measurement m(0, once, std::nullopt, {0, some_bytes});
  const std::uint64_t count = Transfer::chunk_bytes / 4 * 3 + 17;
  const auto array = m.in_place<std::uint32_t>(count, [](auto... range) { Same::fill(range...); });
  EXPECT_EQ(m.verify(array, Same{}).mismatches, 0U);
}

TEST(Verify, SeesOneWrongElementInEveryChunk) {
  Measurement m(0, once, std::nullopt, {0, some_bytes});
  const std::uint64_t chunk = Transfer::chunk_bytes / 4;
  const auto array = m.in_place<std::uint32_t>(chunk * 2 + 5, [](auto... range) { Same::fill(range...); });
  for (const std::uint64_t wrong : {std::uint64_t{0}, chunk - 1, chunk, chunk * 2 + 4}) {
    fill<<<1, 1, 0, m.stream()>>>(array.data(), wrong, wrong + 1, 0xFFFFFFFFU);
  }
  SECTORSCOPE_CUDA_CHECK(cudaStreamSynchronize(m.stream()));
  const Verification verdict = m.verify(array, Same{});
  EXPECT_EQ(verdict.mismatches, 4U);
  ASSERT_EQ(verdict.kept.size(), 4U);
  EXPECT_EQ(verdict.kept[1].index, chunk - 1);
  EXPECT_EQ(verdict.kept[3].index, chunk * 2 + 4);
}

TEST(Verify, SeesTwoStoresPastTheEndAndOneBeforeTheStart) {
  Measurement m(0, once, std::nullopt, {0, some_bytes});
  const auto array = m.output<std::uint32_t>(1001);
  const Timing timing = m.time([&] { fill<<<1, 1, 0, m.stream()>>>(array.data() - 1, 0, 1004, 7); }, array);
  EXPECT_EQ(timing.samples.size(), 1U);
  const Verification verdict = m.verify(array, Same{});
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const Mismatch& mismatch : verdict.kept) {
    before += mismatch.place == "leading guard band" ? 1 : 0;
    after += mismatch.place == "trailing guard band" ? 1 : 0;
  }
  EXPECT_EQ(before, 4U);  // bytes
  EXPECT_EQ(after, 8U);   // not as many as before, or one band read twice would pass
}

TEST(Measure, PoisonsAgainAfterTheWarmUp) {
  // A kernel that works during the warm-up alone must not pass on what that left behind.
  Measurement m(0, {3, 2, 2}, std::nullopt, {0, some_bytes});
  const auto array = m.output<std::uint32_t>(64);
  int launches = 0;
  const auto launch = [&] {
    ++launches;
    fill<<<1, 1, 0, m.stream()>>>(array.data(), 0, launches <= 3 ? 64 : 0, 7);
  };
  m.time(launch, array);
  EXPECT_EQ(launches, 3 + 2 * 2);
  EXPECT_EQ(m.verify(array, Same{}).kept.front().actual, "0xffffffff");
}

TEST(Measure, TellsTheTimeOfAKnownCopy) {
  // 1 GiB each way can be no faster than the nominal peak, and not much slower.
  const DeviceInfo info = device_info(0);
  if (!info.peak_gbps) GTEST_SKIP() << "the driver does not tell the memory clock";
  Measurement m(0, once, std::nullopt, {0, some_bytes});
  const double gbps = measure_ceiling(std::uint64_t{2} << 30, m.stream()).gbps;
  EXPECT_LT(gbps, *info.peak_gbps);
  EXPECT_GT(gbps, 0.7 * *info.peak_gbps);
}

TEST(Measure, ACopyIsASteadyCeiling) {
  Measurement m(0, once, std::nullopt, {0, some_bytes});
  bool is_steady = false;  // once in three times: others may use the GPU
  for (int i = 0; i < 3; ++i) is_steady = is_steady || measure_ceiling(std::uint64_t{1} << 30, m.stream()).is_steady;
  EXPECT_TRUE(is_steady);
}

TEST(Measure, LaunchesAsOftenInColdMode) {
  Measurement m(0, {2, 3, 300}, device_info(0).l2_bytes, {0, some_bytes});
  const auto array = m.output<std::uint32_t>(64);
  int launches = 0;
  const Timing timing = m.time(
      [&] {
        ++launches;
        fill<<<1, 1, 0, m.stream()>>>(array.data(), 0, 1, 7);
      },
      array);
  EXPECT_EQ(launches, 2 + 3 * 300);
  EXPECT_EQ(timing.samples.size(), 3U);
}

TEST(Measure, ColdSamplesAreTheMeanOfAllTheirLaunches) {
  Measurement m(0, once, std::nullopt, {0, some_bytes});
  const DeviceBuffer from(std::size_t{64} << 20), to(from.bytes());
  const auto copy = [&] {
    SECTORSCOPE_CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, m.stream()));
  };
  const L2Flush flush(device_info(0).l2_bytes);
  const Sample few = sample_cold(copy, 2, flush, m.stream());
  const Sample many = sample_cold(copy, 600, flush, m.stream());  // more than are in flight at once
  EXPECT_LT(many.seconds, 1.5 * few.seconds);
  EXPECT_GT(many.seconds, few.seconds / 1.5);
  EXPECT_LE(many.shortest_interval_s, many.seconds);
  EXPECT_GT(many.shortest_interval_s, many.seconds / 2);
}

TEST(Measure, AHotIntervalIsThatOfTheWholeRun) {
  Measurement m(0, {5, 3, 40}, std::nullopt, {0, some_bytes});
  const auto array = m.output<std::uint32_t>(1000);
  const Timing timing = m.time([&] { fill<<<1, 1, 0, m.stream()>>>(array.data(), 0, 1000, 7); }, array);
  EXPECT_NEAR(timing.shortest_interval_s, 40 * summarize(timing.samples).min, 1e-9);
}

TEST(Measure, TellsWhatIssuingALaunchTakes) {
  // One thread stores 1 or 300000 elements: the host needs the same for both, and the GPU far longer for the second.
  Measurement m(0, {5, 3, 40}, std::nullopt, {0, 4 * 300000});
  const auto array = m.output<std::uint32_t>(300000);
  const auto time = [&](std::uint64_t count) {
    return m.time([&, count] { fill<<<1, 1, 0, m.stream()>>>(array.data(), 0, count, 7); }, array);
  };
  const Timing tiny = time(1);
  const Timing large = time(300000);
  ASSERT_TRUE(tiny.issue_s && large.issue_s);
  EXPECT_GT(*tiny.issue_s, 100e-9);
  EXPECT_LT(*tiny.issue_s, 1.1 * summarize(tiny.samples).median);  // a launch is not done before it is issued
  EXPECT_LT(*large.issue_s, 10 * *tiny.issue_s);
  EXPECT_FALSE(is_held_up_by_launching(summarize(large.samples).median, large.issue_s));
}

TEST(Measure, DoesNotTellWhatIssuingTakesWhereItCannot) {
  const auto issue = [](const Schedule& schedule, std::optional<std::size_t> flush_l2_bytes) {
    Measurement m(0, schedule, flush_l2_bytes, {0, 4});
    const auto array = m.output<std::uint32_t>(1);
    return m.time([&] { fill<<<1, 1, 0, m.stream()>>>(array.data(), 0, 1, 7); }, array).issue_s;
  };
  EXPECT_TRUE(issue({1, 1, 1}, std::nullopt));
  EXPECT_FALSE(issue({1, 1, 1}, 1024));            // cold
  EXPECT_FALSE(issue({0, 1, 1}, std::nullopt));    // the first launch loads the kernel
  EXPECT_FALSE(issue({600, 1, 1}, std::nullopt));  // the warm-up is still in the queue
  EXPECT_TRUE(issue({600, 2, 1}, std::nullopt));
}

TEST(Measure, ColdLaunchesFindNothingInTheL2) {
  constexpr std::uint32_t steps = 1000, gap = 1024;  // 1000 lines: 128 KB, which every L2 holds
  const auto median_with_flush_for = [](std::size_t l2_bytes) {
    Measurement m(0, {2, 3, 10}, l2_bytes, {steps * gap * 4, 4});
    const auto chain = m.input<std::uint32_t>(steps * gap, [](auto first, auto count, std::uint32_t* host) {
      for (std::uint64_t k = 0; k < count; ++k) host[k] = static_cast<std::uint32_t>((first + k + gap) % (steps * gap));
    });
    const auto out = m.output<std::uint32_t>(1);
    return summarize(m.time([&] { chase<<<1, 1, 0, m.stream()>>>(chain, steps, out.data()); }, out).samples).median;
  };
  EXPECT_GT(median_with_flush_for(device_info(0).l2_bytes), 1.3 * median_with_flush_for(32));
}

TEST(Measure, ColdTimesHoldNoFlush) {
  const std::size_t l2_bytes = device_info(0).l2_bytes;
  Measurement m(0, {2, 3, 10}, l2_bytes, {0, 4});
  const auto out = m.output<std::uint32_t>(1);
  const auto launch = [&] { fill<<<1, 1, 0, m.stream()>>>(out.data(), 0, 1, 7); };  // far shorter than a flush
  const L2Flush flush(l2_bytes);
  EXPECT_LT(summarize(m.time(launch, out).samples).median,
            sample_batch([&] { flush(m.stream()); }, 20, m.stream()).seconds);
}

TEST(Measurement, KeepsItsArraysForTheNextConfiguration) {
  Measurement m(0, once, std::nullopt, {4 * 2000, 4 * 3000});
  const auto in = m.pattern_input<std::uint32_t>(1000);
  const auto out = m.output<std::uint32_t>(1000);
  EXPECT_EQ(m.pattern_input<std::uint32_t>(2000), in);
  EXPECT_EQ(m.output<std::uint32_t>(3000).data(), out.data());
  EXPECT_EQ(m.output<std::uint32_t>(3000).trailing_band() - m.output<std::uint32_t>(3000).leading_band(),
            4096 + 4 * 3000);
}

TEST(Measurement, HoldsThePatternOfTheLargestInputAndAgainAfterAnotherInput) {
  Measurement m(0, once, std::nullopt, {4 * 2000, 4 * 2000});
  const auto matches = [&] {
    const std::uint32_t* const in = m.pattern_input<std::uint32_t>(10);
    const auto out = m.output<std::uint32_t>(2000);
    SECTORSCOPE_CUDA_CHECK(cudaMemset(out.leading_band(), poison_byte, 4 * 2000 + 2 * guard_bytes));
    SECTORSCOPE_CUDA_CHECK(cudaMemcpy(out.data(), in, 4 * 2000, cudaMemcpyDeviceToDevice));
    return m.verify(out, Same{}).mismatches == 0;
  };
  EXPECT_TRUE(matches());
  m.input<std::uint32_t>(2000, [](auto, auto count, std::uint32_t* host) { std::fill_n(host, count, 7U); });
  EXPECT_TRUE(matches());
}

TEST(Measurement, RefusesMoreThanWasDescribed) {
  Measurement m(0, once, std::nullopt, {4 * 1000, 4 * 1000});
  EXPECT_THROW(m.pattern_input<std::uint32_t>(1001), std::logic_error);
  EXPECT_THROW(m.output<std::uint32_t>(1001), std::logic_error);
}

TEST(Session, RefusesWhatDoesNotFitBeforeAnythingRuns) {
  Record reads;
  reads.prediction.input_bytes = 600;
  reads.prediction.output_bytes = 400;
  Record writes;
  writes.prediction.input_bytes = 400;
  writes.prediction.output_bytes = 600;
  constexpr std::size_t guards = 2 * guard_bytes;
  EXPECT_NO_THROW(arrays_for({reads}, 10, false, 1000 + guards));
  EXPECT_THROW(arrays_for({reads}, 10, false, 999 + guards), EnvironmentError);
  // Cold, twice the L2 goes to the flush.
  EXPECT_NO_THROW(arrays_for({reads}, 10, true, 1020 + guards));
  EXPECT_THROW(arrays_for({reads}, 10, true, 1019 + guards), EnvironmentError);
  // The ceiling's copy moves four times the L2 at least.
  EXPECT_NO_THROW(arrays_for({reads}, 10000, false, 40000));
  EXPECT_THROW(arrays_for({reads}, 10000, false, 39999), EnvironmentError);
  // Both work in the same two arrays, which are as large as the larger of each.
  EXPECT_THROW(arrays_for({reads, writes}, 10, false, 1199 + guards), EnvironmentError);
  const ArrayBytes both = arrays_for({reads, writes}, 10, false, 1200 + guards);
  EXPECT_EQ(both.input, 600U);
  EXPECT_EQ(both.output, 600U);
}

/// A record of so many useful bytes, and room for a thousand elements.
Record record_of(std::uint64_t useful_bytes) {
  Record r;
  r.prediction.needed_load_bytes = r.prediction.needed_store_bytes = useful_bytes / 2;
  r.prediction.input_bytes = r.prediction.output_bytes = 4000;
  return r;
}

TEST(Session, FlushesInColdModeAlone) {
  const auto issue = [](L2Mode mode) {
    Options options;
    options.l2 = mode;
    options.iterations = 2;
    Session session(options, {record_of(1000)});
    const auto out = session.measurement().output<std::uint32_t>(1);
    const auto launch = [&] { fill<<<1, 1, 0, session.measurement().stream()>>>(out.data(), 0, 1, 7); };
    return session.measurement().time(launch, out).issue_s;
  };
  EXPECT_TRUE(issue(L2Mode::hot));
  EXPECT_FALSE(issue(L2Mode::cold));
}

TEST(Session, LooksAtTheGpuRightAfterTheTimedLaunches) {
  Session session({}, {record_of(1000)});
  if (session.machine().driver.empty()) GTEST_SKIP() << "NVML is not there";
  EXPECT_FALSE(session.timed_state().sm_clock_mhz);
  const auto out = session.measurement().output<std::uint32_t>(1);
  session.measurement().time([&] { fill<<<1, 1, 0, session.measurement().stream()>>>(out.data(), 0, 1, 7); }, out);
  EXPECT_TRUE(session.timed_state().sm_clock_mhz);
}

TEST(Session, MeasuresTheCeilingOfEachSize) {
  constexpr std::uint64_t large = 2'000'000'000, larger = 3'000'000'000;
  const std::vector<Record> records{record_of(larger), record_of(large), record_of(larger)};
  Session session({}, records);
  session.measure_ceilings(records);
  const std::vector<std::string> pieces = session.ceiling_pieces();
  ASSERT_GE(pieces.size(), 2U);
  EXPECT_NE(pieces[0].find("(device copy of 2000 MB)"), std::string::npos) << pieces[0];
  EXPECT_NE(pieces[1].find("(device copy of 3000 MB)"), std::string::npos) << pieces[1];
}

/// An experiment that has been run: what it returns is given.
struct Given {
  Outcome outcome;
  Outcome run(int, Measurement&) const { return outcome; }
};

TEST(MeasureOne, FlagsByTheShortestInterval) {
  Session session({}, {record_of(1000)});
  session.measure_ceilings({record_of(1000)});
  const auto flags = [&](double shortest_interval_s) {
    Result<int> result{0, record_of(1000), {}};
    Advice advice(false);
    measure_one(Given{{{{66e-6, 66e-6}, shortest_interval_s, std::nullopt}, {}}}, result, session, advice);
    return result.record.measured->flags;
  };
  EXPECT_EQ(flags(99e-6).substr(0, 5), "short");
  EXPECT_EQ(flags(101e-6).find("short"), std::string::npos);
}

TEST(DeviceInfo, MatchesTheUuidThatNvmlKnows) {
  const DeviceInfo info = device_info(0);
  EXPECT_EQ(info.uuid.size(), 40U);
  EXPECT_EQ(info.uuid.substr(0, 4), "GPU-");
  EXPECT_GT(info.l2_bytes, 0U);
  const Nvml nvml(info.uuid);
  if (nvml.driver_version().empty()) GTEST_SKIP() << "NVML is not there";
  const GpuState state = nvml.state();
  EXPECT_TRUE(state.sm_clock_mhz.has_value());
  EXPECT_NE(state.sm_clock_mhz, state.memory_clock_mhz);
}

TEST(Nvml, IsEmptyForAGpuThatIsNotThere) {
  const Nvml nvml("GPU-00000000-0000-0000-0000-000000000000");
  EXPECT_EQ(nvml.driver_version(), "");
  EXPECT_FALSE(nvml.state().sm_clock_mhz.has_value());
  EXPECT_TRUE(nvml.processes().empty());
}

// Last: a fault ends the use of the device for this process.
TEST(ZFault, InAKernelThrowsFromTheTimingCall) {
  Measurement m(0, once, std::nullopt, {0, some_bytes});
  EXPECT_THROW(m.time([&] { fault<<<1, 1, 0, m.stream()>>>(); }, [] {}), CudaError);
}

}  // namespace
}  // namespace sectorscope
