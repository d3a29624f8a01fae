#pragma once
// transpose_vectorized: out[c][r] = in[r][c] as close to a device copy as we know how. Two tilings, one kernel name:
// Patches where all rows of both matrices start on a 16-byte boundary, Windows where they start anywhere. A tiling is
// the geometry alone, thread and step -> element and cell of shared memory; the kernel and the model both ask it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "sectorscope/access.hpp"
#include "sectorscope/arithmetic.hpp"
#include "sectorscope/element.hpp"
#include "sectorscope/sectors.hpp"
#include "sectorscope/shared_banks.hpp"

namespace sectorscope {

// (row, col) of the input -> element of an array with rows of `ld` elements: the array's row is that row ...
struct RowMajor {
  std::size_t ld;
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t row, std::size_t col) const { return row * ld + col; }
};

// ... or that column.
struct ColumnMajor {
  std::size_t ld;
  SECTORSCOPE_HD constexpr std::size_t operator()(std::size_t row, std::size_t col) const { return col * ld + row; }
};

struct Place {
  std::size_t row, col;
};

// Extents of the input; `ld` counts elements from one row to the next.
struct Matrix {
  std::size_t rows, cols, ld_in, ld_out;

  SECTORSCOPE_HD constexpr RowMajor input() const { return {ld_in}; }
  SECTORSCOPE_HD constexpr RowMajor copied() const { return {ld_out}; }
  SECTORSCOPE_HD constexpr ColumnMajor transposed() const { return {ld_out}; }
  SECTORSCOPE_HD constexpr bool holds(Place p) const { return p.row < rows && p.col < cols; }
};

// Which of the elements first, first + 1, ... of a vector lie in 0 .. size - 1. `first` may have wrapped below 0.
struct Segment {
  std::size_t first, size;

  SECTORSCOPE_HD constexpr bool holds(unsigned e) const { return first + e < size; }
  SECTORSCOPE_HD constexpr bool holds_all(unsigned n) const { return first < size && size - first >= n; }
  SECTORSCOPE_HD constexpr bool holds_any(unsigned n) const {
    return first < size || (size > 0 && first + (n - 1) < first);
  }
};

// ---- geometry -------------------------------------------------------------------------------------------------------

// Rows that all start on a vector boundary. A tile is Y x X patches of N x N elements, N elements a vector. A thread
// loads the N rows of a patch as vectors, turns them in registers into the N columns, and another thread stores those
// as vectors of the output. Cells of shared memory are [N][X][Y + 1] vectors: the odd pitch keeps both sides free of
// bank conflicts.
template <class T, unsigned VectorBytes, unsigned X, unsigned Y, unsigned Threads = (X * Y)>
struct Patches {
  using Element = T;
  static constexpr unsigned vector = VectorBytes / sizeof(T);
  static constexpr unsigned load_elements = vector, store_elements = vector;
  static constexpr unsigned threads = Threads;
  static constexpr unsigned tile_rows = Y * vector, tile_cols = X * vector;
  static constexpr unsigned patches = X * Y / Threads;  // a thread
  static constexpr unsigned loads = patches * vector, stores = loads, fills = loads, drains = 1;
  static constexpr unsigned cell_bytes = VectorBytes, cells = vector * X * (Y + 1);
  static_assert(X * Y % Threads == 0 && Threads % X == 0 && Threads % Y == 0 && Threads % warp_size == 0);
  // Every tile lies to the sectors as the first one does: pitches are multiples of 16 bytes.
  static_assert(tile_rows * 16 % sector_bytes == 0 && tile_cols * sizeof(T) % sector_bytes == 0);
  static_assert(tile_rows * sizeof(T) % sector_bytes == 0);

  SECTORSCOPE_HD static constexpr std::uint64_t tiles_down(std::size_t rows) { return divide_up(rows, tile_rows); }
  SECTORSCOPE_HD static constexpr bool is_interior(const Matrix& m, Place origin) {
    return origin.row + tile_rows <= m.rows && origin.col + tile_cols <= m.cols;
  }

