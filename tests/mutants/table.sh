# shellcheck shell=bash
# The mutants: small faults, of which run.sh puts one at a time into a copy of the sources. Each must be noticed.
#
#   mutant NAME FILE 'TEXT' 'INSTEAD' HOW ARGUMENT...
#
# TEXT stands in FILE exactly once, or the mutant is an error: it no longer says what it is for. HOW it must be noticed:
#
#   unit TEST                     tests/unit/TEST.cpp fails
#   cli EXPERIMENT FILE           tests/cli/FILE fails with this EXPERIMENT, whose predicted rows are wrong
#   run COMMAND LINE              exit 1, and the last line is "Verification: FAILED"                          GPU
#   device TEST                   that test of tests/gpu/device_layer_test.cu fails                            GPU
#   counters COMMAND LINE         the right result in the wrong way: scripts/profile.sh finds other counters   GPU, ncu
#   memcheck, racecheck, initcheck, synccheck COMMAND LINE    that tool of compute-sanitizer finds an error    GPU

items=include/sectorscope/items.hpp
tiles=src/transpose_vectorized.cuh

# ---- report side: units, statistics, rows ---------------------------------------------------------------------------

mutant median_of_unsorted_samples include/sectorscope/statistics.hpp \
  'std::sort(samples.begin(), samples.end());' '' unit statistics_test
mutant median_of_an_even_count_is_the_upper include/sectorscope/statistics.hpp \
  'samples[middle - 1] : upper' 'upper : upper' unit statistics_test
mutant deviation_divides_by_n include/sectorscope/statistics.hpp \
  'squares / (count - 1)' 'squares / count' unit statistics_test
mutant microseconds_for_milliseconds include/sectorscope/units.hpp \
  'return seconds * 1e3;' 'return seconds * 1e6;' unit units_test
mutant gigabyte_is_binary include/sectorscope/units.hpp \
  '/ 1e9 / seconds' '/ 1073741824.0 / seconds' unit units_test
mutant bandwidth_at_the_mean include/sectorscope/columns.hpp \
  'useful_bytes(), r.measured->median_s' 'useful_bytes(), r.measured->mean_s' unit columns_test
mutant one_mismatch_is_ok include/sectorscope/columns.hpp \
  'r.measured->mismatches == 0 ? "ok"' 'r.measured->mismatches <= 1 ? "ok"' unit columns_test
mutant store_efficiency_from_load_bytes include/sectorscope/columns.hpp \
  'ratio_cell(r.prediction.needed_store_bytes' 'ratio_cell(r.prediction.needed_load_bytes' unit columns_test
mutant four_times_the_l2_is_mixed include/sectorscope/regime.hpp \
  'bytes / 4 < l2_bytes' 'bytes / 4 <= l2_bytes' unit regime_test
mutant untouched_memory_counts include/sectorscope/regime.hpp \
  'return sectors <= p.footprint_bytes / l2_line_bytes ?' 'return false ?' unit regime_test
mutant empty_cell_is_zero include/sectorscope/cell.hpp \
  'return whole == 0 ? Value{} :' 'return whole == 0 ? cell(0.0) :' unit columns_test
mutant quote_is_not_doubled include/sectorscope/csv.hpp \
  "c == '\"' ? 2 : 1" '1' unit csv_test
mutant six_digits include/sectorscope/csv.hpp \
  '{:.9g}' '{:.6g}' unit csv_test
mutant spread_flag_from_20_percent include/sectorscope/statistics.hpp \
  '0.02 * summary.median' '0.2 * summary.median' unit flags_test
mutant short_flag_never include/sectorscope/flags.hpp \
  'shortest_interval_s < 100e-6' 'shortest_interval_s < 0' unit flags_test
mutant size_for_memory_left_alone src/stride.cu \
  'cached_bytes(describe({patterns.front(), smallest, width, {size, 32, 1}}).prediction)' \
  'describe({patterns.front(), smallest, width, {size, 32, 1}}).prediction.footprint_bytes' cli stride predict.bats
mutant launching_never_shows include/sectorscope/notices.hpp \
  'seconds < 2 * *issue_s' 'false' unit notices_test
mutant slowest_run_is_the_fastest include/sectorscope/measured.hpp \
  'measured.max_s = summary.max;' 'measured.max_s = summary.min;' unit measured_test
mutant power_cap_is_no_throttle include/sectorscope/nvml.hpp \
  '& 0xECU) != 0' '& 0xE8U) != 0' unit flags_test
