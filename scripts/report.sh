#!/usr/bin/env bash
# Usage: scripts/report.sh [-o FILE] [--plots DIR] [--worksheet] FILE|FOLDER... > report.md
#
# Writes a report, in Markdown, of rows that were measured: what was measured on which machine and how, what was
# predicted, timed, verified and counted, and what follows from it, in four parts: confirmed by data, inferred from the
# model, not measured, open questions. All of it is computed from the files: nothing is said that is not in them, and
# an empty cell is "not measured".
#
# FILE is a CSV of the experiments (--csv, --samples), of scripts/sweep.sh or of scripts/profile.sh; a FOLDER stands for
# the CSV files of the four experiments in it, as scripts/sweep.sh leaves them. The environment.txt beside a FILE is
# read.
#
#   -o FILE        where the report goes (default, or -: stdout); one that exists is replaced, but no file that is read
#   --plots DIR    draw pictures there (scripts/plot.sh) and link them, relative to the folder of the report; to the
#                  current one where the report goes to stdout. Without gnuplot the report names them as missing
#   --worksheet    leave the reasoning to the reader: explanations, what is inferred, open questions and the conclusion
#                  are blank
#   -h, --help     this text
#
# Rows that differ in nothing but order, seed, launch counts, process and card of the same name are one configuration:
# the median of their medians, the mean of their means. Times of rows whose status is not ok, whose mismatches are not
# 0, or whose flags say profiled, debug or throttled, are discarded, and counted; so is what can be no time, as 0. A file
# that is given twice counts once. Of an experiment with more than 48 configurations the tables show those under the
# usual conditions (see scripts/plot.sh), of long lists of values the powers of two and their neighbours; the rest is
# summed up.
#
# Needs mlr (Miller 6); gnuplot for --plots.
# Exit status: 0 written; 1 no row to report; 2 wrong usage, no such file, or not a CSV of rows; 3 a tool is missing or
# failed, or something cannot be written.

# shellcheck disable=SC1010,SC2016 # "then" and "$" inside a Miller command are Miller's

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

experiments=(offset stride aos_soa transpose)

needed_columns=(experiment variant parameter value n rows cols ld_in ld_out struct_bytes lanes element_bytes
  items_per_thread block_size l2 order seed warmup iterations runs grid_size access lane_byte_gap load_requests
  load_sectors store_requests store_sectors load_sectors_per_request store_sectors_per_request load_efficiency_pct
  store_efficiency_pct shared_load_wavefronts shared_store_wavefronts useful_bytes footprint_bytes median_ms mean_ms
  min_ms max_ms stddev_ms useful_gbps ceiling_gbps pct_of_ceiling peak_gbps regime mismatches max_abs_error status flags
  gpu uuid compute_capability driver runtime sm_clock_mhz memory_clock_mhz build_type version timestamp)
counted_columns=(counted_load_requests counted_load_sectors counted_store_requests counted_store_sectors
  counted_shared_load_wavefronts counted_shared_store_wavefronts counted_l2_read_sectors counted_l2_write_sectors
  counted_dram_read_bytes counted_dram_write_bytes counted_l1_hit_pct counted_l2_hit_pct counted_local_sectors
  counted_duration_ms counters_match)
sample_columns=(experiment variant parameter value n gpu run ms gbps)

# --- the command line -------------------------------------------------------------------------------------------------

output=-
plots=""
worksheet=false
inputs=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    -o) need_value "$@" && output="$2" && shift 2 ;;
    --plots) need_value "$@" && plots="$(absolute_path "$2")" && shift 2 ;;
    --worksheet) worksheet=true && shift ;;
    -h | --help) usage && exit 0 ;;
    --)
      inputs+=("${@:2}")
      break
      ;;
    -*) die "unknown option '$1' (try --help)" 2 ;;
    *) inputs+=("$1") && shift ;;
  esac