  // Step k is line k % N of the thread's patch k / N. Loads: neighbouring threads take neighbouring patches of a row.
  SECTORSCOPE_HD static constexpr Place load_place(const Matrix&, Place origin, unsigned thread, unsigned k) {
    const unsigned x = thread % X, y = thread / X + k / vector * (Threads / X);
    return {origin.row + y * vector + k % vector, origin.col + x * vector};
  }
  SECTORSCOPE_HD static constexpr unsigned fill_cell(unsigned thread, unsigned k) {
    const unsigned x = thread % X, y = thread / X + k / vector * (Threads / X);
    return (k % vector * X + x) * (Y + 1) + y;
  }
  // Stores: neighbouring threads take neighbouring patches of a column, a vector down it each.
  SECTORSCOPE_HD static constexpr bool has_store(unsigned, unsigned) { return true; }
  SECTORSCOPE_HD static constexpr Place store_place(const Matrix&, Place origin, unsigned thread, unsigned k) {
    const unsigned x = thread / Y + k / vector * (Threads / Y), y = thread % Y;
    return {origin.row + y * vector, origin.col + x * vector + k % vector};
  }
  SECTORSCOPE_HD static constexpr unsigned drain_cell(Place, Place, unsigned thread, unsigned k) {
    const unsigned x = thread / Y + k / vector * (Threads / Y), y = thread % Y;
    return (k % vector * X + x) * (Y + 1) + y;
  }
};

// Rows that start anywhere. A tile is a window of R elements of each of C output rows. Each window starts on a sector
// boundary, up to a sector before the tile's first row, so that every store fills whole sectors; the tile therefore
// loads a halo of one sector of input rows above it. Cells of shared memory are words, [C][H + R rows of words | 1]: 1-
// and 2-byte elements are packed into 4-byte words down a column, and shifted into place on the way out.
template <class T, unsigned C, unsigned R, unsigned Threads, unsigned StoreBytes = sizeof(T)>
struct Windows {
  using Element = T;
  static constexpr unsigned packed = sizeof(T) < 4 ? 4 / sizeof(T) : 1;  // elements a word
  static constexpr unsigned load_elements = 1, store_elements = StoreBytes / sizeof(T);
  static constexpr unsigned threads = Threads;
  static constexpr unsigned tile_rows = R, tile_cols = C;
  static constexpr unsigned halo = sector_bytes / sizeof(T);
  static constexpr unsigned words = (halo + R) / packed, pitch = words | 1;
  static constexpr unsigned step = Threads / C;  // word rows that the block loads at once
  static constexpr unsigned fills = words / step, loads = fills * packed;
  static constexpr unsigned window_stores = R / store_elements;
  static constexpr unsigned stores = (C * window_stores + Threads - 1) / Threads;
  static constexpr unsigned drains = store_elements / packed + (packed > 1 ? 1 : 0);  // words under one store
  static constexpr unsigned cell_bytes = packed * sizeof(T), cells = C * pitch;
  static_assert(Threads % C == 0 && C % warp_size == 0 && words % step == 0);
  static_assert(R % store_elements == 0 && store_elements % packed == 0 && (packed == 1 || words % 2 == 0));
  static_assert(R * sizeof(T) % sector_bytes == 0 && C * sizeof(T) % sector_bytes == 0);  // all tiles lie alike

  // The last windows may start a sector early.
  SECTORSCOPE_HD static constexpr std::uint64_t tiles_down(std::size_t rows) { return divide_up(rows + halo - 1, R); }
  SECTORSCOPE_HD static constexpr bool is_interior(const Matrix& m, Place origin) {
    return origin.row >= halo && origin.row + R <= m.rows && origin.col + C <= m.cols;
  }