mutant terminal_controls_pass include/sectorscope/one_line.hpp \
  'byte(1) < 0xA0 ? 0' 'byte(1) < 0x80 ? 0' unit one_line_test
mutant links_are_other_files include/sectorscope/same_target.hpp \
  'if (std::filesystem::equivalent(a, b, unknown)) return true;' '' unit same_target_test
mutant auto_size_stops_early include/sectorscope/sizes.hpp \
  'bytes(n) / 4 < *l2_bytes' 'bytes(n) / 2 < *l2_bytes' unit sizes_test
mutant range_without_its_last include/sectorscope/parse.hpp \
  '(last - first) / step;' '(last - first) / step - (last > first ? 1 : 0);' unit parse_test

# ---- report side: launches ------------------------------------------------------------------------------------------

mutant launch_skip_off_by_one include/sectorscope/launch_order.hpp \
  'options.launches_per_configuration() + options.warmup;' \
  'options.launches_per_configuration() + options.warmup + 1;' unit launch_order_test
mutant launch_skip_without_warmups include/sectorscope/options.hpp \
  'return warmup + runs * iterations;' 'return runs * iterations;' unit launch_order_test
mutant plan_names_one_launch_too_many include/sectorscope/plan_text.hpp \
  'options.runs * options.iterations - 1, line' 'options.runs * options.iterations, line' unit plan_text_test

# ---- report side: the address model ---------------------------------------------------------------------------------

mutant full_warp_for_a_partial_one include/sectorscope/sectors.hpp \
  'std::min(warp_size, threads - done)' 'warp_size' unit sectors_test
mutant sectors_counted_without_sorting include/sectorscope/sectors.hpp \
  'if (!ascending) std::sort(sectors.begin(), end);' '' unit sectors_test
mutant sector_of_64_bytes include/sectorscope/sectors.hpp \
  'sector_bytes = 32;' 'sector_bytes = 64;' unit sectors_test
mutant last_tile_lines_lost include/sectorscope/sectors.hpp \
  'divide_up(majors - major, warp_size)' '(majors - major) / warp_size' unit sectors_test
mutant wrap_of_the_last_lane_ignored include/sectorscope/modular_sectors.hpp \
  'lane = 1; lane < warp_size; ++lane' 'lane = 1; lane < warp_size - 1; ++lane' unit modular_sectors_test
mutant place_in_a_sector_ignored include/sectorscope/modular_sectors.hpp \
  'return index(interval, first % places_);' 'return index(interval, 0);' unit sectors_test
mutant last_warp_of_a_walk_lost include/sectorscope/modular_sectors.hpp \
  'Traffic total = enumerate_warps(address, warps * warp_size, n - warps * warp_size, width);' 'Traffic total;' \
  unit sectors_test
mutant solved_walk_loses_a_wrap include/sectorscope/floor_sum.hpp \
  'a, b + m - bound) + count;' 'a, b + m - bound) + count - 1;' unit modular_sectors_test
mutant items_cover_one_block include/sectorscope/access.hpp \
  'thread / block_size * block_size * items +' 'thread / block_size * block_size +' unit access_test
mutant grid_rounded_down include/sectorscope/access.hpp \
  'divide_up(n, block_size * items)' 'n / (block_size * items)' unit access_test
mutant sixteen_banks include/sectorscope/shared_banks.hpp \
  'word % shared_banks' 'word % 16' unit shared_banks_test
mutant one_word_conflicts_with_itself include/sectorscope/shared_banks.hpp \
  'std::unique(touched.begin(), end)' 'end' unit shared_banks_test
mutant division_always_rounds_up include/sectorscope/arithmetic.hpp \
  'a / b + (a % b != 0 ? 1U : 0U)' 'a / b + 1' unit arithmetic_test
mutant carry_of_a_product_lost include/sectorscope/arithmetic.hpp \
  '+ (cross >> 32) + (other_cross >> 32);' '+ (cross >> 32);' unit arithmetic_test
mutant model_of_transposed_rows_and_columns_swapped $tiles \
  'return col * ld + row; }' 'return row * ld + col; }' unit transpose_model_test
mutant whole_vector_at_the_edge_is_cut $tiles \
  'first < size && size - first >= n;' 'first < size && size - first > n;' unit transpose_model_test
