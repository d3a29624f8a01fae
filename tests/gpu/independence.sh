#!/usr/bin/env bash
# A configuration's result does not depend on what ran before it: each is run in several orders, and in several subsets
# of its list, a process each, and its rows are held against each other.
#
#   the same        every predicted column, launch and grid shape included; status ok and 0 mismatches
#   close enough    median_ms: two rows may differ by 5 % and the ranges (min_ms to max_ms) of both; rows flagged
#                   throttled or spread say nothing about time and are left out. What fails this is run again: only what
#                   fails twice depends on its place
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
# shellcheck source-path=SCRIPTDIR source=lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.bash"
require_gpu
if ! command -v python3 >/dev/null; then # to read CSV: a formula may hold commas
  echo "skipped: python3 is not installed"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The subsets of a list, and everything in three orders. Each line is one process; they share rows with one another.
calls() {
  cat <<'LINES'
offset --offsets 0,1,8,31 --access read,write
offset --offsets 0,1,8,31 --access read,write --order reversed
offset --offsets 0,1,8,31 --access read,write --order shuffled --seed 7
offset --offsets 31,1 --access write,read
offset --offsets 8
stride --strides 1,3,9,33 --access gather,scatter,both
stride --strides 1,3,9,33 --access gather,scatter,both --order reversed
stride --strides 1,3,9,33 --access gather,scatter,both --order shuffled --seed 7
stride --strides 33,3 --access both,gather
stride --strides 9 --access scatter
aos_soa --struct-bytes 16,24 --fields 1,4 --conversion
aos_soa --struct-bytes 16,24 --fields 1,4 --conversion --order reversed
aos_soa --struct-bytes 16,24 --fields 1,4 --conversion --order shuffled --seed 7
aos_soa --struct-bytes 24,16 --fields 4 --layouts soa,aos
aos_soa --struct-bytes 16 --layouts aosoa
aos_soa --op step --lanes 1,32
aos_soa --op step --lanes 1,32 --order reversed
aos_soa --op step --layouts soa
transpose
transpose --order reversed
transpose --order shuffled --seed 7
transpose --variants vectorized,swizzled,naive,copy
transpose --variants tiled
LINES
}

# run_calls PARALLEL LINEAR MATRIX: every call, PARALLEL at a time, a CSV each, numbered; with the options LINEAR, or
# MATRIX for transpose.
run_calls() {
  rm -f "$folder"/*.csv "$folder/wrong"
  # shellcheck disable=SC2016 # the inner shell expands it
  calls | awk -v linear="$2" -v matrix="$3" '{ print NR, $0, $1 == "transpose" ? matrix : linear }' |
    xargs -P "$1" -d '\n' -I '{}' bash -c '
      read -r number line <<<"$1"
      read -r -a words <<<"$line"
      "$bin/${words[0]}" "${words[@]:1}" -q --csv "$0/$number.csv" >/dev/null 2>"$0/$number.err" ||
        printf "exit %s: %s: %s\n" "$?" "$line" "$(<"$0/$number.err")" >>"$0/wrong"' "$folder" '{}'
  [[ ! -e $folder/wrong ]] || fail "$(<"$folder/wrong")"
}

# judge TIMES: prints what differs between the rows of one configuration, in all CSVs, its name and a tab first; times
# too where TIMES is 1. The last line says how much was compared.
judge() {
  python3 - "$1" "$folder" <<'PYTHON'
import csv, glob, os, sys

with_times = sys.argv[1] == "1"
rows = []
for path in sorted(glob.glob(os.path.join(sys.argv[2], "*.csv"))):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            row["call"] = os.path.basename(path)[: -len(".csv")]
            rows.append(row)

configurations, pairs = {}, 0
for row in rows:
    names = list(row)
    key = tuple(row[name] for name in names[: names.index("order")])
    fixed = {name: row[name] for name in names[: names.index("median_ms")]}
    for of_the_place in ("order", "seed", "launch_skip"):
        del fixed[of_the_place]
    name = row["variant"]
    for axis in ("struct_bytes", "lanes", "value"):
        name += f":{axis}={row[axis]}" if row[axis] else ""

    def say(what):
        print(f"{name}\tcall {row['call']}: {what}")

    if row["status"] != "ok" or row["mismatches"] != "0":
        say(f"status {row['status']}, mismatches '{row['mismatches']}'")
    earlier = configurations.setdefault(key, [])
    if earlier and earlier[0]["fixed"] != fixed:
        differing = [column for column in fixed if fixed[column] != earlier[0]["fixed"][column]]
        say(", ".join(f"{c} {fixed[c]}, not {earlier[0]['fixed'][c]}" for c in differing))
    here = {"fixed": fixed, "call": row["call"]}
    if with_times and not {"throttled", "spread"} & set(row["flags"].split(";")):
        here["time"] = float(row["median_ms"])
        here["range"] = float(row["max_ms"]) - float(row["min_ms"])
        for other in earlier:
            if "time" not in other:
                continue
            pairs += 1
            allowed = 0.05 * min(here["time"], other["time"]) + here["range"] + other["range"]
            if abs(here["time"] - other["time"]) > allowed:
                say(f"{here['time']} ms, call {other['call']}: {other['time']} ms")
    earlier.append(here)
for key, found in configurations.items():
    if len(found) < 2:
        print(f"{' '.join(key)}\tran once: there is nothing to compare it with")
print(f"compared: {len(rows)} rows of {len(configurations)} configurations, {pairs} pairs of times")
PYTHON
}

# Sizes that leave partial warps, blocks and tiles, where what another configuration left behind would show.
run_calls 8 "-n 1003 -w 1 -r 2 -i 2" "--rows 97 --cols 61 -w 1 -r 2 -i 2"
judge 0 >"$folder/small"
tail -n 1 "$folder/small"
[[ $(wc -l <"$folder/small") -eq 1 ]] || fail "$(sed '$d' "$folder/small")"

# Large sizes, one process at a time: only these have times that say something. No automatic sizes, which follow the
# smallest configuration of a list.
for round in first second; do
  run_calls 1 "-n 2^25 -r 5 -i 20" "--rows 8192 --cols 8192 -r 5 -i 20"
  judge 1 >"$folder/$round"
  tail -n 1 "$folder/$round"
  [[ $(wc -l <"$folder/$round") -gt 1 ]] || break
  sed '$d' "$folder/$round"
done
if [[ -e $folder/second ]]; then
  twice=$(comm -12 <(sed '$d' "$folder/first" | cut -f 1 | sort -u) <(sed '$d' "$folder/second" | cut -f 1 | sort -u))
  [[ -z $twice ]] || fail "not independent of what else ran: $twice"
fi
finish "independence"
