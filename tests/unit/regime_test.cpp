#include "sectorscope/regime.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace sectorscope {
namespace {

Prediction prediction(std::uint64_t footprint, std::uint64_t load_sectors, std::uint64_t store_sectors) {
  Prediction p;
  p.footprint_bytes = footprint;
  p.load_sectors = load_sectors;
  p.store_sectors = store_sectors;
  return p;
}

TEST(Regime, ChangesAtOneAndFourTimesTheL2) {
  EXPECT_EQ(regime(1, 1000), "l2");
  EXPECT_EQ(regime(1000, 1000), "l2");
  EXPECT_EQ(regime(1001, 1000), "mixed");
  EXPECT_EQ(regime(3999, 1000), "mixed");
  EXPECT_EQ(regime(4000, 1000), "dram");
  EXPECT_EQ(regime(4003, 1001), "mixed");
  EXPECT_EQ(regime(4004, 1001), "dram");
}

TEST(Regime, OfARowIsEmptyWhereTheL2IsUnknown) {
  Record r;
  r.prediction = prediction(5000, 1000, 1000);
  EXPECT_EQ(regime(r), "");
  r.l2_bytes = 1000;
  EXPECT_EQ(regime(r), "dram");
  r.l2_bytes = 5000;
  EXPECT_EQ(regime(r), "l2");
}

TEST(CachedBytes, AreTheArraysWhereEveryPartOfThemIsTouched) {
  EXPECT_EQ(cached_bytes(prediction(8192, 128, 128)), 8192U);
}

TEST(CachedBytes, AreALineForEverySectorWhereTheyLieFarApart) {
  EXPECT_EQ(cached_bytes(prediction(1'000'000, 10, 5)), 128U * 15);
  EXPECT_EQ(cached_bytes(prediction(1000, 7, 0)), 128U * 7);
  EXPECT_EQ(cached_bytes(prediction(1000, 8, 0)), 1000U);
  // 1024 rows of 8 floats, 4 MiB apart, are in the L2 whatever lies between them.
  EXPECT_EQ(cached_bytes(prediction(4'290'805'792, 1024, 1024)), 262'144U);
}

TEST(CachedBytes, DoNotWrapForTheLargestCounts) {
  constexpr std::uint64_t footprint = std::uint64_t{1} << 62, sectors = std::uint64_t{1} << 61;
  EXPECT_EQ(cached_bytes(prediction(footprint, sectors, sectors)), footprint);
}

}  // namespace
}  // namespace sectorscope