mutant window_of_the_last_rows_lost $tiles \
  'divide_up(rows + halo - 1, R)' 'divide_up(rows, R)' unit transpose_model_test
mutant one_tile_too_many_alike $tiles \
  'tiles > 3 ? tiles - 3 : 1' 'tiles > 3 ? tiles - 2 : 1' unit transpose_model_test

mutant strip_in_one_column $tiles \
  'return {tile / across, first + tile % across};' 'return {tile / across, first};' unit transpose_model_test

# ---- report side: closing lines of aos_soa --------------------------------------------------------------------------

layouts=src/layout_comparison.hpp
mutant speedup_upside_down $layouts 'aos / soa, which' 'soa / aos, which' unit layout_comparison_test
mutant break_even_by_the_whole_time $layouts \
  'conversion->second / (aos - soa)' 'conversion->second / aos' unit layout_comparison_test
mutant layouts_always_agree $layouts \
  'values[k] != values[0] ? 1 : 0' '0' unit layout_comparison_test
mutant smallest_error $layouts 'std::max(largest_error,' 'std::min(largest_error,' unit layout_comparison_test

# ---- report side: input and verification ----------------------------------------------------------------------------

mutant neighbours_may_be_equal include/sectorscope/pattern.hpp \
  'value = static_cast<T>((value & ~T{1}) | static_cast<T>(index & 1));' '' unit pattern_test
mutant pattern_repeats_after_2_32 include/sectorscope/pattern.hpp \
  '^ (static_cast<std::uint32_t>(index >> 32) * 0x9E3779B9U)' '' unit pattern_test
mutant input_may_equal_the_poison include/sectorscope/pattern.hpp \
  'value == std::numeric_limits<T>::max() ? static_cast<T>(value >> 1) : value' 'value' unit pattern_test
mutant last_element_not_compared include/sectorscope/verify.hpp \
  'std::min(block, count - done);' 'std::min(block, count - done - 1);' unit verify_test
mutant an_eighth_of_a_block_compared include/sectorscope/verify.hpp \
  'length * sizeof(T)) == 0' 'length * sizeof(T) / 8) == 0' unit verify_test
mutant mismatch_numbered_within_its_chunk include/sectorscope/verify.hpp \
  'const std::uint64_t index = first + done + i;' 'const std::uint64_t index = done + i;' unit verify_test
mutant merging_forgets_mismatches include/sectorscope/verify.hpp \
  'mismatches += other.mismatches;' '' unit verify_test
mutant infinite_error_forgotten include/sectorscope/verify.hpp \
  'error_is_finite = error_is_finite && other.error_is_finite;' '' unit verify_test
mutant merging_keeps_the_first_to_arrive include/sectorscope/verify.hpp \
  'by_index(other.kept.front(), kept.back())' 'false' unit verify_test
mutant last_byte_of_a_guard_band_not_checked include/sectorscope/verify.hpp \
  'i < band.size()' 'i + 1 < band.size()' unit verify_test

# ---- experiments: what --predict shows ------------------------------------------------------------------------------

mutant wrong_byte_count src/offset.cu \
  'needed_load_bytes = c.moved_bytes();' 'needed_load_bytes = 2 * c.moved_bytes();' cli offset predict.bats
mutant tile_not_swizzled src/transpose.cu \
  '+ (col ^ row); }' '+ col; }' cli transpose committed_counters.bats

# ---- kernels: linear ------------------------------------------------------------------------------------------------

mutant disjoint_stride_one_longer src/stride.cu \
  'return i * stride; }' 'return i * (stride + 1); }' run stride -n 1003 --strides 3 --mapping disjoint
mutant struct_one_field_longer src/aos_soa.cu \
  'return i * fields + f; }' 'return i * (fields + 1) + f; }' run aos_soa -n 1003 --layouts aos
mutant no_store $items \
  '< n) to[' '< 0) to[' run offset -n 1003
mutant no_store_in_the_last_warp $items \
  '< n) to[' '< n / 32 * 32) to[' run stride -n 1003 --strides 5
mutant no_store_of_the_last_element $items \
  '< n) to[' '+ 1 < n) to[' run offset -n 1003
mutant no_store_above_2_24 $items \
  '< n) to[' '< (n < 16777216 ? n : 16777216)) to[' run offset -n 16777217 --offsets 0
mutant store_one_past_the_end $items \
  '< n) to[' '<= n) to[' run offset -n 1003
