#include "sectorscope/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

namespace sectorscope {
namespace {

__extension__ using Wide = unsigned __int128;  // the oracle; the header does without, to stay portable

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

// Usable in constant expressions.
static_assert(checked_add(2, 3) == 5U);
static_assert(checked_multiply(largest, 2) == std::nullopt);
static_assert(divide_up(largest, 1) == largest);
static_assert(multiply_high(largest, largest) == largest - 1);
static_assert(modular_inverse(65, 4194304) == 3936193U);
static_assert(multiply_mod(two_to_63 - 1, two_to_63 - 1, two_to_63) == 1);

TEST(CheckedAdd, HoldsTheLastSumThatFitsAndRefusesTheNext) {
  EXPECT_EQ(checked_add(0, 0), 0U);
  EXPECT_EQ(checked_add(largest, 0), largest);
  EXPECT_EQ(checked_add(largest - 5, 5), largest);
  EXPECT_EQ(checked_add(largest - 5, 6), std::nullopt);
  EXPECT_EQ(checked_add(1, largest), std::nullopt);
  EXPECT_EQ(checked_add(two_to_63, two_to_63), std::nullopt);
}

TEST(CheckedMultiply, HoldsTheLastProductThatFitsAndRefusesTheNext) {
  EXPECT_EQ(checked_multiply(0, largest), 0U);
  EXPECT_EQ(checked_multiply(largest, 0), 0U);
  EXPECT_EQ(checked_multiply(largest, 1), largest);
  EXPECT_EQ(checked_multiply(4294967295U, 4294967297U), largest);
  EXPECT_EQ(checked_multiply(4294967296U, 4294967296U), std::nullopt);
  EXPECT_EQ(checked_multiply(two_to_63, 2), std::nullopt);
  EXPECT_EQ(checked_multiply(46341, 46341), 2147488281U);  // a matrix just past 2^31 elements
}

TEST(DivideUp, RoundsUpWithoutWrapping) {
  EXPECT_EQ(divide_up(0, 32), 0U);
  EXPECT_EQ(divide_up(1, 32), 1U);
  EXPECT_EQ(divide_up(32, 32), 1U);
  EXPECT_EQ(divide_up(33, 32), 2U);
  EXPECT_EQ(divide_up(largest, 32), 576460752303423488U);  // (a + b - 1) / b says 0
  EXPECT_EQ(divide_up(largest, largest), 1U);
}

TEST(MultiplyHigh, EqualsTheUpperHalfOfTheWideProduct) {
  EXPECT_EQ(multiply_high(two_to_63, 2), 1U);
  EXPECT_EQ(multiply_high(two_to_63, 1), 0U);
  EXPECT_EQ(multiply_high(0xffffffffU, 0xffffffffU), 0U);
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t a = random() >> (random() % 64);
    const std::uint64_t b = i % 2 == 0 ? ~(random() >> (random() % 64)) : random();
    ASSERT_EQ(multiply_high(a, b), static_cast<std::uint64_t>(Wide{a} * b >> 64)) << a << " * " << b;
  }
}

TEST(MultiplyMod, DoesNotOverflowUpToAModulusOf2To63) {
  EXPECT_EQ(multiply_mod(5, 7, 1), 0U);
  EXPECT_EQ(multiply_mod(two_to_63, two_to_63, two_to_63), 0U);
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t n = i % 3 == 0 ? two_to_63 - random() % 8 : (random() >> (1 + random() % 63)) + 1;
    const std::uint64_t a = random();
    const std::uint64_t b = random();
    ASSERT_EQ(multiply_mod(a, b, n), static_cast<std::uint64_t>(Wide{a} * b % n)) << a << " * " << b << " mod " << n;
  }
}

TEST(ModularInverse, ExistsExactlyWhereTheNumbersShareNoDivisor) {
  for (std::uint64_t n = 2; n <= 200; ++n) {
    for (std::uint64_t a = 0; a <= 2 * n; ++a) {
      const auto inverse = modular_inverse(a, n);
      ASSERT_EQ(inverse.has_value(), std::gcd(a, n) == 1) << a << " mod " << n;
      if (!inverse) continue;
      ASSERT_LT(*inverse, n);
      ASSERT_EQ(a * *inverse % n, 1U) << a << " mod " << n;
    }
  }
}

TEST(ModularInverse, DoesNotOverflowUpToAModulusOf2To63) {
  EXPECT_EQ(modular_inverse(two_to_63 - 1, two_to_63), two_to_63 - 1);
  EXPECT_EQ(modular_inverse(two_to_63, two_to_63 - 1), 1U);
  EXPECT_EQ(modular_inverse(8, std::uint64_t{1} << 20), std::nullopt);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t n = two_to_63 - random() % 1000;
    const std::uint64_t a = random();
    const auto inverse = modular_inverse(a, n);
    ASSERT_EQ(inverse.has_value(), std::gcd(a, n) == 1) << a << " mod " << n;
    if (!inverse) continue;
    ASSERT_EQ(static_cast<std::uint64_t>(Wide{a} * *inverse % n), 1U) << a << " mod " << n;
  }
}

TEST(ModularInverse, OfTheSmallestModuli) {
  EXPECT_EQ(modular_inverse(5, 1), 0U);
  EXPECT_EQ(modular_inverse(0, 1), 0U);
  EXPECT_EQ(modular_inverse(1, 2), 1U);
  EXPECT_EQ(modular_inverse(1, 0), std::nullopt);
}

}  // namespace
}  // namespace sectorscope
