#pragma once
// What a run needs of a GPU's memory, asked for before anything is launched.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sectorscope/ceiling.hpp"
#include "sectorscope/device_buffer.hpp"
#include "sectorscope/errors.hpp"
#include "sectorscope/held_arrays.hpp"
#include "sectorscope/measure.hpp"
#include "sectorscope/plan_text.hpp"
#include "sectorscope/record.hpp"

namespace sectorscope {

/// The arrays that all of `records` can work in. Throws EnvironmentError unless they, and every ceiling, fit into
/// `free` bytes, in cold mode next to what flushes the L2; the message names the first record that needs too much.
inline ArrayBytes arrays_for(const std::vector<Record>& records, std::uint64_t l2_bytes, bool cold,
                             std::uint64_t free) {
  const std::uint64_t flush = cold ? L2Flush::bytes_for(l2_bytes) : 0;
  ArrayBytes largest;
  for (const Record& r : records) {
    largest.input = std::max<std::size_t>(largest.input, r.prediction.input_bytes);
    largest.output = std::max<std::size_t>(largest.output, r.prediction.output_bytes);
    const std::uint64_t arrays = largest.input + largest.output + 2 * guard_bytes;
    const std::uint64_t needed = flush + std::max(arrays, ceiling_bytes(r.prediction.useful_bytes(), l2_bytes));
    if (needed > free) {
      throw EnvironmentError(fmt::format("{}: {} bytes of device memory needed, {} bytes free; ask for fewer elements",
                                         configuration_name(r.key), needed, free));
    }
  }
  return largest;
}

}  // namespace sectorscope
