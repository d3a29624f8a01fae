#pragma once
// What people are told on stderr: advice about flags, what may disturb times, and the first wrong elements.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sectorscope/flags.hpp"
#include "sectorscope/standard_streams.hpp"
#include "sectorscope/verify.hpp"

namespace sectorscope {

/// Whether launching shows in a time: it is less than twice what the host needs to issue one launch.
inline bool is_held_up_by_launching(double seconds, std::optional<double> issue_s) {
  return issue_s && seconds < 2 * *issue_s;
}

/// Says once for each kind of flag what to do about it, and once what no flag says: that launches are too short.
class Advice {
 public:
  explicit Advice(bool wanted) : wanted_(wanted) {}

  void give(const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
      if (wanted_ && given_.insert(flag.name).second) warn(fmt::format("{}: {}", flag.name, flag.advice));
    }
  }

  /// `seconds` a launch of a configuration, and what issuing one took.
  void compare_with_issue(const std::string& configuration, double seconds, std::optional<double> issue_s) {
    if (!wanted_ || said_ || !is_held_up_by_launching(seconds, issue_s)) return;
    said_ = true;
    warn(
        fmt::format("note: {}: a launch takes {:.1f} us, and the host needs {:.1f} us to issue one: launching shows in "
                    "its time; ask for more elements",
                    configuration, seconds * 1e6, *issue_s * 1e6));
  }

 private:
  bool wanted_;
  bool said_ = false;
  std::set<std::string_view> given_;
};

/// What may disturb the times of this process: others on its GPU (their ids), launches that wait, uncertain ceilings.
inline void note_circumstances(const std::vector<unsigned>& neighbours, bool ceilings_are_steady) {
  if (!neighbours.empty()) {
    warn(fmt::format("note: other processes use this GPU: pid {}", fmt::join(neighbours, ", ")));
  }
  if (launches_block()) {
    warn("note: CUDA_LAUNCH_BLOCKING is set: every launch waits for the one before, and times include that");
  }
  if (!ceilings_are_steady) {
    warn("note: the runs of a ceiling differ by more than 2 %: shares of it are uncertain, run again on a quiet GPU");
  }
}

/// The first wrong elements of a configuration; nothing where there are none.
inline void explain(const Verification& verification, const std::string& configuration) {
  constexpr std::size_t most_shown = 8;
  if (verification.mismatches == 0) return;
  warn(fmt::format("{}: {} mismatches", configuration, verification.mismatches));
  for (std::size_t i = 0; i < std::min(most_shown, verification.kept.size()); ++i) {
    const Mismatch& m = verification.kept[i];
    const std::string source = m.source ? fmt::format("index {}", *m.source) : "none, nothing may be written here";
    warn(fmt::format("  {} index {}: source {}, expected {}, actual {}", m.place, m.index, source, m.expected,
                     m.actual));
  }
}

}  // namespace sectorscope
