#include "sectorscope/launch_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sectorscope {
namespace {

std::vector<int> ordered(int count, Order order, std::uint64_t seed = 1) {
  std::vector<int> items(static_cast<std::size_t>(count));
  std::iota(items.begin(), items.end(), 0);
  put_in_order(items, order, seed);
  return items;
}

TEST(Order, ListedAndReversed) {
  EXPECT_EQ(ordered(4, Order::listed), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(ordered(4, Order::reversed), (std::vector<int>{3, 2, 1, 0}));
  EXPECT_EQ(ordered(5, Order::reversed), (std::vector<int>{4, 3, 2, 1, 0}));
  EXPECT_EQ(ordered(1, Order::reversed), (std::vector<int>{0}));
  EXPECT_TRUE(ordered(0, Order::reversed).empty());
}

TEST(Order, ShuffledIsAPermutation) {
  for (const int count : {0, 1, 2, 10, 1000}) {
    std::vector<int> items = ordered(count, Order::shuffled);
    std::sort(items.begin(), items.end());
    EXPECT_EQ(items, ordered(count, Order::listed));
  }
  EXPECT_NE(ordered(1000, Order::shuffled), ordered(1000, Order::listed));
}

// A row's seed must give its order back on another machine: these values hold with every compiler and library.
TEST(Order, ASeedGivesTheSameOrderEverywhere) {
  EXPECT_EQ(ordered(10, Order::shuffled, 1), (std::vector<int>{1, 7, 3, 9, 4, 0, 5, 2, 6, 8}));
  EXPECT_EQ(ordered(100, Order::shuffled, 42), ordered(100, Order::shuffled, 42));
  EXPECT_NE(ordered(100, Order::shuffled, 42), ordered(100, Order::shuffled, 43));
}

TEST(Order, ShuffledBringsEveryItemEverywhere) {
  std::vector<int> seen(25, 0);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::vector<int> items = ordered(5, Order::shuffled, seed);
    for (std::size_t place = 0; place < 5; ++place) ++seen[place * 5 + static_cast<std::size_t>(items[place])];
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 140);  // 200 expected, deviation 13
  EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 260);
}

TEST(LaunchSkip, ElevenLaunchesAConfigurationSkipTenAndSeventySix) {
  Options options;  // as the command line "4194304 1" sets it: 10 warm-ups, one run of one launch
  options.runs = 1;
  options.iterations = 1;
  EXPECT_EQ(options.launches_per_configuration(), 11U);
  EXPECT_EQ(launch_skip(options, 0), 10U);
  EXPECT_EQ(launch_skip(options, 6), 76U);
}

TEST(LaunchSkip, CountsWarmUpsAndAllRunsOfEarlierConfigurations) {
  Options options;
  EXPECT_EQ(launch_skip(options, 0), 10U);
  EXPECT_EQ(launch_skip(options, 1), 720U);
  options.warmup = 0;
  EXPECT_EQ(launch_skip(options, 0), 0U);
  EXPECT_EQ(launch_skip(options, 3), 2100U);
  options.warmup = options.iterations = 10000;
  options.runs = 1000;
  EXPECT_EQ(launch_skip(options, 99999), 99999 * 10010000ULL + 10000);
}

TEST(Complete, FillsInTheScheduleAndTheLaunches) {
  Options options;
  options.l2 = L2Mode::cold;
  options.order = Order::reversed;
  options.warmup = 3;
  options.iterations = 5;
  options.runs = 2;
  options.seed = 9;
  Record record;
  complete(record, options, 1000, 2);
  EXPECT_EQ(record.key.l2, "cold");
  EXPECT_EQ(record.key.order, "reversed");
  EXPECT_EQ(record.key.warmup, 3U);
  EXPECT_EQ(record.key.iterations, 5U);
  EXPECT_EQ(record.key.runs, 2U);
  EXPECT_EQ(record.prediction.launch_skip, 29U);
  EXPECT_EQ(record.l2_bytes, 1000U);
  EXPECT_FALSE(record.key.seed.has_value());  // says nothing unless shuffled
  options.order = Order::shuffled;
  complete(record, options, std::nullopt, 0);
  EXPECT_EQ(record.key.seed, 9U);
  EXPECT_FALSE(record.l2_bytes.has_value());
}

}  // namespace
}  // namespace sectorscope
