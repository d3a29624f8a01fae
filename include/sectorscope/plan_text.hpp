#pragma once
// --plan: which launches of the process are whose, and the ncu command that profiles one.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sectorscope/options.hpp"
#include "sectorscope/record.hpp"

namespace sectorscope {

/// "stride_gather:stride=65"; without an axis, the variant alone.
inline std::string configuration_name(const Key& key) {
  std::string name = key.variant;
  if (key.struct_bytes) name += fmt::format(":struct_bytes={}", *key.struct_bytes);
  if (key.lanes) name += fmt::format(":lanes={}", *key.lanes);
  if (key.value) name += fmt::format(":{}={}", key.parameter, *key.value);
  return name;
}

/// The NVTX range of a configuration: "stride:stride_gather:stride=65"; configurations that differ in what it does not
/// name share it.
inline std::string range_name(const Key& key) {
  const std::string name = key.experiment + ":" + key.variant;
  return key.value ? fmt::format("{}:{}={}", name, key.parameter, *key.value) : name;
}

/// A word for a POSIX shell, in single quotes where it needs them.
inline std::string shell_word(const std::string& text) {
  const std::string plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%^";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// One configuration: its launches, and the whole ncu line. `command` is the program and its arguments.
inline std::string plan_text(const Record& record, const Options& options, const std::vector<std::string>& command) {
  std::string report = record.key.experiment + "-" + configuration_name(record.key);
  std::replace_if(
      report.begin(), report.end(), [](char c) { return c == ':' || c == '='; }, '-');
  std::string line = fmt::format(
      "ncu --launch-skip {} --launch-count 1 --clock-control none --cache-control none "
      "--section LaunchStats --section MemoryWorkloadAnalysis --section MemoryWorkloadAnalysis_Chart "
      "--section MemoryWorkloadAnalysis_Tables --section SourceCounters --import-source yes --export {}",
      record.prediction.launch_skip, shell_word(report));
  for (const std::string& word : command) {
    if (word != "--plan") line += " " + shell_word(word);
  }
  const std::uint64_t first = record.prediction.launch_skip;
  return fmt::format("{}\n  warm-up {} launches, then {} timed: launches {}..{} of the process\n  {}\n",
                     configuration_name(record.key), options.warmup, options.runs * options.iterations, first,
                     first + options.runs * options.iterations - 1, line);
}

}  // namespace sectorscope
