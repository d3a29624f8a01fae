#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "sectorscope/errors.hpp"
#include "sectorscope/platform.hpp"
#include "sectorscope/standard_streams.hpp"

namespace sectorscope {

/// Where rows of text go: a file that keeps the rows of earlier runs, or a stream. Whatever happens to the process,
/// the disk or the neighbour that appends to the same file, a regular file holds one header and whole rows.
/// The caller has called platform::ignore_write_signals().
class OutputFile {
 public:
  /// Opens `target`, `-` for standard output. An empty regular file and anything that is no regular file gets the
  /// header. A regular file with another header (one that ends in CR LF included) or an unfinished last line is
  /// refused untouched. `quiet`: no note on stderr about waiting for another process. Throws IoError, or ClosedPipe
  /// where the reader has gone.
  OutputFile(const std::string& target, std::string header_line, bool quiet = false)
      : name_(target == "-" ? "standard output" : "'" + target + "'"),
        file_(target == "-" ? platform::Descriptor::standard_output() : platform::Descriptor::appending_to(target)),
        tells_waiting_(!quiet) {
    if (!file_) fail("cannot open", errno);
    if (target != "-" && platform::are_same_file(file_.get(), platform::open_standard_output())) {
      throw IoError("cannot write to " + name_ + ": it is standard output, where the table goes (use -)");
    }
    const std::string header = finished(std::move(header_line));
    is_regular_ = status().is_regular;
    if (is_regular_ && platform::are_same_file(file_.get(), platform::standard_error)) {
      throw IoError("cannot write to " + name_ + ": it is standard error, where messages go");
    }
    const Lock lock(*this);  // of two processes that open the same new file, one finds it empty
    if (target != "-" && is_regular_ && status().size != 0) {
      require_header(header);
    } else {
      write_whole(header);
    }
  }

  /// Adds one row in one write, all of it or (on a regular file) nothing; a missing last LF is added.
  /// Throws IoError, or ClosedPipe where the reader has gone.
  void append(std::string_view line) {
    const std::string row = finished(std::string(line));
    const Lock lock(*this);
    write_whole(row);
  }

 private:
  /// Keeps other processes off a regular file. Streams are not locked: a second writer there is the user's wish.
  class Lock {
   public:
    explicit Lock(const OutputFile& output) : output_(output) {
      if (!output.is_regular_ || platform::try_lock_file(output.file_.get())) return;
      if (errno == EWOULDBLOCK && std::exchange(output.tells_waiting_, false)) {
        warn("note: waiting for the process that holds the lock on " + output.name_);
      }
      if (!platform::lock_file(output.file_.get())) output.fail("cannot lock", errno);
    }
    Lock(const Lock&) = delete;  // one lock, one release
    Lock& operator=(const Lock&) = delete;
    ~Lock() {
      if (output_.is_regular_) platform::unlock_file(output_.file_.get());
    }

   private:
    const OutputFile& output_;
  };

  static std::string finished(std::string line) {
    if (line.empty() || line.back() != '\n') line += '\n';
    return line;
  }

  [[noreturn]] void fail(const std::string& what, int reason) const {
    const std::string message = what + " " + name_ + ": " + std::generic_category().message(reason);
    if (reason == EPIPE) throw ClosedPipe(message);
    throw IoError(message);
  }

  platform::FileStatus status() const {
    const auto status = platform::file_status(file_.get());
    if (!status) fail("cannot examine", errno);
    return *status;
  }

  void require_header(const std::string& header) const {
    const std::uint64_t size = status().size;
    char last = '\0';
    std::string start(header.size() < size ? header.size() : static_cast<std::size_t>(size), '\0');
    if (!platform::read_at(file_.get(), size - 1, &last, 1) ||
        !platform::read_at(file_.get(), 0, start.data(), start.size())) {
      fail("cannot read", errno);
    }
    if (last != '\n') throw IoError("cannot append to " + name_ + ": its last line does not end in a newline");
    if (start != header) throw IoError("cannot append to " + name_ + ": its first line is another header");
  }

  void write_whole(const std::string& line) const {
    const std::uint64_t former_size = status().size;
    if (platform::write_all(file_.get(), line)) return;
    const int reason = errno;
    if (is_regular_ && !platform::truncate_file(file_.get(), former_size)) {
      fail("cannot take back the part of a row in", reason);
    }
    fail("cannot write to", reason);
  }

  std::string name_;  ///< as messages call it
  platform::Descriptor file_;
  bool is_regular_ = false;
  mutable bool tells_waiting_;  ///< once; not a state of the file
};

}  // namespace sectorscope
