#pragma once

#include <cstdint>
#include <limits>
#include <optional>

// The one place that knows how a function is marked for host and device; empty where no CUDA compiler is at work.
#ifdef __CUDACC__
#define SECTORSCOPE_HD __host__ __device__
#else
#define SECTORSCOPE_HD
#endif

namespace sectorscope {

/// a + b, or nothing where 64 bits cannot hold it.
constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  if (a > std::numeric_limits<std::uint64_t>::max() - b) return std::nullopt;
  return a + b;
}

/// a * b, or nothing where 64 bits cannot hold it.
constexpr std::optional<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) return std::nullopt;
  return a * b;
}

/// a / b rounded up; b > 0. Not (a + b - 1) / b, whose sum wraps for a near 2^64.
SECTORSCOPE_HD constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1U : 0U);
}

/// The upper 64 bits of the 128-bit product a * b.
SECTORSCOPE_HD constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
  // One instruction sequence on the device, which constant evaluation in the same pass may not call.
  if (!__builtin_is_constant_evaluated()) return __umul64hi(a, b);
#endif
  // By 32-bit halves: a 128-bit integer type is not portable. No sum wraps, as (2^32-1)^2 + 2*(2^32-1) = 2^64-1.
  constexpr std::uint64_t low_half = 0xffffffffU;
  const std::uint64_t cross = (a >> 32) * (b & low_half) + ((a & low_half) * (b & low_half) >> 32);
  const std::uint64_t other_cross = (a & low_half) * (b >> 32) + (cross & low_half);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (other_cross >> 32);
}

/// a * b mod n without overflow; 0 < n <= 2^63. Host only: its slow path takes one step per bit of b.
constexpr std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  a %= n;
  b %= n;
  if (const auto product = checked_multiply(a, b)) return *product % n;
  std::uint64_t result = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1U) != 0) result = (result + a) % n;  // both below 2^63, so that the sum fits
    a = (a + a) % n;
  }
  return result;
}

/// The x in [0, n) with a * x = 1 (mod n), or nothing where gcd(a, n) > 1 or n = 0; n <= 2^63.
constexpr std::optional<std::uint64_t> modular_inverse(std::uint64_t a, std::uint64_t n) {
  if (n == 0) return std::nullopt;
  if (n == 1) return 0;  // everything is congruent to everything
  // Extended Euclid. The signs of the coefficients alternate and their magnitudes never pass n, so that
  // magnitudes in unsigned integers and one bit for the sign are enough.
  std::uint64_t remainder = n;
  std::uint64_t next_remainder = a % n;
  std::uint64_t coefficient = 0;
  std::uint64_t next_coefficient = 1;
  bool next_is_negative = false;
  while (next_remainder != 0) {
    const std::uint64_t quotient = remainder / next_remainder;
    const std::uint64_t rest = remainder % next_remainder;
    const std::uint64_t sum = coefficient + quotient * next_coefficient;
    remainder = next_remainder;
    next_remainder = rest;
    coefficient = next_coefficient;
    next_coefficient = sum;
    next_is_negative = !next_is_negative;
  }
  if (remainder != 1) return std::nullopt;
  return next_is_negative ? coefficient : n - coefficient;  // `coefficient` has the opposite sign of the next one
}

}  // namespace sectorscope
