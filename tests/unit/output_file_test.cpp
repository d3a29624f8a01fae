#include "sectorscope/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace sectorscope {
namespace {

static_assert(std::is_move_constructible_v<OutputFile> && !std::is_copy_constructible_v<OutputFile>);
static_assert(std::is_move_constructible_v<platform::DynamicLibrary> &&
              !std::is_copy_constructible_v<platform::DynamicLibrary>);

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// The message of the IoError that the call ends in, or "accepted".
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const IoError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::failure);
    return error.what();
  }
  return "accepted";
}

/// Runs the call in a child process; true when it returned true there.
template <class Call>
pid_t start_child(Call call) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool ok = false;
    try {
      ok = call();
    } catch (...) {
    }
    ::_exit(ok ? 0 : 1);
  }
  return child;
}

bool succeeded(pid_t child) {
  int status = -1;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Files of this process may not grow past `bytes`: a write across that line comes back short, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit limit{bytes, former_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &former_); }

 private:
  rlimit former_{};
};

/// Standard output is another file for a while.
class Redirected {
 public:
  explicit Redirected(int file) : former_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    ::dup2(file, STDOUT_FILENO);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  ~Redirected() {
    ::dup2(former_, STDOUT_FILENO);
    ::close(former_);
  }

 private:
  int former_;
};

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    platform::ignore_write_signals();
    std::string name = (std::filesystem::temp_directory_path() / "sectorscope XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ + "/rows.csv";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  std::string path_;
};

TEST_F(OutputFileTest, NewFileGetsTheHeaderAtOnceAndThenTheRows) {
  OutputFile output(path_, "a,b\n");
  EXPECT_EQ(read_all(path_), "a,b\n");
  output.append("1,2\n");
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n");  // on disk before the next configuration is measured
  output.append("3,4\n");
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n3,4\n");
}

TEST_F(OutputFileTest, EmptyFileGetsTheHeader) {
  write_file(path_, "");
  OutputFile output(path_, "a,b\n");
  EXPECT_EQ(read_all(path_), "a,b\n");
}

TEST_F(OutputFileTest, SameHeaderIsKeptAndRowsAreAppended) {
  write_file(path_, "a,b\n1,2\n");
  OutputFile(path_, "a,b\n").append("3,4\n");
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n3,4\n");
}

TEST_F(OutputFileTest, MissingLineFeedIsAddedOnceToHeaderAndRow) {
  OutputFile(path_, "a,b").append("1,2");
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n");
}

TEST_F(OutputFileTest, StillWritesAfterAMove) {
  OutputFile first(path_, "a,b\n");
  OutputFile second(std::move(first));
  second.append("1,2\n");
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n");
}

TEST_F(OutputFileTest, OtherHeaderIsRefusedUntouched) {
  for (const char* bytes : {"a,c\n1,2\n", "a,b,c\n", "a,b\r\n1,2\r\n", "a\n", "\n", "a,b \n", "A,b\n",
                            "\xef\xbb\xbf"
                            "a,b\n",
                            "x\na,b\n"}) {
    write_file(path_, bytes);
    EXPECT_EQ(refusal([&] { OutputFile(path_, "a,b\n"); }),
              "cannot append to '" + path_ + "': its first line is another header");
    EXPECT_EQ(read_all(path_), bytes);
  }
}

TEST_F(OutputFileTest, UnfinishedLastLineIsRefusedUntouched) {
  for (const char* bytes : {"a,b\n1,2", "a,b", "a", "a,b\n1,2\r", "a,b\n "}) {
    write_file(path_, bytes);
    EXPECT_EQ(refusal([&] { OutputFile(path_, "a,b\n"); }),
              "cannot append to '" + path_ + "': its last line does not end in a newline");
    EXPECT_EQ(read_all(path_), bytes);
  }
}

TEST_F(OutputFileTest, FailureToOpenNamesTheFileAndTheReason) {
  EXPECT_EQ(refusal([&] { OutputFile(folder_, "a\n"); }), "cannot open '" + folder_ + "': Is a directory");
  const std::string missing = folder_ + "/missing/rows.csv";
  EXPECT_EQ(refusal([&] { OutputFile(missing, "a\n"); }), "cannot open '" + missing + "': No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/missing"));
  EXPECT_EQ(refusal([] { OutputFile("", "a\n"); }), "cannot open '': No such file or directory");
}