  // Step k is element k % packed of the thread's word k / packed; a warp loads 32 neighbours of one row.
  SECTORSCOPE_HD static constexpr Place load_place(const Matrix&, Place origin, unsigned thread, unsigned k) {
    return {origin.row - halo + (thread / C + k / packed * step) * packed + k % packed, origin.col + thread % C};
  }
  SECTORSCOPE_HD static constexpr unsigned fill_cell(unsigned thread, unsigned word) {
    return thread % C * pitch + thread / C + word * step;
  }
  SECTORSCOPE_HD static constexpr bool has_store(unsigned thread, unsigned k) {
    return C * window_stores % Threads == 0 || thread + k * Threads < C * window_stores;
  }
  SECTORSCOPE_HD static constexpr Place store_place(const Matrix& m, Place origin, unsigned thread, unsigned k) {
    const unsigned store = thread + k * Threads;
    const std::size_t col = origin.col + store / window_stores;
    const unsigned early = static_cast<unsigned>(col) * static_cast<unsigned>(m.ld_out) % halo;  // low bits suffice
    return {origin.row - early + store % window_stores * store_elements, col};
  }
  // The row of a store's first element, counted from the first row of the halo, and the word that holds it.
  SECTORSCOPE_HD static constexpr unsigned tile_row(Place origin, Place store) {
    return static_cast<unsigned>(store.row - (origin.row - halo));
  }
  SECTORSCOPE_HD static constexpr unsigned drain_cell(Place origin, Place store, unsigned, unsigned) {
    return static_cast<unsigned>(store.col - origin.col) * pitch + tile_row(origin, store) / packed;
  }
};

// The fastest of those measured on an H200, as shares of a device copy: aligned at 16384 x 16384, anywhere at 8191 x
// 8193.
template <std::size_t ElementBytes>
struct Tilings;
template <>
struct Tilings<1> {
  using Aligned = Patches<std::uint8_t, 8, 32, 16>;           // 0.95
  using Anywhere = Windows<std::uint8_t, 128, 256, 256, 16>;  // 0.58
};
template <>
struct Tilings<2> {
  using Aligned = Patches<std::uint16_t, 16, 16, 16>;          // 0.98
  using Anywhere = Windows<std::uint16_t, 128, 128, 256, 16>;  // 0.74
};
template <>
struct Tilings<4> {
  using Aligned = Patches<std::uint32_t, 8, 32, 32, 512>;  // 0.98
  using Anywhere = Windows<std::uint32_t, 64, 64, 256>;    // 0.88
};
template <>
struct Tilings<8> {
  using Aligned = Patches<std::uint64_t, 16, 16, 32>;    // 0.94
  using Anywhere = Windows<std::uint64_t, 64, 32, 256>;  // 0.92
};
template <>
struct Tilings<16> {
  using Aligned = Patches<Bits128, 16, 32, 32, 512>;  // 0.96
  using Anywhere = Windows<Bits128, 32, 62, 512>;     // 0.93
};

// `function(tiling)` with the tiling for elements of type T and these pitches.
template <class T, class Function>
decltype(auto) with_tiling(const Matrix& m, Function&& function) {
  const bool aligned = m.ld_in * sizeof(T) % 16 == 0 && m.ld_out * sizeof(T) % 16 == 0;
  return aligned ? function(typename Tilings<sizeof(T)>::Aligned{}) : function(typename Tilings<sizeof(T)>::Anywhere{});
}

template <class Function>
decltype(auto) with_tiling(std::uint64_t element_bytes, const Matrix& m, Function&& function) {
  return with_element_type(element_bytes,
                           [&](auto tag) { return with_tiling<typename decltype(tag)::type>(m, function); });
}

template <class Tiling>
SECTORSCOPE_HD constexpr std::uint64_t tiles_across(const Matrix& m) {
  return divide_up(m.cols, Tiling::tile_cols);
}

// A block's place in the grid -> its tile's place in the matrix, both counted in tiles. Blocks run down the input, so
// along the rows of the output. Where rows of the input are a power of two of 128 KiB or more apart, blocks that run
// together then meet few of the memory's channels, so they run across a strip of 16 KiB first: 0.96 instead of 0.92 of
// a device copy at 8192 x 8192 x 16 B on an H200. With more rows than these the strip costs what it gains.
template <class Tiling>
SECTORSCOPE_HD constexpr Place tile_of(const Matrix& m, Place block) {
  constexpr std::uint64_t width = sizeof(typename Tiling::Element);
  constexpr std::uint64_t strip = (16U << 10) / (Tiling::tile_cols * width);
  const std::uint64_t pitch = m.ld_in * width;
  if (pitch < (128U << 10) || (pitch & (pitch - 1)) != 0 || m.rows > 8192) return block;
  const std::uint64_t down = Tiling::tiles_down(m.rows);
  const std::uint64_t index = block.col * down + block.row;
  const std::uint64_t first = index / (strip * down) * strip;  // column of the strip
  const std::uint64_t left = tiles_across<Tiling>(m) - first;
  const std::uint64_t across = left < strip ? left : strip;
  const std::uint64_t tile = index - first * down;  // of the strip
  return {tile / across, first + tile % across};
}

