#pragma once
// Records with every field known, for the tests of what is printed.

#include "sectorscope/record.hpp"

namespace sectorscope {

/// A predicted row: an offset of 1 over 2^20 floats.
inline Record predicted_record() {
  Record r;
  r.key.experiment = "offset";
  r.key.variant = "offset_read";
  r.key.parameter = "offset";
  r.key.value = 1;
  r.key.n = 1048576;
  r.key.element_bytes = 4;
  r.key.items_per_thread = 4;
  r.key.block_size = 256;
  r.key.l2 = "hot";
  r.key.order = "listed";
  r.key.warmup = 10;
  r.key.iterations = 100;
  r.key.runs = 7;
  r.prediction.launch_skip = 720;
  r.prediction.grid_size = 1024;
  r.prediction.access = "out[i] = in[i + 1]";
  r.prediction.lane_byte_gap = 4;
  r.prediction.load_requests = 32768;
  r.prediction.load_sectors = 163840;
  r.prediction.store_requests = 32768;
  r.prediction.store_sectors = 131072;
  r.prediction.needed_load_bytes = 4194304;
  r.prediction.needed_store_bytes = 4194304;
  r.prediction.footprint_bytes = 8388612;
  return r;
}

/// The same row measured: 0.010 ms, so 838.8608 GB/s.
inline Record measured_record() {
  Record r = predicted_record();
  r.l2_bytes = 1048576;
  r.machine = Machine{"NVIDIA X, 80GB", "GPU-1234", "9.0", "550.54.15", "12.4", 4915.2};
  Measured m;
  m.median_s = 0.00001;
  m.mean_s = 0.0000105;
  m.min_s = 0.0000095;
  m.max_s = 0.000012;
  m.deviation_s = 0.0000005;
  m.ceiling_gbps = 1677.7216;
  m.mismatches = 0;
  m.sm_clock_mhz = 1980;
  m.memory_clock_mhz = 3201;
  m.flags = "spread;short";
  m.timestamp = "2030-01-02T03:04:05Z";
  r.measured = m;
  return r;
}

/// A layout row, which has a struct, lanes and an axis: the widest kind.
inline Record widest_record() {
  Record r = measured_record();
  r.key.experiment = "aos_soa";
  r.key.variant = "aosoa_transform";
  r.key.parameter = "fields";
  r.key.value = 6;
  r.key.struct_bytes = 24;
  r.key.lanes = 32;
  r.measured->flags.clear();
  return r;
}

}  // namespace sectorscope
