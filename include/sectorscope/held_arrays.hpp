#pragma once
// The two device arrays that all configurations of a process work in.

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "sectorscope/device_buffer.hpp"
#include "sectorscope/pattern.hpp"
#include "sectorscope/stream.hpp"
#include "sectorscope/transfer.hpp"

namespace sectorscope {

/// Bytes of the two arrays that a process works in: the largest that any of its configurations needs, guard bands not
/// counted.
struct ArrayBytes {
  std::size_t input = 0, output = 0;
};

/// One input and one output, allocated when the first configuration asks for them: the time of one and the same kernel
/// depends on the physical pages that its arrays lie in (by 1 % on an H200), and with arrays of its own a
/// configuration's time would depend on what was allocated and freed before it. Throws CudaError, and std::logic_error
/// for more than was said to be the largest.
class HeldArrays {
 public:
  HeldArrays(int device, ArrayBytes largest) : transfer_(device), largest_(largest) {}

  cudaStream_t stream() const { return stream_.get(); }

  /// An input of `count` elements; `generate(first, count, T* host)` writes elements [first, first + count).
  template <class T, class Generate>
  const T* input(std::uint64_t count, const Generate& generate) {
    T* const elements = static_cast<T*>(hold(input_, count * sizeof(T), largest_.input).data());
    pattern_width_ = 0;
    transfer_.upload(elements, count, generate);
    return elements;
  }

  /// An input of at least `count` elements that hold the hash pattern of their index. It is uploaded once, as large as
  /// any configuration needs it.
  template <class T>
  const T* pattern_input(std::uint64_t count) {
    const DeviceBuffer& held = hold(input_, count * sizeof(T), largest_.input);
    if (pattern_width_ != sizeof(T)) {
      input<T>(held.bytes() / sizeof(T), [](std::uint64_t first, std::uint64_t n, T* host) {
        for (std::uint64_t i = 0; i < n; ++i) host[i] = pattern<T>(first + i);
      });
      pattern_width_ = sizeof(T);
    }
    return static_cast<const T*>(held.data());
  }

  /// An output of `count` elements, with what an earlier configuration left in it.
  template <class T>
  GuardedArray<T> output(std::uint64_t count) {
    return {hold(output_, count * sizeof(T) + 2 * guard_bytes, largest_.output + 2 * guard_bytes), count};
  }

  /// An output that is input too: poisoned, then filled as by input, so that its guard bands can be checked.
  template <class T, class Generate>
  GuardedArray<T> in_place(std::uint64_t count, const Generate& generate) {
    const GuardedArray<T> array = output<T>(count);
    array.poison(stream());
    stream_.synchronize();  // the upload runs in other streams
    transfer_.upload(array.data(), count, generate);
    return array;
  }

 protected:
  Transfer& transfer() { return transfer_; }

 private:
  static const DeviceBuffer& hold(std::optional<DeviceBuffer>& array, std::size_t needed, std::size_t largest) {
    if (needed > largest) {
      throw std::logic_error(fmt::format("{} bytes asked for, {} described", needed, largest));
    }
    if (!array) array.emplace(largest);
    return *array;
  }

  Stream stream_;
  Transfer transfer_;
  ArrayBytes largest_;
  std::optional<DeviceBuffer> input_, output_;
  std::size_t pattern_width_ = 0;  ///< bytes of an element of the pattern that the input holds; 0: it holds none
};

}  // namespace sectorscope
