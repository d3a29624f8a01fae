#include "sectorscope/audit.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace sectorscope {
namespace {

struct Offset {
  std::uint64_t offset;
  std::uint64_t operator()(std::uint64_t i) const { return i + offset; }
  static std::uint64_t period() { return 32; }
};

Access offset_load(std::uint64_t offset, std::uint64_t width, const LinearShape& shape) {
  return linear_access(Side::load, "in[i + " + std::to_string(offset) + "]", Offset{offset}, width, shape);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Drawing, OfDoublesFromElement3) {
  const Access access = offset_load(3, 8, {65536, 256, 4});
  EXPECT_EQ(sector_drawing(access.lanes(0), 8),
            "                 0  |........................########|\n"
            "                 1  |################################|\n"
            "                 2  |################################|\n"
            "                 3  |################################|\n"
            "                 4  |################################|\n"
            "                 5  |################################|\n"
            "                 6  |################################|\n"
            "                 7  |################################|\n"
            "                 8  |########################........|\n");
}

TEST(Drawing, SkipsUntouchedSectorsAndSortsTheOthers) {
  EXPECT_EQ(sector_drawing({{0, 100}, {1, 0}, {2, 1}}, 4),
            "                 0  |########........................|\n"
            "               ...  11 untouched\n"
            "                12  |................####............|\n");
  EXPECT_EQ(sector_drawing({}, 4), "");
}

TEST(AuditText, ShowsEachLaneAndTheTotals) {
  const auto lines = lines_of(audit_text(offset_load(3, 8, {65536, 256, 4}), 0));
  ASSERT_EQ(lines.size(), 45U);  // a title, a head, 32 lanes, the totals, a head, 9 sectors
  EXPECT_EQ(lines[0], "load in[i + 3], 8 B a lane, warp 0 of 512");
  EXPECT_EQ(lines[1], "  lane         thread        element             byte           sector");
  EXPECT_EQ(lines[2], "     0              0              3               24                0");
  EXPECT_EQ(lines[3], "     1              1              4               32                1");
  EXPECT_EQ(lines[33], "    31             31             34              272                8");
  EXPECT_EQ(lines[34], "  32 active lanes ask for 256 bytes; 9 sectors cover 288 bytes: efficiency 88.9 %");
  EXPECT_EQ(lines[36], "                 0  |........................########|");
}

TEST(AuditText, AnotherWarpStartsWhereItsThreadsStart) {
  const auto lines = lines_of(audit_text(offset_load(0, 4, {65536, 256, 4}), 9));  // the second block's second warp
  EXPECT_EQ(lines[0], "load in[i + 0], 4 B a lane, warp 9 of 512");
  EXPECT_EQ(lines[2], "     0            288           1056             4224              132");
}

TEST(AuditText, APartialWarpShowsItsActiveLanesOnly) {
  const std::string text = audit_text(offset_load(1, 4, {40, 64, 1}), 1);
  EXPECT_NE(text.find("  8 active lanes ask for 32 bytes; 2 sectors cover 64 bytes: efficiency 50.0 %\n"),
            std::string::npos)
      << text;
  EXPECT_NE(audit_text(offset_load(1, 4, {40, 256, 1}), 5).find("  no active lane: this warp makes no request\n"),
            std::string::npos);
}

TEST(AuditText, FitsInto100Columns) {
  const LinearShape huge{std::uint64_t{1} << 62, 1024, 8};
  const Access access = offset_load(1, 1, huge);
  for (const std::string& line : lines_of(audit_text(access, access.warps - 1))) EXPECT_LE(line.size(), 100U) << line;
}

TEST(AuditText, ItsTotalsAreThoseOfTheModel) {
  for (const std::uint64_t n : {1, 40, 257, 1000}) {
    const Access access = offset_load(3, 4, {n, 32, 1});
    std::uint64_t requests = 0;
    std::uint64_t drawn = 0;
    for (std::uint64_t warp = 0; warp < access.warps; ++warp) {
      const auto lanes = access.lanes(warp);
      requests += lanes.empty() ? 0 : 1;
      drawn += lines_of(sector_drawing(lanes, 4)).size();  // contiguous: no line for a gap
    }
    EXPECT_EQ(requests, access.traffic.requests);
    EXPECT_EQ(drawn, access.traffic.sectors);
  }
}

}  // namespace
}  // namespace sectorscope
