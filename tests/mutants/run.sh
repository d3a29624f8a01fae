#!/usr/bin/env bash
# Usage: tests/mutants/run.sh [--no-gpu | --gpu | --sanitizer] [options] [NAME...]
#
# Does the suite notice a fault? Puts the mutants of table.sh, one at a time, into a copy of the sources, builds what
# the fault is in and asks the suite, which first has to find nothing in the unmutated sources. One line a mutant, and
# "caught N of M" at the end. A mutant that does not compile is an error and not caught; where one of the table no
# longer applies, nothing is tried.
#
#   --no-gpu       those of the report side and of the predicted rows (the default)
#   --gpu          those of kernels, verification and measurement
#   --sanitizer    those for compute-sanitizer
#   --build-only   only apply and compile: needs no GPU
#   -j JOBS        mutants at a time (default: the processors)
#   --list         print those chosen, and how each is to be caught
#   NAME...        only these
#   -h, --help     this text
#
# Exit status: 0 all caught; 1 not all; 2 wrong usage; 77 a GPU or a tool is missing.
# Environment: SECTORSCOPE_BIN, the folder of the unmutated executables; CUDACXX (nvcc to use).

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

no_gpu="unit cli"
gpu="run device counters"
sanitizer="memcheck racecheck initcheck synccheck"

kinds="$no_gpu"
jobs="$(processors)"
build_only=false
list=false
only=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --no-gpu) kinds="$no_gpu" && shift ;;
    --gpu) kinds="$gpu" && shift ;;
    --sanitizer) kinds="$sanitizer" && shift ;;
    --build-only) build_only=true && shift ;;
    --list) list=true && shift ;;
    -j) need_value "$@" && jobs="$2" && shift 2 ;;
    -h | --help) usage && exit 0 ;;
    -*) die "no such option: $1 (try --help)" 2 ;;
    *) only+=("$1") && shift ;;
  esac
done
check_jobs "$jobs"

# ---- the table ------------------------------------------------------------------------------------------------------

names=()
declare -A file text instead how argument
mutant() {
  [[ -z "${how[$1]:-}" ]] || die "table.sh: two mutants are called $1"
  names+=("$1")
  file[$1]="$2" text[$1]="$3" instead[$1]="$4" how[$1]="$5" argument[$1]="${*:6}"
}
# shellcheck source=tests/mutants/table.sh
source "$root/tests/mutants/table.sh"

# Whatever is asked for, the whole table has to fit the sources: the mutants that need a GPU are tried less often.
for name in "${names[@]}"; do
  content="$(<"$root/${file[$name]}")"
  rest="${content#*"${text[$name]}"}"
  [[ "$content" != "$rest" ]] || die "table.sh: $name does not apply: ${file[$name]} has no '${text[$name]}'"
  [[ "$rest" != *"${text[$name]}"* ]] ||
    die "table.sh: $name does not apply: ${file[$name]} has '${text[$name]}' more than once"
done

