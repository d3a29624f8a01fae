#include "sectorscope/sectors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "sectorscope/modular_sectors.hpp"

namespace sectorscope {
namespace {

constexpr std::array<std::uint64_t, 5> widths{1, 2, 4, 8, 16};

/// The oracle: warps of 32 consecutive threads, every byte that a lane touches, the distinct blocks of 32 bytes.
template <class ElementOf>
Traffic by_hand(std::uint64_t threads, std::uint64_t width, ElementOf element_of) {
  Traffic total;
  std::set<std::uint64_t> blocks;
  for (std::uint64_t t = 0; t < threads; ++t) {
    if (t % 32 == 0) {
      total.sectors += blocks.size();
      ++total.requests;
      blocks.clear();
    }
    for (std::uint64_t byte = 0; byte < width; ++byte) blocks.insert((element_of(t) * width + byte) / 32);
  }
  total.sectors += blocks.size();
  return total;
}

/// As above for lines of their own: no warp reaches over the end of one.
template <class ElementOf>
Traffic by_hand(std::uint64_t majors, std::uint64_t minors, std::uint64_t width, ElementOf element_of) {
  Traffic total;
  for (std::uint64_t major = 0; major < majors; ++major) {
    total += by_hand(minors, width, [&](std::uint64_t minor) { return element_of(major, minor); });
  }
  return total;
}

struct Offset {
  std::uint64_t offset;
  std::uint64_t operator()(std::uint64_t i) const { return i + offset; }
  static std::uint64_t period() { return 32; }
};

struct Spread {
  std::uint64_t stride;
  std::uint64_t operator()(std::uint64_t i) const { return i * stride; }
  static std::uint64_t period() { return 32; }
};

/// Field `field` of particle i, in blocks of `lanes` particles that hold one field after the other.
struct Blocked {
  std::uint64_t lanes, fields, field;
  std::uint64_t operator()(std::uint64_t i) const { return i / lanes * lanes * fields + field * lanes + i % lanes; }
  std::uint64_t period() const { return lanes > 32 ? lanes : 32; }
};

struct Modular {
  std::uint64_t n, stride;
  std::uint64_t operator()(std::uint64_t i) const { return i * stride % n; }
};

template <class Expected, class Counted>
void expect_equal(const Expected& expected, const Counted& counted) {
  EXPECT_EQ(counted.requests, expected.requests);
  EXPECT_EQ(counted.sectors, expected.sectors);
}

TEST(SectorsOfRequest, CountsDistinctSectorsInAnyLaneOrder) {
  const auto count = [](const std::vector<std::uint64_t>& bytes) {
    return sectors_of_request(bytes.size(), [&](std::uint64_t lane) { return bytes[lane]; });
  };
  EXPECT_EQ(count({0}), 1U);
  EXPECT_EQ(count({31, 32}), 2U);
  EXPECT_EQ(count({28, 0, 31}), 1U);
  EXPECT_EQ(count({96, 64, 32, 0}), 4U);                       // descending
  EXPECT_EQ(count({0, 64, 0, 64, 0}), 2U);                     // neighbours differ, the sectors repeat
  EXPECT_EQ(count(std::vector<std::uint64_t>(32, 4096)), 1U);  // a broadcast
}

TEST(CountPeriodic, OffsetsEqualEveryByteByHand) {
  std::vector<std::uint64_t> sizes(100);
  std::iota(sizes.begin(), sizes.end(), 1);
  sizes.push_back(257);
  for (std::uint64_t offset = 0; offset < 32; ++offset) {
    for (const std::uint64_t width : widths) {
      for (const std::uint64_t n : sizes) {
        SCOPED_TRACE(testing::Message() << "offset " << offset << " width " << width << " n " << n);
        expect_equal(by_hand(n, width, Offset{offset}), count_periodic(Offset{offset}, n, width));
      }
    }
  }
  for (const std::uint64_t offset : {0, 1, 5, 7, 8, 31}) {
    for (const std::uint64_t width : widths) {
      SCOPED_TRACE(testing::Message() << "offset " << offset << " width " << width);
      expect_equal(by_hand(10000, width, Offset{offset}), count_periodic(Offset{offset}, 10000, width));
    }
  }
}

TEST(CountPeriodic, KnownTotals) {
  expect_equal(Traffic{32768, 131072}, count_periodic(Offset{0}, 1048576, 4));
  expect_equal(Traffic{32768, 163840}, count_periodic(Offset{1}, 1048576, 4));
  expect_equal(Traffic{32768, 131072}, count_periodic(Offset{8}, 1048576, 4));
  expect_equal(Traffic{9, 41}, count_periodic(Offset{3}, 257, 4));
  expect_equal(Traffic{313, 1563}, count_periodic(Offset{5}, 10000, 4));
  expect_equal(Traffic{2048, 34816}, count_periodic(Offset{1}, 65536, 16));
  expect_equal(Traffic{1, 1}, count_periodic(Offset{31}, 1, 4));
  expect_equal(Traffic{0, 0}, count_periodic(Offset{1}, 0, 4));
}

TEST(CountPeriodic, SpreadElementsEqualEveryByteByHand) {
  for (const std::uint64_t stride : {0, 1, 2, 3, 7, 8, 9, 33}) {
    for (const std::uint64_t width : widths) {
      for (const std::uint64_t n : {1, 31, 32, 33, 257}) {
        SCOPED_TRACE(testing::Message() << "stride " << stride << " width " << width << " n " << n);
        expect_equal(by_hand(n, width, Spread{stride}), count_periodic(Spread{stride}, n, width));
      }
    }
  }
  expect_equal(Traffic{2048, 2048}, count_periodic(Spread{0}, 65536, 4));  // stride 0 is a broadcast
}

TEST(CountPeriodic, BlocksOfFieldsWithPeriodsBeyondAWarp) {
  for (const std::uint64_t lanes : {1, 2, 4, 8, 16, 32, 64}) {
    for (const std::uint64_t fields : {4, 6}) {
      for (const std::uint64_t n : {1, 33, 64, 95, 1000}) {
        SCOPED_TRACE(testing::Message() << "lanes " << lanes << " fields " << fields << " n " << n);
        const Blocked address{lanes, fields, fields - 1};
        expect_equal(by_hand(n, 4, address), count_periodic(address, n, 4));
      }
    }
  }
}

TEST(CountTiled, RowsAndColumnsEqualEveryByteByHand) {
  for (const std::uint64_t majors : {1, 31, 32, 33, 63, 64, 65, 100}) {
    for (const std::uint64_t minors : {1, 31, 32, 33, 63, 64, 65, 100}) {
      for (const std::uint64_t padding : {0, 1, 8, 24}) {
        for (const std::uint64_t width : {1, 4, 16}) {
          SCOPED_TRACE(testing::Message() << majors << "x" << minors << " padding " << padding << " width " << width);
          const auto along = [=](std::uint64_t major, std::uint64_t minor) {
            return major * (minors + padding) + minor;
          };
          const auto across = [=](std::uint64_t major, std::uint64_t minor) {
            return minor * (majors + padding) + major;
          };
          expect_equal(by_hand(majors, minors, width, along), count_tiled(along, majors, minors, width));
          expect_equal(by_hand(majors, minors, width, across), count_tiled(across, majors, minors, width));
        }
      }
    }
  }
}

TEST(CountTiled, KnownTotals) {
  const auto rows_of = [](std::uint64_t ld) { return [ld](std::uint64_t r, std::uint64_t c) { return r * ld + c; }; };
  const auto columns_of = [](std::uint64_t ld) {
    return [ld](std::uint64_t r, std::uint64_t c) { return c * ld + r; };
  };
  expect_equal(Traffic{700, 2500}, count_tiled(rows_of(200), 100, 200, 4));
  expect_equal(Traffic{700, 20000}, count_tiled(columns_of(100), 100, 200, 4));
  expect_equal(Traffic{33, 156}, count_tiled(rows_of(31), 33, 31, 4));
  expect_equal(Traffic{62, 182}, count_tiled(rows_of(33), 31, 33, 4));
  expect_equal(Traffic{32000, 125000}, count_tiled(rows_of(1024), 1000, 1000, 4));
  expect_equal(Traffic{528384, 2560000}, count_tiled(rows_of(4097), 4096, 4097, 4));
  expect_equal(Traffic{1000, 1000}, count_tiled(rows_of(1), 1000, 1, 4));  // a line each, not 32 lines a warp
}

TEST(CountModular, EveryStrideCoprimeToNEqualsEveryByteByHand) {
  for (const std::uint64_t n : {1, 2, 31, 32, 33, 64, 97, 100, 257, 1000, 1003}) {
    for (std::uint64_t stride = n == 1 ? 0 : 1; stride < n; ++stride) {
      if (std::gcd(stride, n) != 1) continue;
      for (const std::uint64_t width : widths) {
        SCOPED_TRACE(testing::Message() << "n " << n << " stride " << stride << " width " << width);
        const Modular address{n, stride};
        expect_equal(by_hand(n, width, address), count_modular(address, n, stride, width));
      }
    }
  }
}

TEST(CountModular, SeesTheWrapInsideAWarp) {
  expect_equal(Traffic{1, 4}, count_modular(Modular{32, 9}, 32, 9, 4));  // wraps 8 times and fills 4 sectors
  expect_equal(Traffic{2, 16}, count_modular(Modular{64, 9}, 64, 9, 4));
  expect_equal(Traffic{2, 10}, count_modular(Modular{64, 63}, 64, 63, 4));  // backwards: 5 sectors a warp
  expect_equal(Traffic{1, 1}, count_modular(Modular{1, 0}, 1, 0, 4));
}

TEST(CountModular, ClassesAgreeWithEveryWarpOfALargeWalk) {
  for (const std::uint64_t n : {1048576, 1048583, 3000000}) {
    for (const std::uint64_t stride : {7, 11, 67, 524287, 1048573}) {
      for (const std::uint64_t width : {1, 4, 16}) {
        SCOPED_TRACE(testing::Message() << "n " << n << " stride " << stride << " width " << width);
        ASSERT_EQ(std::gcd(stride, n), 1U);
        const Modular address{n, stride};
        expect_equal(enumerate_warps(address, 0, n, width), count_modular(address, n, stride, width));
      }
    }
  }
  expect_equal(Traffic{93750, 2625000}, count_modular(Modular{3000000, 7}, 3000000, 7, 4));
}

// Strides near a fraction of n put lanes of one sector on both sides of a wrap.
TEST(CountModular, ClassesHoldAtTheirBorders) {
  for (const std::uint64_t n : {181, 218, 363, 4093}) {
    for (std::uint64_t stride = 1; stride < n; stride += n < 400 ? 1 : 29) {
      if (std::gcd(stride, n) != 1) continue;
      for (const std::uint64_t width : {2, 4, 8}) {
        SCOPED_TRACE(testing::Message() << "n " << n << " stride " << stride << " width " << width);
        expect_equal(by_hand(n, width, Modular{n, stride}), count_modular(Modular{n, stride}, n, stride, width));
      }
    }
  }
}

TEST(CountModular, ABillionElementsInUnderASecond) {
  constexpr std::uint64_t n = std::uint64_t{1} << 30;
  const auto start = std::chrono::steady_clock::now();
  const Traffic traffic = count_modular(Modular{n, 3}, n, 3, 4);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  expect_equal(Traffic{33554432, 402653184}, traffic);  // 12 sectors a warp
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(elapsed.count(), 1);
#else
  EXPECT_LT(elapsed.count(), 30);
#endif
}

// A model that is fed another address than the kernel's must not come out with the kernel's numbers.
TEST(AWrongAddress, ChangesTheCount) {
  struct OffByOne : Offset {
    std::uint64_t operator()(std::uint64_t i) const { return i + offset + 1; }
  };
  EXPECT_FALSE(count_periodic(OffByOne{{0}}, 1024, 4) == count_periodic(Offset{0}, 1024, 4));
  EXPECT_FALSE(count_periodic(OffByOne{{7}}, 1024, 4) == count_periodic(Offset{7}, 1024, 4));

  struct ForgetsToWrap : Modular {
    std::uint64_t operator()(std::uint64_t i) const { return i * stride; }
  };
  EXPECT_FALSE(count_modular(ForgetsToWrap{{1003, 501}}, 1003, 501, 4) ==
               count_modular(Modular{1003, 501}, 1003, 501, 4));
  EXPECT_FALSE(count_modular(Modular{1003, 5}, 1003, 3, 4) == count_modular(Modular{1003, 3}, 1003, 3, 4));

  const auto right = [](std::uint64_t r, std::uint64_t c) { return r * 100 + c; };
  const auto other_ld = [](std::uint64_t r, std::uint64_t c) { return r * 101 + c; };
  const auto swapped = [](std::uint64_t r, std::uint64_t c) { return c * 100 + r; };
  EXPECT_FALSE(count_tiled(other_ld, 100, 100, 4) == count_tiled(right, 100, 100, 4));
  EXPECT_FALSE(count_tiled(swapped, 100, 100, 4) == count_tiled(right, 100, 100, 4));
}

}  // namespace
}  // namespace sectorscope
