#pragma once
// From samples and a verdict to the measured part of a record.

#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "sectorscope/flags.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/statistics.hpp"
#include "sectorscope/verify.hpp"

namespace sectorscope {

/// Now, in UTC, as ISO 8601 writes it.
inline std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text.data();
}

/// `summary` is in seconds. Ceiling and clocks are the session's to fill in.
inline Measured measured_of(const Summary& summary, const Verification& verification, const std::vector<Flag>& flags) {
  Measured measured;
  measured.median_s = summary.median;
  measured.mean_s = summary.mean;
  measured.min_s = summary.min;
  measured.max_s = summary.max;
  measured.deviation_s = summary.sample_deviation;
  measured.mismatches = verification.mismatches;
  if (verification.error_is_finite) measured.max_abs_error = verification.max_abs_error;
  for (const Flag& flag : flags) measured.flags += (measured.flags.empty() ? "" : ";") + std::string(flag.name);
  measured.timestamp = timestamp();
  return measured;
}

}  // namespace sectorscope
