#pragma once
// What the operating system gives, whichever it is: files, locks, terminals, libraries, environment.

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#ifdef _WIN32
#include "sectorscope/platform_windows.hpp"
#else
#include "sectorscope/platform_posix.hpp"
#endif

namespace sectorscope::platform {

/// Owns an open file, or borrows a standard stream; false when opening failed.
class Descriptor {
 public:
  static Descriptor appending_to(const std::string& path) { return Descriptor(open_for_append(path.c_str()), true); }
  static Descriptor standard_output() { return Descriptor(open_standard_output(), false); }

  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)), is_owner_(other.is_owner_) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(is_owner_, other.is_owner_);
    return *this;
  }
  ~Descriptor() {
    if (is_owner_ && file_ >= 0) close_file(file_);
  }

  explicit operator bool() const { return file_ >= 0; }
  int get() const { return file_; }

 private:
  Descriptor(int file, bool is_owner) : file_(file), is_owner_(is_owner) {}

  int file_;
  bool is_owner_;
};

/// A shared library that may be missing: ask it before use. Closed on destruction, its symbols with it.
class DynamicLibrary {
 public:
  explicit DynamicLibrary(const char* name) : library_(open_library(name)) {}
  explicit operator bool() const { return library_ != nullptr; }

  /// The function of that name and type, as in symbol<double(double)>("cos"); null where library or name is missing.
  template <class Function>
  Function* symbol(const char* name) const {
    return library_ ? reinterpret_cast<Function*>(find_symbol(library_.get(), name)) : nullptr;
  }

 private:
  struct Close {
    void operator()(void* library) const { close_library(library); }
  };
  std::unique_ptr<void, Close> library_;
};

/// An environment variable's text; an empty optional where it is not set, which differs from set to nothing.
inline std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

}  // namespace sectorscope::platform
