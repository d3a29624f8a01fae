#include "sectorscope/verify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sectorscope {
namespace {

/// out[j] = in[j + 3], whose last `padding` elements nobody may write.
template <class T>
struct Shifted {
  std::uint64_t used;

  std::optional<std::uint64_t> source(std::uint64_t j) const {
    return j < used ? std::optional<std::uint64_t>(j + 3) : std::nullopt;
  }
  void fill(std::uint64_t first, std::uint64_t count, T* expected) const {
    for (std::uint64_t k = 0; k < count; ++k) {
      expected[k] = first + k < used ? pattern<T>(first + k + 3) : poison<T>();
    }
  }
};

template <class T>
std::vector<T> right_output(std::uint64_t first, std::uint64_t count, std::uint64_t used) {
  std::vector<T> output(count);
  for (std::uint64_t k = 0; k < count; ++k) output[k] = first + k < used ? pattern<T>(first + k + 3) : poison<T>();
  return output;
}

template <class T>
class CompareOf : public testing::Test {};
using ElementTypes = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Bits128>;
TYPED_TEST_SUITE(CompareOf, ElementTypes);

TYPED_TEST(CompareOf, ARightOutputHasNoMismatch) {
  const auto output = right_output<TypeParam>(0, 5000, 5000);
  const Verification result = compare(output.data(), 0, output.size(), Shifted<TypeParam>{5000});
  EXPECT_EQ(result.mismatches, 0U);
  EXPECT_TRUE(result.kept.empty());
  EXPECT_EQ(result.max_abs_error, std::nullopt);
}

TYPED_TEST(CompareOf, OneWrongElementIsFoundAtStartEndAndBlockBoundaries) {
  for (const std::uint64_t wrong : {0, 1, 1023, 1024, 2047, 2048, 4998, 4999}) {
    auto output = right_output<TypeParam>(0, 5000, 5000);
    output[wrong] = pattern<TypeParam>(wrong + 4);  // off by one
    const Verification result = compare(output.data(), 0, output.size(), Shifted<TypeParam>{5000});
    EXPECT_EQ(result.mismatches, 1U);
    ASSERT_EQ(result.kept.size(), 1U);
    EXPECT_EQ(result.kept[0].index, wrong);
    EXPECT_EQ(result.kept[0].source, wrong + 3);
    EXPECT_EQ(result.kept[0].expected, element_text(pattern<TypeParam>(wrong + 3)));
    EXPECT_EQ(result.kept[0].actual, element_text(pattern<TypeParam>(wrong + 4)));
    EXPECT_EQ(result.kept[0].place, "output");
  }
}

TYPED_TEST(CompareOf, AnElementThatWasNeverWrittenIsAMismatch) {
  auto output = right_output<TypeParam>(0, 100, 100);
  output[99] = poison<TypeParam>();
  EXPECT_EQ(compare(output.data(), 0, 100, Shifted<TypeParam>{100}).mismatches, 1U);
}

TYPED_TEST(CompareOf, PaddingThatWasWrittenIsAMismatchWithoutSource) {
  auto output = right_output<TypeParam>(0, 100, 90);
  EXPECT_EQ(compare(output.data(), 0, 100, Shifted<TypeParam>{90}).mismatches, 0U);
  output[90] = pattern<TypeParam>(93);
  const Verification result = compare(output.data(), 0, 100, Shifted<TypeParam>{90});
  ASSERT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.kept[0].index, 90U);
  EXPECT_EQ(result.kept[0].source, std::nullopt);
}

TYPED_TEST(CompareOf, ACopyThatIsOffByOneIsWrongEverywhere) {
  std::vector<TypeParam> output(3000);
  for (std::uint64_t j = 0; j < output.size(); ++j) output[j] = pattern<TypeParam>(j + 2);
  EXPECT_EQ(compare(output.data(), 0, output.size(), Shifted<TypeParam>{3000}).mismatches, 3000U);
}

TEST(Compare, AChunkCountsItsIndicesFromItsFirst) {
  constexpr std::uint64_t first = (std::uint64_t{1} << 32) + 7;
  auto output = right_output<std::uint32_t>(first, 2000, first + 2000);
  output[1999] ^= 1;
  const Verification result = compare(output.data(), first, 2000, Shifted<std::uint32_t>{first + 2000});
  ASSERT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.kept[0].index, first + 1999);
  EXPECT_EQ(result.kept[0].source, first + 2002);
}

/// out[j] = j, as floats.
struct Counting {
  std::optional<std::uint64_t> source(std::uint64_t j) const { return j; }
  void fill(std::uint64_t first, std::uint64_t count, float* expected) const {
    for (std::uint64_t k = 0; k < count; ++k) expected[k] = static_cast<float>(first + k);
  }
};

Verification compare_with(std::uint64_t wrong, float value) {
  std::vector<float> output(1500);
  for (std::size_t j = 0; j < output.size(); ++j) output[j] = static_cast<float>(j);
  output[wrong] = value;
  return compare(output.data(), 0, output.size(), Counting{});
}

