#pragma once
// The interface of platform_posix.hpp on Windows; compiled there by nobody yet. platform.hpp includes it.

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace sectorscope::platform {

inline constexpr const char* nvml_library = "nvml.dll";

struct FileStatus {
  bool is_regular;
  std::uint64_t size;  ///< bytes; meaningful for regular files only
};

inline int open_for_append(const char* path) {
  return _open(path, _O_RDWR | _O_APPEND | _O_CREAT | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

inline void reserve_standard_streams() {}  // the runtime does
inline constexpr int standard_error = 2;
inline bool are_same_file(int, int) { return false; }

inline int open_standard_output() {
  _setmode(1, _O_BINARY);  // or every LF becomes CR LF
  return 1;
}

inline void close_file(int file) { _close(file); }

inline std::optional<FileStatus> file_status(int file) {
  struct _stat64 status = {};
  if (_fstat64(file, &status) != 0) return std::nullopt;
  return FileStatus{(status.st_mode & _S_IFMT) == _S_IFREG, static_cast<std::uint64_t>(status.st_size)};
}

inline bool read_at(int file, std::uint64_t offset, char* to, std::size_t count) {
  if (_lseeki64(file, static_cast<__int64>(offset), SEEK_SET) < 0) return false;
  return _read(file, to, static_cast<unsigned>(count)) == static_cast<int>(count);
}

inline bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const int written = _write(file, text.data(), static_cast<unsigned>(std::min<std::size_t>(text.size(), 1 << 30)));
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

inline bool truncate_file(int file, std::uint64_t size) {
  return _chsize_s(file, static_cast<__int64>(size)) == 0 && _lseeki64(file, 0, SEEK_END) >= 0;
}

// The locked byte lies beyond any end of file: these locks are mandatory, and rows must stay readable.
inline bool lock_file(int file) {
  OVERLAPPED place = {};
  place.OffsetHigh = 0x7fffffff;
  return LockFileEx(reinterpret_cast<HANDLE>(_get_osfhandle(file)), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &place) != 0;
}

inline bool try_lock_file(int) { return false; }

inline void unlock_file(int file) {
  OVERLAPPED place = {};
  place.OffsetHigh = 0x7fffffff;
  UnlockFileEx(reinterpret_cast<HANDLE>(_get_osfhandle(file)), 0, 1, 0, &place);
}

inline bool is_terminal(std::FILE* stream) { return _isatty(_fileno(stream)) != 0; }
inline void ignore_write_signals() {}  // there are none

inline void* open_library(const char* name) { return LoadLibraryA(name); }
inline void close_library(void* library) { FreeLibrary(static_cast<HMODULE>(library)); }
inline void* find_symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace sectorscope::platform
#endif
