#pragma once
// Flags on a row: what makes its time less than a result, and what to do about it.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sectorscope/platform.hpp"
#include "sectorscope/statistics.hpp"
#include "sectorscope/version.hpp"

namespace sectorscope {

struct Flag {
  std::string_view name;
  std::string_view advice;
};

inline constexpr Flag spread_flag{"spread",
                                  "the runs differ by more than 2 %: close other users of the GPU, raise "
                                  "--iterations or --warmup"};
inline constexpr Flag short_flag{"short",
                                 "a timed interval is under 100 us, where the events themselves show: raise "
                                 "--iterations, or -n in cold mode"};
inline constexpr Flag throttled_flag{"throttled",
                                     "power or heat held the clocks down: cool the GPU, or wait, and run "
                                     "again"};
inline constexpr Flag profiled_flag{"profiled",
                                    "a profiler is attached: its times are no result, run again without "
                                    "it"};
inline constexpr Flag debug_flag{"debug", "this is a debug build: configure with -DCMAKE_BUILD_TYPE=Release"};

/// The circumstances of one configuration.
struct Circumstances {
  double shortest_interval_s;  ///< between one pair of events
  bool throttled;
  bool profiled;
};

inline std::vector<Flag> flags_of(const Summary& summary, const Circumstances& circumstances) {
  std::vector<Flag> flags;
  if (is_spread(summary)) flags.push_back(spread_flag);
  if (circumstances.shortest_interval_s < 100e-6) flags.push_back(short_flag);
  if (circumstances.throttled) flags.push_back(throttled_flag);
  if (circumstances.profiled) flags.push_back(profiled_flag);
  if (build_type == "Debug") flags.push_back(debug_flag);
  return flags;
}

/// Whether a profiler or sanitizer runs this process: they announce themselves in the environment.
inline bool is_profiled() {
  for (const char* name : {"NV_COMPUTE_PROFILER_PERFWORKS_DIR", "CUDA_INJECTION64_PATH"}) {
    if (platform::environment(name)) return true;
  }
  return false;
}

/// Whether the environment makes every launch wait for the one before.
inline bool launches_block() { return platform::environment("CUDA_LAUNCH_BLOCKING").value_or("0") != "0"; }

}  // namespace sectorscope
