#pragma once
// How often an arithmetic progression modulo m falls below a bound, in O(log m): what a walk through a whole array
// would count one step at a time.

#include <cstdint>

namespace sectorscope {

#ifdef __SIZEOF_INT128__
__extension__ using Wide = unsigned __int128;

/// Sum over q in [0, count) of floor((a * q + b) / m), modulo 2^64; m > 0, m < 2^63. Euclid's algorithm on a and m: the
/// lattice points under a line are counted from the other axis in turn.
constexpr std::uint64_t floor_sum(std::uint64_t count, std::uint64_t m, std::uint64_t a, std::uint64_t b) {
  Wide sum = 0;
  while (count > 0) {
    sum += static_cast<Wide>(count) * (count - 1) / 2 * (a / m) + static_cast<Wide>(count) * (b / m);
    a %= m;
    b %= m;
    const Wide top = static_cast<Wide>(a) * count + b;
    count = static_cast<std::uint64_t>(top / m);
    b = static_cast<std::uint64_t>(top % m);
    const std::uint64_t former = m;
    m = a;
    a = former;
  }
  return static_cast<std::uint64_t>(sum);
}

/// How many q in [0, count) have (a * q + b) mod m < bound; b < m, bound <= m < 2^62.
constexpr std::uint64_t count_below(std::uint64_t count, std::uint64_t m, std::uint64_t a, std::uint64_t b,
                                    std::uint64_t bound) {
  // floor(x / m) - floor((x - bound) / m) is 1 where x mod m < bound, else 0; m is added to keep x - bound from
  // wrapping.
  return floor_sum(count, m, a, b) - floor_sum(count, m, a, b + m - bound) + count;
}
#endif

}  // namespace sectorscope
