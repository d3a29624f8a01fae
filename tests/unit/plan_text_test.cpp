#include "sectorscope/plan_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "example_record.hpp"

namespace sectorscope {
namespace {

TEST(ConfigurationName, IsVariantAndAxis) {
  EXPECT_EQ(configuration_name(predicted_record().key), "offset_read:offset=1");
  Key key;
  key.variant = "transpose_padded";
  EXPECT_EQ(configuration_name(key), "transpose_padded");
}

TEST(ConfigurationName, TellsStructsAndLanesApart) {
  EXPECT_EQ(configuration_name(widest_record().key), "aosoa_transform:struct_bytes=24:lanes=32:fields=6");
}

TEST(ShellWord, IsQuotedOnlyWhereAShellWouldReadMore) {
  EXPECT_EQ(shell_word("build/bin/offset"), "build/bin/offset");
  EXPECT_EQ(shell_word("--strides=1:65:*2"), "'--strides=1:65:*2'");
  EXPECT_EQ(shell_word("2^20"), "2^20");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my results/x.csv"), "'my results/x.csv'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
  EXPECT_EQ(shell_word("a;b"), "'a;b'");
  EXPECT_EQ(shell_word("a\nb"), "'a\nb'");
}

TEST(PlanText, IsTheLaunchesAndTheWholeCommand) {
  EXPECT_EQ(plan_text(predicted_record(), Options{}, {"./my bin/offset", "--plan", "--offsets", "0,1", "-n", "1M"}),
            "offset_read:offset=1\n"
            "  warm-up 10 launches, then 700 timed: launches 720..1419 of the process\n"
            "  ncu --launch-skip 720 --launch-count 1 --clock-control none --cache-control none"
            " --section LaunchStats --section MemoryWorkloadAnalysis --section MemoryWorkloadAnalysis_Chart"
            " --section MemoryWorkloadAnalysis_Tables --section SourceCounters --import-source yes"
            " --export offset-offset_read-offset-1 './my bin/offset' --offsets 0,1 -n 1M\n");
}

TEST(PlanText, OneTimedLaunchIsOneIndex) {
  Options options;
  options.runs = options.iterations = 1;
  Record record = predicted_record();
  record.prediction.launch_skip = 76;
  EXPECT_NE(plan_text(record, options, {"offset"}).find("then 1 timed: launches 76..76 of the process"),
            std::string::npos);
}

}  // namespace
}  // namespace sectorscope