TEST_F(OutputFileTest, FileWithoutPermissionIsRefused) {
  write_file(path_, "a\n");
  ASSERT_EQ(::chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  EXPECT_TRUE(succeeded(start_child([&] {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return false;  // root may do everything
    return refusal([&] { OutputFile(path_, "a\n"); }) == "cannot open '" + path_ + "': Permission denied";
  })));
}

TEST_F(OutputFileTest, FullDeviceIsAnErrorBeforeAnythingIsMeasured) {
  EXPECT_EQ(refusal([] { OutputFile("/dev/full", "a\n"); }), "cannot write to '/dev/full': No space left on device");
}

TEST_F(OutputFileTest, CharacterDeviceIsNotReadBack) {
  OutputFile output("/dev/null", "a\n");
  output.append("1\n");
}

TEST_F(OutputFileTest, RowThatFitsInPartOnlyIsTakenBack) {
  OutputFile output(path_, "a,b\n");
  output.append("1,2\n");
  {
    const FileSizeLimit limit(11);  // the header, one row and 3 bytes
    EXPECT_EQ(refusal([&] { output.append("300000,400000\n"); }), "cannot write to '" + path_ + "': File too large");
    EXPECT_EQ(read_all(path_), "a,b\n1,2\n");
  }
  output.append("5,6\n");
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n5,6\n");
}

TEST_F(OutputFileTest, HeaderThatFitsInPartOnlyIsTakenBack) {
  {
    const FileSizeLimit limit(2);
    EXPECT_EQ(refusal([&] { OutputFile(path_, "a,b\n"); }), "cannot write to '" + path_ + "': File too large");
  }
  EXPECT_EQ(read_all(path_), "");
  OutputFile(path_, "a,b\n").append("1,2\n");  // so that the next run finds a file it can use
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n");
}

TEST_F(OutputFileTest, FourProcessesLeaveOneHeaderAndWholeRows) {
  std::array<int, 2> gate{};
  ASSERT_EQ(::pipe(gate.data()), 0);
  std::vector<pid_t> children;
  for (char name = 'p'; name < 't'; ++name) {
    children.push_back(start_child([&] {
      ::close(gate[1]);
      char none = '\0';
      if (::read(gate[0], &none, 1) != 0) return false;  // all start when the parent closes the gate
      OutputFile output(path_, "process,row,text\n");
      for (int row = 0; row < 200; ++row) {
        output.append(name + ("," + std::to_string(row)) + "," + std::string(static_cast<std::size_t>(row) * 37, name) +
                      "\n");
      }
      return true;
    }));
  }
  ::close(gate[0]);
  ::close(gate[1]);
  for (const pid_t child : children) EXPECT_TRUE(succeeded(child));

  std::istringstream lines(read_all(path_));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "process,row,text");
  std::array<int, 4> next{};  // each process's rows are all there, whole and in its order
  while (std::getline(lines, line)) {
    const char name = line.at(0);
    ASSERT_TRUE(name >= 'p' && name < 't') << line;
    const int row = next.at(static_cast<std::size_t>(name - 'p'))++;
    ASSERT_EQ(line, name + ("," + std::to_string(row)) + "," + std::string(static_cast<std::size_t>(row) * 37, name));
  }
  EXPECT_EQ(next, (std::array<int, 4>{200, 200, 200, 200}));
}

TEST_F(OutputFileTest, OpeningWaitsForTheLockBeforeItLooksForAHeader) {
  const int other = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  auto opened = std::async(std::launch::async, [&] { OutputFile(path_, "a,b\n"); });
  EXPECT_EQ(opened.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_EQ(read_all(path_), "");
  ASSERT_EQ(::write(other, "a,b\n", 4), 4);  // the other process was first
  ::flock(other, LOCK_UN);
  opened.get();
  EXPECT_EQ(read_all(path_), "a,b\n");
  ::close(other);
}

TEST_F(OutputFileTest, RowWaitsForTheLockAndGivesItBack) {
  OutputFile output(path_, "a,b\n");
  const int other = ::open(path_.c_str(), O_WRONLY | O_APPEND);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);  // not held between rows
  auto appended = std::async(std::launch::async, [&] { output.append("1,2\n"); });
  EXPECT_EQ(appended.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_EQ(read_all(path_), "a,b\n");
  ::flock(other, LOCK_UN);
  appended.get();
  EXPECT_EQ(read_all(path_), "a,b\n1,2\n");
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  ::close(other);
}

TEST_F(OutputFileTest, WaitingIsToldOnceAndNeverWhenQuiet) {
  const auto told_while_two_rows_wait = [&](bool quiet) {
    OutputFile output(path_, "a,b\n", quiet);
    const int other = ::open(path_.c_str(), O_WRONLY | O_APPEND);
    testing::internal::CaptureStderr();
    for (int row = 0; row < 2; ++row) {
      EXPECT_EQ(::flock(other, LOCK_EX), 0);
      auto appended = std::async(std::launch::async, [&] { output.append("1,2\n"); });
      appended.wait_for(std::chrono::milliseconds(50));
      ::flock(other, LOCK_UN);
      appended.get();
    }
    ::close(other);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(told_while_two_rows_wait(false), "note: waiting for the process that holds the lock on '" + path_ + "'\n");
  EXPECT_EQ(told_while_two_rows_wait(true), "");
}

TEST_F(OutputFileTest, TheFileThatMessagesGoToIsRefusedUntouched) {
  testing::internal::CaptureStderr();  // a regular file
  const std::string message = refusal([] { OutputFile("/dev/stderr", "a,b\n"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(message, "cannot write to '/dev/stderr': it is standard error, where messages go");
}

TEST_F(OutputFileTest, NamedPipeGetsHeaderAndRowsOnceAReaderComes) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0666), 0);
  struct sigaction former = {};
  struct sigaction ignored = {};
  ignored.sa_handler = [](int) {};  // without SA_RESTART: the waiting open is interrupted
  ::sigaction(SIGALRM, &ignored, &former);
  std::string read;
  std::thread reader;
  const itimerval soon{{0, 5000}, {0, 5000}};
  const itimerval never{};
  {
    sigset_t alarm;
    ::sigemptyset(&alarm);
    ::sigaddset(&alarm, SIGALRM);
    ::pthread_sigmask(SIG_BLOCK, &alarm, nullptr);  // the reader inherits this: the writer gets the signals
    reader = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      read = read_all(path_);
    });
    ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  }
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  const std::string row = std::string(300000, 'x') + "\n";  // more than a pipe holds
  {
    OutputFile output(path_, "a\n");
    output.append(row);
  }
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &former, nullptr);
  reader.join();
  EXPECT_TRUE(read == "a\n" + row);
}

