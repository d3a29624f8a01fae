#!/usr/bin/env bash
# Usage: scripts/plot.sh [--out DIR] [--format svg|png|both] FILE...
#
# Draws the rows that the experiments (--csv) or scripts/profile.sh wrote. FILE... may mix experiments: rows are chosen
# by their columns. One picture for each kind that has rows; its path goes to stdout, a line each. A picture is derived,
# so one that exists is replaced.
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
#   -h, --help     this text
#
# Left out, with a warning that counts them: rows whose status is not ok, or whose flags say profiled, debug or
# throttled. A predicted row has no time, so there is nothing to draw of it.
#
# A point is the median_ms of its row, as bandwidth; its bar is one standard deviation (stddev_ms) either way. Rows that
# differ in nothing but order, seed, launch counts, process and card of the same name make one point: their median, and
# a bar from the lowest end of their bars to the highest. A variant has one colour everywhere (Okabe and Ito's palette).
# Of more than 16 lines some are left out, with a warning, but no variant: give fewer files to see them.
#
# Needs gnuplot 5 (with pngcairo for png) and mlr (Miller 6).
# Exit status: 0 drawn; 1 nothing to draw; 2 wrong usage, no such file, or not a CSV of rows; 3 a tool is missing or
# failed, or a picture cannot be written.

# shellcheck disable=SC1010,SC2016 # "then" and "$" inside a Miller command are Miller's

set -euo pipefail

# Decimal points and sort order: the same in every locale. And no ~/.mlrrc.
export LC_ALL=C MLRRC=__none__

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/common.sh
source "$root/scripts/common.sh"

kinds=(offset stride n aos_soa transpose counters)

needed_columns=(experiment variant parameter value n rows cols ld_in ld_out struct_bytes lanes element_bytes
  items_per_thread block_size l2 load_sectors store_sectors load_sectors_per_request store_sectors_per_request
  median_ms stddev_ms useful_gbps ceiling_gbps regime status flags gpu driver build_type version timestamp)

# --- the command line -------------------------------------------------------------------------------------------------

out=""
formats=(svg)
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

command -v mlr >/dev/null ||
  die "mlr (Miller 6) was not found: apt-get install miller, or https://miller.readthedocs.io" 3
command -v gnuplot >/dev/null || die "gnuplot was not found: apt-get install gnuplot-nox, or http://www.gnuplot.info" 3

