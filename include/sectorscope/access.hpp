#pragma once
// One warp-wide global access of a kernel, described on the host by the kernel's own address object.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sectorscope/arithmetic.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/sectors.hpp"

namespace sectorscope {

enum class Side { load, store };

/// One active lane: the thread, the element that it touches (in units of the access width), and where that lies.
struct Lane {
  std::uint64_t thread;
  std::uint64_t element;
};

/// One load or store instruction of a kernel.
struct Access {
  Side side;
  std::string formula;                                         ///< as in "in[i + 3]"
  std::uint64_t width;                                         ///< bytes a lane moves
  Traffic traffic;                                             ///< of one launch
  std::uint64_t warps;                                         ///< warps of the launch that issue it
  std::function<std::vector<Lane>(std::uint64_t warp)> lanes;  ///< active lanes of a warp's first such access
};

/// Sum over the accesses of one side.
inline Traffic total_traffic(const std::vector<Access>& accesses, Side side) {
  Traffic total;
  for (const Access& access : accesses) {
    if (access.side == side) total += access.traffic;
  }
  return total;
}

/// How n elements are laid over threads: each block covers block_size * items consecutive elements, and the items of a
/// thread lie one block apart.
struct LinearShape {
  std::uint64_t n;
  std::uint64_t block_size;
  std::uint64_t items;

  constexpr std::uint64_t first_element(std::uint64_t thread) const {
    return thread / block_size * block_size * items + thread % block_size;
  }
  constexpr std::uint64_t blocks() const { return divide_up(n, block_size * items); }
  constexpr unsigned grid() const { return static_cast<unsigned>(blocks()); }
  constexpr unsigned block() const { return static_cast<unsigned>(block_size); }
};

/// The access of a kernel over a linear shape: `address(i)` is the element that index i touches. As the block size is a
/// multiple of 32, every request covers 32 consecutive indices, whatever the items a thread.
template <class Address>
Access linear_access(Side side, std::string formula, const Address& address, std::uint64_t width,
                     const LinearShape& shape, const Traffic& traffic) {
  const auto lanes = [address, shape](std::uint64_t warp) {
    std::vector<Lane> active;
    for (std::uint64_t lane = 0; lane < warp_size; ++lane) {
      const std::uint64_t thread = warp * warp_size + lane;
      const std::uint64_t i = shape.first_element(thread);
      if (i < shape.n) active.push_back({thread, address(i)});
    }
    return active;
  };
  return {side, std::move(formula), width, traffic, shape.blocks() * shape.block_size / warp_size, lanes};
}

/// As above, for an address with a period (see count_periodic).
template <class Address>
Access linear_access(Side side, std::string formula, const Address& address, std::uint64_t width,
                     const LinearShape& shape) {
  return linear_access(side, std::move(formula), address, width, shape, count_periodic(address, shape.n, width));
}

/// The access of a kernel whose 32x8 blocks cover 32x32 tiles, one warp a tile line: `address(major, minor)` is the
/// element that lane `minor` of line `major` touches. Warps are numbered line by line.
template <class Address>
Access tiled_access(Side side, std::string formula, const Address& address, std::uint64_t width, std::uint64_t majors,
                    std::uint64_t minors) {
  const std::uint64_t warps_a_line = divide_up(minors, warp_size);
  const auto lanes = [=](std::uint64_t warp) {
    std::vector<Lane> active;
    const std::uint64_t major = warp / warps_a_line;
    for (std::uint64_t lane = 0; lane < warp_size && major < majors; ++lane) {
      const std::uint64_t minor = warp % warps_a_line * warp_size + lane;
      if (minor < minors) active.push_back({warp * warp_size + lane, address(major, minor)});
    }
    return active;
  };
  return {side, std::move(formula), width, count_tiled(address, majors, minors, width), majors * warps_a_line, lanes};
}

/// The traffic of all accesses in a record.
inline void predict_traffic(Prediction& prediction, const std::vector<Access>& accesses) {
  const Traffic loads = total_traffic(accesses, Side::load);
  const Traffic stores = total_traffic(accesses, Side::store);
  prediction.load_requests = loads.requests;
  prediction.load_sectors = loads.sectors;
  prediction.store_requests = stores.requests;
  prediction.store_sectors = stores.sectors;
}

/// What the record of every experiment over a linear shape begins with.
inline Record linear_record(const std::string& experiment, const LinearShape& shape,
                            const std::vector<Access>& accesses) {
  Record record;
  record.key.experiment = experiment;
  record.key.n = shape.n;
  record.key.items_per_thread = shape.items;
  record.key.block_size = shape.block_size;
  record.prediction.grid_size = shape.blocks();
  predict_traffic(record.prediction, accesses);
  return record;
}

}  // namespace sectorscope
