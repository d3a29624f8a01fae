#pragma once
// A line of progress on a terminal, for runs long enough to make one wonder.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "sectorscope/platform.hpp"
#include "sectorscope/standard_streams.hpp"

namespace sectorscope {

class Progress {
 public:
  explicit Progress(bool wanted) : enabled_(wanted && platform::is_terminal(stderr)) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;  // one line, one owner
  Progress& operator=(const Progress&) = delete;

  /// Shows step `done` of `total`, once the run has taken two seconds.
  void show(std::size_t done, std::size_t total, const std::string& what) {
    using namespace std::chrono;
    if (!enabled_ || steady_clock::now() - start_ < seconds(2)) return;
    print_error(fmt::format("\r\033[K[{}/{}] {}", done, total, what));
    shown_ = true;
  }

  /// Removes the line, so that rows start on a clean one.
  void clear() {
    if (!shown_) return;
    print_error("\r\033[K");
    shown_ = false;
  }

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace sectorscope