work="$(mktemp -d)" || die "no temporary folder can be made" 3
partial=""
# shellcheck disable=SC2317 # run by the trap
clean_up() {
  rm -rf -- "$work"
  [[ -z "$partial" ]] || rm -f -- "$partial"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --- the rows ---------------------------------------------------------------------------------------------------------

columns="$(IFS=, && echo "${needed_columns[*]}"),counted_load_sectors,counted_store_sectors"
for file in "${files[@]}"; do
  header=" $(mlr --icsv --implicit-csv-header --allow-ragged-csv-input --onidx head -n 1 "$file" 2>/dev/null || true) "
  missing=()
  for column in "${needed_columns[@]}"; do
    [[ "$header" == *" $column "* ]] || missing+=("$column")
  done
  [[ ${#missing[@]} -eq 0 ]] || die "'$file' is no CSV of rows: its header lacks ${missing[*]}" 2
  mlr --icsv --ojson cut -f "$columns" "$file" >>"$work/rows.json" 2>"$work/error" ||
    die "'$file' is no whole CSV: $(head -n 1 "$work/error")" 2
done

# Miller's part, common to all pictures: names, colours, titles, points.
cat >"$work/common.mlr" <<'MILLER'
begin {
  # Okabe and Ito: black 000000, orange E69F00, sky blue 56B4E9, green 009E73, yellow F0E442, blue 0072B2,
  # vermillion D55E00, purple CC79A7. Colours differ within an experiment; yellow only where bars have an outline.
  # The order is that of the legends.
  @colour = {
    "offset_read": "0072B2", "offset_write": "D55E00",
    "stride_gather": "0072B2", "stride_scatter": "D55E00", "stride_both": "009E73", "stride_disjoint": "CC79A7",
    "aos_transform": "D55E00", "soa_transform": "0072B2", "aosoa_transform": "009E73",
    "aos_step": "E69F00", "soa_step": "56B4E9", "aosoa_step": "CC79A7", "aos_to_soa": "000000",
    "transpose_copy": "000000", "transpose_copy_column": "CC79A7", "transpose_naive": "D55E00",
    "transpose_naive_write": "E69F00", "transpose_tiled": "F0E442", "transpose_padded": "009E73",
    "transpose_swizzled": "56B4E9", "transpose_vectorized": "0072B2"
  };
  # Tell lines apart where they differ, and are not worth a title where they do not (the GPU has its own place there).
  @quiet = {"gpu": 1, "driver": 1, "build_type": 1, "version": 1};
  @own = {"items_per_thread": 1, "block_size": 1, "struct_bytes": 1, "lanes": 1, "value": 1, "ld_in": 1, "ld_out": 1};
  @row = {};
}

func rank_of(variant): num {
  num rank = 1;
  for (name, colour in @colour) {
    if (name == variant) { return rank }
    rank += 1;
  }
  return rank
}
func colour_of(variant): str { return "#" . (haskey(@colour, variant) ? @colour[variant] : "808080") }

# A string of gnuplot, between single quotes.
func quoted(text): str { return @quote . gsub(gsub(string(text), "[[:cntrl:]]", " "), @quote, @quote . @quote) . @quote }

# 2^25, 1003.
func size_text(n): str {
  if (is_int(n) && n >= 1024 && bitcount(n) == 1) { return "2^" . fmtnum(roundm(log(n) / log(2), 1), "%d") }
  return string(n)
}

# How a picture names a column's value.
func column_text(str column, value): str {
  if (column == "n") { return "n = " . size_text(value) }
  if (column == "element_bytes") { return value . " B elements" }
  if (column == "items_per_thread") { return value . (value == 1 ? " item" : " items") . " a thread" }
  if (column == "block_size") { return value . " threads a block" }
  if (column == "struct_bytes") { return value . " B structs" }
  if (column == "lanes") { return value . (value == 1 ? " lane" : " lanes") }
  if (column == "l2") { return "L2 " . value }
  if (column == "driver") { return "driver " . value }
  if (column == "version") { return "sectorscope " . value }
  return string(value)
}

# The distinct values of a column, as text, joined.
func values_of(map rows, str column): str {
  map seen = {};
  for (number, row in rows) {
    if (row[column] != "") { seen[string(row[column])] = 1 }
  }
  return joink(sort(seen), ", ")
}

# Those of the columns that take several values: they tell lines apart. What belongs to a variant (the block of a
# transposition, the lanes of a layout) counts only where it differs within one.
func varying(map rows, map columns): map {
  map first = {};
  map found = {};
  for (number, row in rows) {
    for (column, unused in columns) {
      str where = haskey(@own, column) ? row["variant"] . " " . column : column;
      if (!haskey(first, where)) { first[where] = string(row[column]) }
      elif (first[where] != string(row[column])) { found[column] = 1 }
    }
  }
  map ordered = {};
  for (column, unused in columns) {
    if (haskey(found, column)) { ordered[column] = 1 }
  }
  return ordered
}

func label_of(map row, map columns): str {
  str label = row["variant"];
  for (column, unused in columns) {
    if (row[column] != "") { label .= ", " . column_text(column, row[column]) }
  }
  return label
}

# What all rows share.
func shared_text(map rows, map columns): str {
  str text = "";
  for (column, unused in columns) {
    map seen = {};
    for (number, row in rows) {
      if (row[column] != "") { seen[string(row[column])] = row[column] }
    }
    if (length(seen) == 1 && !haskey(@quiet, column)) {
      for (key, value in seen) { text .= (text == "" ? "" : ", ") . column_text(column, value) }
    }
  }
  return text
}

func title_of(map rows, str what, str note): str {
  map days = {};
  for (number, row in rows) {
    if (row["timestamp"] != "") { days[substr1(string(row["timestamp"]), 1, 10)] = 1 }
  }
  str date = "";
  map sorted = sort(days);
  num i = 0;
  for (day, unused in sorted) {
    i += 1;
    if (i == 1) { date = day } elif (i == length(sorted)) { date .= " to " . day }
  }
  str regime = values_of(rows, "regime");
  str second = values_of(rows, "gpu") . ", " . date . ", regime: " . (regime == "" ? "unknown" : regime);
  return quoted(what) . "." . "\"\\n\"" . "." . quoted(second) . (note == "" ? "" : "." . "\"\\n\"" . "." . quoted(note))
}

func settings(): map {
  return {"n": 1, "element_bytes": 1, "items_per_thread": 1, "block_size": 1, "struct_bytes": 1, "lanes": 1, "l2": 1,
          "gpu": 1, "driver": 1, "build_type": 1, "version": 1}
}
func without(map columns, str column): map {
  map left = columns;
  unset left[column];
  return left
}

# The median.
func middle(map values): num {
  map sorted = sort(values, func(ak, av, bk, bv) { return av <=> bv });
  map list = {};
  num i = 0;
  for (key, value in sorted) {
    i += 1;
    list[i] = value;
  }
  if (i % 2 == 1) { return list[(i + 1) // 2] }
  return (list[i // 2] + list[i // 2 + 1]) / 2
}
# The rows of one point: where it is drawn, and the ends of its bar.
func point_of(map rows): map {
  map values = {};
  num low = 1e300;
  num high = 0;
  for (number, row in rows) {
    num y = row["useful_gbps"];
    num spread = row["stddev_ms"] == "" ? 0 : y * row["stddev_ms"] / row["median_ms"];
    values[number] = y;
    low = min(low, y - spread);
    high = max(high, y + spread);
  }
  return {"y": middle(values), "low": max(low, 0), "high": high}
}

# Colours repeat from experiment to experiment, so each begins with a point type of its own.
func first_nth(variant): num {
  if (variant =~ "^stride_") { return 1 }
  if (variant =~ "^(aos|soa|aosoa)_") { return 2 }
  if (variant =~ "^transpose_") { return 3 }
  return 0
}
# The nth line of a variant: a point type, or how solid its bars are.
func nth_point(num nth): num {
  map types = {"0": 7, "1": 5, "2": 9, "3": 13, "4": 11, "5": 6, "6": 4, "7": 8, "8": 12, "9": 10};
  return types[string(nth % 10)]
}
func nth_fill(num nth): str {
  map fills = {"0": "0.85", "1": "0.55", "2": "0.3", "3": "0.12"};
  return fills[string(nth % 4)]
}

func cell_of(map row, str column): str { return row[column] == "" ? "none" : string(row[column]) }

# More lines than can be told apart are thinned, and it is said. Of the column with the most values each variant keeps
# its smallest, middle and largest; of three or fewer, the one with the most rows (of n, the largest). No variant goes.
func thinned(map rows, map columns): map {
  map left = rows;
  while (true) {
    map apart = varying(left, columns);
    map labels = {};
    for (number, row in left) { labels[label_of(row, apart)] = 1 }
    if (length(labels) <= 16) { return left }
    str widest = "";
    num values = 1;
    map counts = {};
    for (column, unused in apart) {
      map seen = {};
      for (number, row in left) {
        str v = row["variant"];
        str value = cell_of(row, column);
        seen[v][value] = haskey(seen, v) && haskey(seen[v], value) ? seen[v][value] + 1 : 1;
      }
      for (v, found in seen) {
        if (length(found) > values) {
          widest = column;
          values = length(found);
        }
      }
      if (widest == column) { counts = seen }
    }
    if (widest == "") { return left }
    map stay = {};
    for (v, found in counts) {
      num i = 0;
      num most = 0;
      for (value, count in sort(found, "n")) {
        i += 1;
        if (length(found) > 3) {
          if (i == 1 || i == (length(found) + 1) // 2 || i == length(found)) { stay[v][value] = 1 }
        } elif (widest == "n" || count >= most) {
          most = count;
          stay[v] = {};
          stay[v][value] = 1;
        }
      }
    }
    map fewer = {};
    for (number, row in left) {
      if (haskey(stay[row["variant"]], cell_of(row, widest))) { fewer[number] = row }
    }
    eprint "too many lines for one picture: not all of the values of " . widest . " are shown";
    left = fewer;
  }
}

# The head of a picture. A legend of many lines gets more room.
subr head_of(str title, map labels, num more) {
  num longest = 1;
  for (label, unused in labels) { longest = max(longest, strlen(label) + more) }
  num per_line = max(1, 110 // (longest + 7));
  print "# height " . fmtnum(700 + 22 * ceil(length(labels) * (more > 0 ? 2 : 1) / per_line), "%d");
  print "set encoding utf8";
  print "set title " . title . " noenhanced";
  print "set key bmargin center horizontal noenhanced samplen 3 width 1 height 0.5";
  print "set border lw 1.2";
  print "set grid ytics lc rgb " . quoted("#d0d0d0") . " lw 1";
  print "set tics noenhanced";
  print "set bars 1.2";
}

# Bandwidth lines over x, and the predicted sectors on the second axis where wanted.
# lines: label -> {variant, x -> rows}; sectors: label -> {variant, x -> y}.
subr lines_of(map lines, map sectors, str x_of) {
  num i = 0;
  for (label, line in lines) {
    i += 1;
    print "$line" . i . " << EOD";
    for (x, rows in line["points"]) {
      map p = point_of(rows);
      print string(x) . " " . fmtnum(p["y"], "%.9lg") . " " . fmtnum(p["low"], "%.9lg") . " " . fmtnum(p["high"], "%.9lg");
    }
    print "EOD";
  }
  num j = 0;
  for (label, line in sectors) {
    j += 1;
    print "$sectors" . j . " << EOD";
    for (x, y in line["points"]) { print string(x) . " " . fmtnum(y, "%.9lg") }
    print "EOD";
  }
  # Predictions often coincide: the earlier one is the wider line, so that it shows below the next.
  str plot = "plot ";
  j = 0;
  for (label, line in sectors) {
    j += 1;
    plot .= "$sectors" . j . " using " . x_of . ":2 axes x1y2 with lines lw " . (length(sectors) <= 4 ? 2 + 1.5 * (length(sectors) - j) : 2) . " dashtype (9,6) lc rgb " . quoted(colour_of(line["variant"])) .
      " title " . quoted(label . ": predicted sectors") . ", ";
  }
  i = 0;
  map nth = {};
  for (label, line in lines) {
    i += 1;
    str variant = line["variant"];
    if (!haskey(nth, variant)) { nth[variant] = first_nth(variant) } else { nth[variant] += 1 }
    plot .= (i == 1 ? "" : ", ") . "$line" . i . " using " . x_of . ":2:3:4 with yerrorlines lw 2 ps 1.3 pt " . nth_point(nth[variant]) .
      " lc rgb " . quoted(colour_of(variant)) . " title " . quoted(label);
  }
  print plot;
}

@row[NR] = $*;
MILLER

cat >"$work/offset.mlr" <<'MILLER'
end {
  map columns = settings();
  @row = thinned(@row, columns);
  map apart = varying(@row, columns);
  map lines = {};
  map sectors = {};
  num top = 0;
  num sector_top = 0;
  num first = 1e300;
  num last = 0;
  for (number, row in @row) {
    str label = label_of(row, apart);
    lines[label]["variant"] = row["variant"];
    lines[label]["points"][row["value"]][number] = row;
    str of = label_of(row, without(apart, "n"));
    sectors[of]["variant"] = row["variant"];
    first = min(first, row["value"]);
    last = max(last, row["value"]);
    num y = row["load_sectors_per_request"] + row["store_sectors_per_request"];
    sectors[of]["points"][row["value"]] = y;
    top = max(top, row["useful_gbps"]);
    sector_top = max(sector_top, y);
  }
  call head_of(title_of(@row, "Bandwidth and predicted sectors against the offset", shared_text(@row, columns)),
    lines, 19);
  print "set xlabel " . quoted("offset (elements)");
  print "set ylabel " . quoted("useful bandwidth (GB/s)");
  print "set y2label " . quoted("predicted sectors a request, load + store (32 B each)");
  print "set yrange [0:" . fmtnum(top * 1.15, "%.6lg") . "]";
  print "set y2range [0:" . fmtnum(sector_top * 1.6, "%.6lg") . "]";
  print "set ytics nomirror; set y2tics";
  print "set xrange [" . fmtnum(first - 0.03 * max(last - first, 1), "%.6lg") . ":" . fmtnum(last + 0.03 * max(last - first, 1), "%.6lg") . "]";
  call lines_of(lines, sectors, "1");
}
MILLER

cat >"$work/stride.mlr" <<'MILLER'
end {
  map columns = settings();
  @row = thinned(@row, columns);
  map apart = varying(@row, columns);
  map lines = {};
  map sectors = {};
  map strides = {};
  num top = 0;
  num sector_top = 0;
  num first = 1e300;
  num last = 0;
  for (number, row in @row) {
    num x = row["value"];
    strides[x] = x;
    first = min(first, x);
    last = max(last, x);
    str label = label_of(row, apart);
    lines[label]["variant"] = row["variant"];
    lines[label]["points"][x][number] = row;
    str of = label_of(row, without(apart, "n"));
    sectors[of]["variant"] = row["variant"];
    num y = max(row["load_sectors_per_request"], row["store_sectors_per_request"]);
    sectors[of]["points"][x] = y;
    top = max(top, row["useful_gbps"]);
    sector_top = max(sector_top, y);
  }
  # The prediction comes from rows of several n, each sorted by stride: sort what they make together.
  for (label, line in sectors) { sectors[label]["points"] = sort(line["points"], "n") }
  call head_of(title_of(@row, "Bandwidth and predicted sectors against the stride", shared_text(@row, columns)),
    lines, 19);
  # Each stride by name, but where two names would touch.
  num apart_by = 2 ** (0.065 * log(max(last, 2) / min(max(first, 0.5), 1)) / log(2));
  str tics = "";
  num before = 0;
  for (key, x in sort(strides, "n")) {
    if (x < 2 || x >= before * apart_by) {
      tics .= (tics == "" ? "" : ", ") . quoted(x) . " " . (x == 0 ? "0.5" : string(x));
      before = x;
    }
  }
  print "set logscale x 2";
  print "set xtics (" . tics . ")";
  print "set xrange [" . (haskey(strides, 0) ? "0.45" : fmtnum(first / 1.1, "%.6lg")) . ":" . fmtnum(max(last, 1) * 1.1, "%.6lg") . "]";
  print "set xlabel " . quoted("stride (elements, logarithmic)");
  print "set ylabel " . quoted("useful bandwidth (GB/s)");
  print "set y2label " . quoted("predicted sectors a request of the strided side (32 B each)");
  print "set yrange [0:" . fmtnum(top * 1.15, "%.6lg") . "]";
  print "set y2range [0:" . fmtnum(max(sector_top * 1.15, 36), "%.6lg") . "]";
  print "set ytics nomirror; set y2tics 4";
  # A stride of 0, the broadcast, has a place left of 1.
  call lines_of(lines, sectors, "($1 == 0 ? 0.5 : $1)");
}
MILLER

cat >"$work/n.mlr" <<'MILLER'
end {
  # One line: everything but n equal.
  map columns = without(settings(), "n");
  for (column in ["value", "ld_in", "ld_out"]) { columns[column] = 1 }
  map key = {};
  map sizes = {};
  for (number, row in @row) {
    str text = row["experiment"] . ":" . row["parameter"];
    for (column, unused in columns) {
      # The leading dimension of a transposition grows with n.
      if (column != "ld_in" && column != "ld_out") { text .= ":" . row[column] }
    }
    text .= ":" . row["variant"];
    key[number] = text;
    sizes[text][row["n"]] = 1;
  }
  map kept = {};
  for (number, row in @row) {
    if (length(sizes[key[number]]) >= 3) { kept[number] = row }
  }
  if (length(kept) > 0) {
    map shown = without(without(columns, "ld_in"), "ld_out");
    kept = thinned(kept, shown);
    map apart = varying(kept, shown);
    map lines = {};
    num top = 0;
    num first = 1e300;
    num last = 0;
    num inside = 0;
    num outside = 0;
    bool known = true;
    for (number, row in kept) {
      map rest = without(apart, "value");
      str label = row["variant"];
      if (haskey(apart, "value") && row["value"] != "") { label .= ", " . row["parameter"] . " " . row["value"] }
      for (column, unused in rest) {
        if (row[column] != "") { label .= ", " . column_text(column, row[column]) }
      }
      lines[label]["variant"] = row["variant"];
      lines[label]["points"][row["n"]][number] = row;
      top = max(top, row["useful_gbps"]);
      first = min(first, row["n"]);
      last = max(last, row["n"]);
      if (row["regime"] == "") { known = false }
      elif (row["regime"] == "l2") { inside = max(inside, row["n"]) }
      elif (outside == 0 || row["n"] < outside) { outside = row["n"] }
    }
    call head_of(title_of(kept, "Bandwidth against n", shared_text(kept, without(shown, "value"))), lines, 0);
    print "set logscale x 2";
    print "set format x " . quoted("2^%L");
    print "set xrange [" . fmtnum(first / 1.4, "%.9lg") . ":" . fmtnum(last * 1.4, "%.9lg") . "]";
    print "set xlabel " . quoted("n (elements, logarithmic)");
    print "set ylabel " . quoted("useful bandwidth (GB/s)");
    print "set yrange [0:" . fmtnum(top * 1.25, "%.6lg") . "]";
    if (known && inside > 0 && inside < outside) {
      print "set object 1 rectangle from first " . inside . ", graph 0 to first " . outside .
        ", graph 1 behind fillcolor rgb " . quoted("#e4e4e4") . " fillstyle solid noborder";
      print "set label 1 " . quoted("the footprint passes the L2 size") . " at first " . fmtnum(sqrt(inside * outside), "%.9lg") .
        ", graph 0.96 center noenhanced";
    }
    call lines_of(lines, {}, "1");
  }
}
MILLER

# Bars in groups. groups: group -> label -> {variant, rows}.
cat >"$work/bars.mlr" <<'MILLER'
subr bars_of(map groups, bool with_ceiling) {
  map order = {};
  map variant_of = {};
  num bars = 0;
  for (group, members in groups) {
    for (label, bar in members) {
      order[label] = 1;
      variant_of[label] = bar["variant"];
      bars += 1;
    }
  }
  map data = {};
  str tics = "";
  str ceiling = "";
  str values = "";
  num position = 0;
  num top = 0;
  for (group, members in groups) {
    num first = position;
    map ceilings = {};
    map marks = {};
    for (label, unused in order) {
      if (haskey(members, label)) {
        map p = point_of(members[label]["rows"]);
        data[label] = (haskey(data, label) ? data[label] : "") . fmtnum(position, "%d") . " " . fmtnum(p["y"], "%.9lg") . " " .
          fmtnum(p["low"], "%.9lg") . " " . fmtnum(p["high"], "%.9lg") . "\n";
        marks[label] = {"x": position, "high": p["high"], "y": p["y"]};
        top = max(top, p["high"]);
        for (number, row in members[label]["rows"]) {
          if (with_ceiling && row["ceiling_gbps"] != "") { ceilings[number] = row["ceiling_gbps"] }
        }
        position += 1;
      }
    }
    num level = 0;
    if (length(ceilings) > 0) {
      level = middle(ceilings);
      ceiling .= fmtnum(first - 0.7, "%.3lf") . " " . fmtnum(level, "%.9lg") . " " . fmtnum(position - first + 0.4, "%.3lf") . " 0\n";
      top = max(top, level);
    }
    # A figure that the ceiling would run through stands on it.
    for (label, mark in marks) {
      num foot = mark["high"];
      if (foot < level && foot > level * (bars <= 14 ? 0.92 : 0.86)) { foot = level }
      values .= fmtnum(mark["x"], "%d") . " " . fmtnum(foot, "%.9lg") . " " . fmtnum(mark["y"], "%.0lf") . "\n";
    }
    tics .= (tics == "" ? "" : ", ") . gsub(quoted(group), "[|]", @quote . ".\"\\n\"." . @quote) . " " . fmtnum((first + position - 1) / 2, "%.3lf");
    position += 1;
  }
  print "set xtics (" . tics . ") scale 0 " . (length(groups) > 6 ? "rotate by 15 right" : "");
  print "set xrange [-1.2:" . fmtnum(position - 0.8, "%.3lf") . "]";
  print "set yrange [0:" . fmtnum(top * 1.15, "%.6lg") . "]";
  print "set ylabel " . quoted("useful bandwidth (GB/s)");
  print "set boxwidth 0.86";
  num i = 0;
  for (label, unused in order) {
    i += 1;
    print "$bar" . i . " << EOD\n" . data[label] . "EOD";
  }
  print "$values << EOD\n" . values . "EOD";
  print "$ceiling << EOD\n" . ceiling . "EOD";
  map nth = {};
  i = 0;
  str plot = "plot ";
  for (label, unused in order) {
    i += 1;
    str variant = variant_of[label];
    if (!haskey(nth, variant)) { nth[variant] = 0 } else { nth[variant] += 1 }
    plot .= (i == 1 ? "" : ", ") . "$bar" . i . " using 1:2:3:4:(0.86) with boxerrorbars fillstyle solid " . nth_fill(nth[variant]) .
      " border lc rgb " . quoted("#202020") . " fillcolor rgb " . quoted(colour_of(variant)) . " title " . quoted(label);
  }
  if (ceiling != "") {
    plot .= ", $ceiling using 1:2:3:4 with vectors nohead lw 3 dashtype (9,5) lc rgb " . quoted("#404040") .
      " title " . quoted("ceiling: device copy");
  }
  if (bars <= 40) {
    plot .= ", $values using 1:2:3 with labels " . (bars <= 14 ? "offset 0,0.8" : "rotate by 90 left offset 0,0.4") . " notitle";
  }
  print plot;
}
MILLER

cat >"$work/aos_soa.mlr" <<'MILLER'
end {
  map columns = settings();
  @row = thinned(@row, columns);
  map apart = varying(@row, columns);
  map groups = {};
  map labels = {};
  for (number, row in @row) {
    str group = "";
    if (row["value"] != "") { group = row["value"] . (row["value"] == 1 ? " field" : " fields") . " read" }
    elif (row["variant"] =~ "_step$") { group = "step" }
    else { group = string(row["variant"]) }
    str label = label_of(row, apart);
    labels[label] = 1;
    groups[group][label]["variant"] = row["variant"];
    groups[group][label]["rows"][number] = row;
  }
  call head_of(title_of(@row, "Layout and fields", shared_text(@row, columns)), labels, 0);
  print "set xlabel " . quoted("what the kernel does (fields of a particle, 4 B each)");
  call bars_of(groups, false);
}
MILLER

cat >"$work/transpose.mlr" <<'MILLER'
end {
  map columns = without(settings(), "n");
  @row = thinned(@row, columns);
  map apart = varying(@row, columns);
  map groups = {};
  map labels = {};
  bool two_lines = false;
  for (number, row in @row) {
    str group = row["rows"] . " x " . row["cols"];
    # Padded rows are told on a second line.
    if (row["ld_in"] != row["cols"] || (row["ld_out"] != row["cols"] && row["ld_out"] != row["rows"])) {
      group .= "|ld " . row["ld_in"] . ", " . row["ld_out"];
      two_lines = true;
    }
    str label = label_of(row, apart);
    labels[label] = 1;
    groups[group][label]["variant"] = row["variant"];
    groups[group][label]["rows"][number] = row;
  }
  call head_of(title_of(@row, "Transposition against the ceiling", shared_text(@row, columns)), labels, 0);
  print "set xlabel " . (two_lines ? "\"\\n\"." : "") . quoted("shape of the input (elements)");
  call bars_of(groups, true);
}
MILLER

cat >"$work/counters.mlr" <<'MILLER'
end {
  map shapes = {"offset": {"open": 6, "full": 7}, "stride": {"open": 4, "full": 5}, "aos_soa": {"open": 8, "full": 9},
                "transpose": {"open": 12, "full": 13}};
  map variants = {};
  map load = {};
  map store = {};
  num low = 0;
  num high = 0;
  num equal = 0;
  num counts = 0;
  for (number, row in @row) {
    str v = row["variant"];
    variants[v] = row["experiment"];
    for (side in ["load", "store"]) {
      var predicted = row[side . "_sectors"];
      var counted = row["counted_" . side . "_sectors"];
      if (is_not_empty(predicted) && is_not_empty(counted)) {
        counts += 1;
        if (predicted == counted) { equal += 1 }
        if (predicted > 0 && counted > 0) {
          str point = predicted . " " . counted . "\n";
          if (side == "load") { load[v] = (haskey(load, v) ? load[v] : "") . point }
          else { store[v] = (haskey(store, v) ? store[v] : "") . point }
          if (low == 0 || min(predicted, counted) < low) { low = min(predicted, counted) }
          high = max(high, predicted, counted);
        }
      }
    }
  }
  if (high > 0) {
    call head_of(title_of(@row, "Sectors counted against sectors predicted",
      equal . " of " . counts . " counts equal the prediction; open: loads, filled: stores"), variants, 0);
    print "set logscale xy";
    print "set format xy " . quoted("10^%L");
    print "set grid xtics";
    print "set xlabel " . quoted("predicted sectors of one launch (32 B each, logarithmic)");
    print "set ylabel " . quoted("counted sectors of one launch (32 B each, logarithmic)");
    str range = "[" . fmtnum(low / 2, "%.9lg") . ":" . fmtnum(high * 2, "%.9lg") . "]";
    print "set xrange " . range;
    print "set yrange " . range;
    num i = 0;
    str plot = "plot x with lines lw 1.5 lc rgb " . quoted("#808080") . " title " . quoted("counted = predicted");
    for (v, experiment in variants) {
      i += 1;
      map shape = haskey(shapes, experiment) ? shapes[experiment] : {"open": 10, "full": 11};
      str paint = " lc rgb " . quoted(colour_of(v));
      print "$load" . i . " << EOD\n" . (haskey(load, v) ? load[v] : "1 1\n") . "EOD";
      print "$store" . i . " << EOD\n" . (haskey(store, v) ? store[v] : "1 1\n") . "EOD";
      plot .= ", $store" . i . " using 1:2 with points ps 1.2 pt " . shape["full"] . paint . " title " . quoted(v) .
        ", $load" . i . " using 1:2 with points ps 2.2 lw 1.8 pt " . shape["open"] . paint . " notitle";
    }
    print plot;
  }
}
MILLER

flagged='strlen(gsub(";" . $flags . ";", ".*;(profiled|debug|throttled);.*", "")) == 0'
read -r total predicted not_ok unfit timeless < <(mlr --ijson --onidx put -q '
  begin { @total = 0; @predicted = 0; @not_ok = 0; @unfit = 0; @timeless = 0 }
  @total += 1;
  if ($status == "predicted") { @predicted += 1 }
  elif ($status != "ok") { @not_ok += 1 }
  elif ('"$flagged"') { @unfit += 1 }
  elif (is_empty($useful_gbps) || is_empty($median_ms)) { @timeless += 1 }
  end { print @total . " " . @predicted . " " . @not_ok . " " . @unfit . " " . @timeless }' "$work/rows.json")
[[ "$predicted" == 0 ]] || warn "$predicted predicted rows have no time: no bandwidth of them is drawn"
[[ "$not_ok" == 0 ]] || warn "$not_ok rows left out: their status is not ok"
[[ "$unfit" == 0 ]] || warn "$unfit rows left out: their flags say profiled, debug or throttled"
[[ "$timeless" == 0 ]] || warn "$timeless rows left out: they have no time"

mlr --ijson --ojson \
  filter '$status == "ok" && !('"$flagged"') && is_not_empty($useful_gbps) && is_not_empty($median_ms)' \
  then unsparsify -f counted_load_sectors,counted_store_sectors \
  then put -f "$work/common.mlr" -e '$rank = rank_of($variant)' \
  then sort -nf rank,n,element_bytes,items_per_thread,block_size,struct_bytes,lanes,value,rows,cols \
  "$work/rows.json" >"$work/fit.json" 2>"$work/error" || die "mlr failed: $(head -n 1 "$work/error")" 3

# --- the pictures -----------------------------------------------------------------------------------------------------

declare -A chosen=(
  [offset]='$parameter == "offset"'
  [stride]='$parameter == "stride"'
  [n]='true'
  [aos_soa]='$experiment == "aos_soa"'
  [transpose]='is_not_empty($rows)'
  [counters]='is_not_empty($counted_load_sectors) || is_not_empty($counted_store_sectors)'
)

terminal() { # FORMAT HEIGHT
  case "$1" in
    svg) echo "set terminal svg size 1200,$2 noenhanced font 'Helvetica,17' background '#ffffff'" ;;
    png) echo "set terminal pngcairo size 1200,$2 noenhanced font 'Sans,13' background '#ffffff'" ;;
  esac
}

drawn=0
for kind in "${kinds[@]}"; do
  [[ "$(mlr --ijson --onidx filter "${chosen[$kind]}" then count "$work/fit.json")" != 0 ]] || continue
  mlr --ijson --onidx filter "${chosen[$kind]}" \
    then put -s quote="'" -q -f "$work/common.mlr" -f "$work/bars.mlr" -f "$work/$kind.mlr" \
    "$work/fit.json" >"$work/$kind.gp" 2>"$work/error" || die "mlr failed: $(grep -m 1 '^mlr' "$work/error")" 3
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
    if ! cp -- "$work/picture" "$partial" || ! mv -f -- "$partial" "$out/$kind.$format"; then
      die "'$out/$kind.$format' cannot be written" 3
    fi
    partial=""
    printf '%s\n' "$out/$kind.$format"
    drawn=$((drawn + 1))
  done
done
[[ "$drawn" -gt 0 ]] || die "nothing to draw: none of the $total rows has status ok, a time and no such flag" 1
