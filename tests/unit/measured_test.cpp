#include "sectorscope/measured.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <regex>

namespace sectorscope {
namespace {

TEST(MeasuredOf, TakesEveryFigureFromItsOwnPlace) {
  const Summary summary{1, 2, 3, 4, 5};  // median, mean, min, max, deviation
  Verification verification;
  verification.mismatches = 6;
  verification.max_abs_error = 7;
  const Measured measured = measured_of(summary, verification, {spread_flag, short_flag});
  EXPECT_EQ(measured.median_s, 1);
  EXPECT_EQ(measured.mean_s, 2);
  EXPECT_EQ(measured.min_s, 3);
  EXPECT_EQ(measured.max_s, 4);
  EXPECT_EQ(measured.deviation_s, 5);
  EXPECT_EQ(measured.mismatches, 6U);
  EXPECT_EQ(measured.max_abs_error, 7);
  EXPECT_EQ(measured.flags, "spread;short");
  EXPECT_TRUE(std::regex_match(measured.timestamp, std::regex("20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:]{8}Z")));
  EXPECT_EQ(measured.ceiling_gbps, std::nullopt);  // the session's to fill in
  EXPECT_EQ(measured.sm_clock_mhz, std::nullopt);
}

TEST(MeasuredOf, AnErrorThatIsNoNumberIsLeftOut) {
  Verification verification;
  verification.max_abs_error = 7;
  verification.error_is_finite = false;
  EXPECT_EQ(measured_of({}, verification, {}).max_abs_error, std::nullopt);
}

}  // namespace
}  // namespace sectorscope
