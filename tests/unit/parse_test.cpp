#include "sectorscope/parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sectorscope {
namespace {

using Values = std::vector<std::uint64_t>;

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

/// What the user gets to read, or "accepted".
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const UsageError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return error.what();
  }
  return "accepted";
}

std::string refused_size(const std::string& text) {
  return refusal([&] { parse_size("--n", text); });
}

std::string refused_list(const std::string& text) {
  return refusal([&] { parse_list("--strides", text); });
}

TEST(ParseSize, AcceptsTheGrammar) {
  EXPECT_EQ(parse_size("--n", "0"), 0U);
  EXPECT_EQ(parse_size("--n", "1"), 1U);
  EXPECT_EQ(parse_size("--n", "1800000000"), 1800000000U);
  EXPECT_EQ(parse_size("--n", "1K"), 1024U);
  EXPECT_EQ(parse_size("--n", "10M"), 10485760U);
  EXPECT_EQ(parse_size("--n", "60G"), 64424509440U);
  EXPECT_EQ(parse_size("--n", "2^0"), 1U);
  EXPECT_EQ(parse_size("--n", "2^24"), 16777216U);
  EXPECT_EQ(parse_size("--n", "2^62"), 4611686018427387904U);
}

TEST(ParseSize, HoldsTheLargestSizeAndRefusesTheNext) {
  EXPECT_EQ(parse_size("--n", "9223372036854775808"), two_to_63);
  EXPECT_EQ(parse_size("--n", "8589934592G"), two_to_63);
  EXPECT_EQ(parse_size("--n", "9007199254740992K"), two_to_63);
  const std::string problem = " is too large (legal: at most 2^63; in 2^k, k is 0..62)";
  for (const char* text : {"9223372036854775809", "99999999999999999999", "8589934593G", "8796093022209M",
                           "9007199254740993K", "18446744073709551616", "18446744073709551617", "18014398509481985K",
                           "2^63", "2^64", "2^99", "2^18446744073709551616"}) {
    EXPECT_EQ(refused_size(text), "--n: '" + std::string(text) + "'" + problem);
  }
}

TEST(ParseSize, RefusesEverythingElseAndSaysWhatIsLegal) {
  const std::string problem = " is not a size (legal: 0, a decimal number with an optional K, M or G, or 2^k)";
  for (const char* text : {"",    "nx",    "abc",      "-1",   "+5",  "1e6",  "010", "00",   "0x10", " 5",   "5 ",
                           "1.5", "1,5",   "3,3",      "7:0",  "1K ", "1k",   "1KB", "1KK",  "K",    "0K",   "0G",
                           "2^",  "^2",    "2^-1",     "2^01", "3^2", "2^ 1", "2^K", "2^2K", "22^1", "2^^1", "2^1^1",
                           "1_0", "1'000", "\xc2\xb2", "1T",   "inf", "nan",  "0.5", "-0",   "--"}) {
    EXPECT_EQ(refused_size(text), "--n: '" + std::string(text) + "'" + problem);
  }
}

TEST(ParseSize, RefusesBytesThatACStringWouldHide) {
  EXPECT_NE(refused_size(std::string("5\0", 2)), "accepted");
  EXPECT_NE(refused_size(std::string("5\0006", 3)), "accepted");
}

TEST(ParseSize, MessageStaysOneLineWhateverTheValue) {
  const std::string legal = " is not a size (legal: 0, a decimal number with an optional K, M or G, or 2^k)";
  EXPECT_EQ(refused_size("1\n\x1b[31m"), "--n: '1??[31m'" + legal);
  EXPECT_EQ(refused_size(std::string(100000, 'x')), "--n: '" + std::string(60, 'x') + "...'" + legal);
}

TEST(ParseSizeIn, HoldsBothEndsAndRefusesTheirNeighbours) {
  EXPECT_EQ(parse_size_in("-i", "1", 1, 10000), 1U);
  EXPECT_EQ(parse_size_in("-i", "10000", 1, 10000), 10000U);
  EXPECT_EQ(refusal([] { parse_size_in("-i", "0", 1, 10000); }), "-i: '0' is out of range (legal: 1..10000)");
  EXPECT_EQ(refusal([] { parse_size_in("-i", "10001", 1, 10000); }), "-i: '10001' is out of range (legal: 1..10000)");
  EXPECT_EQ(refusal([] { parse_size_in("-r", "1K", 1, 1000); }), "-r: '1K' is out of range (legal: 1..1000)");
  EXPECT_EQ(refusal([] { parse_size_in("-i", "x", 1, 10000); }),
            "-i: 'x' is not a size (legal: 0, a decimal number with an optional K, M or G, or 2^k)");
}

