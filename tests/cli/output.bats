#!/usr/bin/env bats
# Streams and files: what is asked for goes where it was asked to go, whole, and nothing else does.

# shellcheck source=common.bash
load common

setup() {
  file="$BATS_TEST_TMPDIR/rows.csv"
  errors="$BATS_TEST_TMPDIR/errors"
}

# exits STATUS COMMAND...: stderr goes to $errors.
exits() {
  local status=0
  "${@:2}" 2>"$errors" || status=$?
  [[ "$status" -eq "$1" ]] && return 0
  echo "${*:2}: exit $status, not $1: $(cat "$errors")"
  return 1
}

@test "--csv -: CSV alone on stdout, a field for every column" {
  need_mlr
  local experiment
  for experiment in $(experiments); do
    # shellcheck disable=SC2046
    exits 0 on "$experiment" $(small "$experiment") --predict --csv - >"$file"
    [[ ! -s "$errors" ]]
    [[ "$(head -c 30 "$file")" == "experiment,variant,parameter,v" ]]
    # A line with another number of fields is an error to mlr.
    mlr --icsv --ojson cat "$file" >"$BATS_TEST_TMPDIR/rows.json"
    same "$experiment: rows" "$(($(wc -l <"$file") - 1))" "$(mlr --icsv --onidx count "$file")"
    same "$experiment: last byte" 0a "$(tail -c 1 "$file" | od -An -tx1 | tr -d ' ')"
  done
}

@test "a file gets the same bytes as stdout, and stdout its table" {
  exits 0 on stride -n 1000 --strides 1,3 --predict --csv - >"$BATS_TEST_TMPDIR/stdout.csv"
  exits 0 on stride -n 1000 --strides 1,3 --predict --csv "$file" >"$BATS_TEST_TMPDIR/table"
  cmp "$file" "$BATS_TEST_TMPDIR/stdout.csv"
  grep -q '^stride_gather  *3 ' "$BATS_TEST_TMPDIR/table"
}