template <class Tiling>
SECTORSCOPE_HD constexpr Place tile_origin(const Matrix& m, Place block) {
  const Place tile = tile_of<Tiling>(m, block);
  return {tile.row * Tiling::tile_rows, tile.col * Tiling::tile_cols};
}

// ---- kernel ---------------------------------------------------------------------------------------------------------
#ifdef __CUDACC__

// What one instruction moves: 1, 2, 4, 8 or 16 bytes.
template <unsigned Bytes>
using Raw = std::conditional_t<
    Bytes == 16, uint4,
    std::conditional_t<
        Bytes == 8, uint2,
        std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 2, std::uint16_t, std::uint8_t>>>>;

template <unsigned Bytes>
__device__ Raw<Bytes> load_raw(const void* p) {
  return __ldg(static_cast<const Raw<Bytes>*>(p));
}
// Written as an instruction where it is a vector: the compiler splits one that it has just put together from words.
// Loads and stores that both ask to be evicted first gain 0.2 % on an H200; one side alone loses as much.
template <unsigned Bytes>
__device__ void store_raw(void* p, const Raw<Bytes>& value) {
  if constexpr (Bytes == 16) {
    asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(value.x), "r"(value.y), "r"(value.z),
                 "r"(value.w));
  } else if constexpr (Bytes == 8) {
    asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(value.x), "r"(value.y));
  } else {
    *static_cast<Raw<Bytes>*>(p) = value;
  }
}

// What the matrix holds of a vector that its edge cuts, element by element.
template <unsigned N, class T>
__device__ Raw<N * sizeof(T)> load_cut_vector(const T* p, Segment inside) {
  Raw<N * sizeof(T)> vector{};
#pragma unroll
  for (unsigned e = 0; e < N; ++e) {
    if (inside.holds(e)) {
      const auto element = load_raw<sizeof(T)>(p + e);
      std::memcpy(reinterpret_cast<char*>(&vector) + e * sizeof(T), &element, sizeof(T));
    }
  }
  return vector;
}
template <unsigned N, class T>
__device__ void store_cut_vector(T* p, const Raw<N * sizeof(T)>& vector, Segment inside) {
#pragma unroll
  for (unsigned e = 0; e < N; ++e) {
    if (inside.holds(e)) {
      Raw<sizeof(T)> element;
      std::memcpy(&element, reinterpret_cast<const char*>(&vector) + e * sizeof(T), sizeof(T));
      store_raw<sizeof(T)>(p + e, element);
    }
  }
}

// A vector; `Whole`: known to lie inside.
template <bool Whole, unsigned N, class T>
__device__ Raw<N * sizeof(T)> load_vector(const T* p, Segment inside) {
  if constexpr (!Whole) {
    if (!inside.holds_all(N)) return load_cut_vector<N>(p, inside);
  }
  return __ldcs(reinterpret_cast<const Raw<N * sizeof(T)>*>(p));
}
template <bool Whole, unsigned N, class T>
__device__ void store_vector(T* p, const Raw<N * sizeof(T)>& vector, Segment inside) {
  if constexpr (!Whole) {
    if (!inside.holds_all(N)) return store_cut_vector<N>(p, vector, inside);
  }
  store_raw<N * sizeof(T)>(p, vector);
}

