#include "sectorscope/csv.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <locale>
#include <random>
#include <string>
#include <vector>

namespace sectorscope {
namespace {

/// The records of RFC 4180 text, by a reader that knows nothing of the writer; quotes in a bare field are a failure.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records;
  std::size_t at = 0;
  while (at < text.size()) {
    records.emplace_back();
    for (bool ended = false; !ended;) {
      std::string field;
      if (at < text.size() && text[at] == '"') {
        for (++at; text.at(at) != '"' || (at + 1 < text.size() && text[at + 1] == '"'); ++at) {
          if (text[at] == '"') ++at;
          field += text[at];
        }
        ++at;
      } else {
        while (text.at(at) != ',' && text[at] != '\n') {
          EXPECT_NE(text[at], '"');
          field += text[at++];
        }
      }
      records.back().push_back(field);
      EXPECT_TRUE(text.at(at) == ',' || text[at] == '\n');
      ended = text[at++] == '\n';
    }
  }
  return records;
}

TEST(CsvField, IsQuotedOnlyWhereAReaderNeedsIt) {
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("out[i] = in[i + 3]"), "out[i] = in[i + 3]");
  EXPECT_EQ(csv_field("a;b"), "a;b");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_field("\""), "\"\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("carriage\rreturn"), "\"carriage\rreturn\"");
  EXPECT_EQ(csv_field(" x"), "\" x\"");
  EXPECT_EQ(csv_field("x "), "\"x \"");
}

TEST(CsvLine, EndsInOneLineFeed) {
  EXPECT_EQ(csv_line({"a", "", "b,c"}), "a,,\"b,c\"\n");
  EXPECT_EQ(csv_line({"", ""}), ",\n");
  EXPECT_EQ(csv_line({"same", "same"}), "same,same\n");
}

TEST(CsvLine, ReadsBackAsWhatWasWritten) {
  std::mt19937 random(1);
  const std::string alphabet = "ab,\"\r\n ;'";
  std::string text;
  std::vector<std::vector<std::string>> written;
  for (int record = 0; record < 5000; ++record) {
    std::vector<std::string> fields(1 + random() % 5);
    for (std::string& field : fields) {
      for (std::size_t length = random() % 6; length != 0; --length) field += alphabet[random() % alphabet.size()];
    }
    text += csv_line(fields);
    written.push_back(fields);
  }
  EXPECT_EQ(read_csv(text), written);
}

TEST(CsvNumber, IsTheShortestTextOfNineSignificantDigits) {
  EXPECT_EQ(csv_number(0), "0");
  EXPECT_EQ(csv_number(0.1), "0.1");
  EXPECT_EQ(csv_number(12.5), "12.5");
  EXPECT_EQ(csv_number(100), "100");
  EXPECT_EQ(csv_number(838.8608), "838.8608");
  EXPECT_EQ(csv_number(1.0 / 3.0), "0.333333333");
  EXPECT_EQ(csv_number(2.0 / 3.0), "0.666666667");
  EXPECT_EQ(csv_number(-1.5), "-1.5");
  EXPECT_EQ(csv_number(1e-7), "1e-07");
}

TEST(CsvNumber, ReadsBackToNineDigits) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-12, 12);
  for (int i = 0; i < 10000; ++i) {
    const double value = std::pow(10.0, exponent(random));
    const std::string text = csv_number(value);
    ASSERT_NEAR(std::strtod(text.c_str(), nullptr), value, value * 5e-9) << text;
    ASSERT_EQ(text.find_first_not_of("0123456789.e+-"), text.npos) << text;
  }
}

TEST(CsvNumber, WithoutAMeasurementIsEmptyInsteadOfNanOrInf) {
  EXPECT_EQ(csv_number(std::numeric_limits<double>::quiet_NaN()), "");
  EXPECT_EQ(csv_number(std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(csv_number(-std::numeric_limits<double>::infinity()), "");
}

TEST(CsvNumber, HasAPointInALocaleThatWritesCommas) {
  struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::string former_c = std::setlocale(LC_ALL, nullptr);
  const std::locale former = std::locale::global(std::locale(std::locale::classic(), new German));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where the machine has it; the C++ locale above does not depend on it
  const std::string text = csv_number(0.25);
  std::locale::global(former);
  std::setlocale(LC_ALL, former_c.c_str());
  EXPECT_EQ(text, "0.25");
}

}  // namespace
}  // namespace sectorscope
