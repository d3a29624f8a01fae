#pragma once
// How much: automatic sizes, and the checks that refuse what no machine could serve before anything is allocated.

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sectorscope/arithmetic.hpp"
#include "sectorscope/errors.hpp"
#include "sectorscope/parse.hpp"

namespace sectorscope {

/// Blocks that a grid may have along x; along y and z it is 65535.
inline constexpr std::uint64_t most_blocks = 2147483647;
inline constexpr std::uint64_t most_blocks_yz = 65535;

/// Bytes of `count` elements of `width` bytes; throws UsageError, naming `option`, from 2^63 on.
inline std::uint64_t array_bytes(const std::string& option, std::uint64_t count, std::uint64_t width) {
  const auto bytes = checked_multiply(count, width);
  if (!bytes || *bytes >= largest_size) {
    throw UsageError(fmt::format("{}: {} elements of {} bytes pass 2^63 bytes (legal: at most {} elements)", option,
                                 count, width, (largest_size - 1) / width));
  }
  return *bytes;
}

/// a * b and a + b, counts that `option` asks for; throw UsageError from 2^63 on.
inline std::uint64_t checked_product(const std::string& option, std::uint64_t a, std::uint64_t b) {
  const auto product = checked_multiply(a, b);
  if (product && *product < largest_size) return *product;
  throw UsageError(fmt::format("{}: {} * {} passes 2^63 (legal: at most {})", option, a, b, largest_size - 1));
}
inline std::uint64_t checked_sum(const std::string& option, std::uint64_t a, std::uint64_t b) {
  const auto sum = checked_add(a, b);
  if (sum && *sum < largest_size) return *sum;
  throw UsageError(fmt::format("{}: {} + {} passes 2^63 (legal: at most {})", option, a, b, largest_size - 1));
}

/// Throws UsageError where a one-dimensional grid cannot have so many blocks.
inline void require_grid(std::uint64_t blocks) {
  if (blocks > most_blocks) {
    throw UsageError(
        fmt::format("-n: a grid of {} blocks is needed (legal: at most {}; raise --block-size or "
                    "--items-per-thread)",
                    blocks, most_blocks));
  }
}

/// The smallest power of two that is at least `article_default` and whose data, `bytes(n)`, is at least four times the
/// L2; the article's default where the L2 is unknown.
inline std::uint64_t automatic_size(std::uint64_t article_default, std::optional<std::uint64_t> l2_bytes,
                                    const std::function<std::uint64_t(std::uint64_t)>& bytes) {
  std::uint64_t n = article_default;
  while (l2_bytes && n < largest_size / 32 && bytes(n) / 4 < *l2_bytes) n *= 2;
  return n;
}

}  // namespace sectorscope