// A square block of elements, one word a row: rows become columns. 4 x 4 bytes, 2 x 2 halves, 1 x 1 of anything else.
__device__ inline void transpose_words(std::uint32_t (&w)[4]) {
  const std::uint32_t a = __byte_perm(w[0], w[1], 0x5140), b = __byte_perm(w[0], w[1], 0x7362);
  const std::uint32_t c = __byte_perm(w[2], w[3], 0x5140), d = __byte_perm(w[2], w[3], 0x7362);
  w[0] = __byte_perm(a, c, 0x5410), w[1] = __byte_perm(a, c, 0x7632);
  w[2] = __byte_perm(b, d, 0x5410), w[3] = __byte_perm(b, d, 0x7632);
}
__device__ inline void transpose_words(std::uint32_t (&w)[2]) {
  const std::uint32_t a = w[0], b = w[1];
  w[0] = __byte_perm(a, b, 0x5410), w[1] = __byte_perm(a, b, 0x7632);
}
template <class Word>
__device__ void transpose_words(Word (&)[1]) {}

// A patch of N vectors of N elements, rows to columns: blocks of words, each turned in itself, change places.
template <class T, unsigned N, class Vector>
__device__ void transpose_patch(Vector (&lines)[N]) {
  using Word = Raw<(sizeof(T) < 4 ? 4 : sizeof(T))>;
  constexpr unsigned packed = sizeof(Word) / sizeof(T);
  Word in[N][N / packed], out[N][N / packed];
  std::memcpy(in, lines, sizeof in);
#pragma unroll
  for (unsigned i = 0; i < N; i += packed) {
#pragma unroll
    for (unsigned j = 0; j < N; j += packed) {
      Word block[packed];
#pragma unroll
      for (unsigned k = 0; k < packed; ++k) block[k] = in[i + k][j / packed];
      transpose_words(block);
#pragma unroll
      for (unsigned k = 0; k < packed; ++k) out[j + k][i / packed] = block[k];
    }
  }
  std::memcpy(lines, out, sizeof out);
}

template <bool Whole, class T, unsigned B, unsigned X, unsigned Y, unsigned Threads, class Cell>
__device__ void load_tile(Patches<T, B, X, Y, Threads>, const T* in, const Matrix& m, Place origin, Cell* cells) {
  using Tiling = Patches<T, B, X, Y, Threads>;
  constexpr unsigned N = Tiling::vector;
  Cell lines[Tiling::patches][N];
#pragma unroll
  for (unsigned k = 0; k < Tiling::loads; ++k) {
    const Place p = Tiling::load_place(m, origin, threadIdx.x, k);
    lines[k / N][k % N] =
        load_vector<Whole, N>(in + m.input()(p.row, p.col), Segment{p.col, p.row < m.rows ? m.cols : 0});
  }
#pragma unroll
  for (unsigned patch = 0; patch < Tiling::patches; ++patch) transpose_patch<T>(lines[patch]);
#pragma unroll
  for (unsigned k = 0; k < Tiling::fills; ++k) cells[Tiling::fill_cell(threadIdx.x, k)] = lines[k / N][k % N];
}

template <bool Whole, class T, unsigned B, unsigned X, unsigned Y, unsigned Threads, class Cell>
__device__ void store_tile(Patches<T, B, X, Y, Threads>, T* out, const Matrix& m, Place origin, const Cell* cells) {
  using Tiling = Patches<T, B, X, Y, Threads>;
#pragma unroll
  for (unsigned k = 0; k < Tiling::stores; ++k) {
    const Place p = Tiling::store_place(m, origin, threadIdx.x, k);
    const Segment inside{p.row, p.col < m.cols ? m.rows : 0};
    if (Whole || inside.holds_any(Tiling::vector)) {
      const Cell vector = cells[Tiling::drain_cell(origin, p, threadIdx.x, k)];
      store_vector<Whole, Tiling::vector>(out + m.transposed()(p.row, p.col), vector, inside);
    }
  }
}

