#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

namespace sectorscope {

/// What a set of samples comes to, in the samples' own unit.
struct Summary {
  double median;
  double mean;
  double min;
  double max;
  std::optional<double> sample_deviation;  ///< divisor n - 1; empty for one sample, whose spread is unknown, not 0
};

/// Whether samples differ by more than a result may: a deviation over 2 % of the median.
inline bool is_spread(const Summary& summary) { return summary.sample_deviation.value_or(0) > 0.02 * summary.median; }

/// Summarizes finite samples in any order. Throws std::invalid_argument without samples, or for a nan or infinite one.
inline Summary summarize(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("summarize: no samples");
  for (const double sample : samples) {
    if (!std::isfinite(sample)) throw std::invalid_argument("summarize: a sample is not finite");
  }
  std::sort(samples.begin(), samples.end());

  const std::size_t middle = samples.size() / 2;
  const double upper = samples[middle];
  const double lower = samples.size() % 2 == 0 ? samples[middle - 1] : upper;
  const double median = lower + (upper - lower) / 2;

  // Sums of distances, not of samples: equal samples get exactly their value as mean and exactly 0 as deviation,
  // and a small spread on a large value is not cancelled away.
  const auto count = static_cast<double>(samples.size());
  double distance = 0;
  for (const double sample : samples) distance += sample - median;
  const double mean = median + distance / count;

  Summary summary{median, mean, samples.front(), samples.back(), std::nullopt};
  if (samples.size() > 1) {
    double squares = 0;
    for (const double sample : samples) squares += (sample - mean) * (sample - mean);
    summary.sample_deviation = std::sqrt(squares / (count - 1));
  }
  return summary;
}

}  // namespace sectorscope
