#pragma once
// What people are told on stderr: advice about flags, and the first wrong elements.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sectorscope/flags.hpp"
#include "sectorscope/standard_streams.hpp"
#include "sectorscope/verify.hpp"

namespace sectorscope {

/// Says once for each kind of flag what to do about it.
class Advice {
 public:
  explicit Advice(bool wanted) : wanted_(wanted) {}

  void give(const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) {
      if (wanted_ && given_.insert(flag.name).second) warn(fmt::format("{}: {}", flag.name, flag.advice));
    }
  }

 private:
  bool wanted_;
  std::set<std::string_view> given_;
};

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
