#pragma once
// The closing lines of aos_soa: what its layouts cost against each other, and whether their outputs agree.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sectorscope/verify.hpp"

namespace sectorscope {

enum class Layout { aos, soa, aosoa };

/// What is compared of one configuration.
struct LayoutResult {
  Layout layout;
  bool is_conversion;  ///< from AoS to SoA
  std::uint64_t struct_bytes, fields;
  double median_s;
  const Verification* verification;
};

/// Elements whose value differs between the first output and another. Where an output does not depart from the
/// reference it equals the others that do not, so only departures are compared; `all_kept` turns false where some of
/// those were only counted.
inline std::uint64_t cross_mismatches(const std::vector<const Verification*>& outputs, bool& all_kept) {
  std::map<std::uint64_t, std::vector<std::string>> departures;  // element -> its value in each output
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    all_kept = all_kept && outputs[k]->kept.size() == outputs[k]->mismatches;
    for (const Mismatch& m : outputs[k]->kept) {
      if (!m.source) continue;
      auto& values = departures.try_emplace(*m.source, outputs.size(), m.expected).first->second;
      values[k] = m.actual;
    }
  }
  std::uint64_t count = 0;
  for (const auto& [element, values] : departures) {
    for (std::size_t k = 1; k < values.size(); ++k) count += values[k] != values[0] ? 1 : 0;
  }
  return count;
}

/// Speedups and break-even counts for each struct size and number of fields, then the agreement of the outputs and the
/// largest error.
inline std::vector<std::string> compare_layouts(const std::vector<LayoutResult>& results) {
  std::vector<std::string> lines;
  // What must agree: struct bytes and fields. Medians and verdicts of each layout.
  using Group = std::pair<std::uint64_t, std::uint64_t>;
  std::map<Group, std::map<Layout, double>> medians;
  std::map<Group, std::vector<const Verification*>> verdicts;
  std::map<std::uint64_t, double> conversions;
  double largest_error = 0;
  bool finite = true;
  for (const LayoutResult& r : results) {
    largest_error = std::max(largest_error, r.verification->max_abs_error.value_or(0));
    finite = finite && r.verification->error_is_finite;
    if (r.is_conversion) {
      conversions[r.struct_bytes] = r.median_s;
    } else {
      medians[{r.struct_bytes, r.fields}][r.layout] = r.median_s;
      verdicts[{r.struct_bytes, r.fields}].push_back(r.verification);
    }
  }
  for (const auto& [group, median] : medians) {
    if (median.count(Layout::aos) == 0 || median.count(Layout::soa) == 0) continue;
    const double aos = median.at(Layout::aos);
    const double soa = median.at(Layout::soa);
    const std::string which =
        medians.size() > 1 ? fmt::format(" ({} B, {} field{})", group.first, group.second, group.second == 1 ? "" : "s")
                           : "";
    lines.push_back(fmt::format("SoA speedup over AoS: {:.2f}x{}", aos / soa, which));
    const auto conversion = conversions.find(group.first);
    if (conversion == conversions.end()) continue;
    lines.push_back(aos > soa ? fmt::format("Break-even count: R = {:.1f} launches pay for one conversion{}",
                                            conversion->second / (aos - soa), which)
                              : fmt::format("Break-even count: none, SoA is not faster{}", which));
  }
  std::uint64_t cross = 0;
  bool all_kept = true;
  for (const auto& entry : verdicts) cross += cross_mismatches(entry.second, all_kept);
  lines.push_back(fmt::format("Cross-layout mismatches: {}{}", all_kept ? "" : "at least ", cross));
  lines.push_back("Maximum absolute error: " + (finite ? fmt::format("{:g}", largest_error) : "not a finite number"));
  return lines;
}

}  // namespace sectorscope
