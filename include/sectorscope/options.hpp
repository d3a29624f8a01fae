#pragma once
// What a run was asked for, as values: the options that all experiments share.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sectorscope {

enum class L2Mode { hot, cold };
enum class Order { listed, reversed, shuffled };
enum class Mode { measure, predict, plan, audit };

inline constexpr std::array<std::pair<std::string_view, L2Mode>, 2> l2_modes{
    {{"hot", L2Mode::hot}, {"cold", L2Mode::cold}}};
inline constexpr std::array<std::pair<std::string_view, Order>, 3> orders{
    {{"listed", Order::listed}, {"reversed", Order::reversed}, {"shuffled", Order::shuffled}}};

/// The word for a value in one of the tables of names.
template <class E, std::size_t N>
constexpr std::string_view name_of(E value, const std::array<std::pair<std::string_view, E>, N>& names) {
  for (const auto& [name, named] : names) {
    if (named == value) return name;
  }
  return {};
}

struct Options {
  std::optional<std::uint64_t> n;  ///< elements; empty: chosen from the L2 size
  std::uint64_t iterations = 100;
  std::uint64_t runs = 7;
  std::uint64_t warmup = 10;
  std::uint64_t block_size = 256;
  std::uint64_t items_per_thread = 4;
  std::uint64_t element_bytes = 4;
  std::uint64_t device = 0;
  L2Mode l2 = L2Mode::hot;
  Order order = Order::listed;
  std::uint64_t seed = 1;
  std::optional<std::string> csv, samples;
  Mode mode = Mode::measure;
  std::uint64_t audit_warp = 0;
  std::optional<std::uint64_t> l2_bytes;  ///< to plan for; empty: the device's
  bool quiet = false;

  std::uint64_t launches_per_configuration() const { return warmup + runs * iterations; }
};

}  // namespace sectorscope
