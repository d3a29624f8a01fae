#include "../../src/layout_comparison.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sectorscope {
namespace {

using Lines = std::vector<std::string>;

/// An output whose elements `wrong` hold `actual` instead of "1".
Verification output(const std::vector<std::uint64_t>& wrong = {}, const std::string& actual = "2") {
  Verification verification;
  verification.max_abs_error = static_cast<double>(wrong.size());
  for (const std::uint64_t i : wrong) verification.add({i, i, "1", actual, "output"});
  return verification;
}

const Verification right = output();

LayoutResult transform(Layout layout, double median_s, const Verification& verification = right,
                       std::uint64_t fields = 1) {
  return {layout, false, 16, fields, median_s, &verification};
}

TEST(LayoutComparison, SpeedupIsAosOverSoa) {
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 3), transform(Layout::soa, 2), transform(Layout::aosoa, 1)}),
            (Lines{"SoA speedup over AoS: 1.50x", "Cross-layout mismatches: 0", "Maximum absolute error: 0"}));
}

TEST(LayoutComparison, SpeedupNeedsBothLayouts) {
  EXPECT_EQ(compare_layouts({transform(Layout::soa, 2)}),
            (Lines{"Cross-layout mismatches: 0", "Maximum absolute error: 0"}));
}

TEST(LayoutComparison, ConversionPaysAfterItsTimeOverTheGainOfALaunch) {
  const LayoutResult conversion{Layout::aos, true, 16, 4, 10, &right};
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 6), transform(Layout::soa, 2), conversion}).at(1),
            "Break-even count: R = 2.5 launches pay for one conversion");
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 2), transform(Layout::soa, 2), conversion}).at(1),
            "Break-even count: none, SoA is not faster");
  const LayoutResult of_another_struct{Layout::aos, true, 24, 6, 10, &right};
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 6), transform(Layout::soa, 2), of_another_struct}).size(), 3U);
}

TEST(LayoutComparison, EachNumberOfFieldsIsComparedWithItself) {
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 3), transform(Layout::soa, 2), transform(Layout::aos, 8, right, 4),
                             transform(Layout::soa, 8, right, 4)}),
            (Lines{"SoA speedup over AoS: 1.50x (16 B, 1 field)", "SoA speedup over AoS: 1.00x (16 B, 4 fields)",
                   "Cross-layout mismatches: 0", "Maximum absolute error: 0"}));
}

TEST(LayoutComparison, CrossLayoutMismatchesAreElementsThatDifferFromTheFirstOutput) {
  const auto cross = [](const Verification& aos, const Verification& soa, const Verification& aosoa) {
    return compare_layouts(
               {transform(Layout::aos, 3, aos), transform(Layout::soa, 2, soa), transform(Layout::aosoa, 2, aosoa)})
        .at(1);
  };
  EXPECT_EQ(cross(right, output({5, 9}), right), "Cross-layout mismatches: 2");
  EXPECT_EQ(cross(output({5}), right, right), "Cross-layout mismatches: 2");              // both others differ from it
  EXPECT_EQ(cross(output({5}), output({5}), output({5})), "Cross-layout mismatches: 0");  // wrong, and alike
  EXPECT_EQ(cross(output({5}), output({5}, "3"), output({5})), "Cross-layout mismatches: 1");
}

TEST(LayoutComparison, SaysSoWhereMismatchesWereOnlyCounted) {
  Verification many = output({5});
  many.mismatches += 10;
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 3), transform(Layout::soa, 2, many)}).at(1),
            "Cross-layout mismatches: at least 1");
}

TEST(LayoutComparison, ErrorIsTheLargestOfAllAndNoNumberOnceOneIsNone) {
  const Verification wrong = output({1, 2, 3});
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 3, wrong), transform(Layout::soa, 2)}).back(),
            "Maximum absolute error: 3");
  Verification infinite = output({1});
  infinite.error_is_finite = false;
  EXPECT_EQ(compare_layouts({transform(Layout::aos, 3, infinite), transform(Layout::soa, 2)}).back(),
            "Maximum absolute error: not a finite number");
}

}  // namespace
}  // namespace sectorscope
