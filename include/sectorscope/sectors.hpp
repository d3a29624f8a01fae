#pragma once
// The address model: how many requests and 32-byte sectors one launch must generate, from the address function that
// the kernel itself uses. A request is one warp-wide load or store with at least one active lane; its sectors are the
// distinct 32-byte blocks that its active lanes touch. Array bases are sector-aligned (cudaMalloc promises 256 bytes).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sectorscope/arithmetic.hpp"

namespace sectorscope {

inline constexpr std::uint64_t sector_bytes = 32;
inline constexpr std::uint64_t warp_size = 32;

/// Totals over one launch; equal to l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st}.sum.
struct Traffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;

  constexpr Traffic& operator+=(const Traffic& other) {
    requests += other.requests;
    sectors += other.sectors;
    return *this;
  }
  friend constexpr Traffic operator*(const Traffic& one, std::uint64_t times) {
    return {one.requests * times, one.sectors * times};
  }
  friend constexpr bool operator==(const Traffic& a, const Traffic& b) {
    return a.requests == b.requests && a.sectors == b.sectors;
  }
};

/// Distinct sectors of one request: `byte_of(lane)` is the first byte of an access that stays inside one sector
/// (naturally aligned accesses of up to 16 bytes do).
template <class ByteOf>
std::uint64_t sectors_of_request(std::uint64_t active_lanes, ByteOf byte_of) {
  std::array<std::uint64_t, warp_size> sectors{};
  bool ascending = true;
  for (std::uint64_t lane = 0; lane < active_lanes; ++lane) {
    sectors[lane] = byte_of(lane) / sector_bytes;
    ascending = ascending && (lane == 0 || sectors[lane - 1] <= sectors[lane]);
  }
  const auto end = sectors.begin() + static_cast<std::ptrdiff_t>(active_lanes);
  if (!ascending) std::sort(sectors.begin(), end);
  return static_cast<std::uint64_t>(std::unique(sectors.begin(), end) - sectors.begin());
}

/// `threads` consecutive threads from `first`, one access of `width` bytes each; every warp is enumerated.
template <class Address>
Traffic enumerate_warps(const Address& address, std::uint64_t first, std::uint64_t threads, std::uint64_t width) {
  Traffic total;
  for (std::uint64_t done = 0; done < threads; done += warp_size) {
    const std::uint64_t active = std::min(warp_size, threads - done);
    total += {1, sectors_of_request(active, [&](std::uint64_t lane) { return address(first + done + lane) * width; })};
  }
  return total;
}

/// n threads whose addresses repeat: `address.period()` threads further on (a multiple of 32), every address has moved
/// by the same multiple of a sector. One period is enumerated and multiplied; the rest is enumerated.
template <class Address>
Traffic count_periodic(const Address& address, std::uint64_t n, std::uint64_t width) {
  const std::uint64_t period = address.period();
  const std::uint64_t whole = n / period;
  Traffic total = whole == 0 ? Traffic{} : enumerate_warps(address, 0, period, width) * whole;
  total += enumerate_warps(address, whole * period, n - whole * period, width);
  return total;
}

/// A matrix of majors x minors accesses in which a warp is at most 32 consecutive minors of one major, starting at a
/// multiple of 32. `address(major, minor)` is affine in both, so 32 steps along either move every address by a multiple
/// of a sector: 32 majors and one full and one partial warp stand for all.
template <class Address>
Traffic count_tiled(const Address& address, std::uint64_t majors, std::uint64_t minors, std::uint64_t width) {
  Traffic total;
  const std::uint64_t full = minors / warp_size;
  const std::uint64_t rest = minors % warp_size;
  for (std::uint64_t major = 0; major < std::min(majors, warp_size); ++major) {
    const std::uint64_t alike = divide_up(majors - major, warp_size);
    const auto line = [&](std::uint64_t minor) { return address(major, minor); };
    if (full > 0) total += enumerate_warps(line, 0, warp_size, width) * (full * alike);
    if (rest > 0) total += enumerate_warps(line, full * warp_size, rest, width) * alike;
  }
  return total;
}

}  // namespace sectorscope
