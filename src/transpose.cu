// Transpose: out[c][r] = in[r][c]. A warp that reads along a row writes down a column, 32 sectors for 32 elements,
// unless it goes through shared memory; and there the column is a bank conflict, unless the tile is padded or swizzled.
// Two copies are the baselines: one along the rows, one down the columns, as badly placed as a transpose's bad side.

#include "sectorscope/element.hpp"
#include "sectorscope/experiment.hpp"
#include "sectorscope/sizes.hpp"
#include "transpose_vectorized.cuh"  // and the address objects that all variants share

namespace sectorscope {

constexpr unsigned tile_side = 32, block_lines = 8, lines_a_thread = tile_side / block_lines;

// Which way neighbouring lanes run in a tile: along its rows, or down its columns. A warp takes one line.
enum class Lanes { along_row, down_column };

// (line, lane) of the whole matrix -> element, for lanes that run down columns.
template <class Address>
struct Swapped {
  Address address;
  constexpr std::size_t operator()(std::size_t col, std::size_t row) const { return address(row, col); }
};

// (row, column) of a tile -> element of shared memory. A column of floats lies in one bank of the plain tile, and in 32
// of the others.
struct PlainTile {
  static constexpr unsigned elements = tile_side * tile_side;
  SECTORSCOPE_HD static constexpr unsigned index(unsigned row, unsigned col) { return row * tile_side + col; }
};
struct PaddedTile {
  static constexpr unsigned elements = tile_side * (tile_side + 1);
  SECTORSCOPE_HD static constexpr unsigned index(unsigned row, unsigned col) { return row * (tile_side + 1) + col; }
};
struct SwizzledTile {
  static constexpr unsigned elements = tile_side * tile_side;
  SECTORSCOPE_HD static constexpr unsigned index(unsigned row, unsigned col) { return row * tile_side + (col ^ row); }
};

// The element of this thread in step k of its tile. Tile rows past the 65535 of grid y are folded into z.
template <Lanes Run>
__device__ Place place_of_step(unsigned k) {
  const std::size_t row = (blockIdx.y + std::size_t{blockIdx.z} * gridDim.y) * tile_side;
  const std::size_t col = std::size_t{blockIdx.x} * tile_side;
  const unsigned line = threadIdx.y + k * block_lines;
  return Run == Lanes::along_row ? Place{row + line, col + threadIdx.x} : Place{row + threadIdx.x, col + line};
}

// Whether the matrix holds all of this block's tile. To ask for every element costs a copy 2 % of its time on an H200.
__device__ inline bool is_whole_tile(const Matrix& m) {
  const Place last{(blockIdx.y + std::size_t{blockIdx.z} * gridDim.y) * tile_side + (tile_side - 1),
                   std::size_t{blockIdx.x} * tile_side + (tile_side - 1)};
  return m.holds(last);
}

// All loads first, so that they are in flight together.
template <bool Whole, Lanes Run, class T>
__device__ void load_lines(T (&value)[lines_a_thread], const T* in, const Matrix& m) {
#pragma unroll
  for (unsigned k = 0; k < lines_a_thread; ++k) {
    const Place p = place_of_step<Run>(k);
    if (Whole || m.holds(p)) value[k] = in[m.input()(p.row, p.col)];
  }
}

template <bool Whole, Lanes Run, class T, class Destination>
__device__ void move_lines(const T* in, T* out, const Matrix& m, Destination destination) {
  T value[lines_a_thread];
  load_lines<Whole, Run>(value, in, m);
#pragma unroll
  for (unsigned k = 0; k < lines_a_thread; ++k) {
    const Place p = place_of_step<Run>(k);
    if (Whole || m.holds(p)) out[destination(p.row, p.col)] = value[k];
  }
}

template <Lanes Run, class T, class Destination>
__device__ void move_directly(const T* in, T* out, const Matrix& m, Destination destination) {
  if (is_whole_tile(m)) {
    move_lines<true, Run>(in, out, m, destination);
  } else {
    move_lines<false, Run>(in, out, m, destination);
  }
}

template <bool Whole, class Tile, class T>
__device__ void fill_tile(T* tile, const T* in, const Matrix& m) {
  T value[lines_a_thread];
  load_lines<Whole, Lanes::along_row>(value, in, m);
#pragma unroll
  for (unsigned k = 0; k < lines_a_thread; ++k) {
    const unsigned line = threadIdx.y + k * block_lines;
    if (Whole || m.holds(place_of_step<Lanes::along_row>(k))) tile[Tile::index(line, threadIdx.x)] = value[k];
  }
}

template <bool Whole, class Tile, class T>
__device__ void drain_tile(const T* tile, T* out, const Matrix& m) {
#pragma unroll
  for (unsigned k = 0; k < lines_a_thread; ++k) {
    const unsigned line = threadIdx.y + k * block_lines;
    const Place p = place_of_step<Lanes::down_column>(k);
    if (Whole || m.holds(p)) out[m.transposed()(p.row, p.col)] = tile[Tile::index(threadIdx.x, line)];
  }
}

template <class Tile, class T>
__device__ void transpose_in_shared(const T* in, T* out, const Matrix& m) {
  __shared__ T tile[Tile::elements];
  const bool whole = is_whole_tile(m);
  if (whole) {
    fill_tile<true, Tile>(tile, in, m);
  } else {
    fill_tile<false, Tile>(tile, in, m);
  }
  __syncthreads();
  if (whole) {
    drain_tile<true, Tile>(tile, out, m);
  } else {
    drain_tile<false, Tile>(tile, out, m);
  }
}

template <class T>
__global__ void transpose_copy(const T* in, T* out, Matrix m) {
  move_directly<Lanes::along_row>(in, out, m, m.copied());
}

template <class T>
__global__ void transpose_copy_column(const T* in, T* out, Matrix m) {
  move_directly<Lanes::down_column>(in, out, m, m.copied());
}

template <class T>
__global__ void transpose_naive(const T* in, T* out, Matrix m) {
  move_directly<Lanes::along_row>(in, out, m, m.transposed());
}

template <class T>
__global__ void transpose_naive_write(const T* in, T* out, Matrix m) {
  move_directly<Lanes::down_column>(in, out, m, m.transposed());
}

template <class T>
__global__ void transpose_tiled(const T* in, T* out, Matrix m) {
  transpose_in_shared<PlainTile>(in, out, m);
}

template <class T>
__global__ void transpose_padded(const T* in, T* out, Matrix m) {
  transpose_in_shared<PaddedTile>(in, out, m);
}

template <class T>
__global__ void transpose_swizzled(const T* in, T* out, Matrix m) {
  transpose_in_shared<SwizzledTile>(in, out, m);
}

template <class T>
using Kernel = void (*)(const T*, T*, Matrix);

// In the order of the variants.
template <class T>
constexpr std::array<Kernel<T>, 7> scalar_kernels{
    transpose_copy<T>,  transpose_copy_column<T>, transpose_naive<T>,   transpose_naive_write<T>,
    transpose_tiled<T>, transpose_padded<T>,      transpose_swizzled<T>};

struct Variant {
  std::string_view word;  // on the command line
  bool is_copy;
  Lanes load_lanes, store_lanes;
  unsigned (*shared_index)(unsigned row, unsigned col);  // of its tile; null without one
};

constexpr std::array<Variant, 8> variants{{
    {"copy", true, Lanes::along_row, Lanes::along_row, nullptr},
    {"copy_column", true, Lanes::down_column, Lanes::down_column, nullptr},
    {"naive", false, Lanes::along_row, Lanes::along_row, nullptr},
    {"naive_write", false, Lanes::down_column, Lanes::down_column, nullptr},
    {"tiled", false, Lanes::along_row, Lanes::down_column, PlainTile::index},
    {"padded", false, Lanes::along_row, Lanes::down_column, PaddedTile::index},
    {"swizzled", false, Lanes::along_row, Lanes::down_column, SwizzledTile::index},
    {"vectorized", false, Lanes::along_row, Lanes::down_column, nullptr},
}};
constexpr std::size_t vectorized = variants.size() - 1, all = variants.size();

// What --variants takes.
constexpr auto variant_names = [] {
  std::array<std::pair<std::string_view, std::size_t>, variants.size() + 1> names{{{"all", all}}};
  for (std::size_t i = 0; i < variants.size(); ++i) {
    names[i + 1].first = variants[i].word;
    names[i + 1].second = i;
  }
  return names;
}();

struct Grid {
  std::uint64_t x, y, z;

