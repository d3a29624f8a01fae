#!/usr/bin/env bats
# Drivers that are old, broken or without a device, played by a stand-in libcuda: there is a reason for each of them.

# shellcheck source=common.bash
# shellcheck disable=SC2154 # bats assigns stderr
bats_require_minimum_version 1.5.0
load common

setup_file() {
  command -v "${CC:-cc}" >/dev/null || return 0 # setup skips
  mkdir "$BATS_FILE_TMPDIR/driver"
  # What the CUDA runtime looks up by name, and enough behind it for the start of the driver to be asked for.
  "${CC:-cc}" -shared -fPIC -x c -o "$BATS_FILE_TMPDIR/driver/libcuda.so.1" - <<'C'
#include <stdlib.h>
#include <string.h>
static int number(const char* name) { const char* text = getenv(name); return text ? atoi(text) : 0; }
int cuDriverGetVersion(int* version) { *version = number("DRIVER_VERSION"); return 0; }
int cuInit(unsigned flags) { (void)flags; return number("DRIVER_ERROR"); }
static int any_other(void) { return number("DRIVER_ERROR"); }
int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long flags, int* status) {
  (void)version, (void)flags;
  if (status) *status = 0;
  *function = !strcmp(name, "cuDriverGetVersion") ? (void*)cuDriverGetVersion
              : !strcmp(name, "cuInit")           ? (void*)cuInit
              : !strncmp(name, "cuGetProc", 9)    ? (void*)cuGetProcAddress_v2
                                                  : (void*)any_other;
  return 0;
}
C
}

setup() {
  command -v "${CC:-cc}" >/dev/null || skip "there is no C compiler"
  file="$BATS_TEST_TMPDIR/rows.csv"
  export LD_LIBRARY_PATH="$BATS_FILE_TMPDIR/driver"
}

# says STATUS WORDS: every experiment ends with STATUS and one line that has WORDS, separated by '|'; no row is written.
says() {
  local experiment word words
  IFS='|' read -r -a words <<<"$2"
  for experiment in $(experiments); do
    run "-$1" --separate-stderr on "$experiment" --csv "$file"
    [[ -z "$output" ]] || failed "$experiment: stdout has '$output'"
    [[ ! -e "$file" ]] || failed "$experiment: it left a file"
    [[ "$stderr" == "$experiment: error: "* && "$stderr" != *$'\n'* ]] || failed "$experiment: $stderr"
    for word in "${words[@]}"; do [[ "$stderr" == *"$word"* ]] || failed "$experiment: no '$word' in: $stderr"; done
  done
  passed
}

@test "a driver older than the runtime: exit 3, both versions" {
  DRIVER_VERSION=11000 DRIVER_ERROR=100 says 3 "CUDA 11.0|older than this program's runtime 1|update the driver"
  DRIVER_VERSION=11080 DRIVER_ERROR=100 says 3 "CUDA 11.8|older than this program's runtime 1"
}

@test "a driver that does not start: exit 3, the reason by name and in words" {
  DRIVER_VERSION=99000 DRIVER_ERROR=999 says 3 "cudaErrorUnknown (unknown error)"
  DRIVER_VERSION=99000 DRIVER_ERROR=803 says 3 "cudaErrorSystemDriverMismatch (system has unsupported display driver"
  DRIVER_VERSION=99000 DRIVER_ERROR=802 says 3 "cudaErrorSystemNotReady (system not yet initialized)"
}

@test "a driver without a device is no device: exit 77" {
  DRIVER_VERSION=99000 DRIVER_ERROR=100 says 77 "no CUDA device is visible|--predict, --plan and --audit work without"
}

@test "a library that is none, or has nothing in it, is no driver: exit 77" {
  export LD_LIBRARY_PATH="$BATS_TEST_TMPDIR/broken"
  mkdir "$LD_LIBRARY_PATH"
  echo "not a library" >"$LD_LIBRARY_PATH/libcuda.so.1"
  if grep -q libcuda.so.1 <(ldconfig -p 2>/dev/null); then skip "the loader goes on to the driver of this machine"; fi
  says 77 "no NVIDIA driver is installed"
}

@test "none of them is in the way of a prediction" {
  DRIVER_VERSION=11000 DRIVER_ERROR=100 run -0 --separate-stderr on offset -n 32 --predict -q
  same "stdout" "Verification: not run" "$output"
  same "stderr" "" "$stderr"
}