mutant first_item_stored_for_all $items \
  '] = value[k];' '] = value[0];' run offset -n 1003
mutant half_the_grid include/sectorscope/access.hpp \
  'static_cast<unsigned>(blocks())' 'static_cast<unsigned>(blocks() / 2)' run offset -n 1M --offsets 3
mutant offset_off_by_one src/offset.cu \
  'return i + offset; }' 'return i + offset + 1; }' run offset -n 1003 --offsets 3
mutant read_for_write src/offset.cu \
  ': offset_write<T, items()>;' ': offset_read<T, items()>;' run offset -n 1003 --offsets 3 --access write
mutant offset_reference_without_offset src/offset.cu \
  'pattern<T>(j - write + read)' 'pattern<T>(j - write)' run offset -n 1003 --offsets 3
mutant walk_does_not_wrap src/stride.cu \
  'return sum >= n ? sum - n : sum;' 'return sum;' run stride -n 1003 --strides 5
mutant scatter_without_its_stride src/stride.cu \
  '(in, out, n, ContiguousAddress{}, destination);' '(in, out, n, ContiguousAddress{}, ContiguousAddress{});' \
  run stride -n 1003 --strides 5 --access scatter
mutant wrong_stride src/stride.cu \
  'return {shape.n, stride % shape.n,' 'return {shape.n, (stride + 2) % shape.n,' run stride -n 1003 --strides 5

# ---- kernels: particles ---------------------------------------------------------------------------------------------

mutant field_of_the_neighbour src/aos_soa.cu \
  'return i * fields + f; }' 'return (i ^ 1) * fields + f; }' run aos_soa -n 1024 --layouts aos,soa
mutant always_the_first_field src/aos_soa.cu \
  'return f * pitch + i; }' 'return i; }' run aos_soa -n 1003 --layouts soa --fields 2
mutant lanes_of_a_block_swapped src/aos_soa.cu \
  '<< shift) + lane;' '<< shift) + (lane ^ 1);' run aos_soa -n 1024 --layouts soa,aosoa --lanes 8
mutant vector_adds_one_field_twice src/aos_soa.cu \
  'v.x + v.y +' 'v.x + v.x +' run aos_soa -n 1003 --layouts aos --fields 2
mutant transform_without_its_constant src/aos_soa.cu \
  'sum * 1.25F - 0.5F' 'sum * 1.25F' run aos_soa -n 1003
mutant step_of_two_coordinates src/aos_soa.cu \
  'for (int f = 0; f < 3; ++f) {' 'for (int f = 0; f < 2; ++f) {' run aos_soa -n 1003 --op step
mutant step_reference_forgets_warmups src/aos_soa.cu \
  'after(s.warmup + s.runs * s.iterations)' 'after(s.runs * s.iterations)' run aos_soa -n 1003 --op step
mutant conversion_swaps_two_fields src/aos_soa.cu \
  'value[2] = v.z, value[3] = v.w;' 'value[2] = v.w, value[3] = v.z;' run aos_soa -n 1003 --conversion

# ---- kernels: transposes --------------------------------------------------------------------------------------------

mutant rows_and_columns_swapped_in_the_tile src/transpose.cu \
  'tile[Tile::index(threadIdx.x, line)]' 'tile[Tile::index(line, threadIdx.x)]' \
  run transpose --rows 65 --cols 63 --variants tiled
mutant pitch_of_the_input_for_the_output $tiles \
  'ColumnMajor transposed() const { return {ld_out}; }' 'ColumnMajor transposed() const { return {ld_in}; }' \
  run transpose --rows 33 --cols 31 --variants naive
mutant padding_written src/transpose.cu \
  'm.holds(p)) out[destination(' '(p.row <= m.rows && p.col < m.cols)) out[destination(' \
  run transpose --rows 1000 --cols 100 --ld-out 1008 --variants naive
mutant edge_tiles_taken_for_whole src/transpose.cu \
  'return m.holds(last);' 'return true;' run transpose --rows 65 --cols 63 --variants copy
mutant tiles_past_65535_not_folded src/transpose.cu \
  'const std::size_t row = (blockIdx.y + std::size_t{blockIdx.z} * gridDim.y) * tile_side;' \
  'const std::size_t row = blockIdx.y * tile_side;' run transpose --rows 2097121 --cols 1 --variants copy
mutant no_syncthreads src/transpose.cu \
  '__syncthreads();' '' run transpose --rows 1024 --cols 1024 --variants tiled,padded,swizzled
