#pragma once

// The one place of operating-system calls. A function that returns false, -1 or an empty optional leaves the reason in
// errno; callers turn it into an error that names the file.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <windows.h>
#else
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace sectorscope::platform {

struct FileStatus {
  bool is_regular;
  std::uint64_t size;  ///< bytes; meaningful for regular files only
};

#ifndef _WIN32

/// Opens for appending and creates where missing; a FIFO waits for its reader. -1 on failure.
inline int open_for_append(const char* path) {
  // A regular file is read back, so it is opened for both. Anything else is opened for writing only: a FIFO that is
  // open for reading too would neither wait for a reader nor notice that one has gone.
  struct stat status = {};
  const bool is_special = ::stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  const int flags = O_APPEND | O_CLOEXEC | O_NOCTTY | (is_special ? O_WRONLY : O_RDWR | O_CREAT);
  int file = -1;
  do file = ::open(path, flags, 0666);
  while (file < 0 && errno == EINTR);
  if (file < 0 || file > 2) return file;
  // A process that was started with a closed standard stream gets its number for the next file it opens, and would
  // print its messages into that file.
  const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, 3);
  const int reason = errno;
  ::close(file);
  errno = reason;
  return moved;
}

inline int open_standard_output() { return STDOUT_FILENO; }

inline void close_file(int file) { ::close(file); }

inline std::optional<FileStatus> file_status(int file) {
  struct stat status = {};
  if (::fstat(file, &status) != 0) return std::nullopt;
  return FileStatus{S_ISREG(status.st_mode), static_cast<std::uint64_t>(status.st_size)};
}

/// Reads exactly `count` bytes from `offset`.
inline bool read_at(int file, std::uint64_t offset, char* to, std::size_t count) {
  while (count != 0) {
    const ssize_t got = ::pread(file, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;  // shorter than it was a moment ago
    if (got <= 0) return false;
    to += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Writes all of it; false may leave a part of it written.
inline bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // a stream that another of its owners has made non-blocking
      struct pollfd waiting = {file, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// Cuts the file to `size` bytes and writes on from there.
inline bool truncate_file(int file, std::uint64_t size) {
  return ::ftruncate(file, static_cast<off_t>(size)) == 0 && ::lseek(file, static_cast<off_t>(size), SEEK_SET) >= 0;
}

/// Waits for the exclusive lock. Goes on without one on a file system that has none (some network mounts): the one
/// write of a row is still an append.
inline bool lock_file(int file) {
  while (::flock(file, LOCK_EX) != 0) {
    if (errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK) return true;
    if (errno != EINTR) return false;
  }
  return true;
}

inline void unlock_file(int file) { ::flock(file, LOCK_UN); }

inline bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

/// Makes a closed pipe and a file-size limit errors of the write instead of the end of the process.
inline void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

inline void* open_library(const char* name) { return ::dlopen(name, RTLD_LAZY | RTLD_LOCAL); }
inline void close_library(void* library) { ::dlclose(library); }
inline void* find_symbol(void* library, const char* name) { return ::dlsym(library, name); }

#else  // Windows: the same interface, compiled there by nobody yet.

inline int open_for_append(const char* path) {
  return _open(path, _O_RDWR | _O_APPEND | _O_CREAT | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

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

#endif

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

/// Processors online, at least 1.
inline unsigned cpu_count() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace sectorscope::platform