selected=()
for name in "${only[@]:-${names[@]}}"; do
  [[ -n "${how[$name]:-}" ]] || die "no such mutant: $name (try --list)" 2
  [[ " $kinds " != *" ${how[$name]} "* && ${#only[@]} -eq 0 ]] || selected+=("$name")
done

if $list; then
  for name in "${selected[@]}"; do
    printf '%s\n    %s: "%s" becomes "%s"\n    caught by %s %s\n' "$name" "${file[$name]}" "${text[$name]}" \
      "${instead[$name]}" "${how[$name]}" "${argument[$name]}"
  done
  exit 0
fi

# ---- tools ----------------------------------------------------------------------------------------------------------

skip() {
  echo "skipped: $1"
  exit 77
}

# uses KIND...: is one of the selected mutants of such a kind?
uses() {
  local name
  for name in "${selected[@]}"; do [[ " $* " != *" ${how[$name]} "* ]] || return 0; done
  return 1
}

# drop KIND REASON: a kind that cannot be tried here is said, and counts for nothing.
drop() {
  local name kept=()
  for name in "${selected[@]}"; do [[ "${how[$name]}" == "$1" ]] || kept+=("$name"); done
  printf 'left out: %s mutants of the kind "%s": %s\n' "$((${#selected[@]} - ${#kept[@]}))" "$1" "$2"
  selected=("${kept[@]}")
}

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The library of fmt where there is one: compiling it again costs every mutant seconds.
flags=(-std=c++17 -O0 -DNDEBUG)
device_flags=(-lineinfo -arch=native)
libraries=(-lfmt -lpthread)
echo 'int main() {}' >"$work/empty.cpp"
if ! "${CXX:-g++}" "$work/empty.cpp" -lfmt -o "$work/empty" 2>/dev/null; then
  flags+=(-DFMT_HEADER_ONLY)
  libraries=(-lpthread)
fi

if uses unit device; then
  has_header gtest/gtest.h || skip "GoogleTest is not installed"
fi
if uses cli device run counters "$sanitizer"; then
  nvcc="$(find_nvcc)" || skip "nvcc is not installed"
fi
if uses cli counters && ! command -v mlr >/dev/null; then skip "mlr (Miller) is not installed"; fi
if uses cli && ! command -v bats >/dev/null; then skip "bats is not installed"; fi
if ! $build_only && uses cli "$gpu" "$sanitizer"; then
  bin="$(absolute_path "${SECTORSCOPE_BIN:?the folder of the unmutated executables}")"
fi
if ! $build_only && uses "$gpu" "$sanitizer"; then
  # shellcheck source=tests/gpu/lib/common.bash
  source "$root/tests/gpu/lib/common.bash"
  require_gpu
  # shellcheck source=tests/gpu/lib/sanitizer.bash
  source "$root/tests/gpu/lib/sanitizer.bash"
  if uses "$sanitizer" && ! find_sanitizer >/dev/null; then skip "compute-sanitizer is not installed"; fi
  status=0
  if uses counters; then
    "$root/scripts/profile.sh" offset -n 32 --offsets 0 --bin "$bin" >/dev/null 2>&1 || status=$?
    [[ $status -ne 3 ]] || drop counters "ncu is missing, or may not read the counters"
  fi
fi
[[ ${#selected[@]} -gt 0 ]] || die "no mutant is left"

# ---- one mutant -----------------------------------------------------------------------------------------------------

# apply NAME TREE: the sources, with the mutant in them.
apply() {
  local from="${text[$1]}" target="$2/${file[$1]}" content
  mkdir -p "$2/tests"
  cp -R "$root/include" "$root/src" "$2"
  cp -R "$root/tests/unit" "$2/tests"
  content="$(<"$target")"
  printf '%s\n' "${content%%"$from"*}${instead[$1]}${content#*"$from"}" >"$target"
}

# build KIND ARGUMENT TREE FOLDER: what the suite needs of TREE, into FOLDER.
build() {
  local words
  read -r -a words <<<"$2"
  case "$1" in
    unit)
      "${CXX:-g++}" "${flags[@]}" -I"$work" -include pch.hpp -I"$3/include" "$3/tests/unit/${words[0]}.cpp" \
        -o "$4/unit_test" -lgtest_main -lgtest "${libraries[@]}"
      ;;
    device)
      "$nvcc" "${flags[@]}" "${device_flags[@]}" -I"$3/include" "$root/tests/gpu/device_layer_test.cu" \
        "$root/tests/gpu/main.cpp" -o "$4/device_test" -lgtest "${libraries[@]}"
      ;;
    *)
      "$nvcc" "${flags[@]}" "${device_flags[@]}" -I"$3/include" "$3/src/${words[0]}.cu" -o "$4/${words[0]}" \
        "${libraries[@]}"
      ;;
  esac
}

# ask KIND ARGUMENT FOLDER: the suite's opinion of what is in FOLDER. Prints why, and returns 0 when it passes, 1 when
# it finds a fault in the way that the table promises, 2 for anything else.
ask() {
  local folder="$3" words status=0 out log="$3/log" lock=-s
  read -r -a words <<<"$2"
  [[ "$1" != device ]] || lock=-x # it times
  exec 9>"$work/gpu.lock"
  flock "$lock" 9
  case "$1" in
    unit)
      out="$(timeout 120 "$folder/unit_test" --gtest_brief=1 --gtest_fail_fast 2>&1)" || status=$?
      [[ $status -eq 0 ]] && return 0
      grep -m 1 -o '^\[  FAILED  \] [A-Za-z0-9_/]*\.[A-Za-z0-9_/]*' <<<"$out" || echo "exit $status: ${words[0]}"
      return 1
      ;;
    cli)
      out="$(SECTORSCOPE_BIN="$folder" bats "$root/tests/cli/${words[1]}" 2>&1)" || status=$?
      [[ $status -eq 0 ]] && return 0
      grep -m 1 '^not ok' <<<"$out" && return 1
      ;;
    device)
      out="$("$folder/device_test" --gtest_filter="${words[0]}" 2>&1)" || status=$?
      [[ $status -eq 0 && "$out" =~ PASSED\ \ \]\ [1-9] && "$out" != *SKIPPED* ]] && return 0
      [[ $status -eq 1 ]] && grep -m 1 -F "[  FAILED  ] ${words[0]}" <<<"$out" && return 1
      ;;
    run)
      out="$("$folder/${words[0]}" "${words[@]:1}" -w 1 -i 2 -r 1 -q 2>&1)" || status=$?
      [[ $status -eq 0 && "${out##*$'\n'}" == "Verification: PASSED" ]] && return 0
      [[ $status -eq 1 && "${out##*$'\n'}" == "Verification: FAILED" ]] && echo "exit 1: ${words[*]}" && return 1
      ;;
    counters)
      # A GPU's counters serve one profiler at a time.
      out="$(flock "$work/counters.lock" "$root/scripts/profile.sh" "${words[@]}" --bin "$folder" \
        -o "$folder/rows.csv" 2>&1)" || status=$?
      [[ $status -eq 0 ]] && return 0
      [[ $status -eq 1 && " $(mlr --icsv --onidx cut -f counters_match "$folder/rows.csv" |
        paste -sd ' ') " == *" no "* ]] && echo "counters_match no: ${words[*]}" && return 1
      ;;
    *)
      sanitize "$1" "$log" "$folder/${words[0]}" "${words[@]:1}" -w 1 -i 1 -r 1 -q || status=$?
      out="$(<"$log")"
      [[ $status -eq 0 && "$(sanitizer_errors "$log")" == 0 ]] && return 0
      [[ $status -eq 99 ]] && echo "$(sanitizer_errors "$log") errors: $1 ${words[*]}" && return 1
      ;;
  esac
  printf 'exit %s: %s %s\n%s\n' "$status" "$1" "$2" "$out"
  return 2
}

