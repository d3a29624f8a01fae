#!/usr/bin/env bats
# README.md and results/README.md say what is so: links, options, quoted results, output, messages and columns are held
# against the files and the executables. A quoted block is marked on the line above it:
#
#   <!-- verbatim: FILE -->      each of its lines stands in FILE, in this order
#   <!-- derived: FILE.csv -->   a table that is computed again from FILE
#   <!-- counted: FILE.csv -->   likewise, from a file with counters
#   <!-- output: COMMAND -->     its first line is the command, each other line stands in the command's output, in this
#                                order; '...' marks what is left out, and a line folded by a backslash is joined again

# shellcheck disable=SC2016 # the backticks are Markdown's

setup() {
  export LC_ALL=C
  root="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
  readme="$root/README.md"
  documents=(README.md results/README.md)
}

need_executables() { [[ -n "${SECTORSCOPE_BIN:-}" ]] || skip "SECTORSCOPE_BIN is not set"; }

# For loops that go to their end: failed says what, passed ends the test.
failures=()
failed() { failures+=("$*"); }
passed() {
  [[ ${#failures[@]} -eq 0 ]] && return 0
  printf '%s\n' "${failures[@]}"
  return 1
}

# marked KIND: what the markers of that kind name, one a line.
marked() { sed -nE "s/^<!-- $1: (.*) -->\$/\1/p" "$readme"; }

# block KIND NAME: what stands below that marker: a fenced block without its fences, or a table.
block() {
  MARKER="<!-- $1: $2 -->" awk '
    $0 == ENVIRON["MARKER"] { inside = 1; next }
    inside && /^```/ { if (fenced) exit; fenced = 1; next }
    inside && !fenced && /^$/ { exit }
    inside' "$readme"
}

# prose FILE: its text without fenced blocks.
prose() { awk '/^```/ { fenced = !fenced; next } !fenced' "$1"; }

# in_order FILE: whether the lines of stdin stand in FILE, in this order; prints the first that does not.
in_order() {
  awk -v file="$1" '
    BEGIN { while ((getline line < file) > 0) have[++count] = line }
    {
      while (++at <= count && have[at] != $0) {}
      if (at > count) { print; exit 1 }
    }'
}

# anchors FILE: of its headings, as GitHub makes them.
anchors() {
  prose "$1" | sed -nE 's/^#+ +//p' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

@test "every link inside the repository leads to a file, and to a heading of it" {
  local document target path anchor count=0
  for document in "${documents[@]}"; do
    while read -r target; do
      case "$target" in http://* | https://*) continue ;; esac
      count=$((count + 1))
      path="${target%%#*}"
      anchor=""
      [[ "$target" != *"#"* ]] || anchor="${target#*#}"
      if [[ -z "$path" ]]; then
        path="$root/$document"
      else
        path="$(dirname "$root/$document")/$path"
      fi
      [[ -e "$path" ]] || failed "$document: no file for '$target'"
      [[ -z "$anchor" ]] || anchors "$path" | grep -qxF -- "$anchor" || failed "$document: no heading for '$target'"
    done < <(prose "$root/$document" | grep -oE '\]\([^)]+\)' | sed -E 's/^\]\(//; s/\)$//')
  done
  [[ "$count" -ge 20 ]] || failed "only $count links found"
  passed
}

@test "every file of the repository that is named exists, scripts can be run, results are all explained" {
  local document path
  for document in "${documents[@]}"; do
    while read -r path; do
      case "$path" in *NAME* | src/reverse.cu) continue ;; esac
      [[ -e "$root/$path" ]] || failed "$document: no $path"
      [[ "$path" != scripts/*.sh || -x "$root/$path" ]] || failed "$document: $path cannot be run"
    done < <(grep -oE '\b(src|include|scripts|cmake|tests)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' "$root/$document" | sort -u)
  done
  for path in "$root"/results/nvidia-h200/*; do
    grep -qF -- "${path##*/}" "$root/results/README.md" || failed "results/README.md does not name ${path##*/}"
  done
  passed
}

# Options of other programs: ncu, cmake, ctest, mlr, docker.
foreign=" --launch-skip --launch-count --launch-skip-before-match --clock-control --cache-control --nvtx --nvtx-include \
--metrics --section --import-source --export --preset --build --install --prefix --workflow --config --test-dir --icsv \
--opprint --cap-add --gpus "

@test "every option named is one of an executable, of a script, or of another program" {
  need_executables
  local helps document option program count=0
  helps="$(for program in offset stride aos_soa transpose; do "$SECTORSCOPE_BIN/$program" --help; done
    for program in quickstart test environment profile sweep plot compare report benchmark; do "$root/scripts/$program.sh" --help; done)"
  for document in "${documents[@]}"; do
    while read -r option; do
      count=$((count + 1))
      [[ "$foreign" == *" $option "* ]] || grep -qE -e "(^|[ ,])$option([ ,=]|\$)" <<<"$helps" ||
        failed "$document: nothing takes $option"
    done < <(grep -oE -e '(^|[^A-Za-z0-9-])--[a-z][a-z0-9-]*' "$root/$document" | grep -oE -e '--.*' | sort -u)
  done
  for option in $foreign; do
    grep -qE -e "$option([^a-z-]|\$)" "$readme" || failed "README.md does not name $option any more"
  done
  [[ "$count" -ge 40 ]] || failed "only $count options found"
  passed
}

@test "every option of an executable is in the README" {
  need_executables
  local program option
  for program in offset stride aos_soa transpose; do
    for option in $("$SECTORSCOPE_BIN/$program" --help | sed -nE 's/^ +(-[a-z],)?(--[a-z0-9-]+).*/\2/p'); do
      [[ "$option" != --version ]] || continue
      grep -qE -e "$option([^a-z-]|\$)" "$readme" || failed "$program: $option"
    done
  done
  passed
}

@test "every quoted result is verbatim, and so is every line that looks like one" {
  local file missing line count=0
  while read -r file; do
    count=$((count + 1))
    missing="$(block verbatim "$file" | sed '/^$/d' | in_order "$root/$file")" || failed "not in $file: $missing"
    [[ "$(block verbatim "$file" | grep -c -E -e ' ok$' -e '[|] (met|short) [|]$')" -ge 2 ]] ||
      failed "no rows quoted of $file"
  done < <(marked verbatim)
  [[ "$count" -ge 5 ]] || failed "only $count quoted tables"
  while read -r line; do
    grep -qxF -- "$line" "$root"/results/*/*.txt || failed "in no result: $line"
  done < <(grep -E '^[a-z][a-z_]+ .* (ok|MISMATCH)$' "$readme")
  passed
}

@test "the derived table is computed from the rows" {
  local file="results/nvidia-h200/stride.csv" expected
  [[ "$(marked derived)" == "$file" ]]
  expected="$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    {
      sectors = ($at["load_sectors"] + $at["store_sectors"]) / $at["load_requests"]
      if (NR == 2) { base = sectors; time = $at["median_ms"] }
      printf "| %d | %d | %.2f | %.2f |\n", $at["value"], sectors, sectors / base, $at["median_ms"] / time
    }' "$root/$file")"
  [[ "$(block derived "$file" | tail -n +3)" == "$expected" ]] || {
    printf '%s\n' "$expected"
    return 1
  }
}

@test "the table of counters is computed from the rows, and every committed counter equals its prediction" {
  local file="results/nvidia-h200/counters/stride-default.csv" expected counted
  [[ "$(marked counted)" == "$file" ]]
  expected="$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    {
      read = $at["counted_dram_read_bytes"]; written = $at["counted_dram_write_bytes"]
      printf "| %d | %d | %d | %.1f | %.1f | %.0f |\n", $at["value"], $at["load_sectors"], $at["counted_load_sectors"],
        read / $at["n"], written / $at["n"], (read + written) / $at["median_ms"] / 1e6
    }' "$root/$file")"
  [[ "$(block counted "$file" | tail -n +3)" == "$expected" ]] || failed "$expected"
  for counted in "$root"/results/nvidia-h200/counters/*.csv; do
    [[ "$(tail -n +2 "$counted" | sed 's/.*,//' | sort -u)" == yes ]] || failed "$counted: not every row matches"
  done
  passed
}

@test "card, driver, CUDA and date are those of the environment file" {
  local environment="$root/results/nvidia-h200/environment.txt" field value
  for field in gpu driver date nvcc; do
    value="$(sed -n "s/^$field: //p" "$environment")"
    case "$field" in
      date) value="${value%%T*}" ;;
      nvcc) value="CUDA $(cut -d . -f 1,2 <<<"$value")" ;;
    esac
    [[ -n "$value" ]]
    grep -m 1 -A 1 '^`stride` with its defaults' "$readme" | grep -qF -- "$value" || failed "$field: no '$value'"
  done
  passed
}

@test "every quoted output is what the command prints" {
  need_executables
  local command words first missing count=0
  while read -r command; do
    count=$((count + 1))
    read -r -a words <<<"$command"
    "$SECTORSCOPE_BIN/${words[0]}" "${words[@]:1}" 2>&1 |
      sed -E "s#'?$SECTORSCOPE_BIN/([a-z_]+)'?#build/bin/\1#" >"$BATS_TEST_TMPDIR/output" || failed "$command: it fails"
    first="$(block output "$command" | head -n 1)"
    [[ "$first" == "\$ build/bin/$command" ]] || failed "$command: the block begins with '$first'"
    missing="$(block output "$command" | tail -n +2 | sed -E '/^\.\.\.$/d' |
      sed -E ':join /\\$/ { N; s/ \\\n +/ /; b join }' | in_order "$BATS_TEST_TMPDIR/output")" ||
      failed "$command does not print: $missing"
  done < <(marked output)
  [[ "$count" -ge 2 ]] || failed "only $count outputs"
  passed
}

# The text of the sources with adjacent string literals joined.
source_text() {
  cat "$root"/include/sectorscope/*.hpp "$root"/src/*.cu "$root"/scripts/*.sh "$root"/cmake/*.cmake |
    tr -s ' \n' ' ' | sed 's/" "//g'
}

@test "the messages under Troubleshooting are those that the code prints" {
  local message text count=0
  text="$(source_text)"
  while read -r message; do
    count=$((count + 1))
    case "$message" in
      'unsupported GNU version') continue ;; # nvcc's
      'Verification: FAILED') message='"FAILED"' ;;
    esac
    [[ "$text" == *"$message"* ]] || failed "nothing prints '$message'"
  done < <(awk '/^## / { inside = $0 == "## Troubleshooting" } inside && /^\| `/ { split($0, cell, "|"); print cell[2] }' \
    "$readme" | grep -oE '`[^`]+`' | tr -d '`')
  [[ "$count" -ge 15 ]] || failed "only $count messages"
  passed
}

@test "the advice on every flag is that of the executables" {
  local advice text count=0
  text="$(tr -d '`' <"$readme" | tr -s ' \n' ' ')"
  while read -r advice; do
    count=$((count + 1))
    [[ "$text" == *"- $advice"* ]] || failed "not in the README: $advice"
  done < <(tr -s ' \n' ' ' <"$root/include/sectorscope/flags.hpp" | sed 's/" "//g' |
    grep -oE '_flag\{"[a-z]+", "[^"]+"\}' | sed -E 's/_flag\{"([a-z]+)", "(.*)"\}/\1: \2/')
  [[ "$count" -eq 5 ]] || failed "$count flags found, not 5"
  passed
}

# documented HEADING: the columns of the table below that heading of results/README.md, joined by commas.
documented() {
  awk -v heading="## $1" '/^## / { inside = $0 == heading } inside' "$root/results/README.md" |
    sed -nE 's/^\| `([a-z0-9_]+)` \| .*/\1/p' | paste -sd ,
}

@test "results/README.md explains every column, in order" {
  local file
  for file in "$root"/results/*/*.csv; do
    case "$file" in
      *-samples.csv) [[ "$(head -n 1 "$file")" == "$(documented Rows | cut -d , -f 1-20),$(documented Samples)" ]] ;;
      *) [[ "$(head -n 1 "$file")" == "$(documented Rows)"* ]] ;;
    esac || failed "$file has other columns"
  done
  if [[ -n "${SECTORSCOPE_BIN:-}" ]]; then
    [[ "$("$SECTORSCOPE_BIN/offset" -n 1 --predict --csv - | head -n 1)" == "$(documented Rows)" ]] ||
      failed "offset writes other columns"
    [[ "$("$SECTORSCOPE_BIN/offset" -n 1 --predict --samples - | head -n 1)" == \
      "$(documented Rows | cut -d , -f 1-20),$(documented Samples)" ]] || failed "offset writes other samples"
  fi
  passed
}

@test "the README names every column" {
  local column
  for column in $(documented Rows | tr , ' '); do
    grep -qF -- "\`$column\`" "$readme" || failed "$column"
  done
  passed
}

@test "results are verified, and measured under no flag that spoils them" {
  local file
  for file in "$root"/results/*/*.csv; do
    case "$file" in *-samples.csv) continue ;; esac
    awk -F, '
      NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "status" || $i == "flags") from_end[$i] = NF - i; next }
      $(NF - from_end["status"]) != "ok" || $(NF - from_end["flags"]) ~ /throttled|profiled|debug/ { exit 1 }' "$file" ||
      failed "$file has a row that is no result"
  done
  passed
}

@test "the experiment of the README compiles" {
  # shellcheck source=scripts/common.sh
  source "$root/scripts/common.sh"
  local nvcc
  nvcc="$(find_nvcc)" || skip "there is no nvcc"
  has_header CLI/CLI.hpp && has_header fmt/format.h || skip "the headers of CLI11 and fmt are not installed"
  awk '/^```cuda$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$readme" >"$BATS_TEST_TMPDIR/reverse.cu"
  grep -q 'run_experiment<sectorscope::Reverse>' "$BATS_TEST_TMPDIR/reverse.cu"
  "$nvcc" -std=c++17 -arch=sm_90 -DFMT_HEADER_ONLY -I"$root/include" --ptx -o "$BATS_TEST_TMPDIR/reverse.ptx" \
    "$BATS_TEST_TMPDIR/reverse.cu"
  [[ "$(grep -c '^.visible .entry.*reverse_read' "$BATS_TEST_TMPDIR/reverse.ptx")" -eq 4 ]]
}
