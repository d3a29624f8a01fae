#include "sectorscope/access.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace sectorscope {
namespace {

struct Offset {
  std::uint64_t offset;
  std::uint64_t operator()(std::uint64_t i) const { return i + offset; }
  static std::uint64_t period() { return 32; }
};

TEST(LinearShape, ItemsOfAThreadLieOneBlockApart) {
  const LinearShape shape{2000, 256, 4};
  EXPECT_EQ(shape.blocks(), 2U);
  EXPECT_EQ(shape.first_element(0), 0U);
  EXPECT_EQ(shape.first_element(255), 255U);
  EXPECT_EQ(shape.first_element(256), 1024U);
  EXPECT_EQ((LinearShape{1024, 256, 4}.blocks()), 1U);
  EXPECT_EQ((LinearShape{1025, 256, 4}.blocks()), 2U);
  EXPECT_EQ((LinearShape{1, 32, 1}.blocks()), 1U);
}

TEST(LinearAccess, WarpsAndItemsCoverEveryElementOnce) {
  for (const std::uint64_t n : {1, 33, 257, 2000}) {
    for (const std::uint64_t items : {1, 2, 4, 8}) {
      const LinearShape shape{n, 64, items};
      const Access access = linear_access(Side::load, "in[i]", Offset{0}, 4, shape);
      std::multiset<std::uint64_t> elements;
      for (std::uint64_t warp = 0; warp < access.warps; ++warp) {
        for (const Lane& lane : access.lanes(warp)) {
          EXPECT_EQ(lane.thread / 32, warp);
          for (std::uint64_t i = lane.element; i < n && i < lane.element + 64 * items; i += 64) elements.insert(i);
        }
      }
      ASSERT_EQ(elements.size(), n) << "items " << items;
      EXPECT_EQ(*elements.begin(), 0U);
      EXPECT_EQ(*elements.rbegin(), n - 1);
      EXPECT_EQ(std::set<std::uint64_t>(elements.begin(), elements.end()).size(), n);
    }
  }
}

TEST(LinearAccess, LanesBeyondTheEndAreInactive) {
  const Access access = linear_access(Side::load, "in[i + 3]", Offset{3}, 4, LinearShape{40, 64, 1});
  EXPECT_EQ(access.warps, 2U);
  EXPECT_EQ(access.lanes(0).size(), 32U);
  ASSERT_EQ(access.lanes(1).size(), 8U);
  EXPECT_EQ(access.lanes(1).front().thread, 32U);
  EXPECT_EQ(access.lanes(1).front().element, 35U);
}

TEST(LinearAccess, TrafficDependsOnNeitherBlockSizeNorItems) {
  for (const std::uint64_t block : {32, 256, 1024}) {
    for (const std::uint64_t items : {1, 4, 8}) {
      const Access access = linear_access(Side::load, "in[i + 5]", Offset{5}, 4, LinearShape{10000, block, items});
      EXPECT_EQ(access.traffic.requests, 313U);
      EXPECT_EQ(access.traffic.sectors, 1563U);
    }
  }
}

TEST(TiledAccess, AWarpIsAtMostOneLineOfATile) {
  const auto address = [](std::uint64_t major, std::uint64_t minor) { return major * 100 + minor; };
  const Access access = tiled_access(Side::store, "out", address, 4, 3, 40);
  EXPECT_EQ(access.warps, 6U);
  EXPECT_EQ(access.lanes(2).size(), 32U);
  EXPECT_EQ(access.lanes(2).front().element, 100U);
  ASSERT_EQ(access.lanes(5).size(), 8U);
  EXPECT_EQ(access.lanes(5).front().element, 232U);
  EXPECT_EQ(access.lanes(5).back().element, 239U);
  EXPECT_TRUE(access.lanes(6).empty());
}

TEST(PredictTraffic, SumsEachSideOnItsOwn) {
  const auto access = [](Side side, Traffic traffic) { return Access{side, "", 4, traffic, 1, {}}; };
  Prediction prediction;
  predict_traffic(prediction, {access(Side::load, {10, 40}), access(Side::store, {7, 28}), access(Side::load, {1, 5})});
  EXPECT_EQ(prediction.load_requests, 11U);
  EXPECT_EQ(prediction.load_sectors, 45U);
  EXPECT_EQ(prediction.store_requests, 7U);
  EXPECT_EQ(prediction.store_sectors, 28U);
}

}  // namespace
}  // namespace sectorscope