template <bool Whole, class T, unsigned C, unsigned R, unsigned Threads, unsigned B, class Cell>
__device__ void load_tile(Windows<T, C, R, Threads, B>, const T* in, const Matrix& m, Place origin, Cell* cells) {
  using Tiling = Windows<T, C, R, Threads, B>;
  constexpr unsigned packed = Tiling::packed;
  constexpr unsigned batch = Whole ? 18 / packed : 1;  // 18 loads in flight
#pragma unroll(batch)
  for (unsigned word = 0; word < Tiling::fills; ++word) {
    Cell cell{};
#pragma unroll
    for (unsigned e = 0; e < packed; ++e) {
      const Place p = Tiling::load_place(m, origin, threadIdx.x, word * packed + e);
      if (Whole || m.holds(p)) {
        const auto element = load_raw<sizeof(T)>(in + m.input()(p.row, p.col));
        if constexpr (packed == 1) {
          cell = element;
        } else {
          cell |= static_cast<Cell>(element) << (8 * sizeof(T) * e);
        }
      }
    }
    cells[Tiling::fill_cell(threadIdx.x, word)] = cell;
  }
}

template <bool Whole, class T, unsigned C, unsigned R, unsigned Threads, unsigned B, class Cell>
__device__ void store_tile(Windows<T, C, R, Threads, B>, T* out, const Matrix& m, Place origin, const Cell* cells) {
  using Tiling = Windows<T, C, R, Threads, B>;
  constexpr unsigned packed = Tiling::packed, N = Tiling::store_elements;
#pragma unroll(Whole ? 4 : 1)
  for (unsigned k = 0; k < Tiling::stores; ++k) {
    if (!Tiling::has_store(threadIdx.x, k)) break;
    const Place p = Tiling::store_place(m, origin, threadIdx.x, k);
    const Segment inside{p.row, p.col < m.cols ? m.rows : 0};
    if (Whole || inside.holds_any(N)) {
      const Cell* const first = cells + Tiling::drain_cell(origin, p, threadIdx.x, k);
      Cell words[Tiling::drains];
#pragma unroll
      for (unsigned i = 0; i < Tiling::drains; ++i) words[i] = first[i];
      if constexpr (packed > 1) {
        const unsigned bits = Tiling::tile_row(origin, p) % packed * 8 * sizeof(T);
#pragma unroll
        for (unsigned i = 0; i + 1 < Tiling::drains; ++i) words[i] = __funnelshift_r(words[i], words[i + 1], bits);
      }
      Raw<B> vector;
      std::memcpy(&vector, words, B);
      store_vector<Whole, N>(out + m.transposed()(p.row, p.col), vector, inside);
    }
  }
}

template <class T, class Tiling>
__global__ void __launch_bounds__(Tiling::threads) transpose_vectorized(const T* in, T* out, Matrix m) {
  __shared__ Raw<Tiling::cell_bytes> cells[Tiling::cells];
  const Place block{blockIdx.x, blockIdx.y + std::size_t{blockIdx.z} * gridDim.y};
  if (block.col >= tiles_across<Tiling>(m)) return;  // the last layer of a folded grid may be partly empty
  const Place origin = tile_origin<Tiling>(m, block);
  const bool interior = Tiling::is_interior(m, origin);
  if (interior) {
    load_tile<true>(Tiling{}, in, m, origin, cells);
  } else {
    load_tile<false>(Tiling{}, in, m, origin, cells);
  }
  __syncthreads();
  if (interior) {
    store_tile<true>(Tiling{}, out, m, origin, cells);
  } else {
    store_tile<false>(Tiling{}, out, m, origin, cells);
  }
}

#endif
// ---- model ----------------------------------------------------------------------------------------------------------

// One lane of a vector access: the element that its vector starts at, and which of them the matrix holds.
struct VectorLane {
  std::uint64_t thread;
  std::size_t first;
  Segment inside;
};

// The requests of one warp-wide vector access, `visit(is_vector, lanes)`: the whole vectors together, then what the
// matrix holds of the others, one element of each at a time.
template <class Visit>
void visit_vector_access(const std::vector<VectorLane>& vectors, unsigned elements, Visit& visit) {
  std::vector<Lane> lanes;
  for (const VectorLane& v : vectors) {
    if (v.inside.holds_all(elements)) lanes.push_back({v.thread, v.first / elements});
  }
  const bool is_all = lanes.size() == vectors.size();
  if (!lanes.empty()) visit(true, lanes);
  for (unsigned e = 0; e < elements && !is_all; ++e) {
    lanes.clear();
    for (const VectorLane& v : vectors) {
      if (!v.inside.holds_all(elements) && v.inside.holds(e)) lanes.push_back({v.thread, v.first + e});
    }
    if (!lanes.empty()) visit(false, lanes);
  }
}

