#!/usr/bin/env bash
# compute-sanitizer's four tools over every executable, variant, element width and items a thread, at sizes that fill no
# warp, block or tile. First the tools have to find the faults that are planted for them (tests/mutants). Prints, for
# each tool and variant, how many kernels it checked and how many findings name it.
#
# Exit status: 0 without a finding, every variant seen; 1 otherwise; 77 without a GPU or compute-sanitizer.
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"
# shellcheck source=tests/gpu/lib/common.bash
source "$root/tests/gpu/lib/common.bash"
# shellcheck source=tests/gpu/lib/sanitizer.bash
source "$root/tests/gpu/lib/sanitizer.bash"
require_gpu
find_sanitizer >/dev/null || { echo "skipped: compute-sanitizer is not installed" && exit 77; }
command -v mlr >/dev/null || { echo "skipped: mlr (Miller) is not installed" && exit 77; }

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

variants=(offset_read offset_write stride_gather stride_scatter stride_both stride_disjoint
  aos_transform soa_transform aosoa_transform aos_step soa_step aosoa_step aos_to_soa
  transpose_copy transpose_copy_column transpose_naive transpose_naive_write transpose_tiled transpose_padded
  transpose_swizzled transpose_vectorized)
launches_per_row=2 # -w 1 -i 1 -r 1, and nothing else is launched

# One process a line: what can be a list is one. Every width meets every number of items, and both meet all sizes.
sizes=(1 31 33 257 1003)
command_lines() {
  local widths=(1 2 4 8 16) items=(1 2 4 8) w u n
  for w in "${!widths[@]}"; do
    for u in "${!items[@]}"; do
      n="-n ${sizes[(w + u) % 5]} -u ${items[u]} -e ${widths[w]}"
      echo "offset $n --offsets 0,1,7,31 --access read,write"
      echo "stride $n --strides 1,5,37 --access gather,scatter,both"
      echo "stride $n --strides 0,1,9 --mapping disjoint"
    done
  done
  for u in "${!items[@]}"; do
    n="-u ${items[u]} -n"
    echo "aos_soa $n 1003 --fields 1:4 --lanes 1,8,64 --conversion"
    echo "aos_soa $n ${sizes[u]} --fields 1:4 --lanes 1,8,64 --conversion"
    echo "aos_soa $n 1003 --struct-bytes 24 --fields 1:6 --lanes 1,32 --conversion"
    echo "aos_soa $n ${sizes[u]} --struct-bytes 24 --fields 1:6 --lanes 1,32 --conversion"
    echo "aos_soa $n 1003 --op step --lanes 1,4,64"
    echo "aos_soa $n ${sizes[u]} --op step --lanes 1,4,64"
  done
  for w in "${widths[@]}"; do
    echo "transpose --rows 1 --cols 1 -e $w"
    echo "transpose --rows 31 --cols 33 -e $w"
    echo "transpose --rows 65 --cols 63 -e $w"
    echo "transpose --rows 99 --cols 102 --ld-in 104 --ld-out 103 -e $w"
    echo "transpose --rows 99 --cols 102 --ld-in 112 --ld-out 112 -e $w"
  done
  # The configurations above share arrays that are as large as the largest of them needs. Here each has a process, so
  # that memcheck sees where its own end.
  local layout
  for u in 0 7; do
    echo "offset -n 1003 --offsets $u --access read"
    echo "offset -n 1003 --offsets $u --access write"
  done
  for layout in gather scatter both; do echo "stride -n 1003 --strides 37 --access $layout"; done
  for u in 1 9; do echo "stride -n 1003 --strides $u --mapping disjoint"; done
  for layout in "aos" "soa" "aosoa --lanes 8"; do
    for u in "16 --fields 1" "16 --fields 4" "24 --fields 1" "24 --fields 6" "24 --op step"; do
      echo "aos_soa -n 1003 --layouts $layout --struct-bytes $u"
    done
  done
  for layout in copy naive; do echo "transpose --rows 99 --cols 102 --variants $layout"; done
}

# check TOOL NUMBER COMMAND_LINE: leaves NUMBER.log and NUMBER.csv in the tool's folder.
check() {
  local words status=0
  read -r -a words <<<"$3"
  sanitize "$1" "$folder/$1/$2.log" "$bin/${words[0]}" "${words[@]:1}" -w 1 -i 1 -r 1 -q \
    --csv "$folder/$1/$2.csv" || status=$?
  [[ $status -eq 0 ]] || printf '%s: exit %s: %s\n' "$1" "$status" "$3"
}
export folder
export -f check sanitize find_sanitizer find_nvcc

# report TOOL: a line a variant.
report() {
  local variant rows kernels findings total
  for variant in "${variants[@]}"; do
    # shellcheck disable=SC2016 # the dollar is Miller's
    rows="$(mlr --icsv --onidx filter '$variant == "'"$variant"'"' "$folder/$1"/*.csv | wc -l)"
    kernels=$((rows * launches_per_row))
    # A finding names its kernel in one of its lines.
    findings="$(cat "$folder/$1"/*.log | grep -cE "^=========.*\b${variant}[<(]" || true)"
    printf '%-10s %-22s %6s kernels %6s findings\n' "$1" "$variant" "$kernels" "$findings"
    [[ $kernels -gt 0 ]] || fail "$1 has not seen $variant"
  done
  total="$(sanitizer_errors "$folder/$1"/*.log)" || fail "$1: a run left no summary"
  printf '%-10s %s command lines, %s errors\n' "$1" "$(wc -l <"$folder/lines")" "$total"
  [[ $total -eq 0 ]] || fail "$1: $total errors"
}

status=0
"$root/tests/mutants/run.sh" --sanitizer || status=$?
[[ $status -eq 0 ]] || fail "planted faults were not found"

command_lines >"$folder/lines"
tools=(memcheck racecheck initcheck synccheck)
for tool in "${tools[@]}"; do
  mkdir "$folder/$tool"
  awk -v tool="$tool" '{ printf "%s%c%s%c%s%c", tool, 0, NR, 0, $0, 0 }' "$folder/lines"
done >"$folder/all"
# shellcheck disable=SC2016 # the inner shell expands it
wrong="$(xargs -0 -n 3 -P "$(processors)" bash -c 'check "$@"' _ <"$folder/all")"
[[ -z $wrong ]] || fail "$wrong"
for tool in "${tools[@]}"; do
  report "$tool"
  grep -hE -A 6 '^========= (Invalid|Uninit|Error|Warning|Barrier|Program)' "$folder/$tool"/*.log | head -n 40 || true
done
finish "sanitizers"
