#include "sectorscope/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "example_record.hpp"
#include "sectorscope/context.hpp"

namespace sectorscope {
namespace {

std::string row(const Record& record, bool color = false) {
  return table_row(TableLayout::of({record}, color), record);
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

const std::string all_flags = "spread;short;throttled;profiled;debug";

TEST(TableHeader, NamesTheAxisAndItsUnits) {
  EXPECT_EQ(table_header(TableLayout::of({measured_record()}, false)),
            "variant      offset  gap B ld s/r st s/r  ld %  st % median ms  +-%    GB/s % ceil\n");
}

TEST(TableHeader, HasStructAndLanesWhereRowsHaveThem) {
  EXPECT_EQ(table_header(TableLayout::of({widest_record()}, false)),
            "variant          B lanes  fields  gap B ld s/r st s/r  ld %  st % median ms  +-%    GB/s % ceil\n");
}

TEST(TableHeader, HasNoAxisWhereRowsHaveNone) {
  Record r = measured_record();
  r.key.variant = "transpose_naive_write";
  r.key.parameter.clear();
  r.key.value.reset();
  EXPECT_EQ(table_header(TableLayout::of({r}, false)),
            "variant                gap B ld s/r st s/r  ld %  st % median ms  +-%    GB/s % ceil\n");
}

TEST(TableRow, OfAMeasuredRecord) {
  Record r = measured_record();
  r.measured->flags.clear();
  EXPECT_EQ(row(r), "offset_read       1      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 ok\n");
}

TEST(TableRow, APredictedRowEndsBehindTheAddressLayer) {
  EXPECT_EQ(row(predicted_record()), "offset_read       1      4   5.00   4.00  80.0 100.0\n");
}

TEST(TableRow, LinesUpWithRowsOfLongerNamesAndWithoutLanes) {
  const Record aosoa = widest_record();
  Record aos = aosoa;
  aos.key.variant = "aos_transform";
  aos.key.lanes.reset();
  const TableLayout layout = TableLayout::of({aos, aosoa}, false);
  EXPECT_EQ(table_row(layout, aos),
            "aos_transform   24             6      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 ok\n");
  EXPECT_EQ(table_row(layout, aosoa),
            "aosoa_transform 24    32       6      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 ok\n");
}

TEST(TableRow, ShowsFlagsAndAnyRegimeButDram) {
  EXPECT_EQ(row(measured_record()),
            "offset_read       1      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 spread short ok\n");
  Record r = measured_record();
  r.measured->flags.clear();
  r.l2_bytes = r.prediction.footprint_bytes;
  EXPECT_EQ(row(r), "offset_read       1      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 l2 ok\n");
  r.l2_bytes = r.prediction.footprint_bytes - 1;
  r.measured->flags = "short";
  EXPECT_EQ(row(r),
            "offset_read       1      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 mixed short ok\n");
}

TEST(TableRow, SaysMismatchWhateverElse) {
  Record r = measured_record();
  r.measured->flags.clear();
  r.measured->mismatches = 1;
  EXPECT_EQ(row(r), "offset_read       1      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 MISMATCH\n");
}

TEST(TableRow, WhatPasses100ColumnsGoesBelow) {
  Record r = measured_record();
  r.measured->flags = all_flags;
  EXPECT_EQ(row(r),
            "offset_read       1      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0 ok\n"
            "            spread short throttled profiled debug\n");
  Record wide = widest_record();
  wide.measured->mismatches = 1;
  EXPECT_EQ(row(wide),
            "aosoa_transform 24    32       6      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0\n"
            "                MISMATCH\n");
}

TEST(TableRow, StaysWithin100ColumnsWithEveryFlagAndVerdict) {
  Record transpose = measured_record();
  transpose.key.variant = "transpose_copy_column";
  transpose.key.parameter.clear();
  transpose.key.value.reset();
  for (Record r : {measured_record(), widest_record(), transpose}) {
    for (const std::string& flags : {std::string(), std::string("short"), std::string("spread;short"), all_flags}) {
      for (const std::uint64_t mismatches : {0, 1}) {
        for (const std::uint64_t l2 : {1ULL, 8000000ULL, 1ULL << 40}) {
          r.measured->flags = flags;
          r.measured->mismatches = mismatches;
          r.l2_bytes = l2;
          EXPECT_LE(widest_line(row(r)), 100U) << row(r);
          EXPECT_NE(row(r).find(mismatches == 0 ? " ok\n" : " MISMATCH\n"), std::string::npos) << row(r);
        }
      }
    }
  }
}

TEST(TableRow, GivesUpDecimalsBeforeItsColumnWidth) {
  Record r = measured_record();
  r.measured->flags.clear();
  r.measured->median_s = 1.25;
  r.measured->deviation_s = 2.5;
  EXPECT_EQ(row(r), "offset_read       1      4   5.00   4.00  80.0 100.0 1250.0000  200     0.0    0.0 ok\n");
}

TEST(TableRow, IsColoredOnlyWhenAskedAndOnlyItsFlagsAndVerdict) {
  Record r = measured_record();
  EXPECT_EQ(row(r).find('\033'), std::string::npos);
  const std::string cells = "offset_read       1      4   5.00   4.00  80.0 100.0   0.01000  5.0   838.9   50.0";
  EXPECT_EQ(row(r, true), cells + " \033[33mspread short\033[0m \033[32mok\033[0m\n");
  r.measured->flags.clear();
  r.measured->mismatches = 9;
  EXPECT_EQ(row(r, true), cells + " \033[1;31mMISMATCH\033[0m\n");
  EXPECT_EQ(row(predicted_record(), true).find('\033'), std::string::npos);
  EXPECT_EQ(table_header(TableLayout::of({r}, true)).find('\033'), std::string::npos);
}

TEST(ContextLine, JoinsPiecesAndWrapsAt100Columns) {
  EXPECT_EQ(context_line({"a", "", "b"}), "a   b\n");
  EXPECT_EQ(context_line({"", "b"}), "b\n");
  EXPECT_EQ(context_line({}), "");
  const std::string half(48, 'x');
  EXPECT_EQ(context_line({half, half}), half + "   " + half + "\n");
  const std::string more(50, 'y');
  EXPECT_EQ(context_line({half, half, more}), half + "   " + half + "\n    " + more + "\n");
  EXPECT_EQ(context_line({more, half}), more + "\n    " + half + "\n");
}

TEST(ShapePieces, SayWhatIsMovedAndWhy) {
  Record r = predicted_record();
  Options options;
  EXPECT_EQ(shape_pieces({r}, options, true),
            (std::vector<std::string>{"n = 1,048,576 x 4 B (auto: L2 unknown)", "4 items a thread, 256 threads",
                                      "10 warm-ups, 7 runs x 100 launches, L2 hot"}));
  r.l2_bytes = 2000000;
  r.key.items_per_thread = 1;
  options.l2 = L2Mode::cold;
  options.warmup = options.runs = options.iterations = 1;
  EXPECT_EQ(shape_pieces({r}, options, false),
            (std::vector<std::string>{"n = 1,048,576 x 4 B (given: 4.2x L2)", "1 item a thread, 256 threads",
                                      "1 warm-up, 1 run x 1 launch, L2 cold"}));
}

TEST(ShapePieces, NameRowsAndColumnsOrParticles) {
  Record r = predicted_record();
  r.key.rows = 1000;
  r.key.cols = 2000;
  EXPECT_EQ(shape_pieces({r}, Options{}, false),
            (std::vector<std::string>{"1,000 x 2,000 x 4 B (given: L2 unknown)",
                                      "10 warm-ups, 7 runs x 100 launches, L2 hot"}));
  EXPECT_EQ(size_text({widest_record()}, false), "n = 1,048,576 particles (given: 8.0x L2)");
  Record larger = widest_record();
  larger.prediction.footprint_bytes *= 2;
  EXPECT_EQ(size_text({larger, widest_record()}, true), "n = 1,048,576 particles (auto: 8.0x L2)");  // the smallest
}

TEST(ShapePieces, WarnWhereTheCacheHoldsTheData) {
  Record r = predicted_record();
  r.l2_bytes = r.prediction.footprint_bytes;
  const auto pieces = shape_pieces({r}, Options{}, false);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces.back(), "rows marked l2 or mixed do not measure memory: the L2 holds their data or a part");
  EXPECT_LE(widest_line(context_line(pieces)), 100U);
}

}  // namespace
}  // namespace sectorscope
