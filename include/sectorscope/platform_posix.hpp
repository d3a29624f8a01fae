#pragma once
// The one place of POSIX calls; platform.hpp includes it. A function that returns false, -1 or an empty optional leaves
// the reason in errno; callers turn it into an error that names the file.

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace sectorscope::platform {

inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

struct FileStatus {
  bool is_regular;
  std::uint64_t size;  ///< bytes; meaningful for regular files only
};

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

/// Gives a standard stream that was closed at the start a descriptor that cannot be used, so that no file, and no
/// driver's socket, gets its number and then our output.
inline void reserve_standard_streams() {
  for (int file = 0; file <= 2; ++file) {
    if (::fcntl(file, F_GETFD) >= 0) continue;
    const int null =
        ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest free number: this one
    if (null < 0) return;
  }
}

inline constexpr int standard_error = STDERR_FILENO;

/// Whether two descriptors are one regular file or one pipe, where the writes of both would mix.
inline bool are_same_file(int a, int b) {
  struct stat first = {};
  struct stat second = {};
  if (::fstat(a, &first) != 0 || ::fstat(b, &second) != 0) return false;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino &&
         (S_ISREG(first.st_mode) || S_ISFIFO(first.st_mode));
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

/// The exclusive lock, if nobody else holds it.
inline bool try_lock_file(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; }

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

}  // namespace sectorscope::platform