TEST(ParseList, KeepsTheOrderGiven) {
  EXPECT_EQ(parse_list("--strides", "1,3,5,9,17,33,65"), (Values{1, 3, 5, 9, 17, 33, 65}));
  EXPECT_EQ(parse_list("--strides", "9,1"), (Values{9, 1}));
  EXPECT_EQ(parse_list("--strides", "7"), (Values{7}));
  EXPECT_EQ(parse_list("--strides", "2^10,1M,0"), (Values{1024, 1048576, 0}));
}

TEST(ParseList, ExpandsRangesToTheLastValueIncluded) {
  EXPECT_EQ(parse_list("--offsets", "0:7"), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(parse_list("--offsets", "0:7:2"), (Values{0, 2, 4, 6}));
  EXPECT_EQ(parse_list("--offsets", "0:8:2"), (Values{0, 2, 4, 6, 8}));
  EXPECT_EQ(parse_list("--offsets", "5:5"), (Values{5}));
  EXPECT_EQ(parse_list("--offsets", "5:5:*2"), (Values{5}));
  EXPECT_EQ(parse_list("--offsets", "1:64:*2"), (Values{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(parse_list("--offsets", "1:100:*10"), (Values{1, 10, 100}));
  EXPECT_EQ(parse_list("--offsets", "3:95:*2"), (Values{3, 6, 12, 24, 48}));
  EXPECT_EQ(parse_list("--offsets", "1:1K:*2^5,0,5:6"), (Values{1, 32, 1024, 0, 5, 6}));
}

TEST(ParseList, EndsAtTheLargestSizeInsteadOfWrapping) {
  EXPECT_EQ(parse_list("--n", "9223372036854775807:9223372036854775808"), (Values{two_to_63 - 1, two_to_63}));
  EXPECT_EQ(parse_list("--n", "1:9223372036854775808:9223372036854775808"), (Values{1}));
  EXPECT_EQ(parse_list("--n", "0:9223372036854775808:9223372036854775808"), (Values{0, two_to_63}));
  EXPECT_EQ(parse_list("--n", "2:9223372036854775808:*9223372036854775808"), (Values{2}));
  EXPECT_EQ(parse_list("--n", "1:9223372036854775808:*2").size(), 64U);
  EXPECT_EQ(parse_list("--n", "1:9223372036854775808:*2").back(), two_to_63);
}

TEST(ParseList, HoldsOneHundredThousandEntriesAndRefusesTheNextBeforeExpanding) {
  EXPECT_EQ(parse_list("--offsets", "1:100000").size(), 100000U);
  EXPECT_EQ(parse_list("--offsets", "0,1:99999").size(), 100000U);
  const std::string problem = " makes the list too long (legal: at most 100000 entries in all)";
  for (const char* text : {"0:100000", "0:9223372036854775808", "0:2^62:2"}) {
    EXPECT_EQ(refusal([&] { parse_list("--offsets", text); }), "--offsets: '" + std::string(text) + "'" + problem);
  }
  EXPECT_EQ(refusal([] { parse_list("--offsets", "0,1:100000"); }), "--offsets: '1:100000' in '0,1:100000'" + problem);
  EXPECT_EQ(refusal([] { parse_list("--offsets", "1:100000,0"); }), "--offsets: '0' in '1:100000,0'" + problem);
  EXPECT_EQ(refusal([] { parse_list("--offsets", "1:99999,100000:200000:*2"); }),
            "--offsets: '100000:200000:*2' in '1:99999,100000:200000:*2'" + problem);
}

TEST(ParseList, RefusesADuplicateAndNamesIt) {
  EXPECT_EQ(refused_list("3,3"), "--strides: '3' in '3,3' is listed twice (legal: each value once)");
  EXPECT_EQ(refused_list("1,1K,2,1024"), "--strides: '1024' in '1,1K,2,1024' is listed twice (legal: each value once)");
  EXPECT_EQ(refused_list("0:4,2"), "--strides: '2' in '0:4,2' is listed twice (legal: each value once)");
}

TEST(ParseList, RefusesItemsThatAreNoSize) {
  const std::string problem = " is not a size (legal: 0, a decimal number with an optional K, M or G, or 2^k)";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "''"},
      {"abc", "'abc'"},
      {"-1", "'-1'"},
      {"1,,3", "'' in '1,,3'"},
      {"1,", "'' in '1,'"},
      {",1", "'' in ',1'"},
      {",", "'' in ','"},
      {"1, 3", "' 3' in '1, 3'"},
      {"1;3", "'1;3'"},
      {":", "'' in ':'"},
      {":7", "'' in ':7'"},
      {"0:", "'' in '0:'"},
      {"0::2", "'' in '0::2'"},
      {"0:7:", "'' in '0:7:'"},
      {"1:8:*", "'' in '1:8:*'"},
      {"1:8:**2", "'*2' in '1:8:**2'"},
      {"1:8:2*", "'2*' in '1:8:2*'"},
      {"1:*8", "'*8' in '1:*8'"},
      {"0:7:-1", "'-1' in '0:7:-1'"},
      {"1,010", "'010' in '1,010'"},
      {"1e6", "'1e6'"},
      {"0x10", "'0x10'"},
  };
  for (const auto& [text, named] : cases) EXPECT_EQ(refused_list(text), "--strides: " + named + problem);
  EXPECT_EQ(refused_list("1,2^64"),
            "--strides: '2^64' in '1,2^64' is too large (legal: at most 2^63; in 2^k, k is 0..62)");
}

TEST(ParseList, RefusesRangesThatAreEmptyOrNeverEnd) {
  EXPECT_EQ(refused_list("7:0"), "--strides: '7:0' ends before it starts (legal: first:last with first <= last)");
  EXPECT_EQ(refused_list("1,7:0"),
            "--strides: '7:0' in '1,7:0' ends before it starts (legal: first:last with first <= last)");
  EXPECT_EQ(refused_list("0:7:0"), "--strides: '0:7:0' never advances (legal: a step of at least 1)");
  EXPECT_EQ(refused_list("1:7:*0"), "--strides: '1:7:*0' never advances (legal: a factor of at least 2)");
  EXPECT_EQ(refused_list("1:7:*1"), "--strides: '1:7:*1' never advances (legal: a factor of at least 2)");
  EXPECT_EQ(refused_list("0:7:*2"), "--strides: '0:7:*2' never advances (legal: a geometric range from at least 1)");
  EXPECT_EQ(refused_list("1:2:3:4"),
            "--strides: '1:2:3:4' is not a range (legal: first:last[:step] or first:last:*factor)");
}

TEST(ParseListIn, HoldsBothEndsAndNamesTheFirstEntryOutside) {
  EXPECT_EQ(parse_list_in("--lanes", "1:64:*2", 1, 64), (Values{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(refusal([] { parse_list_in("--lanes", "128", 1, 64); }), "--lanes: '128' is out of range (legal: 1..64)");
  EXPECT_EQ(refusal([] { parse_list_in("--lanes", "4,0:2", 1, 64); }),
            "--lanes: '0' in '4,0:2' is out of range (legal: 1..64)");
}

enum class Access { read, write };
constexpr std::array<std::pair<std::string_view, Access>, 2> accesses{
    {{"read", Access::read}, {"write", Access::write}}};

TEST(ParseNames, KeepsTheOrderGiven) {
  EXPECT_EQ(parse_names("--access", "read", accesses), (std::vector<Access>{Access::read}));
  EXPECT_EQ(parse_names<Access>("--access", "write,read", accesses),
            (std::vector<Access>{Access::write, Access::read}));
}

TEST(ParseNames, RefusesUnknownEmptyAndRepeatedWordsAndListsTheLegalOnes) {
  const auto refused = [](const char* text) { return refusal([&] { parse_names("--access", text, accesses); }); };
  EXPECT_EQ(refused("reed"), "--access: 'reed' is unknown (legal: read, write)");
  EXPECT_EQ(refused("READ"), "--access: 'READ' is unknown (legal: read, write)");
  EXPECT_EQ(refused("rea"), "--access: 'rea' is unknown (legal: read, write)");
  EXPECT_EQ(refused(""), "--access: '' is unknown (legal: read, write)");
  EXPECT_EQ(refused("read,"), "--access: '' in 'read,' is unknown (legal: read, write)");
  EXPECT_EQ(refused("read, write"), "--access: ' write' in 'read, write' is unknown (legal: read, write)");
  EXPECT_EQ(refused("read,write,read"),
            "--access: 'read' in 'read,write,read' is listed twice (legal: each name once)");
}

// ---- The grammar once more, written without the parser: an accepted text must be legal, and a legal one accepted.

__extension__ using Wide = unsigned __int128;

std::optional<std::uint64_t> oracle_size(const std::string& text) {
  std::string digits = text;
  Wide unit = 1;
  const bool power = text.rfind("2^", 0) == 0;
  if (power) {
    digits = text.substr(2);
  } else if (!text.empty() && text.find_last_of("KMG") == text.size() - 1) {
    unit = Wide{1} << (text.back() == 'K' ? 10 : text.back() == 'M' ? 20 : 30);
    digits.pop_back();
  }
  if (digits.empty() || digits.size() > 25) return std::nullopt;
  Wide value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  if (digits[0] == '0' && (digits != "0" || unit != 1)) return std::nullopt;
  if (power) {
    if (value > 62) return std::nullopt;
    return std::uint64_t{1} << static_cast<unsigned>(value);
  }
  if (value * unit > two_to_63) return std::nullopt;
  return static_cast<std::uint64_t>(value * unit);
}

std::optional<Values> oracle_list(const std::string& text) {
  Values values;
  std::size_t at = 0;
  for (bool more = true; more;) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string item = text.substr(at, end - at);
    more = end != text.size();
    at = end + 1;
    std::optional<std::uint64_t> step = 1;
    bool geometric = false;
    if (std::count(item.begin(), item.end(), ':') == 2) {
      const std::size_t colon = item.rfind(':');
      geometric = item.find('*') == colon + 1;
      step = oracle_size(item.substr(colon + (geometric ? 2 : 1)));
      item.resize(colon);
    }
    const std::size_t colon = item.find(':');
    const auto first = oracle_size(item.substr(0, colon));
    const auto last = colon == item.npos ? first : oracle_size(item.substr(colon + 1));
    if (!first || !last || !step || *first > *last || *step < (geometric ? 2 : 1)) return std::nullopt;
    if (geometric && *first == 0) return std::nullopt;
    if (!geometric && (*last - *first) / *step >= 100000) return std::nullopt;  // spares the loop
    for (Wide value = *first; value <= *last; value = geometric ? value * *step : value + *step) {
      if (values.size() == 100000) return std::nullopt;
      values.push_back(static_cast<std::uint64_t>(value));
    }
  }
  Values sorted = values;
  std::sort(sorted.begin(), sorted.end());
  if (std::unique(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  return values;
}

/// Legal text, or text one byte away from it: that is where a parser goes wrong.
class NearTheGrammar {
 public:
  explicit NearTheGrammar(std::uint64_t seed) : random_(seed) {}

  std::string size() { return spoiled(legal_size(6)); }

  std::string list() {
    std::string text = item();
    for (std::uint64_t more = below(3); more != 0; --more) text += "," + item();
    return spoiled(text);
  }

 private:
  std::uint64_t below(std::uint64_t count) { return random_() % count; }

  std::string legal_size(std::uint64_t most_digits) {
    if (below(8) == 0) return "2^" + std::to_string(below(65));
    if (below(64) == 0) return std::to_string(two_to_63 - 2 + below(4));
    std::string text = std::to_string(random_());
    text.resize(1 + below(most_digits));
    if (below(8) == 0) text += "KMG"[below(3)];
    return below(16) == 0 ? "0" : text;
  }

  std::string item() {
    if (below(4) != 0) return legal_size(2);
    const std::string first = std::to_string(below(40));
    const std::string last = below(32) == 0 ? std::to_string(two_to_63 - below(3)) : std::to_string(30 + below(20));
    const std::string step = below(4) == 0 ? legal_size(2) : std::to_string(7 + below(9));
    const std::array<std::string, 3> forms{"", ":" + step, ":*" + step};
    return first + ":" + last + forms[below(forms.size())];
  }

  std::string spoiled(std::string text) {
    if (below(4) != 0) return text;
    const std::string alphabet = "0123456789,:*^MGk -+.ex";  // no K, whose ranges would take long
    const char byte = below(4) == 0 ? static_cast<char>(below(256)) : alphabet[below(alphabet.size())];
    const std::uint64_t at = below(text.size());
    switch (below(3)) {
      case 0:
        return text.insert(at, 1, byte);
      case 1:
        return text.erase(at, 1);
      default:
        return text.replace(at, 1, 1, byte);
    }
  }

  std::mt19937_64 random_;
};

template <class Parse>
auto parsed(Parse parse) -> std::optional<decltype(parse())> {
  try {
    return parse();
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

TEST(ParseSize, AcceptsExactlyTheGrammarInHalfAMillionRandomTexts) {
  NearTheGrammar random(20240501);
  int accepted = 0;
  for (int i = 0; i < 500000; ++i) {
    const std::string text = random.size();
    const auto value = parsed([&] { return parse_size("--n", text); });
    ASSERT_EQ(value, oracle_size(text)) << "'" << text << "'";
    accepted += value.has_value();
  }
  EXPECT_GT(accepted, 300000);  // both verdicts are common, or the test says little
  EXPECT_LT(accepted, 450000);
}

TEST(ParseList, AcceptsExactlyTheGrammarInHalfAMillionRandomTexts) {
  NearTheGrammar random(20240502);
  int accepted = 0;
  for (int i = 0; i < 500000; ++i) {
    const std::string text = random.list();
    const auto values = parsed([&] { return parse_list("--n", text); });
    ASSERT_EQ(values, oracle_list(text)) << "'" << text << "'";
    accepted += values.has_value();
  }
  EXPECT_GT(accepted, 250000);
  EXPECT_LT(accepted, 450000);
}

}  // namespace
}  // namespace sectorscope
