#pragma once
// Where rows go: the table on stdout, CSV and samples to their targets.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "sectorscope/csv_row.hpp"
#include "sectorscope/options.hpp"
#include "sectorscope/output_file.hpp"
#include "sectorscope/platform.hpp"
#include "sectorscope/record.hpp"
#include "sectorscope/standard_streams.hpp"
#include "sectorscope/table.hpp"

namespace sectorscope {

/// Opens every target at once, before anything is measured. Where stdout carries rows it carries nothing else.
class Reporter {
 public:
  explicit Reporter(const Options& options)
      : owns_stdout_(options.csv != "-" && options.samples != "-"), quiet_(options.quiet) {
    if (options.csv) csv_.emplace(*options.csv, row_header(), options.quiet);
    if (options.samples) samples_.emplace(*options.samples, samples_header(), options.quiet);
  }

  /// Context lines and the table's head.
  void begin(const std::vector<std::string>& context, const std::vector<Record>& records) {
    const bool color = platform::is_terminal(stdout) && !platform::environment("NO_COLOR");
    layout_ = TableLayout::of(records, color);
    for (const std::string& line : context) table(line);
    table("\n" + table_header(layout_));
  }

  /// One row, and its samples in seconds.
  void write(const Record& record, const std::vector<double>& samples) {
    if (csv_) csv_->append(row_line(record));
    for (std::size_t run = 0; samples_ && run < samples.size(); ++run) {
      samples_->append(sample_line(record, run + 1, samples[run]));
    }
    table(table_row(layout_, record));
  }

  /// The experiment's own closing lines, then the verdict, which --quiet keeps.
  void finish(const std::vector<std::string>& lines, const std::string& verdict) {
    for (const std::string& line : lines) table(line + "\n");
    if (owns_stdout_) print("Verification: " + verdict + "\n");
  }

 private:
  void table(const std::string& text) const {
    if (owns_stdout_ && !quiet_) print(text);
  }

  bool owns_stdout_;
  bool quiet_;
  std::optional<OutputFile> csv_;
  std::optional<OutputFile> samples_;
  TableLayout layout_;
};

}  // namespace sectorscope
