#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace sectorscope {

/// Whether two targets are one file, or would be once it is made: another spelling, a link, `-` twice. What cannot be
/// looked at is not: opening it says why.
inline bool is_same_target(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (a == "-" || b == "-") return false;
  std::error_code unknown;
  if (std::filesystem::equivalent(a, b, unknown)) return true;
  const auto canonical = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
  };
  return !canonical(a).empty() && canonical(a) == canonical(b);
}

}  // namespace sectorscope
