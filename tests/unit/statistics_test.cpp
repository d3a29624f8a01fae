#include "sectorscope/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

namespace sectorscope {
namespace {

TEST(Summarize, OfUnsortedSamples) {
  const Summary summary = summarize({9, 2, 4, 5, 4, 7, 4, 5});
  EXPECT_DOUBLE_EQ(summary.median, 4.5);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.min, 2);
  EXPECT_DOUBLE_EQ(summary.max, 9);
  ASSERT_TRUE(summary.sample_deviation.has_value());
  EXPECT_DOUBLE_EQ(*summary.sample_deviation, std::sqrt(32.0 / 7.0));  // the n - 1 divisor, not n
}

TEST(Summarize, TakesTheMiddleSampleOfAnOddCount) {
  const Summary summary = summarize({3, 100, 1});
  EXPECT_DOUBLE_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.mean, 104.0 / 3.0);
}

TEST(Summarize, OneSampleHasNoDeviation) {
  const Summary summary = summarize({0.25});
  EXPECT_EQ(summary.median, 0.25);
  EXPECT_EQ(summary.mean, 0.25);
  EXPECT_EQ(summary.min, 0.25);
  EXPECT_EQ(summary.max, 0.25);
  EXPECT_EQ(summary.sample_deviation, std::nullopt);
}

TEST(Summarize, EqualSamplesHaveExactlyTheirValueAsMeanAndNoSpread) {
  const Summary summary = summarize(std::vector<double>(7, 0.1));  // 7 * 0.1 / 7 is not 0.1
  EXPECT_EQ(summary.mean, 0.1);
  EXPECT_EQ(summary.median, 0.1);
  EXPECT_EQ(summary.sample_deviation, 0.0);
}

TEST(Summarize, SmallSpreadOnALargeValueIsNotCancelledAway) {
  const Summary summary = summarize({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});  // sum of squares minus square: garbage
  EXPECT_DOUBLE_EQ(summary.mean, 1e9 + 10);
  EXPECT_DOUBLE_EQ(*summary.sample_deviation, std::sqrt(30.0));
}

TEST(Summarize, LeavesTheCallersSamplesInMeasuredOrder) {
  const std::vector<double> samples{3, 1, 2};
  EXPECT_EQ(summarize(samples).median, 2);
  EXPECT_EQ(samples, (std::vector<double>{3, 1, 2}));
}

TEST(IsSpread, ADeviationAboveTwoPercentOfTheMedian) {
  EXPECT_FALSE(is_spread({1, 1, 1, 1, 0.02}));
  EXPECT_TRUE(is_spread({1, 1, 1, 1, 0.0201}));
  EXPECT_FALSE(is_spread({1, 1, 1, 1, std::nullopt}));
}

TEST(Summarize, RefusesWhatIsNoMeasurement) {
  EXPECT_THROW(summarize({}), std::invalid_argument);
  EXPECT_THROW(summarize({1, std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
  EXPECT_THROW(summarize({1, std::numeric_limits<double>::infinity()}), std::invalid_argument);
}

}  // namespace
}  // namespace sectorscope