TEST(CompareFloats, RightOnesHaveAnErrorOfZero) {
  const Verification result = compare_with(10, 10);
  EXPECT_EQ(result.mismatches, 0U);
  EXPECT_EQ(result.max_abs_error, 0.0);
  EXPECT_TRUE(result.error_is_finite);
}

TEST(CompareFloats, TheLastBitCounts) {
  const float next = std::nextafter(1200.0F, 2000.0F);
  const Verification result = compare_with(1200, next);
  EXPECT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.max_abs_error, static_cast<double>(next) - 1200);
  EXPECT_EQ(result.kept[0].expected, "1200");
  EXPECT_EQ(result.kept[0].actual, "1200.00012");
}

TEST(CompareFloats, NegativeZeroIsNoZero) {
  const Verification result = compare_with(0, -0.0F);
  EXPECT_EQ(result.mismatches, 1U);
  EXPECT_EQ(result.max_abs_error, 0.0);
}

TEST(CompareFloats, NanAndInfinityAreMismatchesWhoseErrorHasNoNumber) {
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
    const Verification result = compare_with(1024, value);
    EXPECT_EQ(result.mismatches, 1U);
    EXPECT_FALSE(result.error_is_finite);
    EXPECT_EQ(result.max_abs_error, 0.0);  // of the finite ones
  }
}

Verification wrong_from(std::uint64_t first, std::uint64_t count) {
  Verification result;
  for (std::uint64_t i = first; i < first + count; ++i) result.add({i, i, "", "", "output"});
  return result;
}

TEST(Merge, AddsUpAndSortsChunksThatArriveInAnyOrder) {
  Verification all;
  all.merge(wrong_from(2000, 3));
  all.merge(wrong_from(10, 2));
  all.merge(Verification{});
  all.merge(wrong_from(500, 1));
  EXPECT_EQ(all.mismatches, 6U);
  std::vector<std::uint64_t> indices;
  for (const Mismatch& m : all.kept) indices.push_back(m.index);
  EXPECT_EQ(indices, (std::vector<std::uint64_t>{10, 11, 500, 2000, 2001, 2002}));
}

TEST(Merge, KeepsTheLowestIndicesAndCountsTheRest) {
  const std::uint64_t most = Verification::most_kept;
  EXPECT_EQ(wrong_from(0, most + 5).kept.size(), most);
  EXPECT_EQ(wrong_from(0, most + 5).mismatches, most + 5);
  Verification all = wrong_from(100000, most);
  all.merge(wrong_from(0, 10));
  EXPECT_EQ(all.mismatches, most + 10);
  ASSERT_EQ(all.kept.size(), most);
  EXPECT_EQ(all.kept.front().index, 0U);
  EXPECT_EQ(all.kept[10].index, 100000U);
  EXPECT_EQ(all.kept.back().index, 100000 + most - 11);
  all.merge(wrong_from(200000, most));  // too late to be kept
  EXPECT_EQ(all.mismatches, 2 * most + 10);
  ASSERT_EQ(all.kept.size(), most);
  EXPECT_EQ(all.kept.back().index, 100000 + most - 11);
}

TEST(Merge, TheLargestErrorAndTheFirstNanSurvive) {
  Verification all;
  EXPECT_EQ(all.max_abs_error, std::nullopt);
  all.merge(compare_with(5, 7));
  all.merge(compare_with(5, 5.5));
  EXPECT_EQ(all.max_abs_error, 2.0);
  EXPECT_TRUE(all.error_is_finite);
  all.merge(compare_with(5, std::numeric_limits<float>::quiet_NaN()));
  all.merge(compare_with(5, 5));
  EXPECT_EQ(all.max_abs_error, 2.0);
  EXPECT_FALSE(all.error_is_finite);
}

TEST(CheckGuard, EveryByteThatIsNoLongerPoisonIsAMismatch) {
  std::vector<unsigned char> band(256, 0xFF);
  EXPECT_EQ(check_guard(band, "leading guard band").mismatches, 0U);
  band[0] = 0;
  band[255] = 0xFE;
  const Verification result = check_guard(band, "trailing guard band");
  ASSERT_EQ(result.mismatches, 2U);
  EXPECT_EQ(result.kept[1].index, 255U);
  EXPECT_EQ(result.kept[1].source, std::nullopt);
  EXPECT_EQ(result.kept[1].expected, "0xff");
  EXPECT_EQ(result.kept[1].actual, "0xfe");
  EXPECT_EQ(result.kept[1].place, "trailing guard band");
}

TEST(ElementText, BitPatternsAtTheirFullWidth) {
  EXPECT_EQ(element_text(std::uint8_t{7}), "0x07");
  EXPECT_EQ(element_text(std::uint16_t{0xABC}), "0x0abc");
  EXPECT_EQ(element_text(std::uint32_t{1}), "0x00000001");
  EXPECT_EQ(element_text(std::uint64_t{1}), "0x0000000000000001");
  EXPECT_EQ(element_text(Bits128{1, 2}), "0x00000000000000020000000000000001");
}

}  // namespace
}  // namespace sectorscope
