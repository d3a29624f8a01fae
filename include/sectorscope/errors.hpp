#pragma once

#include <stdexcept>
#include <string>

namespace sectorscope {

/// What a process returns. `failure` outranks `mismatch`.
enum class ExitCode : int { ok = 0, mismatch = 1, usage = 2, failure = 3, no_device = 77 };

/// Base of every error that ends a run: its message is for the user, its exit code for the shell.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), exit_code_(code) {}
  ExitCode exit_code() const noexcept { return exit_code_; }

 private:
  ExitCode exit_code_;
};

/// A request that is wrong whatever the machine; the message names the option, the value and what is legal.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// A file or stream that cannot be opened, read or written; the message names it and the reason.
class IoError : public Error {
 public:
  explicit IoError(const std::string& message) : Error(ExitCode::failure, message) {}
};

/// The reader of a pipe has gone: nobody is left to tell, so the caller ends quietly.
class ClosedPipe : public IoError {
 public:
  using IoError::IoError;
};

/// A machine that cannot serve a legal request: CUDA failed, too little memory, a driver too old.
class EnvironmentError : public Error {
 public:
  explicit EnvironmentError(const std::string& message) : Error(ExitCode::failure, message) {}
};

/// No CUDA device, or no driver at all.
class NoDevice : public Error {
 public:
  explicit NoDevice(const std::string& message) : Error(ExitCode::no_device, message) {}
};

}  // namespace sectorscope
