// A modular walk counted by its classes, walked or solved, against every warp enumerated.

#include "sectorscope/modular_sectors.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

namespace sectorscope {
namespace {

struct Walk {
  std::uint64_t n, stride;
  std::uint64_t operator()(std::uint64_t i) const { return i * stride % n; }
};

TEST(FloorSum, EqualsTheSumItStandsFor) {
  for (std::uint64_t m : {1U, 2U, 7U, 32U, 100U}) {
    for (std::uint64_t a = 0; a < 2 * m; a += 3) {
      for (std::uint64_t b : {std::uint64_t{0}, m / 2, 3 * m + 1}) {
        std::uint64_t sum = 0;
        for (std::uint64_t q = 0; q < 57; ++q) sum += (a * q + b) / m;
        ASSERT_EQ(floor_sum(57, m, a, b), sum) << m << " " << a << " " << b;
      }
    }
  }
}

TEST(FloorSum, CountsHowOftenAProgressionFallsBelowABound) {
  const std::uint64_t m = 97;
  for (std::uint64_t bound = 0; bound <= m; ++bound) {
    std::uint64_t count = 0;
    for (std::uint64_t q = 0; q < 1000; ++q) count += (31 * q + 5) % m < bound ? 1 : 0;
    ASSERT_EQ(count_below(1000, m, 31, 5, bound), count);
  }
}

TEST(SolveModular, EqualsTheEnumerationForEveryStrideAndWidth) {
  for (std::uint64_t n : {32U, 33U, 64U, 97U, 255U, 256U, 1000U, 1003U, 1024U, 4099U}) {
    for (std::uint64_t stride = 1; stride < n; stride += n < 300 ? 1 : 7) {
      if (std::gcd(stride, n) != 1) continue;
      for (std::uint64_t width : {1U, 2U, 4U, 8U, 16U}) {
        const Walk walk{n, stride};
        const std::uint64_t warps = n / warp_size;
        const ModularClasses classes(n, stride, width);
        const Traffic expected = enumerate_warps(walk, 0, warps * warp_size, width);
        ASSERT_EQ(solve_modular(walk, classes, warps, n, stride, width), expected)
            << n << " " << stride << " " << width;
        ASSERT_EQ(walk_modular(walk, classes, warps, width), expected) << n << " " << stride << " " << width;
      }
    }
  }
}

TEST(SolveModular, EqualsTheWalkWhereBothAreAffordable) {
  for (std::uint64_t n : {(std::uint64_t{1} << 22), std::uint64_t{3000001}, std::uint64_t{4194301}}) {
    for (std::uint64_t stride : {std::uint64_t{3}, std::uint64_t{65}, n / 3 * 2 + 1, n - 1}) {
      if (std::gcd(stride, n) != 1) continue;
      for (std::uint64_t width : {1U, 4U, 16U}) {
        const Walk walk{n, stride};
        const ModularClasses classes(n, stride, width);
        ASSERT_EQ(solve_modular(walk, classes, n / 32, n, stride, width), walk_modular(walk, classes, n / 32, width))
            << n << " " << stride << " " << width;
      }
    }
  }
}

TEST(SolveModular, AWrongAddressIsNotPredictedAsTheRightOne) {
  const std::uint64_t n = 1003;
  const ModularClasses classes(n, 3, 4);
  EXPECT_FALSE(solve_modular(Walk{n, 5}, classes, n / 32, n, 3, 4) ==
               solve_modular(Walk{n, 3}, classes, n / 32, n, 3, 4));
}

TEST(CountModular, CountsAnArrayOfATebibyteWithoutWalkingThroughIt) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t n = std::uint64_t{1} << 40;
  EXPECT_EQ(count_modular(Walk{n, 9}, n, 9, 4), (Traffic{n / 32, n}));  // 32 sectors a warp
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace sectorscope
