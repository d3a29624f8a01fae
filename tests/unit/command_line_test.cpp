#include "sectorscope/command_line.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sectorscope {
namespace {

enum class Side { left, right };
constexpr std::array<std::pair<std::string_view, Side>, 2> sides{{{"left", Side::left}, {"right", Side::right}}};

/// An experiment's command line with every kind of option.
struct Line {
  Line() {
    line.add_elements();
    line.add_element_bytes();
    line.add_list("--offsets", offsets, "0:7", 0, 100, "a list");
    line.add_names("--sides", chosen, "left", sides, "words");
  }

  std::optional<std::string> parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "probe");
    return line.parse(static_cast<int>(arguments.size()), arguments.data());
  }

  CommandLine line{"probe", "A question?"};
  std::vector<std::uint64_t> offsets;
  std::vector<Side> chosen;
};

Options parsed(const std::vector<const char*>& arguments) {
  Line line;
  EXPECT_EQ(line.parse(arguments), std::nullopt);
  return line.line.options();
}

/// What the user gets to read, or "accepted".
std::string refusal(const std::vector<const char*>& arguments) {
  Line line;
  try {
    line.parse(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const std::vector<const char*>& arguments, const std::vector<std::string>& words) {
  const std::string message = refusal(arguments);
  std::string command;
  for (const char* argument : arguments) command += std::string(" ") + argument;
  EXPECT_NE(message, "accepted") << command;
  EXPECT_NE(message.find("legal"), std::string::npos) << command << ": " << message;
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << command << ": " << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(CommandLine, NothingGivenIsTheDefaults) {
  const Options options = parsed({});
  EXPECT_EQ(options.n, std::nullopt);
  EXPECT_EQ(options.iterations, 100U);
  EXPECT_EQ(options.runs, 7U);
  EXPECT_EQ(options.warmup, 10U);
  EXPECT_EQ(options.block_size, 256U);
  EXPECT_EQ(options.items_per_thread, 4U);
  EXPECT_EQ(options.element_bytes, 4U);
  EXPECT_EQ(options.device, 0U);
  EXPECT_EQ(options.l2, L2Mode::hot);
  EXPECT_EQ(options.order, Order::listed);
  EXPECT_EQ(options.seed, 1U);
  EXPECT_EQ(options.csv, std::nullopt);
  EXPECT_EQ(options.samples, std::nullopt);
  EXPECT_EQ(options.mode, Mode::measure);
  EXPECT_EQ(options.l2_bytes, std::nullopt);
  EXPECT_FALSE(options.quiet);
}

TEST(CommandLine, HelpShowsTheDefaultsOfOptions) {
  Line line;
  const std::string help = line.parse({"--help"}).value();
  const Options defaults;
  const auto expect_default = [&](const std::string& name, const std::string& value) {
    EXPECT_NE(help.find(name + "=" + value + " "), std::string::npos) << name << "=" << value << " in\n" << help;
  };
  expect_default("--iterations SIZE", std::to_string(defaults.iterations));
  expect_default("--runs SIZE", std::to_string(defaults.runs));
  expect_default("--warmup SIZE", std::to_string(defaults.warmup));
  expect_default("--block-size SIZE", std::to_string(defaults.block_size));
  expect_default("--items-per-thread SIZE", std::to_string(defaults.items_per_thread));
  expect_default("--element-bytes SIZE", std::to_string(defaults.element_bytes));
  expect_default("--device SIZE", std::to_string(defaults.device));
  expect_default("--seed SIZE", std::to_string(defaults.seed));
  expect_default("--l2 NAME", std::string(name_of(defaults.l2, l2_modes)));
  expect_default("--order NAME", std::string(name_of(defaults.order, orders)));
  expect_default("--n SIZE", "auto");
  expect_default("--offsets LIST", "0:7");
  expect_default("--sides NAMES", "left");
  EXPECT_NE(help.find("A question?"), std::string::npos);
}

TEST(CommandLine, VersionIsNameAndNumber) {
  Line line;
  EXPECT_EQ(line.parse({"--version"}), "probe (sectorscope " + std::string(version) + ")\n");
}

TEST(CommandLine, EveryOptionShortAndLong) {
  const Options options =
      parsed({"-n",     "16M", "-i",    "10",      "-r",        "3", "-w",         "0",    "-b",      "1024",
              "-u",     "8",   "-e",    "16",      "-d",        "1", "--l2",       "cold", "--order", "shuffled",
              "--seed", "42",  "--csv", "a b.csv", "--samples", "-", "--l2-bytes", "60M",  "-q"});
  EXPECT_EQ(options.n, 16777216U);
  EXPECT_EQ(options.iterations, 10U);
  EXPECT_EQ(options.runs, 3U);
  EXPECT_EQ(options.warmup, 0U);
  EXPECT_EQ(options.block_size, 1024U);
  EXPECT_EQ(options.items_per_thread, 8U);
  EXPECT_EQ(options.element_bytes, 16U);
  EXPECT_EQ(options.device, 1U);
  EXPECT_EQ(options.l2, L2Mode::cold);
  EXPECT_EQ(options.order, Order::shuffled);
  EXPECT_EQ(options.seed, 42U);
  EXPECT_EQ(options.csv, "a b.csv");
  EXPECT_EQ(options.samples, "-");
  EXPECT_EQ(options.l2_bytes, 62914560U);
  EXPECT_TRUE(options.quiet);
  const Options long_ones = parsed({"--n=2^20", "--iterations=7", "--runs=1", "--warmup=1", "--block-size=32",
                                    "--items-per-thread=1", "--element-bytes=1", "--device=0", "--quiet"});
  EXPECT_EQ(long_ones.n, 1048576U);
  EXPECT_EQ(long_ones.iterations, 7U);
  EXPECT_EQ(long_ones.block_size, 32U);
  EXPECT_EQ(long_ones.element_bytes, 1U);
}

TEST(CommandLine, AxesHaveTheirDefaultsAndTakeLists) {
  Line line;
  EXPECT_EQ(line.offsets, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(line.chosen, (std::vector<Side>{Side::left}));
  line.parse({"--offsets", "1:9:*3,100", "--sides", "right,left"});
  EXPECT_EQ(line.offsets, (std::vector<std::uint64_t>{1, 3, 9, 100}));
  EXPECT_EQ(line.chosen, (std::vector<Side>{Side::right, Side::left}));
}

TEST(Positionals, AreNAndIterationsAndImplyOneRun) {
  const Options both = parsed({"4194304", "1"});
  EXPECT_EQ(both.n, 4194304U);
  EXPECT_EQ(both.iterations, 1U);
  EXPECT_EQ(both.runs, 1U);
  EXPECT_EQ(both.launches_per_configuration(), 11U);
  const Options given = parsed({"4194304", "1", "-r", "5"});
  EXPECT_EQ(given.runs, 5U);
  const Options first_only = parsed({"4194304"});
  EXPECT_EQ(first_only.n, 4194304U);
  EXPECT_EQ(first_only.iterations, 100U);
  EXPECT_EQ(first_only.runs, 7U);
  EXPECT_EQ(parsed({"-i", "1"}).runs, 7U);  // the option says nothing about runs
  EXPECT_EQ(parsed({"-q", "1K", "--offsets", "1", "2"}).iterations, 2U);
}

TEST(Positionals, WithTheirTwinsAreRefused) {
  expect_refused({"100", "-n", "200"}, {"N", "--n", "100", "200"});
  expect_refused({"100", "-n", "100"}, {"N", "--n"});
  expect_refused({"100", "5", "-i", "6"}, {"ITERATIONS", "--iterations", "5", "6"});
  expect_refused({"100", "5", "7"}, {"7"});
}

TEST(Modes, AreOneAtATime) {
  EXPECT_EQ(parsed({"--predict"}).mode, Mode::predict);
  EXPECT_EQ(parsed({"--plan"}).mode, Mode::plan);
  const Options audit = parsed({"--audit", "--warp", "3"});
  EXPECT_EQ(audit.mode, Mode::audit);
  EXPECT_EQ(audit.audit_warp, 3U);
  for (const auto& [a, b] : {std::pair{"--predict", "--plan"}, {"--plan", "--audit"}, {"--audit", "--predict"}}) {
    expect_refused({a, b}, {b, "one of --predict, --plan, --audit"});
  }
  expect_refused({"--warp", "3"}, {"--warp", "--audit"});
}

TEST(Targets, StdoutCarriesOneOfThem) {
  expect_refused({"--csv", "-", "--samples", "-"}, {"--csv", "--samples", "'-'", "stdout"});
  EXPECT_EQ(refusal({"--csv", "-", "--samples", "x"}), "accepted");
  EXPECT_NE(refusal({"--csv", ""}).find("--csv: ''"), std::string::npos);
  EXPECT_NE(refusal({"--plan", "--csv", "x"}), "accepted");
  EXPECT_NE(refusal({"--audit", "--samples", "x"}), "accepted");
}

TEST(BadInput, NamesTheOptionTheValueAndWhatIsLegal) {
  expect_refused({"-n", "0"}, {"-n", "'0'", "1..4611686018427387904"});
  for (const char* text : {"nx", "-1", "+1", "1e6", "010", "1.5", "0x10", " 1", "1 ", "1k", "2^63", "", "16MB"}) {
    expect_refused({"-n", text}, {"-n", "'" + std::string(text) + "'"});
    expect_refused({text}, {std::string(text)});
  }
  expect_refused({"-n"}, {"--n"});
  expect_refused({"-n", "1", "-n", "2"}, {"--n"});
  expect_refused({"--ofsets", "3"}, {"--ofsets", "--offsets"});
  expect_refused({"-i", "0"}, {"--iterations", "'0'", "1..10000"});
  expect_refused({"-i", "10001"}, {"--iterations", "'10001'", "1..10000"});
  expect_refused({"1", "10001"}, {"10001", "1..10000"});
  expect_refused({"-r", "0"}, {"--runs", "'0'", "1..1000"});
  expect_refused({"-r", "1001"}, {"--runs", "'1001'", "1..1000"});
  expect_refused({"-w", "10001"}, {"--warmup", "'10001'", "0..10000"});
  expect_refused({"-b", "100"}, {"--block-size", "'100'", "32"});
  expect_refused({"-b", "0"}, {"--block-size", "'0'"});
  expect_refused({"-b", "2048"}, {"--block-size", "'2048'", "32..1024"});
  expect_refused({"-u", "3"}, {"--items-per-thread", "'3'", "1, 2, 4, 8"});
  expect_refused({"-u", "16"}, {"--items-per-thread", "'16'"});
  expect_refused({"-u", "0"}, {"--items-per-thread", "'0'"});
  expect_refused({"-e", "3"}, {"--element-bytes", "'3'", "1, 2, 4, 8, 16"});
  expect_refused({"-e", "32"}, {"--element-bytes", "'32'"});
  expect_refused({"-d", "x"}, {"--device", "'x'"});
  expect_refused({"-d", "-1"}, {"--device", "'-1'"});
  expect_refused({"--l2", "warm"}, {"--l2", "'warm'", "hot, cold"});
  expect_refused({"--l2", "hot,cold"}, {"--l2", "'hot,cold'"});
  expect_refused({"--order", "random"}, {"--order", "'random'", "listed, reversed, shuffled"});
  expect_refused({"--seed", "-1"}, {"--seed", "'-1'"});
  expect_refused({"--l2-bytes", "0"}, {"--l2-bytes", "'0'"});
  expect_refused({"--offsets", "7:0"}, {"--offsets", "7:0"});
  expect_refused({"--offsets", "3,3"}, {"--offsets", "'3'", "3,3"});
  expect_refused({"--offsets", "101"}, {"--offsets", "'101'", "0..100"});
  expect_refused({"--offsets", "1,,3"}, {"--offsets", "''", "1,,3"});
  expect_refused({"--offsets", "abc"}, {"--offsets", "'abc'"});
  expect_refused({"--sides", "up"}, {"--sides", "'up'", "left, right"});
  expect_refused({"--sides", "left,left"}, {"--sides", "'left'"});
}

TEST(CommandLine, AnOptionThatTheExperimentDoesNotHonourIsUnknown) {
  CommandLine bare("probe", "A question?");
  for (const char* option : {"-n", "-b", "-u", "-e"}) {
    const char* const arguments[] = {"probe", option, "32"};
    EXPECT_THROW(bare.parse(3, arguments), UsageError) << option;
  }
  const char* const positional[] = {"probe", "32"};
  EXPECT_THROW(bare.parse(2, positional), UsageError);
}

}  // namespace
}  // namespace sectorscope
