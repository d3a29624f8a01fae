#pragma once
// One row: what a configuration is, what its addresses predict, and, once it has run, what was measured. A field that
// was not measured is empty.

#include <cstdint>
#include <optional>
#include <string>

namespace sectorscope {

/// What identifies a configuration; rows with equal keys are comparable.
struct Key {
  std::string experiment;
  std::string variant;    ///< the kernel's name
  std::string parameter;  ///< the swept axis, empty where there is none
  std::optional<std::uint64_t> value;
  std::uint64_t n = 0;  ///< elements (rows*cols, or particles)
  std::optional<std::uint64_t> rows, cols, ld_in, ld_out;
  std::optional<std::uint64_t> struct_bytes, lanes;
  std::uint64_t element_bytes = 0;
  std::uint64_t items_per_thread = 0;
  std::uint64_t block_size = 0;
  std::string l2;
  std::string order;
  std::optional<std::uint64_t> seed;
  std::uint64_t warmup = 0, iterations = 0, runs = 0;
};

/// The address layer, exact for one launch, and the launch itself.
struct Prediction {
  std::uint64_t launch_skip = 0;  ///< launches of this process before the first timed one
  std::uint64_t grid_size = 0;    ///< blocks
  std::string access;             ///< the formula
  std::int64_t lane_byte_gap = 0;
  std::uint64_t load_requests = 0, load_sectors = 0, store_requests = 0, store_sectors = 0;
  std::optional<std::uint64_t> shared_load_wavefronts, shared_store_wavefronts;
  std::uint64_t needed_load_bytes = 0, needed_store_bytes = 0;  ///< what the algorithm needs on each side
  std::uint64_t footprint_bytes = 0;                            ///< device memory that the kernel may touch
  std::uint64_t input_bytes = 0, output_bytes = 0;  ///< of the device arrays, padding included, guard bands not

  std::uint64_t useful_bytes() const { return needed_load_bytes + needed_store_bytes; }
};

/// The time layer and the verdict.
struct Measured {
  double median_s = 0, mean_s = 0, min_s = 0, max_s = 0;
  std::optional<double> deviation_s;
  std::optional<double> ceiling_gbps;
  std::uint64_t mismatches = 0;
  std::optional<double> max_abs_error;
  std::optional<std::uint64_t> sm_clock_mhz, memory_clock_mhz;  ///< during this configuration
  std::string flags;                                            ///< separated by ';'
  std::string timestamp;
};

/// Where a row was measured.
struct Machine {
  std::string gpu, uuid, compute_capability;
  std::string driver;  ///< the driver's own version; empty where it cannot be had
  std::string runtime;
  std::optional<double> peak_gbps;
};

struct Record {
  Key key;
  Prediction prediction;
  std::optional<std::uint64_t> l2_bytes;  ///< decides the regime; empty where unknown
  std::optional<Machine> machine;
  std::optional<Measured> measured;
};

}  // namespace sectorscope
