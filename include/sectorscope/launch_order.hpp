#pragma once
// The order in which configurations run, and which launches of the process are theirs.

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "sectorscope/options.hpp"
#include "sectorscope/record.hpp"

namespace sectorscope {

/// The same seed gives the same order with every compiler and library: std::shuffle would not.
template <class T>
void put_in_order(std::vector<T>& items, Order order, std::uint64_t seed) {
  if (order == Order::reversed) {
    for (std::size_t i = 0; i < items.size() / 2; ++i) std::swap(items[i], items[items.size() - 1 - i]);
  }
  if (order == Order::shuffled) {
    std::mt19937_64 random(seed);
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
  }
}

/// Launches of the process before the first timed one of configuration `index` (in executed order).
inline std::uint64_t launch_skip(const Options& options, std::uint64_t index) {
  return index * options.launches_per_configuration() + options.warmup;
}

/// Fills in what a record has from the run and not from the configuration: `index` is its place in executed order.
inline void complete(Record& record, const Options& options, std::optional<std::uint64_t> l2_bytes,
                     std::uint64_t index) {
  Key& key = record.key;
  key.l2 = name_of(options.l2, l2_modes);
  key.order = name_of(options.order, orders);
  if (options.order == Order::shuffled) key.seed = options.seed;
  key.warmup = options.warmup;
  key.iterations = options.iterations;
  key.runs = options.runs;
  record.prediction.launch_skip = launch_skip(options, index);
  record.l2_bytes = l2_bytes;
}

}  // namespace sectorscope
