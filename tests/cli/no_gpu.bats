#!/usr/bin/env bats
# What works, and what is said, where there is no GPU. An empty CUDA_VISIBLE_DEVICES hides those that there are.

# shellcheck source=common.bash
load common

setup() { export CUDA_VISIBLE_DEVICES=; }

@test "a run exits 77 with one line on stderr, nothing on stdout and no row" {
  local experiment status output errors="$BATS_TEST_TMPDIR/errors" file="$BATS_TEST_TMPDIR/rows.csv"
  for experiment in $(experiments); do
    status=0
    output="$(on "$experiment" --csv "$file" 2>"$errors")" || status=$?
    [[ "$status" -eq 77 ]] || failed "$experiment: exit $status, not 77"
    [[ -z "$output" ]] || failed "$experiment: stdout has '$output'"
    [[ "$(wc -l <"$errors")" -eq 1 ]] || failed "$experiment: $(cat "$errors")"
    grep -q "^$experiment: error: " "$errors" || failed "$experiment: $(cat "$errors")"
    [[ ! -e "$file" || "$(wc -l <"$file")" -le 1 ]] || failed "$experiment: it wrote a row"
    rm -f "$file"
  done
  passed
}

# A second is the aim; a busy machine gets two.
@test "--predict, --plan, --audit and --help need none and no time" {
  local experiment mode start elapsed
  for experiment in $(experiments); do
    for mode in --predict --plan --audit --help --version; do
      start="$(date +%s%N)"
      on "$experiment" "$mode" >/dev/null 2>"$BATS_TEST_TMPDIR/errors" || failed "$experiment $mode: exit $?"
      elapsed=$((($(date +%s%N) - start) / 1000000))
      [[ ! -s "$BATS_TEST_TMPDIR/errors" ]] || failed "$experiment $mode: $(cat "$BATS_TEST_TMPDIR/errors")"
      [[ "$elapsed" -lt 2000 ]] || failed "$experiment $mode: $elapsed ms"
    done
  done
  passed
}

@test "a billion elements are predicted at once" {
  local start elapsed
  start="$(date +%s%N)"
  on stride -n 1073741824 --strides 3 --predict >/dev/null
  on transpose --rows 46341 --cols 46341 --predict >/dev/null
  on offset -n 4294967311 --offsets 1 -e 1 --predict >/dev/null
  elapsed=$((($(date +%s%N) - start) / 1000000))
  echo "$elapsed ms"
  [[ "$elapsed" -lt 3000 ]]
}