@test "the table: no escape code, no carriage return, at most 100 columns, and its verdict last" {
  local experiment output line
  for experiment in $(experiments); do
    # shellcheck disable=SC2046
    output="$(on "$experiment" $(small "$experiment") --predict)"
    [[ "$output" != *$'\e'* && "$output" != *$'\r'* ]]
    same "$experiment: last line" "Verification: not run" "$(tail -1 <<<"$output")"
    while IFS= read -r line; do [[ ${#line} -le 100 ]] || failed "$experiment: ${#line} columns: $line"; done <<<"$output"
    same "$experiment: cat -v" "$output" "$(cat -v <<<"$output")"
  done
  passed
}

@test "on a terminal NO_COLOR keeps escape codes away" {
  command -v script >/dev/null || skip "script (util-linux) is not installed"
  NO_COLOR=1 script -qec "'$SECTORSCOPE_BIN/offset' -n 1000 --predict" /dev/null >"$BATS_TEST_TMPDIR/typed" </dev/null
  grep -q 'Verification: not run' "$BATS_TEST_TMPDIR/typed"
  [[ "$(cat "$BATS_TEST_TMPDIR/typed")" != *$'\e'* ]]
}

@test "table and CSV have the same rows in the same order" {
  need_mlr
  local experiment
  for experiment in $(experiments); do
    # shellcheck disable=SC2046
    on "$experiment" $(small "$experiment") --predict --order shuffled --csv "$file" >"$BATS_TEST_TMPDIR/table"
    same "$experiment" "$(columns variant <"$file")" \
      "$(sed -n '/^variant /,/^Verification/p' "$BATS_TEST_TMPDIR/table" | sed '1d;$d' | awk '{print $1}')" ||
      failed "$experiment"
    rm "$file"
  done
  passed
}

@test "--quiet keeps the verdict and the rows" {
  same "table" "Verification: not run" "$(on offset -n 1000 --predict -q)"
  same "rows" "9" "$(on offset -n 1000 --predict -q --csv - | wc -l)"
}

@test "a reader that leaves early: quiet, no crash" {
  local statuses
  set +o pipefail
  on offset -n 32 --offsets 0:20000 --predict 2>"$errors" | head -1 >/dev/null
  statuses="${PIPESTATUS[0]}"
  on offset -n 32 --offsets 0:20000 --predict --csv - 2>>"$errors" | head -1 >/dev/null
  statuses+=" ${PIPESTATUS[0]}"
  on offset -n 32 --offsets 0:20000 --plan 2>>"$errors" | head -1 >/dev/null
  statuses+=" ${PIPESTATUS[0]}"
  same "exit codes" "3 3 3" "$statuses"
  same "stderr" "" "$(cat "$errors")"
}

@test "stdout that was closed, or is full, is exit 3" {
  exits 3 on offset -n 1000 --predict >&-
  [[ -e /dev/full ]] || skip "there is no /dev/full"
  exits 3 on offset -n 1000 --predict >/dev/full
  grep -q "standard output" "$errors"
  exits 3 on offset --help >/dev/full
  exits 3 on offset -n 1000 --predict --csv - >/dev/full
}

@test "a target that cannot be written: exit 3, and the message names it" {
  exits 3 on offset -n 1000 --predict --csv "$BATS_TEST_TMPDIR/no such folder/x.csv"
  grep -qF "no such folder/x.csv" "$errors"
  exits 3 on offset -n 1000 --predict --csv "$BATS_TEST_TMPDIR"
  grep -qF "$BATS_TEST_TMPDIR" "$errors"
  exits 3 on offset -n 1000 --predict --samples "$BATS_TEST_TMPDIR/no such folder/x.csv"
  [[ -e /dev/full ]] || skip "there is no /dev/full"
  exits 3 on offset -n 1000 --predict --csv /dev/full
  grep -qF "/dev/full" "$errors"
}

@test "appending twice gives one header and all rows" {
  need_mlr
  exits 0 on offset -n 1000 --offsets 0,1 --predict -q --csv "$file"
  exits 0 on offset -n 1000 --offsets 2,3 --predict -q --csv "$file"
  exits 0 on stride -n 1000 --strides 3 --predict -q --csv "$file"
  same "values" "0 1 2 3 3" "$(column value <"$file")"
  same "headers" 1 "$(grep -c '^experiment,' "$file")"
}

@test "a file with another header, or a broken last line, stays untouched: exit 3" {
  printf 'a,b\n1,2\n' >"$file"
  exits 3 on offset -n 1000 --predict --csv "$file"
  grep -qF "$file" "$errors"
  same "file" "$(printf 'a,b\n1,2\n')" "$(cat "$file")"
  rm "$file"
  on offset -n 1000 --offsets 0 --predict -q --csv "$file"
  printf 'offset,cut' >>"$file"
  cp "$file" "$BATS_TEST_TMPDIR/before"
  exits 3 on offset -n 1000 --predict --csv "$file"
  cmp "$file" "$BATS_TEST_TMPDIR/before"
}

@test "--samples of a prediction is a header alone: nothing was run" {
  exits 0 on offset -n 1000 --predict --samples -
  same "stdout" "1" "$(on offset -n 1000 --predict --samples - | wc -l)"
  [[ "$(on offset -n 1000 --predict --samples -)" == *",runs,gpu,uuid,run,ms,gbps,mismatches" ]]
}

@test "decimal points in every locale" {
  local locale
  locale="$(locale -a 2>/dev/null | grep -i '^de_DE' | head -1)" || skip "no de_DE locale is installed"
  same "rows" "$(on stride -n 1000 --strides 3 --predict --csv -)" \
    "$(LC_ALL="$locale" on stride -n 1000 --strides 3 --predict --csv -)"
  same "table" "$(on stride -n 1000 --strides 3 --predict)" \
    "$(LC_ALL="$locale" on stride -n 1000 --strides 3 --predict)"
}

@test "a folder with a space in its name serves as well" {
  mkdir "$BATS_TEST_TMPDIR/my results"
  cd "$BATS_TEST_TMPDIR/my results"
  exits 0 on offset -n 1000 --offsets 0 --predict -q --csv "a file.csv"
  same "lines" 2 "$(wc -l <"a file.csv")"
}

@test "a closed or full stderr changes no exit code" {
  local experiment
  for experiment in $(experiments); do
    exits 2 on "$experiment" --bogus 2>/dev/full
    exits 0 on "$experiment" --help
    local status=0
    on "$experiment" --bogus 2>&- >/dev/null || status=$?
    [[ "$status" -eq 2 ]]
    status=0
    on "$experiment" --bogus 2>/dev/full >/dev/null || status=$?
    [[ "$status" -eq 2 ]]
  done
}

@test "a stdout that was closed from the start ends quietly with 3" {
  local status=0
  on offset -n 1000 --predict >&- 2>"$errors" || status=$?
  [[ "$status" -eq 3 ]]
  [[ ! -s "$errors" ]]
}

@test "a target that is stdout itself is refused: table and rows would mix" {
  local status=0
  on offset -n 1 --predict --csv /dev/stdout >"$BATS_TEST_TMPDIR/mixed" 2>"$errors" || status=$?
  [[ "$status" -eq 3 ]]
  grep -q 'standard output' "$errors"
  exits 0 on offset -n 1 --predict --csv /dev/null >/dev/null
}

@test "a held lock is waited for, and the wait is said, but not by -q" {
  command -v flock >/dev/null || skip "flock is not installed"
  on offset -n 1 --predict -q --csv "$file" >/dev/null
  (flock 9 && sleep 1) 9<"$file" &
  sleep 0.3
  exits 0 on offset -n 1 --predict --csv "$file" >/dev/null
  [[ "$(grep -c 'waiting for the process that holds the lock' "$errors")" -eq 1 ]]
  wait
  (flock 9 && sleep 1) 9<"$file" &
  sleep 0.3
  exits 0 on offset -n 1 --predict -q --csv "$file" >/dev/null
  [[ ! -s "$errors" ]]
  wait
  [[ "$(wc -l <"$file")" -eq 25 ]]
}
