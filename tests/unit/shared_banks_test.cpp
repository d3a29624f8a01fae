#include "sectorscope/shared_banks.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace sectorscope {
namespace {

TEST(Wavefronts, AColumnOfAnUnpaddedTileConflicts32Ways) {
  for (std::uint64_t column = 0; column < 32; ++column) {
    EXPECT_EQ(wavefronts_of_request(32, 4, [=](std::uint64_t lane) { return (lane * 32 + column) * 4; }), 32U);
  }
}

TEST(Wavefronts, OneWordOfPaddingFreesTheColumn) {
  EXPECT_EQ(wavefronts_of_request(32, 4, [](std::uint64_t lane) { return lane * 33 * 4; }), 1U);
  EXPECT_EQ(wavefronts_of_request(32, 4, [](std::uint64_t lane) { return lane * 34 * 4; }), 2U);  // an even pitch
}

TEST(Wavefronts, AnXorSwizzleFreesRowAndColumn) {
  for (std::uint64_t k = 0; k < 32; ++k) {
    EXPECT_EQ(wavefronts_of_request(32, 4, [=](std::uint64_t lane) { return (lane * 32 + (k ^ lane)) * 4; }), 1U);
    EXPECT_EQ(wavefronts_of_request(32, 4, [=](std::uint64_t lane) { return (k * 32 + (lane ^ k)) * 4; }), 1U);
  }
}

TEST(Wavefronts, StridesConflictByTheirCommonDivisorWith32) {
  const auto strided = [](std::uint64_t words) {
    return wavefronts_of_request(32, 4, [=](std::uint64_t lane) { return lane * words * 4; });
  };
  EXPECT_EQ(strided(1), 1U);
  EXPECT_EQ(strided(2), 2U);
  EXPECT_EQ(strided(8), 8U);
  EXPECT_EQ(strided(12), 4U);
  EXPECT_EQ(strided(31), 1U);
}

TEST(Wavefronts, WideAccessesTakeAPhaseForEachHalfOrQuarterWarp) {
  EXPECT_EQ(wavefronts_of_request(32, 8, [](std::uint64_t lane) { return lane * 8; }), 2U);
  EXPECT_EQ(wavefronts_of_request(32, 16, [](std::uint64_t lane) { return lane * 16; }), 4U);
  // A column of an unpadded 32x32 tile: 16 lanes on one pair of banks, 8 lanes on one quad, in every phase.
  EXPECT_EQ(wavefronts_of_request(32, 8, [](std::uint64_t lane) { return lane * 32 * 8; }), 32U);
  EXPECT_EQ(wavefronts_of_request(32, 16, [](std::uint64_t lane) { return lane * 32 * 16; }), 32U);
  EXPECT_EQ(wavefronts_of_request(32, 8, [](std::uint64_t lane) { return lane * 33 * 8; }), 2U);
  EXPECT_EQ(wavefronts_of_request(32, 16, [](std::uint64_t lane) { return lane * 33 * 16; }), 4U);
}

TEST(Wavefronts, LanesThatShareAWordAreServedTogether) {
  EXPECT_EQ(wavefronts_of_request(32, 4, [](std::uint64_t) { return 256; }), 1U);
  EXPECT_EQ(wavefronts_of_request(32, 4, [](std::uint64_t lane) { return lane / 16 * 128; }),
            2U);  // two words, one bank
  EXPECT_EQ(wavefronts_of_request(32, 8, [](std::uint64_t) { return 256; }), 2U);
}

TEST(Wavefronts, BytesAndHalvesOfOneWordDoNotConflict) {
  EXPECT_EQ(wavefronts_of_request(32, 1, [](std::uint64_t lane) { return lane; }), 1U);
  EXPECT_EQ(wavefronts_of_request(32, 2, [](std::uint64_t lane) { return lane * 2; }), 1U);
  EXPECT_EQ(wavefronts_of_request(32, 1, [](std::uint64_t lane) { return lane * 32; }), 8U);  // 8 banks apart: 4 banks
  EXPECT_EQ(wavefronts_of_request(32, 1, [](std::uint64_t lane) { return lane * 128; }), 32U);
}

TEST(Wavefronts, PartialWarpsCountActiveLanesOnly) {
  const auto column = [](std::uint64_t lane) { return lane * 128; };
  EXPECT_EQ(wavefronts_of_request(0, 4, column), 0U);
  EXPECT_EQ(wavefronts_of_request(1, 4, column), 1U);
  EXPECT_EQ(wavefronts_of_request(9, 4, column), 9U);
  const auto wide = [](std::uint64_t lane) { return lane * 8; };
  EXPECT_EQ(wavefronts_of_request(16, 8, wide), 1U);
  EXPECT_EQ(wavefronts_of_request(17, 8, wide), 2U);
  EXPECT_EQ(wavefronts_of_request(9, 16, [](std::uint64_t lane) { return lane * 16; }), 2U);
}

}  // namespace
}  // namespace sectorscope
