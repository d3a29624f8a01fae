#!/usr/bin/env bash
# Usage: scripts/compare.sh [options] BASELINE NEW
#
# Is NEW worse than BASELINE? Either is a CSV of rows, as the experiments (--csv) or scripts/profile.sh write it, or a
# folder with offset.csv, stride.csv, aos_soa.csv, transpose.csv, as scripts/sweep.sh leaves it. NAME-samples.csv beside
# NAME.csv is read too. Rows whose key is equal (the columns up to `runs`, `order` and `seed` among them) are compared;
# several rows with one key in one input are its processes; the very same row again is a copy and counts once.
#
#   --threshold PCT   how much slower counts, in percent (default: 3)
#   --across-gpus     compare rows of different GPUs
#   --all             show every row (default: those that are not SAME)
#   --csv             write CSV, every row; the counts go to stderr
#   -h, --help        this text
#
# Verdicts, the worst first:
#   MISMATCH   a result was wrong or not verified, in NEW or in BASELINE: the status of a row is not ok, or its
#              mismatches are not 0; a predicted row has none
#   CHANGED    requests, sectors or shared wavefronts differ, or only one input has them: predicted ones, or counted
#              ones where both have them. This is certain, whatever the times say
#   SLOWER     by the rule below
#   MISSING    in BASELINE only
#   TREND      in NEW, the bandwidth of stride_gather does not fall with the stride (see below)
#   FASTER     by the rule below
#   NEW        in NEW only
#   SAME       none of these
#
# The rule for times. A process counts as one measurement: the median of its runs. The time of an input is the median of
# its processes; its range goes from the fastest process to the slowest. With fewer than five processes, too few to tell
# their own spread, the range is that of all their runs; where the samples are there, the fastest and the slowest run of
# a process with five or more are left out, so that one disturbed run hides nothing. SLOWER: the new time is greater by
# more than the threshold and by more than both ranges together. FASTER: the same, the other way round.
# Flags: a time flagged throttled, profiled or debug is no result and left out, as is what is no time (0). A row flagged
# short or spread, or with fewer than three runs in all in one input, needs three times the threshold. Where a time is
# missing, only requests and sectors are compared. Each of these is said on stderr, and so is a change that the ranges
# hide.
#
# The trend. In NEW, stride_gather rows of regime dram that differ in nothing but the stride: up to the first one with
# the most sectors a request, none may be faster (by the rule) than one with a smaller stride; and that last one must be
# slower than the first by more than 3 percent, whatever the threshold, where it has at least twice the sectors.
#
# In the table times are in ms; change % is that of the time; ranges % is both ranges together, of the baseline time.
#
# Needs mlr (Miller 6).
# Exit status: 0 nothing is worse; 1 something is (MISMATCH, CHANGED, SLOWER, MISSING, TREND); 2 they cannot be
# compared: wrong usage, no such file, not a CSV of rows, different GPUs, different build types, no row in common, or
# BASELINE has times and NEW none to compare them with; 3 a tool is missing or failed, or the output cannot be written.

# shellcheck disable=SC1010,SC2016 # "then" and "$" inside a Miller command are Miller's

set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

key_columns=(experiment variant parameter value n rows cols ld_in ld_out struct_bytes lanes element_bytes
  items_per_thread block_size l2 order seed warmup iterations runs)
count_columns=(load_requests load_sectors store_requests store_sectors shared_load_wavefronts shared_store_wavefronts)
row_columns=("${key_columns[@]}" "${count_columns[@]}" load_sectors_per_request median_ms min_ms max_ms regime
  mismatches status flags gpu uuid driver runtime build_type version)
sample_columns=("${key_columns[@]}" uuid run ms)

# --- the command line -------------------------------------------------------------------------------------------------