  // Tiles past the limit of y are folded into as many layers of z as it takes, evenly.
  static Grid of(std::uint64_t x, std::uint64_t folded) {
    const std::uint64_t layers = divide_up(folded, most_blocks_yz);
    return {x, divide_up(folded, layers), layers};
  }
  std::uint64_t blocks() const { return x * y * z; }
  dim3 dim() const { return {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)}; }
};

// Bank-conflict wavefronts of the scalar kernels: a warp fills a row of its tile and drains a column of it.
struct Wavefronts {
  std::uint64_t load = 0, store = 0;
};
template <class Index>
Wavefronts count_wavefronts(const Index& index, const Matrix& m, std::uint64_t width) {
  const auto extents = [](std::uint64_t size) {  // of tiles along one axis, and how many there are of each
    return std::array<std::pair<unsigned, std::uint64_t>, 2>{
        {{tile_side, size / tile_side}, {static_cast<unsigned>(size % tile_side), 1}}};
  };
  Wavefronts total;
  for (const auto& [rows, down] : extents(m.rows)) {
    for (const auto& [cols, across] : extents(m.cols)) {
      for (unsigned row = 0; row < rows && cols > 0; ++row) {
        total.store += down * across * wavefronts_of_request(cols, width, [&, r = row](std::uint64_t lane) {
                         return index(r, static_cast<unsigned>(lane)) * width;
                       });
      }
      for (unsigned col = 0; col < cols && rows > 0; ++col) {
        total.load += down * across * wavefronts_of_request(rows, width, [&, c = col](std::uint64_t lane) {
                        return index(static_cast<unsigned>(lane), c) * width;
                      });
      }
    }
  }
  return total;
}

