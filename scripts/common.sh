# shellcheck shell=bash
# What the scripts of this folder share. Sourced, never run; the script that sources it sets -euo pipefail.

# Digits, decimal points, digit groups, sort order: the same in every locale. And no ~/.mlrrc.
export LC_ALL=C MLRRC=__none__

# Messages go to stderr: stdout belongs to what a script was asked for.
say() { printf '%s\n' "==> $*" >&2; }
warn() { printf '%s: warning: %s\n' "${0##*/}" "$*" >&2; }

# die MESSAGE [EXIT_CODE]
die() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit "${2:-1}"
}

# The header comment of the running script, up to its first line that is none.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# need_value OPTION REMAINING_ARGUMENTS...: ends the script when the option is the last word.
need_value() { [[ $# -ge 2 && -n "$2" ]] || die "$1 needs a value" 2; }

absolute_path() {
  case "$1" in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$PWD/$1" ;;
  esac
}

# joined WORD...: with commas between.
joined() { local IFS=, && printf '%s' "$*"; }

processors() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1; }

check_jobs() { [[ "$1" =~ ^[1-9][0-9]{0,3}$ ]] || die "-j takes a number of jobs from 1, not '$1'" 2; }

# Prints the path of nvcc; false when there is none. Where CMake looks, and in the same order.
find_nvcc() {
  if [[ -n "${CUDACXX:-}" ]]; then
    # CUDACXX may carry arguments behind the program.
    command -v "$CUDACXX" || command -v "${CUDACXX%% *}"
    return
  fi
  command -v nvcc && return
  local root
  for root in "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda; do
    if [[ -n "$root" && -x "$root/bin/nvcc" ]]; then
      printf '%s\n' "$root/bin/nvcc"
      return
    fi
  done
  return 1
}

need_nvcc() {
  find_nvcc >/dev/null ||
    die "nvcc, the CUDA compiler, was not found: install the CUDA Toolkit 12.0 or newer (https://developer.nvidia.com/cuda-downloads), then put its bin folder on PATH or set CUDACXX=/path/to/nvcc" 3
}

need_cmake() {
  local have oldest
  have="$(cmake --version | awk 'NR == 1 { print $3 }')"
  oldest="$(printf '%s\n' 3.25 "$have" | sort -V | head -n 1)"
  [[ "$oldest" == 3.25 ]] ||
    die "CMake 3.25 or newer is needed, found $have: python3 -m pip install cmake, or https://cmake.org/download"
}

need_miller() {
  local version
  command -v mlr >/dev/null ||
    die "mlr (Miller 6) was not found: apt-get install miller, or https://miller.readthedocs.io" 3
  version="$(mlr --version 2>&1)" || die "mlr --version failed: $version" 3
  [[ "$version" =~ ([0-9]+)\.[0-9]+ && ${BASH_REMATCH[1]} -ge 6 ]] || die "Miller 6 or newer is needed, found: $version" 3
}

# make_work_folder: a folder for the script alone, $work. It goes when the script ends, however that is, and so does the
# file that $partial names: one that is not whole yet.
make_work_folder() {
  work="$(mktemp -d)" || die "no temporary folder can be made" 3
  partial=""
  trap 'rm -rf -- "$work"; [[ -z "$partial" ]] || rm -f -- "$partial"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# missing_columns FILE COLUMN...: those that the first line of a CSV does not name, on one line.
missing_columns() {
  local header column missing=()
  header=" $(mlr --icsv --implicit-csv-header --allow-ragged-csv-input --onidx head -n 1 "$1" 2>/dev/null || true) "
  for column in "${@:2}"; do
    [[ "$header" == *" $column "* ]] || missing+=("$column")
  done
  printf '%s' "${missing[*]-}"
}

# read_rows INPUT MILLER_ARGUMENT...: mlr with those over CSV of rows, with `call check($*)` of rows.mlr in them. Where
# that finds fault with a row, or a file is no whole CSV, the script ends; INPUT is what it was given.
read_rows() {
  local status=0 fault
  mlr --icsv "${@:2}" 2>"$work/error" || status=$?
  fault="$(grep -m 1 '^refused: ' "$work/error")" || fault=""
  [[ -z "$fault" ]] || die "${fault#refused: }" 2
  [[ $status -eq 0 ]] || die "'$1' is no whole CSV: $(grep -m 1 '^mlr' "$work/error" || echo "mlr failed")" 2
}

# miller_failed WORDS: ends the script with the first line of Miller's own complaint.
miller_failed() { die "$1: $(grep -m 1 '^mlr' "$work/error" || echo "mlr failed")" 3; }

# refuse_input OPTION OUTPUT INPUT...: ends the script where the output would take the place of an input, however both
# are spelled.
refuse_input() {
  local input
  for input in "${@:3}"; do
    [[ ! "$2" -ef "$input" ]] || die "$1: '$2' would take the place of the input '$input'" 2
  done
}

has_header() {
  printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | "${CXX:-g++}" -std=c++17 -x c++ -E - >/dev/null 2>&1
}

# Is what the package brings there, from wherever it came?
has_package() {
  case "$1" in
    make) command -v make >/dev/null || [[ -n "${CMAKE_GENERATOR:-}" ]] ;;
    g++) command -v "${CXX:-g++}" >/dev/null ;;
    libcli11-dev) has_header CLI/CLI.hpp ;;
    libfmt-dev) has_header fmt/format.h ;;
    libgtest-dev) has_header gtest/gtest.h ;;
    gnuplot-nox) command -v gnuplot >/dev/null ;;
    miller) command -v mlr >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# missing_packages PACKAGE...: prints those that are not there.
missing_packages() {
  local package
  for package in "$@"; do
    has_package "$package" || printf '%s\n' "$package"
  done
}

apt_install() {
  local as_root=()
  [[ "$(id -u)" == 0 ]] || as_root=(sudo)
  say "installing $*"
  "${as_root[@]}" apt-get update -qq >&2 || { sleep 2 && "${as_root[@]}" apt-get update -qq >&2; } ||
    warn "apt-get update failed: trying with the package lists that are there"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# need_packages REQUIRED... -- OPTIONAL...: installs the missing ones, and only those. A required one that stays missing
# ends the script; the optional ones that do are left in the array packages_left_out.
need_packages() {
  local required=() missing
  while [[ $# -gt 0 && "$1" != -- ]]; do
    required+=("$1")
    shift
  done
  [[ $# -eq 0 ]] || shift

  packages_left_out=()
  mapfile -t missing < <(missing_packages "${required[@]}" "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0

  if ! command -v apt-get >/dev/null; then
    warn "not installed: ${missing[*]} (names of Debian and Ubuntu); there is no apt-get, so install them your way"
  elif [[ "$(id -u)" != 0 ]] && ! command -v sudo >/dev/null; then
    warn "not installed: ${missing[*]}; as root: apt-get install ${missing[*]}"
  else
    apt_install "${missing[@]}" || warn "apt-get install failed: ${missing[*]}"
  fi

  mapfile -t missing < <(missing_packages "${required[@]}")
  [[ ${#missing[@]} -eq 0 ]] || die "cannot go on without: ${missing[*]}"
  # shellcheck disable=SC2034 # for the script that sources this
  mapfile -t packages_left_out < <(missing_packages "$@")
}
