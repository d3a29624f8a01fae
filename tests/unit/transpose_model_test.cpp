// The model of transpose_vectorized: what its tilings, asked thread by thread, say of the kernel's requests.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../../src/transpose_vectorized.cuh"

namespace sectorscope {
namespace {

template <class Tiling>
VectorizedTraffic count_every_tile(const Matrix& m) {
  VectorizedTraffic total;
  for (std::uint64_t row = 0; row < Tiling::tiles_down(m.rows); ++row) {
    for (std::uint64_t col = 0; col < tiles_across<Tiling>(m); ++col) {
      total.add(count_tile<Tiling>(m, {row * Tiling::tile_rows, col * Tiling::tile_cols}), 1);
    }
  }
  return total;
}

/// How often each element of an array is touched, from the lanes of all requests.
template <class Tiling>
std::vector<unsigned> touches(Side side, const Matrix& m) {
  std::vector<unsigned> count(side == Side::load ? m.rows * m.ld_in : m.cols * m.ld_out);
  const std::uint64_t elements = side == Side::load ? Tiling::load_elements : Tiling::store_elements;
  for (std::uint64_t row = 0; row < Tiling::tiles_down(m.rows); ++row) {
    for (std::uint64_t col = 0; col < tiles_across<Tiling>(m); ++col) {
      for (unsigned warp = 0; warp < Tiling::threads; warp += warp_size) {
        visit_requests<Tiling>(side, m, {row * Tiling::tile_rows, col * Tiling::tile_cols}, warp,
                               [&](bool is_vector, const std::vector<Lane>& lanes) {
                                 const std::uint64_t width = is_vector ? elements : 1;
                                 for (const Lane& lane : lanes) {
                                   for (std::uint64_t e = 0; e < width; ++e) ++count.at(lane.element * width + e);
                                 }
                               });
      }
    }
  }
  return count;
}

/// `check(tiling, matrix)` for both tilings of every width, over shapes that cut tiles and vectors at every side.
template <std::size_t Bytes, class Check>
void for_each_shape(const Check& check) {
  constexpr std::size_t vector = Bytes < 16 ? 16 / Bytes : 1;
  const auto up = [](std::size_t x) { return (x + vector - 1) / vector * vector; };
  constexpr std::size_t shapes[][2] = {{1, 1}, {33, 31}, {100, 289}, {900, 63}, {257, 130}, {70, 700}, {1023, 3}};
  for (const auto& [rows, cols] : shapes) {
    check(typename Tilings<Bytes>::Aligned{}, Matrix{rows, cols, up(cols), up(rows) + vector});
    check(typename Tilings<Bytes>::Anywhere{}, Matrix{rows, cols, cols, rows});
    check(typename Tilings<Bytes>::Anywhere{}, Matrix{rows, cols, cols + 3, rows + 1});
  }
}

template <class Check>
void for_each_shape(const Check& check) {
  for_each_shape<1>(check);
  for_each_shape<2>(check);
  for_each_shape<4>(check);
  for_each_shape<8>(check);
  for_each_shape<16>(check);
}

TEST(TransposeModel, TileClassesAddUpToEveryTile) {
  for_each_shape([](auto tiling, const Matrix& m) {
    using Tiling = decltype(tiling);
    const VectorizedTraffic fast = count_vectorized<Tiling>(m);
    const VectorizedTraffic slow = count_every_tile<Tiling>(m);
    SCOPED_TRACE(::testing::Message() << sizeof(typename Tiling::Element) << " B, " << m.rows << " x " << m.cols
                                      << ", ld " << m.ld_in << " and " << m.ld_out);
    EXPECT_TRUE(fast.load_vectors == slow.load_vectors);
    EXPECT_TRUE(fast.load_elements == slow.load_elements);
    EXPECT_TRUE(fast.store_vectors == slow.store_vectors);
    EXPECT_TRUE(fast.store_elements == slow.store_elements);
    EXPECT_EQ(fast.shared_load_wavefronts, slow.shared_load_wavefronts);
    EXPECT_EQ(fast.shared_store_wavefronts, slow.shared_store_wavefronts);
  });
}

TEST(TransposeModel, EveryElementIsLoadedAndStoredOnceAndPaddingNever) {
  for_each_shape([](auto tiling, const Matrix& m) {
    using Tiling = decltype(tiling);
    // The halo of a window loads a row for a second time.
    constexpr bool has_halo = std::is_same_v<Tiling, typename Tilings<sizeof(typename Tiling::Element)>::Anywhere>;
    const std::vector<unsigned> loads = touches<Tiling>(Side::load, m);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const bool is_padding = i % m.ld_in >= m.cols;
      ASSERT_GE(loads[i], is_padding ? 0U : 1U) << i;
      ASSERT_LE(loads[i], is_padding ? 0U : has_halo ? 2U : 1U) << i;
    }
    const std::vector<unsigned> stores = touches<Tiling>(Side::store, m);
    for (std::size_t i = 0; i < stores.size(); ++i) ASSERT_EQ(stores[i], i % m.ld_out < m.rows ? 1U : 0U) << i;
  });
}

TEST(TransposeModel, PatchesMoveWholeSectorsWithoutBankConflicts) {
  const Matrix m{1024, 1024, 1024, 1024};
  const VectorizedTraffic floats = count_vectorized<Tilings<4>::Aligned>(m);  // 8-byte vectors
  EXPECT_TRUE((floats.load_vectors == Traffic{16384, 131072}));
  EXPECT_TRUE((floats.store_vectors == Traffic{16384, 131072}));
  EXPECT_EQ(floats.load_elements.requests + floats.store_elements.requests, 0U);
  EXPECT_EQ(floats.shared_store_wavefronts, 2U * 16384);  // 256 bytes a request, 128 a wavefront
  EXPECT_EQ(floats.shared_load_wavefronts, 2U * 16384);
  const VectorizedTraffic wide = count_vectorized<Tilings<16>::Aligned>(m);
  EXPECT_TRUE((wide.load_vectors == Traffic{32768, 524288}));
  EXPECT_TRUE((wide.store_vectors == Traffic{32768, 524288}));
  EXPECT_EQ(wide.shared_store_wavefronts, 4U * 32768);
  EXPECT_EQ(wide.shared_load_wavefronts, 4U * 32768);
}

TEST(TransposeModel, WindowsStoreNoSectorOfAnOutputRowTwice) {
  const auto sectors_of_rows = [](const Matrix& m, std::uint64_t width) {
    std::uint64_t total = 0;
    for (std::uint64_t col = 0; col < m.cols; ++col) {
      const std::uint64_t first = col * m.ld_out * width;
      total += (first + m.rows * width - 1) / sector_bytes - first / sector_bytes + 1;
    }
    return total;
  };
  for (const Matrix& m : {Matrix{289, 257, 257, 289}, Matrix{1023, 130, 131, 1025}}) {
    EXPECT_EQ(count_vectorized<Tilings<4>::Anywhere>(m).store_vectors.sectors, sectors_of_rows(m, 4));
    EXPECT_EQ(count_vectorized<Tilings<8>::Anywhere>(m).store_vectors.sectors, sectors_of_rows(m, 8));
  }
}

template <class Tiling>
void expect_every_tile_once(const Matrix& m) {
  const std::uint64_t down = Tiling::tiles_down(m.rows);
  const std::uint64_t across = tiles_across<Tiling>(m);
  std::vector<unsigned> count(down * across);
  for (std::uint64_t row = 0; row < down; ++row) {
    for (std::uint64_t col = 0; col < across; ++col) {
      const Place tile = tile_of<Tiling>(m, {row, col});
      ASSERT_LT(tile.row, down);
      ASSERT_LT(tile.col, across);
      ++count[tile.row * across + tile.col];
    }
  }
  for (const unsigned times : count) ASSERT_EQ(times, 1U);
}

TEST(TransposeModel, StripsVisitEveryTileOnce) {
  // Rows 128 or 256 KiB apart and no more than 8192 of them: the order of the blocks is another one.
  const auto check = [](auto tiling) {
    using Tiling = decltype(tiling);
    constexpr std::size_t width = sizeof(typename Tiling::Element);
    for (const std::size_t pitch : {131072 / width, 262144 / width}) {
      for (const std::size_t rows : {std::size_t{1}, std::size_t{100}, std::size_t{8192}, std::size_t{8193}}) {
        for (const std::size_t cols : {std::size_t{1}, std::size_t{700}, pitch / 2 + 3, pitch}) {
          expect_every_tile_once<Tiling>({rows, cols, pitch, rows});
        }
      }
    }
    const Matrix strip{8192, 131072 / width, 131072 / width, 8192};
    EXPECT_EQ((tile_of<Tiling>(strip, {1, 0}).col), 1U);  // else this test is about nothing
  };
  check(Tilings<1>::Aligned{});
  check(Tilings<4>::Aligned{});
  check(Tilings<16>::Aligned{});
  check(Tilings<4>::Anywhere{});
  check(Tilings<16>::Anywhere{});
}

TEST(TransposeModel, PitchesDecideTheTiling) {
  const auto is_aligned = [](const Matrix& m) {
    return with_tiling<std::uint32_t>(
        m, [](auto tiling) { return std::is_same_v<decltype(tiling), Tilings<4>::Aligned>; });
  };
  EXPECT_TRUE(is_aligned({99, 99, 100, 100}));
  EXPECT_FALSE(is_aligned({99, 99, 102, 100}));  // 408 bytes
  EXPECT_FALSE(is_aligned({99, 99, 100, 99}));
}

}  // namespace
}  // namespace sectorscope
