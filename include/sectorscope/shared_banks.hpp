#pragma once
// The shared-memory model: 32 banks of 4 bytes; lanes that need different words of one bank are served one after the
// other. Accesses of 8 and 16 bytes are served in 2 and 4 phases, of half and quarter warps.

#include <algorithm>
#include <array>
#include <cstdint>

#include "sectorscope/sectors.hpp"

namespace sectorscope {

inline constexpr std::uint64_t shared_banks = 32;
inline constexpr std::uint64_t bank_bytes = 4;

/// Wavefronts of one warp-wide shared-memory access; `byte_of(lane)` is the first byte that a lane touches. Equal,
/// summed over a launch, to smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum.
template <class ByteOf>
std::uint64_t wavefronts_of_request(std::uint64_t active_lanes, std::uint64_t width, ByteOf byte_of) {
  const std::uint64_t words = std::max<std::uint64_t>(width / bank_bytes, 1);
  const std::uint64_t lanes_a_phase = warp_size / words;
  std::uint64_t wavefronts = 0;
  for (std::uint64_t first = 0; first < active_lanes; first += lanes_a_phase) {
    std::array<std::uint64_t, warp_size> touched{};
    std::uint64_t count = 0;
    for (std::uint64_t lane = first; lane < std::min(active_lanes, first + lanes_a_phase); ++lane) {
      for (std::uint64_t word = 0; word < words; ++word) touched[count++] = byte_of(lane) / bank_bytes + word;
    }
    const auto end = touched.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(touched.begin(), end);
    std::array<std::uint64_t, shared_banks> words_of_bank{};
    std::for_each(touched.begin(), std::unique(touched.begin(), end),
                  [&](std::uint64_t word) { ++words_of_bank[word % shared_banks]; });
    wavefronts += *std::max_element(words_of_bank.begin(), words_of_bank.end());
  }
  return wavefronts;
}

}  // namespace sectorscope
