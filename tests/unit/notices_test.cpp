#include "sectorscope/notices.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace sectorscope {
namespace {

/// What `act` writes to stderr.
template <class Act>
std::string said(const Act& act) {
  testing::internal::CaptureStderr();
  act();
  return testing::internal::GetCapturedStderr();
}

TEST(LaunchingShows, InATimeUnderTwiceWhatIssuingTakes) {
  EXPECT_TRUE(is_held_up_by_launching(9e-6, 5e-6));
  EXPECT_FALSE(is_held_up_by_launching(10e-6, 5e-6));
  EXPECT_FALSE(is_held_up_by_launching(1e-6, std::nullopt));  // cold, or it could not be told
}

TEST(Advice, SaysOnceThatLaunchingShows) {
  const std::string text = said([] {
    Advice advice(true);
    advice.compare_with_issue("offset_read:offset=0", 66e-6, 5e-6);
    advice.compare_with_issue("offset_read:offset=1", 5.2e-6, 4.8e-6);
    advice.compare_with_issue("offset_read:offset=2", 5.2e-6, 4.8e-6);
  });
  EXPECT_EQ(
      text,
      "note: offset_read:offset=1: a launch takes 5.2 us, and the host needs 4.8 us to issue one: launching shows "
      "in its time; ask for more elements\n");
  EXPECT_EQ(said([] { Advice(false).compare_with_issue("x", 1e-6, 1e-6); }), "");
}

TEST(Circumstances, AreNotedWhereTheyDisturb) {
  unsetenv("CUDA_LAUNCH_BLOCKING");
  EXPECT_EQ(said([] { note_circumstances({}, true); }), "");
  EXPECT_EQ(said([] { note_circumstances({12, 345}, true); }), "note: other processes use this GPU: pid 12, 345\n");
  EXPECT_NE(said([] { note_circumstances({}, false); }).find("the runs of a ceiling differ"), std::string::npos);
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  EXPECT_NE(said([] { note_circumstances({}, true); }).find("CUDA_LAUNCH_BLOCKING is set"), std::string::npos);
  unsetenv("CUDA_LAUNCH_BLOCKING");
}

}  // namespace
}  // namespace sectorscope