mutant no_syncthreads_vectorized $tiles \
  '__syncthreads();' '' run transpose --rows 1024 --cols 1024 --variants vectorized
mutant words_of_a_patch_swapped $tiles \
  'w[2] = __byte_perm(b, d, 0x5410)' 'w[2] = __byte_perm(b, d, 0x7632)' \
  run transpose --rows 256 --cols 256 -e 1 --variants vectorized
mutant packed_words_not_shifted $tiles \
  'words[i + 1], bits);' 'words[i + 1], 0);' \
  run transpose --rows 99 --cols 101 -e 2 --variants vectorized

# ---- right results in the wrong way: what the counters alone tell ---------------------------------------------------

mutant items_side_by_side $items \
  'static_cast<unsigned>(item) * blockDim.x + threadIdx.x;' 'threadIdx.x * Items + static_cast<unsigned>(item);' \
  counters offset -n 4096 --offsets 0
mutant structs_read_field_by_field src/aos_soa.cu \
  'if constexpr (is_vector(Fields, Used)) {' 'if constexpr (false) {' counters aos_soa -n 4096 --layouts aos --fields 4
mutant column_copy_along_rows src/transpose.cu \
  'move_directly<Lanes::down_column>(in, out, m, m.copied());' \
  'move_directly<Lanes::along_row>(in, out, m, m.copied());' \
  counters transpose --rows 128 --cols 128 --variants copy_column
mutant padded_without_padding src/transpose.cu \
  'transpose_in_shared<PaddedTile>(in, out, m);' 'transpose_in_shared<PlainTile>(in, out, m);' \
  counters transpose --rows 128 --cols 128 --variants padded

# ---- host layer on the device side ----------------------------------------------------------------------------------

measure=include/sectorscope/measure.hpp
measurement=include/sectorscope/measurement.hpp
session=include/sectorscope/session.hpp
arrays=include/sectorscope/held_arrays.hpp
mutant outputs_not_poisoned $measurement \
  'return time(launch, [&] { output.poison(stream()); });' 'return time(launch, [] {});' run offset -n 1003
mutant stale_output_of_the_warm_up $measure \
  $'poison();\n  Timing timing;' 'Timing timing;' device Measure.PoisonsAgainAfterTheWarmUp
mutant hidden_launch $measure \
  'i < schedule.warmup;' 'i <= schedule.warmup;' device Measure.PoisonsAgainAfterTheWarmUp
mutant first_launch_of_a_run_left_out $measure \
  'for (std::uint64_t i = 0; i < clocked; ++i) launch();' \
  'for (std::uint64_t i = 1; i < clocked; ++i) launch();' device Measure.PoisonsAgainAfterTheWarmUp
mutant time_of_all_launches_for_one $measure \
  'return {interval / static_cast<double>(iterations),' 'return {interval,' \
  device Measure.TellsTheTimeOfAKnownCopy
mutant event_time_in_tenths_of_milliseconds include/sectorscope/event_timer.hpp \
  '* 1e-3;' '* 1e-4;' device Measure.TellsTheTimeOfAKnownCopy
mutant ceiling_counts_one_way include/sectorscope/ceiling.hpp \
  'gigabytes_per_second(moved,' 'gigabytes_per_second(from.bytes(),' device Measure.TellsTheTimeOfAKnownCopy
mutant peak_of_a_triple_data_rate include/sectorscope/device_info.hpp \
  '= 2 * clock_khz' '= 3 * clock_khz' device Measure.TellsTheTimeOfAKnownCopy
mutant steady_ceiling_is_uncertain include/sectorscope/ceiling.hpp \
  '!is_spread(summary)' 'is_spread(summary)' device Measure.ACopyIsASteadyCeiling
mutant hot_interval_of_one_launch $measure \
  'interval / static_cast<double>(iterations), interval,' \
  'interval / static_cast<double>(iterations), interval / static_cast<double>(iterations),' \
  device Measure.AHotIntervalIsThatOfTheWholeRun
mutant cold_mean_over_one_batch $measure \
  'total / static_cast<double>(iterations), shortest' 'total / static_cast<double>(timers.size()), shortest' \
  device Measure.ColdSamplesAreTheMeanOfAllTheirLaunches
mutant first_cold_interval_left_out $measure \
  $'i = 0; i < batch; ++i) {\n      const double interval' $'i = 1; i < batch; ++i) {\n      const double interval' \
  device Measure.ColdSamplesAreTheMeanOfAllTheirLaunches
