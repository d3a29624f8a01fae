#pragma once
// stdout carries what was asked for, and its errors count; stderr carries the rest, and its errors do not: a closed or
// full stderr must neither lose a row nor change an exit code.

#include <cerrno>
#include <string>
#include <system_error>

#include "sectorscope/errors.hpp"
#include "sectorscope/one_line.hpp"
#include "sectorscope/platform.hpp"

namespace sectorscope {

/// Text to stdout at once; throws ClosedPipe where nobody can read it, IoError where it cannot be written.
inline void print(const std::string& text) {
  if (platform::write_all(platform::open_standard_output(), text)) return;
  const int reason = errno;
  const std::string message = "cannot write to standard output: " + std::generic_category().message(reason);
  if (reason == EPIPE || reason == EBADF) throw ClosedPipe(message);
  throw IoError(message);
}

/// Text to stderr at once, if it can be written.
inline void print_error(const std::string& text) noexcept { platform::write_all(platform::standard_error, text); }

/// A line to stderr, if it can be written.
inline void warn(const std::string& line) { print_error(one_line(line) + "\n"); }

}  // namespace sectorscope