# try NAME: prints the verdict, one line, with its reason.
try() {
  local name="$1" folder="$work/$1" reason status=0
  mkdir -p "$folder"
  apply "$name" "$folder/tree"
  # The other executables of the suite are those of the build.
  if [[ "${how[$name]}" == cli ]] && ! $build_only; then
    ln -s "$bin"/* "$folder"
    rm "$folder/${argument[$name]%% *}"
  fi
  if ! reason="$(build "${how[$name]}" "${argument[$name]}" "$folder/tree" "$folder" 2>&1)"; then
    # A static_assert is a test like any other; any other message means that the mutant is no C++.
    if [[ "${how[$name]}" == unit ]] &&
      ! grep 'error:' <<<"$reason" | grep -vq 'tests/unit/.* static assertion failed'; then
      printf 'caught    %s: static_assert of %s\n' "$name" "${argument[$name]}"
    else
      printf 'ERROR     %s: does not compile\n%s\n' "$name" "$reason"
    fi
    return
  fi
  if $build_only; then
    printf 'built     %s\n' "$name"
    return
  fi
  reason="$(ask "${how[$name]}" "${argument[$name]}" "$folder")" || status=$?
  case "$status" in
    0) printf 'SURVIVED  %s: %s: %s %s\n' "$name" "${file[$name]}" "${how[$name]}" "${argument[$name]}" ;;
    1) printf 'caught    %s: %s\n' "$name" "$reason" ;;
    *) printf 'ERROR     %s: not noticed as the table says: %s\n' "$name" "$reason" ;;
  esac
  rm -rf "$folder"
}

# unmutated KIND ARGUMENT FOLDER: prints what the suite has against the sources as they are.
unmutated() {
  local folder="$3" reason
  mkdir -p "$folder"
  if [[ "$1" == unit || "$1" == device ]]; then
    build "$1" "$2" "$root" "$folder" || return 0
  else
    ln -s "$bin"/* "$folder"
  fi
  reason="$(ask "$1" "$2" "$folder")" || printf 'FAILED    %s %s, without a mutant: %s\n' "$1" "$2" "$reason"
  rm -rf "$folder"
}

# in_background COMMAND...: as soon as fewer than $jobs run.
in_background() {
  while [[ $(jobs -rp | wc -l) -ge $jobs ]]; do wait -n || true; done
  "$@" &
}

if uses unit; then
  printf '#include <fmt/format.h>\n#include <gtest/gtest.h>\n' >"$work/pch.hpp"
  "${CXX:-g++}" "${flags[@]}" -x c++-header "$work/pch.hpp" -o "$work/pch.hpp.gch"
fi

# What the mutants are held against. The tests of one build are one question.
declare -A asked=()
device_tests=""
for name in "${selected[@]}"; do
  question="${how[$name]} ${argument[$name]}"
  if $build_only || [[ -n "${asked[$question]:-}" ]]; then continue; fi
  asked[$question]="$work/unmutated-${#asked[@]}"
  if [[ "${how[$name]}" == device ]]; then
    device_tests+=":${argument[$name]}"
  else
    in_background unmutated "${how[$name]}" "${argument[$name]}" "${asked[$question]}" >>"$work/unmutated"
  fi
done
if [[ -n "$device_tests" ]]; then
  in_background unmutated device "${device_tests#:}" "$work/unmutated-device" >>"$work/unmutated"
fi

for name in "${selected[@]}"; do in_background try "$name" >"$work/$name.verdict"; done
wait
for name in "${selected[@]}"; do cat "$work/$name.verdict"; done
[[ ! -s "$work/unmutated" ]] || die "the suite finds faults without a mutant: $(<"$work/unmutated")"
caught="$(cat "$work"/*.verdict | grep -cE '^(caught|built) ' || true)"
printf '%s %s of %s\n' "$($build_only && echo built || echo caught)" "$caught" "${#selected[@]}"
[[ "$caught" -eq "${#selected[@]}" ]]