mutant issuing_timed_behind_the_warm_up $measure \
  'schedule.warmup <= most_unhindered' 'true' device Measure.DoesNotTellWhatIssuingTakesWhereItCannot
mutant cold_mode_stays_hot $session \
  'cold_ ? std::optional<std::size_t>(info_.l2_bytes) : std::nullopt' 'std::nullopt' device Session.FlushesInColdModeAlone
mutant clocks_not_looked_at $session \
  'timed_state_ = nvml_.state();' '' device Session.LooksAtTheGpuRightAfterTheTimedLaunches
mutant one_ceiling_for_all $session \
  'measure_ceiling(bytes, measurement_' 'measure_ceiling(4 * info_.l2_bytes, measurement_' \
  device Session.MeasuresTheCeilingOfEachSize
mutant short_by_the_time_of_one_launch include/sectorscope/modes.hpp \
  '{timing.shortest_interval_s,' '{summary.min,' device MeasureOne.FlagsByTheShortestInterval
mutant cold_without_a_flush $measure \
  'flush(stream);' '' device Measure.ColdLaunchesFindNothingInTheL2
mutant trailing_guard_band_not_checked $measurement \
  'guard(output.trailing_band(),' 'guard(output.leading_band(),' \
  device Verify.SeesTwoStoresPastTheEndAndOneBeforeTheStart
mutant every_chunk_uploaded_to_the_first include/sectorscope/transfer.hpp \
  'cudaMemcpyAsync(target + first,' 'cudaMemcpyAsync(target,' device Verify.AcceptsWhatWasUploadedInChunks
mutant every_chunk_verified_is_the_first include/sectorscope/transfer.hpp \
  'source + first, n * sizeof(T)' 'source, n * sizeof(T)' device Verify.SeesOneWrongElementInEveryChunk
mutant pattern_not_uploaded_again $arrays \
  $'pattern_width_ = 0;\n' '' device Measurement.HoldsThePatternOfTheLargestInputAndAgainAfterAnotherInput
mutant pattern_as_short_as_the_first_input $arrays \
  'input<T>(held.bytes() / sizeof(T),' 'input<T>(count,' \
  device Measurement.HoldsThePatternOfTheLargestInputAndAgainAfterAnotherInput
mutant more_than_was_described_accepted $arrays \
  'if (needed > largest)' 'if (false)' device Measurement.RefusesMoreThanWasDescribed
mutant too_little_memory_accepted include/sectorscope/memory_limit.hpp \
  'if (needed > free) {' 'if (needed > free + flush) {' device Session.RefusesWhatDoesNotFitBeforeAnythingRuns
mutant flush_not_counted_as_memory include/sectorscope/memory_limit.hpp \
  'cold ? L2Flush::bytes_for(l2_bytes) : 0' '0' device Session.RefusesWhatDoesNotFitBeforeAnythingRuns
mutant ceiling_in_the_cache include/sectorscope/ceiling.hpp \
  'return std::max(useful_bytes, 4 * l2_bytes);' 'return useful_bytes;' \
  device Session.RefusesWhatDoesNotFitBeforeAnythingRuns
mutant flush_inside_the_timed_interval $measure \
  $'flush(stream);\n      timers[i].start(stream);' $'timers[i].start(stream);\n      flush(stream);' \
  device Measure.ColdTimesHoldNoFlush
mutant memory_clock_for_that_of_the_sms include/sectorscope/nvml.hpp \
  'sm_domain = 1;' 'sm_domain = 2;' device DeviceInfo.MatchesTheUuidThatNvmlKnows

# ---- faults for the sanitizers --------------------------------------------------------------------------------------

mutant load_past_the_end $items \
  '< n) value[' '< n + 1024) value[' memcheck offset -n 1003 --offsets 0
mutant race_in_the_tile src/transpose.cu '__syncthreads();' '' \
  racecheck transpose --rows 65 --cols 63 --variants tiled
mutant last_input_element_not_uploaded $arrays \
  'upload(elements, count,' 'upload(elements, count - 1,' \
  initcheck offset -n 1003 --offsets 0
mutant divergent_syncthreads src/transpose.cu '__syncthreads();' 'if (threadIdx.x != 0) __syncthreads();' \
  synccheck transpose --rows 65 --cols 63 --variants tiled
