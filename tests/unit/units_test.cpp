#include "sectorscope/units.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <locale>
#include <string>

#include "sectorscope/version.hpp"

namespace sectorscope {
namespace {

static_assert(to_milliseconds(0.25) == 250.0);

TEST(GigabytesPerSecond, CountsDecimalGigabytes) {
  EXPECT_DOUBLE_EQ(gigabytes_per_second(8388608, 10e-6), 838.8608);  // binary ones would be 781.25
  EXPECT_DOUBLE_EQ(gigabytes_per_second(1000000000, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(gigabytes_per_second(17179906248, 1.0), 17.179906248);  // past 2^32 bytes
}

TEST(FormatBytes, UsesTheLargestBinaryUnitThatLeavesAtLeastOne) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(320), "320 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{60} << 20), "60 MiB");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 29), "1.5 GiB");
  EXPECT_EQ(format_bytes(std::uint64_t{1} << 63), "8 EiB");
  EXPECT_EQ(format_bytes(UINT64_MAX), "16 EiB");  // the last unit has no next one to round into
}

TEST(FormatBytes, RoundsIntoTheNextUnitInsteadOfSaying1024) {
  EXPECT_EQ(format_bytes(1023 * 1024 + 970), "1023.9 KiB");
  EXPECT_EQ(format_bytes(1023 * 1024 + 1023), "1 MiB");
  EXPECT_EQ(format_bytes(1024 + 1000), "2 KiB");
  EXPECT_EQ(format_bytes(1024 + 50), "1 KiB");
  EXPECT_EQ(format_bytes(1024 + 52), "1.1 KiB");
}

TEST(GroupDigits, InThrees) {
  EXPECT_EQ(group_digits(0), "0");
  EXPECT_EQ(group_digits(999), "999");
  EXPECT_EQ(group_digits(1000), "1,000");
  EXPECT_EQ(group_digits(123456), "123,456");
  EXPECT_EQ(group_digits(16777216), "16,777,216");
  EXPECT_EQ(group_digits(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Units, AreTheSameInALocaleWithOtherSeparators) {
  struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale former = std::locale::global(std::locale(std::locale::classic(), new German));
  const std::string digits = group_digits(16777216);
  const std::string bytes = format_bytes(1073741824 + 536870912);
  std::locale::global(former);
  EXPECT_EQ(digits, "16,777,216");
  EXPECT_EQ(bytes, "1.5 GiB");
}

TEST(Version, SaysWhichBuildThisIs) {
  EXPECT_EQ(version.find_first_not_of("0123456789."), version.npos);
  EXPECT_FALSE(build_type.empty());
#if defined(SECTORSCOPE_BUILD_TYPE)
  EXPECT_EQ(build_type, SECTORSCOPE_BUILD_TYPE);
#elif defined(NDEBUG) || defined(__OPTIMIZE__)
  EXPECT_EQ(build_type, "Release");
#else
  EXPECT_EQ(build_type, "Debug");
#endif
}

}  // namespace
}  // namespace sectorscope
