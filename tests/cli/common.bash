# What the tests of the command lines share. The executables lie in $SECTORSCOPE_BIN.

: "${SECTORSCOPE_BIN:?the folder of the executables}"
export SECTORSCOPE_BIN
experiments() { echo offset stride aos_soa transpose; }
set -o pipefail

# on EXPERIMENT ARGUMENT...: runs one.
on() { "$SECTORSCOPE_BIN/$1" "${@:2}"; }

# Small defaults, whatever the machine: nothing here is about the automatic size unless it says so.
small() {
  case "$1" in
    transpose) echo "--rows 100 --cols 200" ;;
    *) echo "-n 10007" ;; # a prime: every stride is a permutation
  esac
}

need_mlr() { command -v mlr >/dev/null || skip "mlr (Miller) is not installed"; }

# columns NAME,... : those columns of CSV on stdin, in that order, without a header.
columns() { mlr --icsv --ocsv --headerless-csv-output cut -o -f "$1"; }

# column NAME: one column on one line, with spaces between.
column() { columns "$1" | paste -sd ' '; }

# same WHAT EXPECTED ACTUAL
same() {
  [[ "$2" == "$3" ]] && return 0
  printf '%s: expected\n%s\nbut it is\n%s\n' "$1" "$2" "$3"
  return 1
}

# For loops that go through a table to its end: failed says what, passed ends the test.
failures=()
failed() { failures+=("$*"); }
passed() {
  [[ ${#failures[@]} -eq 0 ]] && return 0
  printf '%s\n' "${failures[@]}"
  return 1
}
