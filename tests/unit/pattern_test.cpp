#include "sectorscope/pattern.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>

#include "sectorscope/element.hpp"

namespace sectorscope {
namespace {

template <class T>
class PatternOf : public testing::Test {};
using ElementTypes = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Bits128>;
TYPED_TEST_SUITE(PatternOf, ElementTypes);

/// Places worth trying: the start, 2^16, 2^24 (where a float stops counting), around 2^32, and beyond.
constexpr std::uint64_t starts[] = {0,
                                    65536 - 5000,
                                    16777216 - 5000,
                                    (1ULL << 31) - 5000,
                                    (1ULL << 32) - 5000,
                                    (1ULL << 33) + 77,
                                    (1ULL << 40) + 12345};

TYPED_TEST(PatternOf, NeighboursDifferSoThatACopyOffByOneShowsInEveryElement) {
  for (const std::uint64_t start : starts) {
    for (std::uint64_t i = start; i < start + 10000; ++i) {
      ASSERT_FALSE(pattern<TypeParam>(i) == pattern<TypeParam>(i + 1)) << i;
    }
  }
}

TYPED_TEST(PatternOf, NoElementIsThePoison) {
  unsigned char bytes[sizeof(TypeParam)];
  std::memset(bytes, poison_byte, sizeof bytes);
  const TypeParam all_ones = poison<TypeParam>();
  ASSERT_EQ(std::memcmp(&all_ones, bytes, sizeof bytes), 0);
  for (const std::uint64_t start : starts) {
    for (std::uint64_t i = start; i < start + 200000; ++i) {
      ASSERT_FALSE(pattern<TypeParam>(i) == poison<TypeParam>()) << i;
    }
  }
}

TYPED_TEST(PatternOf, AnIndexCutTo32BitsShowsWithinAFewElements) {
  int equal = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    equal += pattern<TypeParam>((1ULL << 32) + i) == pattern<TypeParam>(i) ? 1 : 0;
    equal += pattern<TypeParam>((1ULL << 35) + i) == pattern<TypeParam>(i) ? 1 : 0;
  }
  EXPECT_LT(equal, sizeof(TypeParam) == 1 ? 400 : 10);  // bytes agree by chance: 1 of 128 at equal parity
}

TYPED_TEST(PatternOf, DistancesOfPowersOfTwoShowToo) {
  for (const std::uint64_t distance : {2, 4, 8, 32, 256, 1024, 4096, 65536}) {
    int equal = 0;
    for (std::uint64_t i = 0; i < 10000; ++i)
      equal += pattern<TypeParam>(i) == pattern<TypeParam>(i + distance) ? 1 : 0;
    EXPECT_LT(equal, sizeof(TypeParam) == 1 ? 200 : 10) << distance;
  }
}

TEST(Pattern, ElementsHardlyRepeat) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t i = 0; i < 200000; ++i) seen.insert(pattern<std::uint32_t>(i));
  EXPECT_GT(seen.size(), 199900U);
  std::set<std::uint8_t> bytes;
  for (std::uint64_t i = 0; i < 10000; ++i) bytes.insert(pattern<std::uint8_t>(i));
  EXPECT_EQ(bytes.size(), 255U);  // every byte but the poison
}

TEST(Pattern, TheHalvesOfA16ByteElementDiffer) {
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const Bits128 bits = pattern<Bits128>(i);
    ASSERT_NE(bits.low, bits.high);
  }
}

TEST(Mix, SaltsGiveIndependentStreams) {
  int equal = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) equal += mix(i, 1) == mix(i, 2) ? 1 : 0;
  EXPECT_LT(equal, 5);
}

}  // namespace
}  // namespace sectorscope