// All requests of the warp of threads `first_thread` .. + 31 of the tile at `origin`.
template <class Tiling, class Visit>
void visit_requests(Side side, const Matrix& m, Place origin, unsigned first_thread, Visit visit) {
  std::vector<VectorLane> vectors;
  for (unsigned k = 0; k < (side == Side::load ? Tiling::loads : Tiling::stores); ++k) {
    vectors.clear();
    for (unsigned thread = first_thread; thread < first_thread + warp_size; ++thread) {
      if (side == Side::load) {
        const Place p = Tiling::load_place(m, origin, thread, k);
        vectors.push_back({thread, m.input()(p.row, p.col), {p.col, p.row < m.rows ? m.cols : 0}});
      } else if (Tiling::has_store(thread, k)) {
        const Place p = Tiling::store_place(m, origin, thread, k);
        vectors.push_back({thread, m.transposed()(p.row, p.col), {p.row, p.col < m.cols ? m.rows : 0}});
      }
    }
    visit_vector_access(vectors, side == Side::load ? Tiling::load_elements : Tiling::store_elements, visit);
  }
}

// Wavefronts of one shared access of a warp in which any set of lanes may be active; `cells` holds ~0 for the others.
inline std::uint64_t masked_wavefronts(const std::array<std::uint64_t, warp_size>& cells, std::uint64_t width) {
  const std::uint64_t lanes_a_phase = warp_size / std::max<std::uint64_t>(width / bank_bytes, 1);
  std::uint64_t total = 0;
  for (std::uint64_t phase = 0; phase < warp_size; phase += lanes_a_phase) {
    std::vector<std::uint64_t> active;
    for (std::uint64_t lane = phase; lane < phase + lanes_a_phase; ++lane) {
      if (cells[lane] != ~std::uint64_t{0}) active.push_back(cells[lane] * width);
    }
    total += wavefronts_of_request(active.size(), width, [&](std::uint64_t i) { return active[i]; });
  }
  return total;
}

// What one tile, or one launch, moves: as whole vectors and as single elements of cut ones.
struct VectorizedTraffic {
  Traffic load_vectors, load_elements, store_vectors, store_elements;
  std::uint64_t shared_load_wavefronts = 0, shared_store_wavefronts = 0;

  VectorizedTraffic& add(const VectorizedTraffic& other, std::uint64_t times) {
    load_vectors += other.load_vectors * times;
    load_elements += other.load_elements * times;
    store_vectors += other.store_vectors * times;
    store_elements += other.store_elements * times;
    shared_load_wavefronts += other.shared_load_wavefronts * times;
    shared_store_wavefronts += other.shared_store_wavefronts * times;
    return *this;
  }
};