// The reference, written out a second time: element j of the output lies in row j / ld_out, column j mod ld_out; past
// the last column it is padding, which nothing may touch.
template <class T>
struct TransposeReference {
  bool is_copy;
  std::uint64_t out_cols, ld_in, ld_out;

  std::uint64_t source_of(std::uint64_t row, std::uint64_t col) const {
    return is_copy ? row * ld_in + col : col * ld_in + row;
  }
  std::optional<std::uint64_t> source(std::uint64_t j) const {
    const std::uint64_t col = j % ld_out;
    return col < out_cols ? std::optional<std::uint64_t>(source_of(j / ld_out, col)) : std::nullopt;
  }
  void fill(std::uint64_t first, std::uint64_t count, T* expected) const {
    std::uint64_t row = first / ld_out;
    std::uint64_t col = first % ld_out;
    for (std::uint64_t k = 0; k < count; ++k) {
      expected[k] = col < out_cols ? pattern<T>(source_of(row, col)) : poison<T>();
      if (++col == ld_out) {
        col = 0;
        ++row;
      }
    }
  }
};

class Transpose : public ExperimentDefaults {
 public:
  static constexpr const char* name = "transpose";
  static constexpr const char* question =
      "out[c][r] = in[r][c]: what do strided stores cost, and what do shared memory and wide accesses win back?";

  struct Configuration {
    std::size_t variant;
    std::uint64_t element_bytes;
    Matrix matrix;

    const Variant& traits() const { return variants[variant]; }
    std::string source_text() const { return fmt::format("in[r*{} + c]", matrix.ld_in); }
    std::string destination_text() const {
      return fmt::format(traits().is_copy ? "out[r*{} + c]" : "out[c*{} + r]", matrix.ld_out);
    }
    std::uint64_t n() const { return matrix.rows * matrix.cols; }
    std::uint64_t out_rows() const { return traits().is_copy ? matrix.rows : matrix.cols; }
    std::uint64_t out_cols() const { return traits().is_copy ? matrix.cols : matrix.rows; }
    // From the first to the last element: no padding behind the last row.
    std::uint64_t input_elements() const { return (matrix.rows - 1) * matrix.ld_in + matrix.cols; }
    std::uint64_t output_elements() const { return (out_rows() - 1) * matrix.ld_out + out_cols(); }
  };

  void add_options(CommandLine& line) {
    const auto add_size = [&line](const std::string& option, std::optional<std::uint64_t>& value,
                                  const std::string& initial, const std::string& description) {
      return line.add(
          option, [&value, option](const std::string& text) { value = parse_size_in(option, text, 1, largest_size); },
          initial, description, "SIZE");
    };
    CLI::Option* const rows = add_size("--rows", rows_, "auto", "rows of the input; given --cols alone, as many");
    CLI::Option* const cols = add_size("--cols", cols_, "auto", "columns of the input; given --rows alone, as many");
    add_size("--ld-in", ld_in_, "cols", "elements from one row of the input to the next");
    add_size("--ld-out", ld_out_, "rows, of a copy cols", "elements from one row of the output to the next");
    line.add_names("--variants", variants_, "all", variant_names,
                   "all, or some of copy, copy_column, naive, naive_write, tiled, padded, swizzled, vectorized");
    line.add_element_bytes();
    line.add_twin("ROWS", rows, "same as --rows");
    line.add_twin("COLS", cols, "same as --cols");
    line.add_iterations_twin();
  }

