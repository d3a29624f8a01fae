#pragma once
// What a run needs of a GPU's memory, asked for before anything is launched.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sectorscope/ceiling.hpp"
#include "sectorscope/device_buffer.hpp"
#include "sectorscope/errors.hpp"
#include "sectorscope/plan_text.hpp"
#include "sectorscope/record.hpp"

namespace sectorscope {

/// Throws EnvironmentError unless the most demanding of `records`, and its ceiling, fit into `free` bytes next to a
/// flush buffer of `flush` bytes.
inline void require_memory(const std::vector<Record>& records, std::uint64_t l2_bytes, std::uint64_t flush,
                           std::uint64_t free) {
  for (const Record& r : records) {
    const std::uint64_t guards = 2 * GuardedArray<char>::guard_bytes;
    const std::uint64_t needed =
        flush + std::max(r.prediction.footprint_bytes + guards, ceiling_bytes(r.prediction.useful_bytes, l2_bytes));
    if (needed > free) {
      throw EnvironmentError(fmt::format("{}: {} bytes of device memory needed, {} bytes free; ask for fewer elements",
                                         configuration_name(r.key), needed, free));
    }
  }
}

}  // namespace sectorscope
