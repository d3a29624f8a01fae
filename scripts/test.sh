#!/usr/bin/env bash
# Usage: scripts/test.sh [-j JOBS] [--build-dir DIR]
#
# All tests: installs what is missing (Debian, Ubuntu), checks format and shell scripts, builds with every warning an
# error, runs ctest, then the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer. A check whose tool is
# missing is skipped and named at the end; with CI set it is a failure. Tests that need a GPU are skipped without one,
# and ctest names them.
#
#   -j JOBS           parallel compilations and tests (default: the processors)
#   --build-dir DIR   default: build-ci/ of the checkout; the sanitizers build in DIR-sanitize
#   -h, --help        this text
#
# Exit status: 0 when all did well; 1 when a step failed; 2 for a wrong option; 3 without nvcc.
# Environment: CUDACXX (nvcc to use), CUDAARCHS (architectures to build for, such as 90), CI.

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

jobs="$(processors)"
build="$root/build-ci"
while [[ $# -gt 0 ]]; do
  case "$1" in
    -j) need_value "$@" && jobs="$2" && shift 2 ;;
    --build-dir) need_value "$@" && build="$(absolute_path "$2")" && shift 2 ;;
    -h | --help) usage && exit 0 ;;
    *) die "no such option: $1 (try --help)" 2 ;;
  esac
done
check_jobs "$jobs"

need_nvcc
need_packages cmake make g++ -- \
  libcli11-dev libfmt-dev libgtest-dev bats shellcheck clang-format gnuplot-nox miller
need_cmake
if [[ ${#packages_left_out[@]} -gt 0 ]]; then
  [[ -z "${CI:-}" ]] || die "not installed: ${packages_left_out[*]}"
  warn "not installed, so what needs them is skipped or fetched: ${packages_left_out[*]}"
fi

failed=()
skipped=()

# step NAME COMMAND...: goes on after a failure, so that one run shows all of them.
step() {
  local name="$1"
  shift
  say "$name"
  "$@" || failed+=("$name")
}

skip() {
  say "$1: skipped, $2"
  skipped+=("$1 ($2)")
}

# project_files PATTERN...: NUL-separated; what git tracks, or what lies there when this is no git checkout.
project_files() {
  if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$root" ls-files -z -- "$@"
  else
    local pattern
    for pattern in "$@"; do
      (cd "$root" && find . -path './build*' -prune -o -type f -path "*${pattern#\*}" -print0)
    done
  fi
}

# on_project_files PATTERNS COMMAND...: PATTERNS are words of one argument.
on_project_files() {
  local patterns files
  read -r -a patterns <<<"$1"
  shift
  mapfile -d '' -t files < <(project_files "${patterns[@]}")
  [[ ${#files[@]} -gt 0 ]] || { say "no files: ${patterns[*]}" && return 0; }
  (cd "$root" && "$@" "${files[@]}")
}

# Versions of clang-format differ in what they do with one and the same style.
clang_format_version=14
if ! command -v clang-format >/dev/null; then
  skip clang-format "not installed"
elif ! clang-format --version | grep -q "version $clang_format_version\."; then
  skip clang-format "only version $clang_format_version counts, this is $(clang-format --version)"
else
  step clang-format on_project_files "*.hpp *.cu *.cpp" clang-format --dry-run -Werror
fi

if command -v shellcheck >/dev/null; then
  step shellcheck on_project_files "*.sh .ci/run" shellcheck -x
else
  skip shellcheck "not installed"
fi

say "building in $build, warnings are errors"
cmake -S "$root" --preset ci -B "$build" || die "cmake failed to configure $build"
cmake --build "$build" -j "$jobs" || die "the build failed"
step ctest ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error

sanitize="$build-sanitize"
say "building the unit tests with sanitizers in $sanitize"
cmake -S "$root" --preset sanitize -B "$sanitize" || die "cmake failed to configure $sanitize"
cmake --build "$sanitize" -j "$jobs" --target unit_tests || die "the build with sanitizers failed"
step "unit tests under sanitizers" \
  ctest --test-dir "$sanitize" -j "$jobs" -L '^unit$' --output-on-failure --no-tests=error

[[ ${#skipped[@]} -eq 0 ]] || say "skipped: ${skipped[*]}"
[[ ${#failed[@]} -eq 0 ]] || die "failed: ${failed[*]}"
say "all steps passed"