threshold=3
across_gpus=false
all=false
format=table
inputs=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --threshold) need_value "$@" && threshold="$2" && shift 2 ;;
    --across-gpus) across_gpus=true && shift ;;
    --all) all=true && shift ;;
    --csv) format=csv && shift ;;
    -h | --help) usage && exit 0 ;;
    --)
      inputs+=("${@:2}")
      break
      ;;
    -*) die "unknown option '$1' (try --help)" 2 ;;
    *) inputs+=("$1") && shift ;;
  esac
done
[[ ${#inputs[@]} -eq 2 ]] || die "two inputs are needed, BASELINE and NEW, not ${#inputs[@]} (try --help)" 2
[[ "$threshold" =~ ^[0-9]{1,3}(\.[0-9]{1,6})?$ ]] ||
  die "--threshold: a percentage such as 3 or 2.5, not '$threshold'" 2

need_miller

make_work_folder

# --- the inputs -------------------------------------------------------------------------------------------------------

# check_header FILE COLUMN...: ends the script unless the columns are there.
check_header() {
  local missing
  missing="$(missing_columns "$@")"
  [[ -z "$missing" ]] || die "'$1' was not written by the experiments: its header lacks $missing" 2
}

# find_files INPUT: leaves its CSV files in row_files, and those of their samples that are there in sample_files.
find_files() {
  local file samples experiment
  row_files=()
  sample_files=()
  [[ -e "$1" ]] || die "no such file or folder: '$1'" 2
  if [[ -d "$1" ]]; then
    for experiment in offset stride aos_soa transpose; do
      file="$(absolute_path "$1")/$experiment.csv"
      [[ ! -e "$file" ]] || row_files+=("$file")
    done
    [[ ${#row_files[@]} -gt 0 ]] ||
      die "the folder '$1' holds none of offset.csv, stride.csv, aos_soa.csv, transpose.csv" 2
  else
    row_files=("$(absolute_path "$1")")
  fi
  for file in "${row_files[@]}"; do
    [[ -f "$file" && -r "$file" ]] || die "'$file' is no readable regular file" 2
    check_header "$file" "${row_columns[@]}"
    samples="${file%.csv}-samples.csv"
    if [[ -s "$samples" ]]; then
      check_header "$samples" "${sample_columns[@]}"
      sample_files+=("$samples")
    fi
  done
}

# One record a key: its processes gathered into a time, a range, and what else is compared. Rows come before samples.
cat >"$work/gather.mlr" <<'MILLER'
begin {
  @key_columns = splitax(ENV["key"], ",");
  @count_columns = splitax(ENV["counts"], ",");
  # How many processes tell their own spread.
  @enough = 5;
  @copies = 0;
  @left_out = 0;
  @no_times = 0;
  @seen = {};
}

# Does one of the flags, separated by ";", match?
func has_flag(flags, str flag): bool { return ";" . flags . ";" =~ ";(" . flag . ");" }

func what_is_wrong(map row): str {
  if (row["mismatches"] != "" && row["mismatches"] != 0) { return row["mismatches"] . " wrong elements" }
  if (row["status"] == "ok") { return "mismatches not counted" }
  return row["status"] == "" ? "no status" : "status " . row["status"]
}

# Are these the runs that the row sums up? (9 digits are written.)
func belongs(map runs, map row): bool {
  return length(runs) == row["runs"] && abs(middle(runs) - row["median_ms"]) <= 1e-6 * row["median_ms"]
}

call check($*);
# In one order, whatever that of the file.
map columns = {};
for (column in @key_columns) { columns[column] = $[column] }
str key = joinv(columns, "|");
if (haskey($*, "median_ms")) {
  @columns[key] = columns;
  @shown[key] = mapselect($*, ["regime", "load_sectors_per_request"]);
  for (column, count in mapselect($*, @count_columns)) {
    if (count != "") { @counts[key][column][string(count)] = 1 }
  }
  if (!is_right($*) && !is_prediction($*)) { @wrong[key] = what_is_wrong($*) }
  # A copy is numbered, too: its samples may have been copied with it.
  @last_row[key] = (@last_row[key] ?? 0) + 1;
  str whole = joinv($*, "|");
  if (haskey(@seen, whole)) {
    @copies += 1;
  } elif (has_flag($flags, "throttled|profiled|debug")) {
    @left_out += 1;
  } elif (is_time($median_ms) && is_time($min_ms) && is_time($max_ms)) {
    @rows[key][@last_row[key]] = mapselect($*, ["median_ms", "min_ms", "max_ms", "runs", "flags"]);
  } elif (is_not_empty($median_ms)) {
    @no_times += 1;
  }
  @seen[whole] = 1;
} elif (is_present(@rows[key])) {
  if (length(@rows[key]) < @enough) {
    # Rows and samples come in the same order; the runs of a process are numbered from 1.
    if ($run == 1) { @last_sample[key] = (@last_sample[key] ?? 0) + 1 }
    if (is_time($ms)) { @samples[key][@last_sample[key] ?? 0][$run] = $ms }
  }
}

end {
  num stale = 0;
  for (key, columns in @columns) {
    map times = {};
    map lows = {};
    map highs = {};
    num runs = 0;
    num weak = 0;
    for (process, row in @rows[key] ?? {}) {
      times[process] = row["median_ms"];
      lows[process] = row["min_ms"];
      highs[process] = row["max_ms"];
      runs += row["runs"];
      if (has_flag(row["flags"], "short|spread")) { weak = 1 }
      if (is_present(@samples[key][process])) {
        if (!belongs(@samples[key][process], row)) {
          stale += 1;
        } elif (row["runs"] >= 5) {
          arr sorted = sort(get_values(@samples[key][process]));
          lows[process] = sorted[2];
          highs[process] = sorted[-2];
        }
      }
    }
    map record = mapsum(
      {"side": ENV["side"], "key": key, "columns": as_text(columns), "counts": {}, "processes": length(times)},
      as_text(@shown[key]));
    for (name, values in @counts[key] ?? {}) { record["counts"][name] = joink(sort(values), " or ") }
    if (is_present(@wrong[key])) { record["wrong"] = @wrong[key] }
    if (length(times) > 0) {
      record["ms"] = middle(times);
      if (length(times) >= @enough) {
        lows = times;
        highs = times;
      }
      record["range"] = sort(get_values(highs))[-1] - sort(get_values(lows))[1];
      record["weak"] = runs < 3 ? 1 : weak;
    }
    emit1 record;
  }
  if (@copies > 0) {
    print >> ENV["notes"], ENV["side"] . ": " . @copies . " rows are copies, equal in every column: counted once"
  }
  if (@no_times > 0) {
    print >> ENV["notes"], ENV["side"] . ": " . @no_times . " rows whose time is not a time (0, or no number): left out"
  }
  if (@left_out > 0) {
    print >> ENV["notes"], ENV["side"] . ": times of " . @left_out . " rows left out: throttled, profiled or debug"
  }
  if (stale > 0) {
    print >> ENV["notes"], ENV["side"] . ": the samples of " . stale . " rows are not theirs: not used"
  }
}
MILLER

key="$(joined "${key_columns[@]}")"
counts="$(joined "${count_columns[@]}" "${count_columns[@]/#/counted_}")"
notes="$work/notes"
: >"$notes"
export key counts notes across_gpus
sides=(BASELINE NEW)
for i in 0 1; do
  find_files "${inputs[i]}"
  side="${sides[i]}" read_rows "${inputs[i]}" --ojson put -q -f "$root/scripts/rows.mlr" -f "$work/gather.mlr" \
    "${row_files[@]}" ${sample_files[@]+"${sample_files[@]}"} >"$work/$i.json"
  # -S: of a driver such as 5. JSON would not be read again.
  mlr -S --icsv --ojson count-distinct -f gpu,uuid,driver,runtime,version,build_type \
    then put '$side = "'"${sides[i]}"'"' "${row_files[@]}" >>"$work/origins.json" 2>"$work/error" ||
    miller_failed "the origins of '${inputs[i]}'"
done

# --- may they be compared? --------------------------------------------------------------------------------------------

mlr --ijson --onidx put -q '
  # A predicted row names no GPU.
  if (is_not_empty($gpu) || is_not_empty($uuid)) {
    @named[$side][is_empty($gpu) ? "unnamed" : string($gpu)] = 1;
    @gpus[$side][$uuid . " " . $gpu] = 1;
    if (is_empty($uuid)) { @nameless = 1 }
  }
  for (column in ["driver", "runtime", "version"]) {
    if (is_not_empty($[column])) { @values[column][$side][string($[column])] = 1 }
  }
  @builds[is_empty($build_type) ? "none given" : $build_type] = 1;
  func list(map values): str { return joink(sort(values), ", ") }
  end {
    if (length(@builds) > 1) { print "refused: rows of different build types: " . list(@builds) }
    if (is_map(@gpus["BASELINE"]) && is_map(@gpus["NEW"])) {
      map gpus = is_present(@nameless) ? @named : @gpus;
      map both = mapsum(gpus["BASELINE"], gpus["NEW"]);
      if (length(both) > 1) {
        str which = "BASELINE: " . list(gpus["BASELINE"]) . "; NEW: " . list(gpus["NEW"]);
        if (ENV["across_gpus"] == "true") {
          print "different GPUs. " . which;
        } else {
          print "refused: rows of different GPUs (--across-gpus compares them). " . which;
        }
      }
    }
    for (column, sides in @values) {
      if (length(sides) == 2 && list(sides["BASELINE"]) != list(sides["NEW"])) {
        print column . ": " . list(sides["BASELINE"]) . " in BASELINE, " . list(sides["NEW"]) . " in NEW";
      }
    }
  }' "$work/origins.json" >"$work/origins" 2>"$work/error" || miller_failed "the origins of the rows"
while IFS= read -r line; do
  [[ "$line" != refused:* ]] || die "${line#refused: }" 2
  say "$line"
done <"$work/origins"

# --- the comparison ---------------------------------------------------------------------------------------------------

cat >"$work/compare.mlr" <<'MILLER'
begin {
  @threshold = @percent / 100;
  @ranks = {"MISMATCH": 1, "CHANGED": 2, "SLOWER": 3, "MISSING": 4, "TREND": 5, "FASTER": 6, "NEW": 7, "SAME": 8};
  @BASELINE = {};
  @NEW = {};
  @count_columns = splitax(ENV["counts"], ",");
  # What is slower by less is a plateau.
  @plateau = 1.03;
}

# slower, faster, or hidden, where the threshold alone would say so; else the same.
func judged(map old, map new): str {
  num change = new["ms"] - old["ms"];
  num of = change > 0 ? old["ms"] : new["ms"];
  if (abs(change) <= @threshold * of) { return "same" }
  num limit = @threshold * (old["weak"] + new["weak"] > 0 ? 3 : 1);
  if (abs(change) <= limit * of || abs(change) <= old["range"] + new["range"]) { return "hidden" }
  return change > 0 ? "slower" : "faster"
}

# Where the counts differ. Counted ones are there only after scripts/profile.sh: one that a side lacks tells nothing.
func differences(map old, map new): str {
  str text = "";
  for (name in @count_columns) {
    bool both = haskey(old, name) && haskey(new, name);
    str before = string(old[name] ?? "none");
    str after = string(new[name] ?? "none");
    if (before != after && (both || !(name =~ "^counted_"))) {
      text .= (text == "" ? "" : "; ") . name . ": " . before . " -> " . after;
    }
  }
  return text
}

func line(str verdict, map columns, map old, map new, str note): map {
  map cells = mapsum({"verdict": verdict}, columns,
    {"baseline_ms": old["ms"] ?? "", "new_ms": new["ms"] ?? "", "change_pct": "", "ranges_pct": "",
     "baseline_processes": old["processes"] ?? "", "new_processes": new["processes"] ?? "", "note": note});
  if (cells["baseline_ms"] != "" && cells["new_ms"] != "") {
    cells["change_pct"] = 100 * (new["ms"] / old["ms"] - 1);
    cells["ranges_pct"] = 100 * (old["range"] + new["range"]) / old["ms"];
  }
  cells["rank"] = @ranks[verdict];
  # Of equal verdicts the greatest change comes first.
  cells["weight"] = cells["change_pct"] == "" ? 0 : abs(cells["change_pct"]);
  return cells
}

if ($side == "BASELINE") { @BASELINE[$key] = $* } else { @NEW[$key] = $* }

end {
  num common = 0;
  num hidden = 0;
  num timeless = 0;
  num timed = 0;
  num lost = 0;
  for (key, old in @BASELINE) {
    if (!haskey(@NEW, key)) {
      emit1 line("MISSING", old["columns"], old, {}, "");
    } else {
      map new = @NEW[key];
      common += 1;
      str changes = differences(old["counts"], new["counts"]);
      str verdict = "SAME";
      str note = "";
      if (haskey(old, "ms") && haskey(new, "ms")) {
        timed += 1;
        str times = judged(old, new);
        if (times == "hidden") {
          hidden += 1;
          note = "within the ranges, or too weak";
        } elif (times != "same") {
          verdict = toupper(times);
        }
      } else {
        timeless += 1;
        if (haskey(old, "ms")) { lost += 1 }
      }
      if (changes != "") {
        verdict = "CHANGED";
        note = changes;
      }
      if (haskey(new, "wrong") || haskey(old, "wrong")) {
        verdict = "MISMATCH";
        note = haskey(new, "wrong") ? new["wrong"] . " in NEW" : old["wrong"] . " in BASELINE";
      }
      emit1 line(verdict, new["columns"], old, new, note);
    }
  }
  for (key, new in @NEW) {
    if (!haskey(@BASELINE, key)) {
      if (haskey(new, "wrong")) {
        emit1 line("MISMATCH", new["columns"], {}, new, new["wrong"] . " in NEW");
      } else {
        emit1 line("NEW", new["columns"], {}, new, "");
      }
    }
  }

  map groups = {};
  for (key, new in @NEW) {
    if (new["columns"]["variant"] == "stride_gather" && new["regime"] == "dram" && haskey(new, "ms") &&
        !haskey(new, "wrong") && is_numeric(new["load_sectors_per_request"])) {
      groups[joinv(mapexcept(new["columns"], "value"), "|")][int(new["columns"]["value"])] = new;
    }
  }
  for (group, members in groups) {
    num most = 0;
    for (stride, row in members) { most = max(most, row["load_sectors_per_request"]) }
    map first = {};
    map slowest = {};
    num done = 0;
    for (stride, row in sort(members, func(ak, av, bk, bv) { return int(ak) <=> int(bk) })) {
      if (done == 0) {
        str sectors = row["load_sectors_per_request"] . " sectors a request";
        if (length(first) == 0) {
          first = row;
          slowest = row;
        } elif (judged(slowest, row) == "faster") {
          emit1 line("TREND", row["columns"], {}, row, sectors . ", but faster than stride " .
            slowest["columns"]["value"] . " with " . slowest["load_sectors_per_request"]);
        } elif (row["ms"] > slowest["ms"]) {
          slowest = row;
        }
        if (row["load_sectors_per_request"] == most) {
          done = 1;
          if (most >= 2 * first["load_sectors_per_request"] && row["ms"] <= @plateau * first["ms"]) {
            emit1 line("TREND", row["columns"], {}, row, sectors . ", but no slower than stride " .
              first["columns"]["value"] . " with " . first["load_sectors_per_request"]);
          }
        }
      }
    }
  }

  if (timeless > 0) { print >> ENV["notes"], timeless . " rows have no time to compare: requests and sectors only" }
  if (hidden > 0) {
    print >> ENV["notes"], hidden . " rows moved by more than the threshold, but within their ranges, or are too " .
      "weak (short, spread, few runs): not judged, --all shows them";
  }
  if (timed == 0 && lost > 0) {
    print >> ENV["notes"], "refused: nothing to compare the times with: NEW has none for the " . lost .
      " rows that have one in BASELINE";
  }
  if (common == 0) { print >> ENV["notes"], "refused: no row of NEW has the key of a row of BASELINE" }
}
MILLER

mlr --ijson --ojson put -s percent="$threshold" -q -f "$work/compare.mlr" \
  then sort -nf rank -nr weight then cut -x -f rank,weight \
  "$work/0.json" "$work/1.json" >"$work/result.json" 2>"$work/error" || miller_failed "the comparison"
while IFS= read -r line; do
  [[ "$line" != refused:* ]] || die "${line#refused: }" 2
  say "$line"
done <"$notes"

# --- the output -------------------------------------------------------------------------------------------------------

verdicts="$(mlr --ijson --onidx put -q '
  begin {
    for (verdict in ["SAME", "FASTER", "SLOWER", "CHANGED", "MISMATCH", "MISSING", "NEW"]) { @count[verdict] = 0 }
  }
  @count[$verdict] = (@count[$verdict] ?? 0) + 1;
  end {
    str text = "";
    for (verdict, count in @count) { text .= (text == "" ? "" : "  ") . verdict . " " . count }
    print text;
  }' "$work/result.json" 2>"$work/error")" || miller_failed "the counts"

# Miller does not tell when its output cannot be written; cat does.
if [[ "$format" == csv ]]; then
  mlr --ijson --ocsv cat "$work/result.json" >"$work/output" 2>"$work/error" || miller_failed "the rows"
  cat "$work/output" || die "the rows could not be written" 3
  printf '%s\n' "$verdicts" >&2
else
  # A row is named by its variant, its value, and what else differs among the rows of its variant.
  chosen='$verdict != "SAME"'
  ! $all || chosen=true
  mlr --ijson --opprint put -q '
    begin { @columns = splitax(ENV["key"], ",") }
    @lines[NR] = $*;
    for (column in @columns) {
      if (is_not_empty($[column])) { @values[$variant][column][string($[column])] = 1 }
    }
    end {
      for (number, row in @lines) {
        str what = row["variant"];
        if (row["parameter"] != "") { what .= " " . row["parameter"] . "=" . row["value"] }
        for (column in @columns) {
          if (row[column] != "" && column != "value" && length(@values[row["variant"]][column]) > 1) {
            what .= " " . column . "=" . row[column];
          }
        }
        emit1 {"verdict": row["verdict"], "what": what, "baseline ms": fmtifnum(row["baseline_ms"], "%11.6lf"),
          "new ms": fmtifnum(row["new_ms"], "%10.6lf"), "change %": fmtifnum(row["change_pct"], "%+8.2lf"),
          "ranges %": fmtifnum(row["ranges_pct"], "%8.2lf"), "note": row["note"]};
      }
    }' then filter "$chosen" "$work/result.json" >"$work/output" 2>"$work/error" || miller_failed "the table"
  printf '%s\n' "$verdicts" >>"$work/output"
  cat "$work/output" || die "the table could not be written" 3
fi

# A TREND stands behind NEW.
[[ "$verdicts" =~ SLOWER\ 0\ .*CHANGED\ 0\ .*MISMATCH\ 0\ .*MISSING\ 0\ .*NEW\ [0-9]+$ ]] || exit 1
