#pragma once

#include <string>
#include <string_view>

namespace sectorscope {

/// Text with its control characters masked: what an argument or a file's name holds starts no line and no colour in a
/// message.
inline std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if ((c >= 0 && c < ' ') || c == '\x7f') c = '?';
  }
  return line;
}

}  // namespace sectorscope