template <class Tiling>
VectorizedTraffic count_tile(const Matrix& m, Place origin) {
  constexpr std::uint64_t width = sizeof(typename Tiling::Element);
  VectorizedTraffic total;
  const auto counter = [](Traffic& vectors, Traffic& elements, std::uint64_t vector_bytes) {
    return [&vectors, &elements, vector_bytes](bool is_vector, const std::vector<Lane>& lanes) {
      const std::uint64_t bytes = is_vector ? vector_bytes : width;
      (is_vector ? vectors : elements) +=
          {1, sectors_of_request(lanes.size(), [&](std::uint64_t i) { return lanes[i].element * bytes; })};
    };
  };
  for (unsigned warp = 0; warp < Tiling::threads; warp += warp_size) {
    visit_requests<Tiling>(Side::load, m, origin, warp,
                           counter(total.load_vectors, total.load_elements, Tiling::load_elements * width));
    visit_requests<Tiling>(Side::store, m, origin, warp,
                           counter(total.store_vectors, total.store_elements, Tiling::store_elements * width));
    // Every thread fills all of its cells, whatever the matrix holds; it reads those that it stores from.
    std::array<std::uint64_t, warp_size> cells{};
    for (unsigned k = 0; k < Tiling::fills; ++k) {
      for (unsigned lane = 0; lane < warp_size; ++lane) cells[lane] = Tiling::fill_cell(warp + lane, k);
      total.shared_store_wavefronts += masked_wavefronts(cells, Tiling::cell_bytes);
    }
    for (unsigned k = 0; k < Tiling::stores; ++k) {
      for (unsigned drain = 0; drain < Tiling::drains; ++drain) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
          const unsigned thread = warp + lane;
          const Place p = Tiling::store_place(m, origin, thread, k);
          const bool is_active = Tiling::has_store(thread, k) && p.col < m.cols &&
                                 Segment{p.row, m.rows}.holds_any(Tiling::store_elements);
          cells[lane] = is_active ? Tiling::drain_cell(origin, p, thread, k) + drain : ~std::uint64_t{0};
        }
        total.shared_load_wavefronts += masked_wavefronts(cells, Tiling::cell_bytes);
      }
    }
  }
  return total;
}

// Tiles along one axis that are to be counted, and how many are like each: only the first and the last two may meet an
// edge of the matrix, and all tiles lie alike to the sectors.
inline std::vector<std::pair<std::uint64_t, std::uint64_t>> tile_classes(std::uint64_t tiles) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> classes;
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    const std::uint64_t alike = tile == 1 && tiles > 3 ? tiles - 3 : 1;
    classes.emplace_back(tile, alike);
    tile += alike - 1;
  }
  return classes;
}

template <class Tiling>
VectorizedTraffic count_vectorized(const Matrix& m) {
  VectorizedTraffic total;
  for (const auto& [row, rows_alike] : tile_classes(Tiling::tiles_down(m.rows))) {
    for (const auto& [col, cols_alike] : tile_classes(tiles_across<Tiling>(m))) {
      total.add(count_tile<Tiling>(m, {row * Tiling::tile_rows, col * Tiling::tile_cols}), rows_alike * cols_alike);
    }
  }
  return total;
}

// The accesses of one launch, for the record and for --audit: whole vectors, and elements of cut ones where there are
// any. Warps are numbered as blocks are, along the rows of the output.
template <class Tiling>
std::vector<Access> vectorized_accesses(const Matrix& m, const std::string& source, const std::string& destination) {
  constexpr std::uint64_t width = sizeof(typename Tiling::Element);
  constexpr std::uint64_t warps_a_tile = Tiling::threads / warp_size;
  const std::uint64_t down = Tiling::tiles_down(m.rows);
  const VectorizedTraffic traffic = count_vectorized<Tiling>(m);
  std::vector<Access> accesses;
  const auto add = [&](Side side, const std::string& formula, unsigned elements, const Traffic& moved, bool vectors) {
    const auto lanes = [=](std::uint64_t warp) {
      const std::uint64_t block = warp / warps_a_tile;
      const auto first_thread = static_cast<unsigned>(warp % warps_a_tile * warp_size);
      std::vector<Lane> found;
      const Place origin = tile_origin<Tiling>(m, {block % down, block / down});
      visit_requests<Tiling>(side, m, origin, first_thread, [&](bool is_vector, const std::vector<Lane>& active) {
        if (found.empty() && is_vector == vectors) found = active;
      });
      for (Lane& lane : found) lane.thread += block * Tiling::threads;
      return found;
    };
    if (moved.requests > 0) {
      accesses.push_back({side, formula, (vectors ? elements : 1) * width, moved,
                          down * tiles_across<Tiling>(m) * warps_a_tile, lanes});
    }
  };
  add(Side::load, source, Tiling::load_elements, traffic.load_vectors, true);
  add(Side::load, source + ", vectors cut by the edge", Tiling::load_elements, traffic.load_elements, false);
  add(Side::store, destination, Tiling::store_elements, traffic.store_vectors, true);
  add(Side::store, destination + ", vectors cut by the edge", Tiling::store_elements, traffic.store_elements, false);
  return accesses;
}

}  // namespace sectorscope
