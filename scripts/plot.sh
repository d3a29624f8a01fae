#!/usr/bin/env bash
# Usage: scripts/plot.sh [--out DIR] [--format svg|png|both] [--where COLUMN=VALUE,...] FILE...
#
# Draws the rows that the experiments (--csv), scripts/sweep.sh or scripts/profile.sh wrote. FILE... may mix
# experiments: rows are chosen by their columns. One picture for each kind that has rows; its path goes to stdout, a
# line each. A picture is derived, so one that exists is replaced.
#
#   offset     bandwidth and predicted sectors, load and store together, against the offset
#   stride     bandwidth and predicted sectors of the strided side against the stride, one line for each n and variant
#   n          bandwidth against n, for what was measured at three or more; shaded where the regime column leaves "l2"
#   aos_soa    layouts as bars, grouped by the number of fields read
#   transpose  variants as bars, grouped by shape; the line is the device copy of the same process
#   counters   sectors counted against sectors predicted (rows of scripts/profile.sh)
#
#   --out DIR      where the pictures go, made if need be (default: beside the first FILE)
#   --format F     svg, png or both (default: svg)
#   --where COLUMN=VALUE,...
#                  only rows with one of these values there, or with none; may be given once for each column
#   -h, --help     this text
#
# A picture shows the usual conditions, where a file holds them beside others: L2 hot, 4 B elements, 16 B structs, 256
# threads a block, 4 items a thread, 32 lanes, and the n of most rows (but n against n, and the stride at the smallest,
# the usual and the largest n). A variant that was not measured so keeps the conditions of most of its rows. What is
# left out is named on stderr; --where l2=cold shows it, --where l2=hot,cold shows both: where a column was asked for,
# each of its values is drawn, and the n, say, is rather one that all of them have. So it is with GPUs of several names.
#
# Left out, with a warning that counts them: rows whose status is not ok or whose mismatches are not 0, and rows whose
# flags say profiled, debug or throttled. A predicted row has no time, so there is nothing to draw of it.
#
# A point is the median_ms of its row, as bandwidth; its bar is one standard deviation (stddev_ms) either way. Rows that
# differ in nothing but order, seed, launch counts, process and card of the same name make one point: their median, and
# a bar from the lowest end of their bars to the highest. A variant has one colour everywhere (Okabe and Ito's palette).
# Of more than 8 lines some are left out, with a warning, but no variant: --where shows them.
#
# Needs gnuplot 5 (with pngcairo for png) and mlr (Miller 6).
# Exit status: 0 drawn; 1 nothing to draw; 2 wrong usage, no such file, or not a CSV of rows; 3 a tool is missing or
# failed, or a picture cannot be written.

# shellcheck disable=SC1010,SC2016 # "then" and "$" inside a Miller command are Miller's

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

kinds=(offset stride n aos_soa transpose counters)

needed_columns=(experiment variant parameter value n rows cols ld_in ld_out struct_bytes lanes element_bytes
  items_per_thread block_size l2 load_sectors store_sectors load_sectors_per_request store_sectors_per_request
  median_ms stddev_ms useful_gbps ceiling_gbps regime mismatches status flags gpu driver build_type version timestamp)
counted_columns=(counted_load_sectors counted_store_sectors)

# --- the command line -------------------------------------------------------------------------------------------------

out=""
formats=(svg)
where="" # COLUMN=VALUE,...| for each
files=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --out) need_value "$@" && out="$2" && shift 2 ;;
    --format)
      need_value "$@"
      case "$2" in
        svg | png) formats=("$2") ;;
        both) formats=(svg png) ;;
        *) die "--format: svg, png or both, not '$2'" 2 ;;
      esac
      shift 2
      ;;
    --where)
      need_value "$@"
      [[ "$2" =~ ^([a-z0-9_]+)=(.+)$ ]] || die "--where: COLUMN=VALUE or COLUMN=VALUE,VALUE..., not '$2'" 2
      [[ " ${needed_columns[*]} " == *" ${BASH_REMATCH[1]} "* ]] || die "--where: there is no column '${BASH_REMATCH[1]}'" 2
      [[ "|$where" != *"|${BASH_REMATCH[1]}="* ]] || die "--where: the column '${BASH_REMATCH[1]}' is given twice" 2
      where+="$2|"
      shift 2
      ;;
    -h | --help) usage && exit 0 ;;
    --)
      files+=("${@:2}")
      break
      ;;
    -*) die "unknown option '$1' (try --help)" 2 ;;
    *) files+=("$1") && shift ;;
  esac
