#pragma once
// The columns of a row, each named, ordered, derived and given its unit once. CSV, samples and table read this list.
// Columns are only ever appended at the end: scripts address them by name.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sectorscope/cell.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/regime.hpp"
#include "sectorscope/sectors.hpp"
#include "sectorscope/units.hpp"
#include "sectorscope/version.hpp"

namespace sectorscope {

struct Column {
  std::string_view name;
  Value (*get)(const Record&);
};

/// Useful bandwidth at the median; empty until measured.
inline std::optional<double> useful_gbps(const Record& r) {
  if (!r.measured) return std::nullopt;
  return gigabytes_per_second(r.prediction.useful_bytes(), r.measured->median_s);
}

inline std::optional<double> ceiling_gbps(const Record& r) {
  return r.measured ? r.measured->ceiling_gbps : std::nullopt;
}

inline std::optional<double> peak_gbps(const Record& r) { return r.machine ? r.machine->peak_gbps : std::nullopt; }

inline std::string status(const Record& r) {
  if (!r.measured) return "predicted";
  return r.measured->mismatches == 0 ? "ok" : "mismatch";
}

inline constexpr std::array columns{
    Column{"experiment", [](const Record& r) { return cell(r.key.experiment); }},
    Column{"variant", [](const Record& r) { return cell(r.key.variant); }},
    Column{"parameter", [](const Record& r) { return cell(r.key.parameter); }},
    Column{"value", [](const Record& r) { return cell(r.key.value); }},
    Column{"n", [](const Record& r) { return cell(r.key.n); }},
    Column{"rows", [](const Record& r) { return cell(r.key.rows); }},
    Column{"cols", [](const Record& r) { return cell(r.key.cols); }},
    Column{"ld_in", [](const Record& r) { return cell(r.key.ld_in); }},
    Column{"ld_out", [](const Record& r) { return cell(r.key.ld_out); }},
    Column{"struct_bytes", [](const Record& r) { return cell(r.key.struct_bytes); }},
    Column{"lanes", [](const Record& r) { return cell(r.key.lanes); }},
    Column{"element_bytes", [](const Record& r) { return cell(r.key.element_bytes); }},
    Column{"items_per_thread", [](const Record& r) { return cell(r.key.items_per_thread); }},
    Column{"block_size", [](const Record& r) { return cell(r.key.block_size); }},
    Column{"l2", [](const Record& r) { return cell(r.key.l2); }},
    Column{"order", [](const Record& r) { return cell(r.key.order); }},
    Column{"seed", [](const Record& r) { return cell(r.key.seed); }},
    Column{"warmup", [](const Record& r) { return cell(r.key.warmup); }},
    Column{"iterations", [](const Record& r) { return cell(r.key.iterations); }},
    Column{"runs", [](const Record& r) { return cell(r.key.runs); }},
    Column{"launch_skip", [](const Record& r) { return cell(r.prediction.launch_skip); }},
    Column{"grid_size", [](const Record& r) { return cell(r.prediction.grid_size); }},
    Column{"access", [](const Record& r) { return cell(r.prediction.access); }},
    Column{"lane_byte_gap", [](const Record& r) { return cell(r.prediction.lane_byte_gap); }},
    Column{"load_requests", [](const Record& r) { return cell(r.prediction.load_requests); }},
    Column{"load_sectors", [](const Record& r) { return cell(r.prediction.load_sectors); }},
    Column{"store_requests", [](const Record& r) { return cell(r.prediction.store_requests); }},
    Column{"store_sectors", [](const Record& r) { return cell(r.prediction.store_sectors); }},
    Column{"load_sectors_per_request",
           [](const Record& r) { return ratio_cell(r.prediction.load_sectors, r.prediction.load_requests, 1); }},
    Column{"store_sectors_per_request",
           [](const Record& r) { return ratio_cell(r.prediction.store_sectors, r.prediction.store_requests, 1); }},
    Column{"load_efficiency_pct",
           [](const Record& r) {
             return ratio_cell(r.prediction.needed_load_bytes, r.prediction.load_sectors, 100.0 / sector_bytes);
           }},
    Column{"store_efficiency_pct",
           [](const Record& r) {
             return ratio_cell(r.prediction.needed_store_bytes, r.prediction.store_sectors, 100.0 / sector_bytes);
           }},
    Column{"shared_load_wavefronts", [](const Record& r) { return cell(r.prediction.shared_load_wavefronts); }},
    Column{"shared_store_wavefronts", [](const Record& r) { return cell(r.prediction.shared_store_wavefronts); }},
    Column{"useful_bytes", [](const Record& r) { return cell(r.prediction.useful_bytes()); }},
    Column{"footprint_bytes", [](const Record& r) { return cell(r.prediction.footprint_bytes); }},
    Column{"median_ms", [](const Record& r) { return milliseconds_cell(r, &Measured::median_s); }},
    Column{"mean_ms", [](const Record& r) { return milliseconds_cell(r, &Measured::mean_s); }},
    Column{"min_ms", [](const Record& r) { return milliseconds_cell(r, &Measured::min_s); }},
    Column{"max_ms", [](const Record& r) { return milliseconds_cell(r, &Measured::max_s); }},
    Column{"stddev_ms", [](const Record& r) { return milliseconds_cell(r, &Measured::deviation_s); }},
    Column{"useful_gbps", [](const Record& r) { return cell(useful_gbps(r)); }},
    Column{"ceiling_gbps", [](const Record& r) { return cell(ceiling_gbps(r)); }},
    Column{"pct_of_ceiling", [](const Record& r) { return percent_cell(useful_gbps(r), ceiling_gbps(r)); }},
    Column{"peak_gbps", [](const Record& r) { return cell(peak_gbps(r)); }},
    Column{"pct_of_peak", [](const Record& r) { return percent_cell(useful_gbps(r), peak_gbps(r)); }},
    Column{"regime", [](const Record& r) { return cell(regime(r)); }},
    Column{"mismatches", [](const Record& r) { return measured_cell(r, &Measured::mismatches); }},
    Column{"max_abs_error", [](const Record& r) { return measured_cell(r, &Measured::max_abs_error); }},
    Column{"status", [](const Record& r) { return cell(status(r)); }},
    Column{"flags", [](const Record& r) { return measured_cell(r, &Measured::flags); }},
    Column{"gpu", [](const Record& r) { return machine_cell(r, &Machine::gpu); }},
    Column{"uuid", [](const Record& r) { return machine_cell(r, &Machine::uuid); }},
    Column{"compute_capability", [](const Record& r) { return machine_cell(r, &Machine::compute_capability); }},
    Column{"driver", [](const Record& r) { return machine_cell(r, &Machine::driver); }},
    Column{"runtime", [](const Record& r) { return machine_cell(r, &Machine::runtime); }},
    Column{"sm_clock_mhz", [](const Record& r) { return measured_cell(r, &Measured::sm_clock_mhz); }},
    Column{"memory_clock_mhz", [](const Record& r) { return measured_cell(r, &Measured::memory_clock_mhz); }},
    Column{"build_type", [](const Record&) { return cell(std::string(build_type)); }},
    Column{"version", [](const Record&) { return cell(std::string(version)); }},
    Column{"timestamp", [](const Record& r) { return measured_cell(r, &Measured::timestamp); }},
};

/// The leading columns that identify a configuration: up to and with "runs".
inline constexpr std::size_t key_columns = 20;
static_assert(columns[key_columns - 1].name == "runs");

}  // namespace sectorscope
