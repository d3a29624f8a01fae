# shellcheck shell=bash
# What the GPU tests share. Sourced by a script that sets bin, the folder of the executables.

set -euo pipefail
: "${bin:?set by the script that sources this}"

# Skips the whole script where there is no GPU.
require_gpu() {
  local status=0
  "$bin/offset" -n 1 -i 1 -r 1 -q >/dev/null 2>&1 || status=$?
  if [[ $status -eq 77 ]]; then
    echo "skipped: no CUDA device"
    exit 77
  fi
}

failures=0
fail() {
  printf 'FAIL: %s\n' "$*" >&2
  failures=$((failures + 1))
}

finish() {
  if [[ $failures -ne 0 ]]; then
    printf '%s failures\n' "$failures" >&2
    exit 1
  fi
  printf 'passed: %s\n' "$1"
}

# run_one LINE: an executable and its options; prints what is wrong unless it exits 0 and ends in a passed verdict.
run_one() {
  local words status=0 out
  read -r -a words <<<"$1"
  out=$("$bin/${words[0]}" "${words[@]:1}" -q 2>&1) || status=$?
  if [[ $status -ne 0 || ${out##*$'\n'} != "Verification: PASSED" ]]; then
    printf 'exit %s: %s\n%s\n' "$status" "$1" "$out"
  fi
}

# run_all FILE: runs every line of FILE, several at a time.
run_all() {
  local wrong
  export -f run_one
  # shellcheck disable=SC2016  # the inner shell expands it
  wrong=$(xargs -P 8 -d '\n' -I '{}' bash -c 'run_one "$1"' _ '{}' <"$1")
  if [[ -n $wrong ]]; then
    fail "$wrong"
  fi
  printf '%s command lines run\n' "$(wc -l <"$1")"
}

# column NAME: that column of the CSV on stdin, its rows joined by spaces. Only for columns without commas or quotes.
column() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { printf "%s%s", sep, $at; sep = " " }'
}