done
[[ ${#files[@]} -gt 0 ]] || die "which files? (CSV files of rows; try --help)" 2

for i in "${!files[@]}"; do
  [[ -e "${files[i]}" ]] || die "no such file: '${files[i]}'" 2
  [[ -f "${files[i]}" && -r "${files[i]}" ]] || die "'${files[i]}' is no readable regular file" 2
  files[i]="$(absolute_path "${files[i]}")"
done
[[ -n "$out" ]] || out="$(dirname -- "${files[0]}")"
out="$(absolute_path "$out")"
for kind in "${kinds[@]}"; do
  for format in "${formats[@]}"; do refuse_input --out "$out/$kind.$format" "${files[@]}"; done
done

need_miller
command -v gnuplot >/dev/null || die "gnuplot was not found: apt-get install gnuplot-nox, or http://www.gnuplot.info" 3

make_work_folder

# --- the rows ---------------------------------------------------------------------------------------------------------

columns="$(joined "${needed_columns[@]}" "${counted_columns[@]}")"
counted="$(joined "${counted_columns[@]}")"
export where
# An empty cell does not apply to its row, so nothing is asked of it: --where lanes=8 keeps the layouts without lanes.
cat >"$work/where.mlr" <<'MILLER'
begin { @met = {} }
bool wanted = true;
for (clause in splitax(ENV["where"], "|")) {
  if (clause != "") {
    str column = sub(clause, "=.*", "");
    str cell = string($[column]);
    bool found = cell == "";
    for (value in splitax(sub(clause, "^[^=]*=", ""), ",")) {
      if (value == cell) {
        found = true;
        @met[column . "=" . value] = 1;
      }
    }
    wanted = wanted && found;
  }
}
filter wanted;
end {
  for (clause in splitax(ENV["where"], "|")) {
    if (clause != "") {
      for (value in splitax(sub(clause, "^[^=]*=", ""), ",")) {
        str asked = sub(clause, "=.*", "") . "=" . value;
        if (!haskey(@met, asked)) { eprint "no row has " . asked }
      }
    }
  }
}
MILLER
for file in "${files[@]}"; do
  lacking="$(missing_columns "$file" "${needed_columns[@]}")"
  [[ -z "$lacking" ]] || die "'$file' is no CSV of rows: its header lacks $lacking" 2
  # CSV all the way: of a text such as 0x10 Miller would write JSON that it cannot read.
  header=()
  [[ ! -s "$work/all.csv" ]] || header=(--headerless-csv-output)
  read_rows "$file" --ocsv ${header[@]+"${header[@]}"} put -f "$root/scripts/rows.mlr" -e 'call check($*)' \
    then unsparsify -f "$counted" then cut -o -f "$columns" "$file" >>"$work/all.csv"
done
mlr --csv put -f "$work/where.mlr" "$work/all.csv" >"$work/rows.csv" 2>"$work/error" || miller_failed "--where"
while IFS= read -r line; do warn "--where: $line"; done <"$work/error"

flagged='strlen(gsub(";" . $flags . ";", ".*;(profiled|debug|throttled);.*", "")) == 0'
timed='is_time($median_ms) && is_time($useful_gbps)'
mlr --icsv --onidx put -q -f "$root/scripts/rows.mlr" -e '
  begin { @total = 0; @predicted = 0; @not_ok = 0; @unfit = 0; @timeless = 0; @untimely = 0; @examples = "" }
  @total += 1;
  if (is_prediction($*)) { @predicted += 1 }
  elif (!is_right($*)) { @not_ok += 1 }
  elif ('"$flagged"') { @unfit += 1 }
  elif ('"$timed"') { }
  elif (is_empty($useful_gbps) || is_empty($median_ms)) { @timeless += 1 }
  else {
    @untimely += 1;
    if (@untimely <= 3) { @examples .= (@untimely == 1 ? "" : "; ") . $variant . " " . $parameter . " " . $value .
      ": median_ms " . $median_ms . ", useful_gbps " . $useful_gbps }
  }
  end {
    print @total . " " . @predicted . " " . @not_ok . " " . @unfit . " " . @timeless . " " . @untimely . " " . @examples;
  }' "$work/rows.csv" >"$work/counts" 2>"$work/error" || miller_failed "the counts"
read -r total predicted not_ok unfit timeless untimely examples <"$work/counts"
[[ "$predicted" == 0 ]] || warn "$predicted predicted rows have no time: no bandwidth of them is drawn"
[[ "$not_ok" == 0 ]] || warn "$not_ok rows left out: their status is not ok, or their mismatches are not 0"
[[ "$unfit" == 0 ]] || warn "$unfit rows left out: their flags say profiled, debug or throttled"
[[ "$timeless" == 0 ]] || warn "$timeless rows left out: they have no time"
[[ "$untimely" == 0 ]] || warn "$untimely rows left out: what they have is not a time ($examples)"

# Rows of a kind go to KIND.csv; a row may be of several.
WORK="$work" mlr --csv \
  filter -f "$root/scripts/rows.mlr" -e 'is_right($*) && !('"$flagged"') && '"$timed" \
  then put -f "$root/scripts/rows.mlr" -e '
    $rank = rank_of($variant);
    $sectors = $parameter == "offset" ? $load_sectors_per_request + $store_sectors_per_request
      : max($load_sectors_per_request, $store_sectors_per_request)' \
  then sort -nf rank,n,element_bytes,items_per_thread,block_size,struct_bytes,lanes,value,rows,cols \
  then put -q '
    if ($parameter == "offset") { tee > ENV["WORK"]."/offset.csv", $* }
    if ($parameter == "stride") { tee > ENV["WORK"]."/stride.csv", $* }
    if ($experiment == "aos_soa") { tee > ENV["WORK"]."/aos_soa.csv", $* }
    if (is_not_empty($rows)) { tee > ENV["WORK"]."/transpose.csv", $* }
    if (is_not_empty($counted_load_sectors) || is_not_empty($counted_store_sectors)) {
      tee > ENV["WORK"]."/counters.csv", $*
    }
    tee > ENV["WORK"]."/n.csv", $*' \
  "$work/rows.csv" 2>"$work/error" >/dev/null || miller_failed "the rows of a kind"

# --- the pictures -----------------------------------------------------------------------------------------------------

terminal() { # FORMAT HEIGHT
  case "$1" in
    svg) echo "set terminal svg size 1200,$2 noenhanced font 'Helvetica,17' background '#ffffff'" ;;
    png) echo "set terminal pngcairo size 1200,$2 noenhanced font 'Sans,13' background '#ffffff'" ;;
  esac
}

drawn=0
for kind in "${kinds[@]}"; do
  [[ -e "$work/$kind.csv" ]] || continue
  mlr --icsv --onidx put -s kind="$kind" -s quote="'" -q -f "$root/scripts/rows.mlr" -f "$root/scripts/plot.mlr" \
    "$work/$kind.csv" >"$work/$kind.gp" 2>"$work/error" || miller_failed "$kind"
  while IFS= read -r line; do warn "$kind: $line"; done < <(uniq "$work/error")
  grep -q '^plot ' "$work/$kind.gp" || continue
  height="$(sed -n 's/^# height //p' "$work/$kind.gp")"
  for format in "${formats[@]}"; do
    { terminal "$format" "$height" && echo "set output 'picture'" && cat "$work/$kind.gp"; } >"$work/picture.gp"
    rm -f "$work/picture"
    if ! (cd "$work" && gnuplot picture.gp) >"$work/error" 2>&1 || [[ ! -s "$work/picture" ]]; then
      die "gnuplot could not draw $kind.$format: $(grep -v '^ *^\?$' "$work/error" | tail -n 1)" 3
    fi
    if [[ "$drawn" == 0 ]]; then
      mkdir -p -- "$out" || die "--out: '$out' cannot be made" 3
    fi
    # Renamed in one step: a reader sees the old picture or the new one.
    partial="$out/$kind.$format.partial.$$"
    if ! cp -- "$work/picture" "$partial" || ! mv -fT -- "$partial" "$out/$kind.$format"; then
      die "'$out/$kind.$format' cannot be written" 3
    fi
    partial=""
    printf '%s\n' "$out/$kind.$format" 2>/dev/null || die "stdout took no more" 3
    drawn=$((drawn + 1))
  done
done
[[ "$total" -gt 0 ]] || die "nothing to draw: no row${where:+ is left by --where}" 1
[[ "$drawn" -gt 0 ]] || die "nothing to draw: none of the $total rows has status ok, a time and no such flag" 1
