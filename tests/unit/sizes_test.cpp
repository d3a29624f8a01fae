#include "sectorscope/sizes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sectorscope {
namespace {

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return error.what();
  }
  return "accepted";
}

std::uint64_t two_arrays(std::uint64_t n) { return 8 * n; }

TEST(AutomaticSize, IsTheDefaultWhereTheL2IsUnknownOrSmall) {
  EXPECT_EQ(automatic_size(1 << 24, std::nullopt, two_arrays), 1U << 24);
  EXPECT_EQ(automatic_size(1 << 24, 4194304, two_arrays), 1U << 24);
}

TEST(AutomaticSize, IsThePowerOfTwoThatReachesFourTimesTheL2) {
  const std::uint64_t exact = 33554432;  // 2^24 elements in and out are exactly 4 times as much
  EXPECT_EQ(automatic_size(1 << 24, exact, two_arrays), 1U << 24);
  EXPECT_EQ(automatic_size(1 << 24, exact + 1, two_arrays), 1U << 25);
  EXPECT_EQ(automatic_size(1 << 24, 62914560, two_arrays), 1U << 25);  // 60 MiB
  EXPECT_EQ(automatic_size(1 << 22, 62914560, two_arrays), 1U << 25);
  EXPECT_EQ(automatic_size(1, 1, [](std::uint64_t n) { return n; }), 4U);
}

TEST(AutomaticSize, FollowsTheFootprintItIsGiven) {
  const auto bytes = [](std::uint64_t n) { return n * 32; };
  EXPECT_EQ(automatic_size(1 << 22, 62914560, bytes), 1U << 23);
}

TEST(AutomaticSize, EndsForAnAbsurdL2AndAnEmptyFootprint) {
  EXPECT_EQ(automatic_size(1, two_to_63 / 8, [](std::uint64_t) { return std::uint64_t{0}; }), two_to_63 / 32);
}

TEST(ArrayBytes, From2To63OnItIsRefusedWithWhatIsLegal) {
  EXPECT_EQ(array_bytes("-n", 5, 4), 20U);
  EXPECT_EQ(array_bytes("-n", two_to_63 - 1, 1), two_to_63 - 1);
  EXPECT_EQ(
      refusal([] { array_bytes("-n", two_to_63, 1); }),
      "-n: 9223372036854775808 elements of 1 bytes pass 2^63 bytes (legal: at most 9223372036854775807 elements)");
  EXPECT_EQ(
      refusal([] { array_bytes("-n", two_to_63 / 4, 4); }),
      "-n: 2305843009213693952 elements of 4 bytes pass 2^63 bytes (legal: at most 2305843009213693951 elements)");
  EXPECT_EQ(array_bytes("-n", 2305843009213693951, 4), two_to_63 - 4);
  EXPECT_NE(refusal([] { array_bytes("-n", two_to_63, 2); }), "accepted");  // would wrap to 0
}

TEST(CheckedProduct, IsRefusedFrom2To63On) {
  EXPECT_EQ(checked_product("--rows", 3, 5), 15U);
  EXPECT_EQ(checked_product("--rows", two_to_63 - 1, 1), two_to_63 - 1);
  EXPECT_EQ(refusal([] { checked_product("--rows", two_to_63 / 2, 2); }),
            "--rows: 4611686018427387904 * 2 passes 2^63 (legal: at most 9223372036854775807)");
  EXPECT_NE(refusal([] { checked_product("--rows", std::uint64_t{1} << 32, std::uint64_t{1} << 32); }), "accepted");
}

TEST(CheckedSum, IsRefusedFrom2To63On) {
  EXPECT_EQ(checked_sum("--offsets", two_to_63 - 2, 1), two_to_63 - 1);
  EXPECT_EQ(refusal([] { checked_sum("--offsets", two_to_63 - 1, 1); }),
            "--offsets: 9223372036854775807 + 1 passes 2^63 (legal: at most 9223372036854775807)");
  EXPECT_NE(refusal([] { checked_sum("--offsets", two_to_63, two_to_63); }), "accepted");  // would wrap to 0
}

TEST(RequireGrid, EndsAt2To31Less1Blocks) {
  EXPECT_EQ(refusal([] { require_grid(2147483647); }), "accepted");
  EXPECT_EQ(refusal([] { require_grid(2147483648); }),
            "-n: a grid of 2147483648 blocks is needed (legal: at most 2147483647; raise --block-size or "
            "--items-per-thread)");
}

}  // namespace
}  // namespace sectorscope
