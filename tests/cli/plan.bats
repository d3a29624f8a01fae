#!/usr/bin/env bats
# --plan, --order and --audit: which launch is whose, and what its warps touch.

# shellcheck source=common.bash
load common

skips_of_plan() { sed -n 's/.*--launch-skip \([0-9]*\) .*/\1/p' | paste -sd ' '; }

@test "the articles' command line has 11 launches a configuration" {
  need_mlr
  same "plan" "10 21 32 43 54 65 76" "$(on stride 4194304 1 --plan | skips_of_plan)"
  same "rows" "10 21 32 43 54 65 76" "$(on stride 4194304 1 --predict --csv - | column launch_skip)"
  same "values" "1 3 5 9 17 33 65" "$(on stride 4194304 1 --predict --csv - | column value)"
  on stride 4194304 1 --plan | grep -A 2 '^stride_gather:stride=65$' | grep -q 'launches 76\.\.76 of the process'
}

@test "plan and rows agree on launch_skip in every order" {
  need_mlr
  local experiment order schedule rows
  for experiment in $(experiments); do
    for order in listed reversed shuffled; do
      for schedule in "" "-w 1 -r 1 -i 1" "-w 0 -r 3 -i 7"; do
        # shellcheck disable=SC2046,SC2086
        rows="$(on "$experiment" $(small "$experiment") --order "$order" $schedule --predict --csv - | column launch_skip)"
        [[ "$(wc -w <<<"$rows")" -ge 3 ]] || failed "$experiment $order $schedule: launches '$rows'"
        # shellcheck disable=SC2046,SC2086
        same "$experiment $order $schedule" "$rows" \
          "$(on "$experiment" $(small "$experiment") --order "$order" $schedule --plan | skips_of_plan)" ||
          failed "$experiment $order $schedule"
      done
    done
  done
  passed
}

@test "every ncu line of a plan skips its own number and takes one launch" {
  local experiment plan
  for experiment in $(experiments); do
    # shellcheck disable=SC2046
    plan="$(on "$experiment" $(small "$experiment") --plan)"
    [[ "$(grep -c '^ *ncu ' <<<"$plan")" -ge 3 ]] || failed "$experiment: few ncu lines"
    [[ "$(grep '^ *ncu ' <<<"$plan" | grep -vcE -- '--launch-skip [0-9]+ --launch-count 1 ')" -eq 0 ]] ||
      failed "$experiment: an ncu line without its launch"
    [[ "$(grep -c -- '--plan' <<<"$plan")" -eq 0 ]] || failed "$experiment: ncu would run --plan"
    same "$experiment: reports" "" "$(grep -oE -- '--export [^ ]+' <<<"$plan" | sort | uniq -d)" ||
      failed "$experiment: two configurations export to one file"
  done
  passed
}

@test "the ncu line of a plan is a shell command as it stands, spaces and all" {
  mkdir "$BATS_TEST_TMPDIR/my bin"
  ln -s "$SECTORSCOPE_BIN/offset" "$BATS_TEST_TMPDIR/my bin/offset"
  local line
  line="$("$BATS_TEST_TMPDIR/my bin/offset" -n 1K --offsets '1:9:*3' --plan | grep '^ *ncu ' | head -1)"
  ncu() {
    while [[ "$1" != */offset ]]; do shift; done
    "$@" --predict -q
  }
  same "run" "Verification: not run" "$(eval "$line")"
}

@test "rows follow the order, and launch_skip counts in it" {
  need_mlr
  rows() { on offset -n 1000 "$@" --predict --csv -; }
  same "reversed" "7 6 5 4 3 2 1 0" "$(rows --order reversed | column value)"
  same "its launches" "10 720 1430 2140 2850 3560 4270 4980" "$(rows --order reversed | column launch_skip)"
  same "its name" reversed "$(rows --order reversed | columns order | sort -u)"
  local one
  one="$(rows --order shuffled | column value)"
  [[ "$one" != "0 1 2 3 4 5 6 7" ]]
  same "shuffled" "0 1 2 3 4 5 6 7" "$(tr ' ' '\n' <<<"$one" | sort -n | paste -sd ' ')"
  same "again" "$one" "$(rows --order shuffled --seed 1 | column value)"
  [[ "$one" != "$(rows --order shuffled --seed 2 | column value)" ]]
  same "its launches" "10 720 1430 2140 2850 3560 4270 4980" "$(rows --order shuffled | column launch_skip)"
}

@test "the order changes no prediction" {
  need_mlr
  local experiment listed names=variant,value,lanes,load_requests,load_sectors,store_requests,store_sectors
  for experiment in $(experiments); do
    # shellcheck disable=SC2046
    listed="$(on "$experiment" $(small "$experiment") --predict --csv - | columns "$names" | sort)"
    # shellcheck disable=SC2046
    same "$experiment" "$listed" \
      "$(on "$experiment" $(small "$experiment") --order shuffled --seed 3 --predict --csv - | columns "$names" | sort)" ||
      failed "$experiment"
  done
  passed
}

@test "--audit shows lanes, totals and sectors of every experiment within 100 columns" {
  local experiment audit
  for experiment in $(experiments); do
    audit="$(on "$experiment" --audit)" || failed "$experiment: exit $?"
    grep -qE '^ +31 +31 +' <<<"$audit" || failed "$experiment: no lane 31"
    grep -q 'active lanes ask for' <<<"$audit" || failed "$experiment: no totals"
    grep -qE '^ +[0-9]+  \|[#.]{32}\|$' <<<"$audit" || failed "$experiment: no drawing"
    [[ "$(awk 'length > 100' <<<"$audit" | wc -l)" -eq 0 ]] ||
      failed "$experiment: $(awk 'length > 100' <<<"$audit" | head -1)"
  done
  passed
}

@test "--audit of a misaligned load: 5 sectors for 4, the unused bytes visible" {
  local audit
  audit="$(on offset -n 1024 --offsets 1 --audit)"
  [[ "$audit" == *"load in[i + 1], 4 B a lane, warp 0 of "* ]]
  [[ "$audit" == *"32 active lanes ask for 128 bytes; 5 sectors cover 160 bytes: efficiency 80.0 %"* ]]
  [[ "$audit" == *"0  |....############################|"* ]]
  [[ "$audit" == *"4  |####............................|"* ]]
  [[ "$audit" == *"store out[i], 4 B a lane, warp 0 of "* ]]
}

@test "--audit --warp: another warp, a partial one, and none" {
  [[ "$(on offset -n 1000 --offsets 0 -u 1 --audit --warp 3)" == *"warp 3 of 32"*"     0             96             96 "* ]]
  [[ "$(on offset -n 1000 --offsets 0 -u 1 --audit --warp 31)" == *"8 active lanes ask for 32 bytes"* ]]
  local status=0 message
  message="$(on offset -n 1000 --offsets 0 -u 1 --audit --warp 32 2>&1 >/dev/null)" || status=$?
  same "exit" 2 "$status"
  [[ "$message" == *"--warp: '32'"*"0..31"* ]]
}
