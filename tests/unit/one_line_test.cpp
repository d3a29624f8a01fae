#include "sectorscope/one_line.hpp"

#include <gtest/gtest.h>

namespace sectorscope {
namespace {

TEST(OneLine, MasksControlCharactersOfAscii) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31m\x7f"), "a?b?c?[31m?");
  EXPECT_EQ(one_line(std::string_view("a\0b", 3)), "a?b");
}

TEST(OneLine, MasksTheControlCharactersThatTerminalsTakeFromLatin1) {
  EXPECT_EQ(one_line("\x9b"
                     "31m"),
            "?31m");
  EXPECT_EQ(one_line("\xc2\x9b"
                     "31m"),
            "??31m");  // a byte each
  EXPECT_EQ(one_line("\xc2\x80\xc2\x9f"), "????");
}

TEST(OneLine, KeepsWordsInAnyScript) {
  for (const char* text : {"", "-n 10", "\xc2\xa0",
                           "Gr\xc3\xb6\xc3\x9f"
                           "e",
                           "\xd9\xa3", "\xe6\x9d\xb1\xe4\xba\xac", "\xf0\x9f\x90\x8b"}) {
    EXPECT_EQ(one_line(text), text);
  }
}

TEST(OneLine, MasksWhatIsNoUtf8) {
  EXPECT_EQ(one_line("\xff\xfe"), "??");
  EXPECT_EQ(one_line("\xe6\x9d"), "??");            // cut
  EXPECT_EQ(one_line("\xe6\x9d\n"), "???");         // cut by a control character
  EXPECT_EQ(one_line("\xc0\x8a"), "??");            // a line feed, written too long
  EXPECT_EQ(one_line("\xf5\x80\x80\x80"), "????");  // beyond the last character
}

}  // namespace
}  // namespace sectorscope
