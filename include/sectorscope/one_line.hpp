#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sectorscope {

namespace detail {

/// Bytes of the UTF-8 character that `text` starts with, where it is one that a line may hold: neither a control
/// character of ASCII nor one of U+0080..U+009F, which many terminals obey too. 0 for those, and for what is no UTF-8.
inline std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) < 0x80) return byte(0) >= ' ' && byte(0) != 0x7F ? 1 : 0;
  const std::size_t length = byte(0) >= 0xC2 && byte(0) < 0xE0   ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0 ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                                 : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return byte(0) == 0xC2 && byte(1) < 0xA0 ? 0 : length;
}

}  // namespace detail

/// Text with its control characters masked, and what is no UTF-8: what an argument or a file's name holds starts no
/// line and no colour in a message.
inline std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = detail::printable_length(text);
    line += length == 0 ? std::string_view("?") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

}  // namespace sectorscope