TEST_F(OutputFileTest, NamedPipeWhoseReaderHasGoneIsAClosedPipe) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0666), 0);
  auto reader = std::async(std::launch::async, [&] { return ::open(path_.c_str(), O_RDONLY); });
  OutputFile output(path_, "a\n");
  ::close(reader.get());
  EXPECT_THROW(output.append("1\n"), ClosedPipe);  // a descriptor open for reading too would be its own reader
}

TEST_F(OutputFileTest, PipeThatItsOwnerMadeNonBlockingGetsTheWholeRow) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string row = std::string(300000, 'x') + "\n";
  auto read = std::async(std::launch::async, [&] {
    std::string text;
    std::array<char, 4096> part{};
    while (text.size() < row.size() + 2) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      const ssize_t got = ::read(ends[0], part.data(), part.size());
      if (got <= 0) break;
      text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
  });
  {
    const Redirected redirected(ends[1]);
    OutputFile("-", "a\n").append(row);
  }
  ::close(ends[1]);
  EXPECT_TRUE(read.get() == "a\n" + row);
  ::close(ends[0]);
}

TEST_F(OutputFileTest, PipeWithoutAReaderIsAClosedPipeAndNoSignal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Redirected redirected(ends[1]);
  OutputFile output("-", "a\n");
  ::close(ends[0]);
  EXPECT_THROW(output.append("1\n"), ClosedPipe);
  EXPECT_THROW(OutputFile("-", "a\n"), ClosedPipe);
  ::close(ends[1]);
}

TEST_F(OutputFileTest, StandardOutputGetsHeaderAndRowsAndStaysOpen) {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT, 0666);
  {
    const Redirected redirected(file);
    OutputFile("-", "a,b\n").append("1,2\n");
    EXPECT_EQ(::write(STDOUT_FILENO, "more\n", 5), 5);
  }
  ::close(file);
  EXPECT_EQ(read_all(path_), "a,b\n1,2\nmore\n");
}

TEST_F(OutputFileTest, StandardOutputInAFileKeepsWholeRowsAndNoHole) {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT, 0666);
  {
    const Redirected redirected(file);
    OutputFile output("-", "a,b\n");
    {
      const FileSizeLimit limit(7);
      EXPECT_EQ(refusal([&] { output.append("1000,2000\n"); }), "cannot write to standard output: File too large");
    }
    output.append("3,4\n");
  }
  ::close(file);
  EXPECT_EQ(read_all(path_), "a,b\n3,4\n");
}

TEST_F(OutputFileTest, ClosedStandardOutputIsAnErrorAndItsNumberIsNotGivenToAFile) {
  EXPECT_TRUE(succeeded(start_child([&] {
    ::close(STDOUT_FILENO);
    if (refusal([] { OutputFile("-", "a\n"); }) != "cannot examine standard output: Bad file descriptor") return false;
    OutputFile output(path_, "a\n");
    return ::write(STDOUT_FILENO, "table", 5) == -1 && read_all(path_) == "a\n";
  })));
}

TEST(Platform, FindsAFunctionOfALibraryAndSurvivesAMissingOne) {
  platform::DynamicLibrary library("libm.so.6");
  ASSERT_TRUE(library);
  const platform::DynamicLibrary moved = std::move(library);
  const auto cosine = moved.symbol<double(double)>("cos");
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_EQ(moved.symbol<int()>("no_such_function"), nullptr);

  const platform::DynamicLibrary missing("libno_such_library.so.1");
  EXPECT_FALSE(missing);
  EXPECT_EQ(missing.symbol<int()>("cos"), nullptr);
}

TEST(Platform, TellsAnUnsetVariableFromAnEmptyOne) {
  ::setenv("SECTORSCOPE_TEST_VARIABLE", "", 1);
  EXPECT_EQ(platform::environment("SECTORSCOPE_TEST_VARIABLE"), "");
  ::unsetenv("SECTORSCOPE_TEST_VARIABLE");
  EXPECT_EQ(platform::environment("SECTORSCOPE_TEST_VARIABLE"), std::nullopt);
}

TEST(Platform, TellsAFileFromATerminal) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(platform::is_terminal(file));
  std::fclose(file);
}

}  // namespace
}  // namespace sectorscope
