#pragma once
// Items a thread: independent elements that one thread moves, one block apart, so that every warp-wide access still
// covers 32 consecutive elements. One item is the textbook kernel; with floats it does not keep enough loads in flight
// to reach a wide memory (57 % of an H200's).

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "sectorscope/arithmetic.hpp"

namespace sectorscope {

template <int Items>
using ItemCount = std::integral_constant<int, Items>;

/// `function(ItemCount<items>{})` for 1, 2, 4 or 8 items; throws std::logic_error for any other number.
template <class Function>
decltype(auto) with_items(std::uint64_t items, Function&& function) {
  switch (items) {
    case 1:
      return function(ItemCount<1>{});
    case 2:
      return function(ItemCount<2>{});
    case 4:
      return function(ItemCount<4>{});
    case 8:
      return function(ItemCount<8>{});
    default:
      throw std::logic_error("no kernel for this number of items a thread");
  }
}

#ifdef __CUDACC__

/// The index of this thread's item `item`; the others are one block apart.
template <int Items>
__device__ std::size_t item_index(int item) {
  return std::size_t{blockIdx.x} * blockDim.x * Items + static_cast<unsigned>(item) * blockDim.x + threadIdx.x;
}

/// The elements that an address gives this thread's items. An address with `block_ahead(element)`, the element one
/// block further on, is evaluated once and then followed: cheaper where the address is a division.
template <int Items, class Address, class = void>
struct ItemElements {
  Address address;
  __device__ std::size_t operator()(int item, std::size_t) const { return address(item_index<Items>(item)); }
};

template <int Items, class Address>
struct ItemElements<Items, Address, std::void_t<decltype(&Address::block_ahead)>> {
  Address address;
  __device__ std::size_t operator()(int item, std::size_t before) const {
    return item == 0 ? address(item_index<Items>(0)) : address.block_ahead(before);
  }
};

/// Items whose loads a thread has in flight together: four, or 16 bytes of them. More does not help, and wide elements
/// spread the loads of a moment over too much memory: of a device copy of 2^28 elements on an H200, 8-byte elements
/// reach 0.996 in pairs and 0.982 four at once, 16-byte ones 0.986 one by one and 0.964 four at once.
template <int Items, class T>
__device__ constexpr int items_in_flight() {
  constexpr int most = sizeof(T) < 4 ? 8 : 16 / static_cast<int>(sizeof(T));
  return Items < most ? Items : most;
}

/// to[destination(i)] = from[source(i)] for this thread's items i < n.
template <int Items, class T, class Source, class Destination>
__device__ void move_items(const T* from, T* to, std::size_t n, Source source, Destination destination) {
  constexpr int together = items_in_flight<Items, T>();
  const ItemElements<Items, Source> sources{source};
  const ItemElements<Items, Destination> destinations{destination};
  std::size_t read = 0;
  std::size_t written = 0;
#pragma unroll
  for (int first = 0; first < Items; first += together) {
    T value[together];
#pragma unroll
    for (int k = 0; k < together; ++k) {
      read = sources(first + k, read);
      if (item_index<Items>(first + k) < n) value[k] = from[read];
    }
#pragma unroll
    for (int k = 0; k < together; ++k) {
      written = destinations(first + k, written);
      if (item_index<Items>(first + k) < n) to[written] = value[k];
    }
  }
}

#endif

}  // namespace sectorscope