  bool is_automatic(const Options&) const { return !rows_ && !cols_; }

  std::vector<Configuration> plan(const Options& options, std::optional<std::uint64_t> l2_bytes) const {
    const std::uint64_t width = options.element_bytes;
    const auto square = [&] {
      return automatic_size(1024, l2_bytes, [&](std::uint64_t side) { return 2 * side * side * width; });
    };
    const std::uint64_t rows = rows_ ? *rows_ : cols_ ? *cols_ : square();
    const std::uint64_t cols = cols_ ? *cols_ : rows;
    const std::uint64_t ld_in = ld_in_.value_or(cols);
    require_ld("--ld-in", ld_in, cols, width, "the input");
    std::vector<Configuration> configurations;
    for (const std::size_t variant : chosen_variants()) {
      Configuration c{variant, width, {rows, cols, ld_in, 0}};
      c.matrix.ld_out = ld_out_.value_or(c.out_cols());
      require_ld("--ld-out", c.matrix.ld_out, c.out_cols(), width, "the output of " + std::string(c.traits().word));
      const auto elements = [](std::uint64_t lines, std::uint64_t ld, std::uint64_t last) {
        return checked_sum("--rows", checked_product("--rows", lines - 1, ld), last);
      };
      array_bytes(
          "--rows",
          checked_sum("--rows", elements(rows, ld_in, cols), elements(c.out_rows(), c.matrix.ld_out, c.out_cols())),
          width);
      require_grid_2d(c);
      configurations.push_back(c);
    }
    return configurations;
  }

  std::vector<Access> accesses(const Configuration& c) const {
    const Matrix& m = c.matrix;
    const std::string source = c.source_text();
    const std::string destination = c.destination_text();
    if (c.variant == vectorized) {
      return with_tiling(c.element_bytes, m,
                         [&](auto tiling) { return vectorized_accesses<decltype(tiling)>(m, source, destination); });
    }
    return {line_access(c, Side::load, source, m.input(), c.traits().load_lanes),
            c.traits().is_copy ? line_access(c, Side::store, destination, m.copied(), c.traits().store_lanes)
                               : line_access(c, Side::store, destination, m.transposed(), c.traits().store_lanes)};
  }

  Record describe(const Configuration& c) const {
    const Matrix& m = c.matrix;
    const Variant& traits = c.traits();
    const std::vector<Access> both = accesses(c);
    Record record;
    record.key.experiment = name;
    record.key.variant = "transpose_" + std::string(traits.word);
    record.key.n = c.n();
    record.key.rows = m.rows;
    record.key.cols = m.cols;
    record.key.ld_in = m.ld_in;
    record.key.ld_out = m.ld_out;
    record.key.element_bytes = c.element_bytes;
    record.key.items_per_thread = lines_a_thread;
    record.key.block_size = tile_side * block_lines;
    Prediction& prediction = record.prediction;
    prediction.grid_size = grid_of(c).blocks();
    prediction.access = c.destination_text() + " = " + c.source_text();
    prediction.lane_byte_gap = static_cast<std::int64_t>(lane_gap(c) * c.element_bytes);
    predict_traffic(prediction, both);
    if (traits.shared_index != nullptr) {
      const Wavefronts wavefronts = count_wavefronts(traits.shared_index, m, c.element_bytes);
      prediction.shared_load_wavefronts = wavefronts.load;
      prediction.shared_store_wavefronts = wavefronts.store;
    }
    if (c.variant == vectorized) {
      with_tiling(c.element_bytes, c.matrix, [&](auto tiling) {
        using Tiling = decltype(tiling);
        const VectorizedTraffic traffic = count_vectorized<Tiling>(m);
        prediction.shared_load_wavefronts = traffic.shared_load_wavefronts;
        prediction.shared_store_wavefronts = traffic.shared_store_wavefronts;
        record.key.items_per_thread = divide_up(Tiling::tile_rows * Tiling::tile_cols, Tiling::threads);
        record.key.block_size = Tiling::threads;
      });
    }
    prediction.needed_load_bytes = c.n() * c.element_bytes;
    prediction.needed_store_bytes = c.n() * c.element_bytes;
    prediction.input_bytes = c.input_elements() * c.element_bytes;
    prediction.output_bytes = c.output_elements() * c.element_bytes;
    prediction.footprint_bytes = prediction.input_bytes + prediction.output_bytes;
    return record;
  }