done
[[ ${#inputs[@]} -gt 0 ]] || die "which files? (CSV files of rows, or folders of a sweep; try --help)" 2

files=()
declare -A given=()
# add_file FILE: a file that is given twice, or lies in a folder that is given as well, is read once.
add_file() {
  local path
  path="$(realpath -- "$1")"
  if [[ -n "${given[$path]:-}" ]]; then
    warn "'$1' was given before: its rows count once"
    return
  fi
  given[$path]=1
  files+=("$1")
}
for input in "${inputs[@]}"; do
  [[ -e "$input" ]] || die "no such file: '$input'" 2
  if [[ -d "$input" ]]; then
    found=false
    for name in "${experiments[@]}"; do
      for file in "$input/$name.csv" "$input/$name-samples.csv"; do
        [[ -e "$file" ]] || continue
        found=true
        add_file "$file"
      done
    done
    [[ "$found" == true ]] || die "'$input' has no offset.csv, stride.csv, aos_soa.csv or transpose.csv" 2
  else
    [[ -f "$input" && -r "$input" ]] || die "'$input' is no readable regular file" 2
    add_file "$input"
  fi
done
[[ "$output" == - || ! -e "$output" || -f "$output" ]] || die "-o: '$output' is no regular file" 2

# What is read is not written.
read_files=("${files[@]}")
for file in "${files[@]}"; do read_files+=("$(dirname -- "$file")/environment.txt"); done
[[ "$output" == - ]] || refuse_input -o "$output" "${read_files[@]}"
if [[ -n "$plots" ]]; then
  # plot.sh looks at the rows that it draws; these are the samples and environments as well.
  for file in "${read_files[@]}"; do
    [[ "$file" != *.svg ]] || refuse_input --plots "$plots/${file##*/}" "$file"
  done
  # A path of a picture is a line, here and in the report.
  [[ "$plots$(realpath -m -- "$plots")" != *[[:cntrl:]]* ]] ||
    die "--plots: a folder whose name holds a control character cannot be linked" 2
fi

need_miller

make_work_folder

if [[ "$output" != - ]]; then
  # Next to the output, so that the rename is one step; made now, so that a folder that takes no file is found out now.
  output="$(absolute_path "$output")"
  partial="$output.partial.$$"
  : 2>/dev/null >"$partial" || die "-o: '$output' cannot be written" 3
fi

# --- what the files hold ----------------------------------------------------------------------------------------------

row_files=()
# CSV all the way: of a text such as 0x10 Miller would write JSON that it cannot read.
: >"$work/rows.csv"
: >"$work/samples.csv"
environments=()
declare -A seen=()
for file in "${files[@]}"; do
  lacking="$(missing_columns "$file" "${needed_columns[@]}")"
  if [[ -z "$lacking" ]]; then
    row_files+=("$file")
    columns=("${needed_columns[@]}" "${counted_columns[@]}")
    into=rows
  elif [[ -z "$(missing_columns "$file" "${sample_columns[@]}")" ]]; then
    columns=("${sample_columns[@]}" "${needed_columns[@]:5:15}" process)
    into=samples
  else
    die "'$file' is no CSV of rows: its header lacks $lacking" 2
  fi
  header=()
  [[ ! -s "$work/$into.csv" ]] || header=(--headerless-csv-output)
  FILE="$file" read_rows "$file" --ocsv ${header[@]+"${header[@]}"} put -f "$root/scripts/rows.mlr" -e 'call check($*)' \
    then unsparsify -f "$(joined "${columns[@]}")" then cut -o -f "$(joined "${columns[@]}")" \
    then put '$file = ENV["FILE"]' "$file" >>"$work/$into.csv"

  folder="$(dirname -- "$file")"
  if [[ -z "${seen[$folder]:-}" && -r "$folder/environment.txt" ]]; then
    seen[$folder]=1
    # A line is "field: value".
    environments+=("$work/environment-${#environments[@]}.csv")
    FILE="$folder/environment.txt" mlr --inidx --ifs $'\x01' --ocsv put -q '
      begin { @fields = {"file": ENV["FILE"]} }
      if ($1 =~ "^([A-Za-z_0-9]+):[ \t]*(.*)$") { @fields["\1"] = "\2" }
      end { emit @fields }' "$folder/environment.txt" >"${environments[-1]}" 2>"$work/error" ||
      miller_failed "'$folder/environment.txt' cannot be read"
  fi
done

count="$(mlr --icsv --onidx count "$work/rows.csv" 2>"$work/error")" || miller_failed "the rows cannot be counted"
[[ ${#row_files[@]} -gt 0 && "$count" -gt 0 ]] || die "no row to report: ${#files[@]} files hold none" 1

# --- the pictures -----------------------------------------------------------------------------------------------------

# KIND=LINK lines, and why there is none.
links=""
no_pictures="none were asked for (--plots)."
if [[ -n "$plots" ]]; then
  report_folder="$PWD"
  [[ "$output" == - ]] || report_folder="$(dirname -- "$output")"
  if ! command -v gnuplot >/dev/null; then
    no_pictures="missing, since gnuplot was not found."
    warn "gnuplot was not found: the report has no pictures"
  else
    status=0
    "$root/scripts/plot.sh" --out "$plots" -- "${row_files[@]}" >"$work/pictures" || status=$?
    case "$status" in
      0)
        while IFS= read -r picture; do
          kind="$(basename -- "$picture" .svg)"
          links+="$kind=$(realpath -m --relative-to="$report_folder" -- "$picture")"$'\n'
        done <"$work/pictures"
        ;;
      1) no_pictures="there is nothing to draw: no row has a time that counts." ;;
      *) die "the pictures could not be drawn" 3 ;;
    esac
  fi
fi

# --- the report -------------------------------------------------------------------------------------------------------

mlr --csv put -f "$root/scripts/rows.mlr" -e '$rank = rank_of($variant)' \
  then sort -nf rank,n,element_bytes,items_per_thread,block_size,struct_bytes,rows,cols,ld_in,ld_out,lanes,value -r l2 \
  then cut -x -f rank "$work/rows.csv" >"$work/sorted.csv" 2>"$work/error" || miller_failed "the rows cannot be sorted"
LINKS="$links" NO_PICTURES="$no_pictures" WORKSHEET="$worksheet" mlr --icsv --onidx put -q \
  -f "$root/scripts/rows.mlr" -f "$root/scripts/report.mlr" \
  "$work/sorted.csv" "$work/samples.csv" ${environments[@]+"${environments[@]}"} \
  >"$work/report.md" 2>"$work/error" || miller_failed "the report"

if [[ "$output" == - ]]; then
  cat "$work/report.md" || die "stdout took no more" 3
else
  if ! cat "$work/report.md" >"$partial" || ! mv -fT -- "$partial" "$output"; then
    die "-o: '$output' cannot be written" 3
  fi
  partial=""
fi
