#include "sectorscope/same_target.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sectorscope {
namespace {

class SameTarget : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("same target " + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "inner");
    std::ofstream(folder_ / "file") << "a\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string at(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(SameTarget, IsSeenThroughAnotherSpelling) {
  EXPECT_TRUE(is_same_target(at("file"), at("inner/../file")));
  EXPECT_TRUE(is_same_target(at("new"), at("inner/../new")));
  EXPECT_TRUE(is_same_target(at("new"), at("./new")));
  EXPECT_TRUE(is_same_target("-", "-"));
}

TEST_F(SameTarget, IsSeenThroughLinks) {
  std::filesystem::create_symlink("file", folder_ / "link");
  std::filesystem::create_hard_link(folder_ / "file", folder_ / "second");
  EXPECT_TRUE(is_same_target(at("file"), at("link")));
  EXPECT_TRUE(is_same_target(at("file"), at("second")));
}

TEST_F(SameTarget, IsNotWhatDiffersOrCannotBeLookedAt) {
  EXPECT_FALSE(is_same_target(at("file"), at("new")));
  EXPECT_FALSE(is_same_target(at("new"), at("newer")));
  EXPECT_FALSE(is_same_target("-", at("file")));
  EXPECT_FALSE(is_same_target("-", "./-"));
  std::filesystem::create_symlink("loop", folder_ / "loop");
  std::filesystem::create_symlink("other", folder_ / "other");
  EXPECT_FALSE(is_same_target(at("loop"), at("other")));
}

}  // namespace
}  // namespace sectorscope