  Outcome run(const Configuration& c, Measurement& measurement) const {
    return with_element_type(c.element_bytes, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* const in = measurement.pattern_input<T>(c.input_elements());
      const GuardedArray<T> output = measurement.output<T>(c.output_elements());
      Kernel<T> kernel = nullptr;
      dim3 block(tile_side, block_lines);
      if (c.variant == vectorized) {
        with_tiling<T>(c.matrix, [&](auto tiling) {
          kernel = transpose_vectorized<T, decltype(tiling)>;
          block = dim3(tiling.threads);
        });
      } else {
        kernel = scalar_kernels<T>[c.variant];
      }
      const dim3 grid = grid_of(c).dim();
      const auto launch = [&] { kernel<<<grid, block, 0, measurement.stream()>>>(in, output.data(), c.matrix); };
      Outcome outcome{measurement.time(launch, output), {}};
      outcome.verification = measurement.verify(
          output, TransposeReference<T>{c.traits().is_copy, c.out_cols(), c.matrix.ld_in, c.matrix.ld_out});
      return outcome;
    });
  }

 private:
  std::vector<std::size_t> chosen_variants() const {
    if (std::find(variants_.begin(), variants_.end(), all) == variants_.end()) return variants_;
    if (variants_.size() > 1) throw UsageError("--variants: 'all' stands alone (legal: all, or some of the others)");
    std::vector<std::size_t> every(variants.size());
    for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
    return every;
  }

  static void require_ld(const char* option, std::uint64_t ld, std::uint64_t row, std::uint64_t width,
                         const std::string& owner) {
    if (ld < row) {
      throw UsageError(fmt::format("{}: '{}' is shorter than a row of {} (legal: {} or more)", option, ld, owner, row));
    }
    array_bytes(option, ld, width);  // a pitch must fit too, whatever the number of rows
  }

  // The contiguous axis of the output is x for the vectorized kernel, that of the input for the others.
  static Grid grid_of(const Configuration& c) {
    const Matrix& m = c.matrix;
    if (c.variant == vectorized) {
      return with_tiling(c.element_bytes, m, [&](auto tiling) {
        return Grid::of(tiling.tiles_down(m.rows), tiles_across<decltype(tiling)>(m));
      });
    }
    return Grid::of(divide_up(m.cols, tile_side), divide_up(m.rows, tile_side));
  }

  static void require_grid_2d(const Configuration& c) {
    const Grid grid = grid_of(c);
    if (grid.x > most_blocks || grid.z > most_blocks_yz) {
      throw UsageError(fmt::format(
          "--rows: {} x {} elements need a grid of {} x {} x {} blocks (legal: at most "
          "{} x {} x {})",
          c.matrix.rows, c.matrix.cols, grid.x, grid.y, grid.z, most_blocks, most_blocks_yz, most_blocks_yz));
    }
  }

  // Elements between neighbouring lanes on the side where they are further apart.
  static std::uint64_t lane_gap(const Configuration& c) {
    if (c.variant == vectorized)
      return with_tiling(c.element_bytes, c.matrix, [](auto tiling) { return std::uint64_t{tiling.load_elements}; });
    if (c.traits().load_lanes == Lanes::down_column) return c.matrix.ld_in;
    return c.traits().is_copy || c.traits().store_lanes == Lanes::down_column ? 1 : c.matrix.ld_out;
  }

  template <class Address>
  static Access line_access(const Configuration& c, Side side, std::string formula, const Address& address,
                            Lanes lanes) {
    const Matrix& m = c.matrix;
    if (lanes == Lanes::along_row) {
      return tiled_access(side, std::move(formula), address, c.element_bytes, m.rows, m.cols);
    }
    return tiled_access(side, std::move(formula), Swapped<Address>{address}, c.element_bytes, m.cols, m.rows);
  }

  std::optional<std::uint64_t> rows_, cols_, ld_in_, ld_out_;
  std::vector<std::size_t> variants_;
};

}  // namespace sectorscope

int main(int argc, char** argv) { return sectorscope::run_experiment<sectorscope::Transpose>(argc, argv); }
