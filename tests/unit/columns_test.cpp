#include "sectorscope/columns.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "example_record.hpp"
#include "sectorscope/csv_row.hpp"

namespace sectorscope {
namespace {

const std::string header =
    "experiment,variant,parameter,value,n,rows,cols,ld_in,ld_out,struct_bytes,lanes,element_bytes,items_per_thread,"
    "block_size,l2,order,seed,warmup,iterations,runs,"
    "launch_skip,grid_size,access,lane_byte_gap,"
    "load_requests,load_sectors,store_requests,store_sectors,load_sectors_per_request,store_sectors_per_request,"
    "load_efficiency_pct,store_efficiency_pct,"
    "shared_load_wavefronts,shared_store_wavefronts,useful_bytes,footprint_bytes,"
    "median_ms,mean_ms,min_ms,max_ms,stddev_ms,useful_gbps,ceiling_gbps,pct_of_ceiling,peak_gbps,pct_of_peak,regime,"
    "mismatches,max_abs_error,status,flags,gpu,uuid,compute_capability,driver,runtime,sm_clock_mhz,memory_clock_mhz,"
    "build_type,version,timestamp\n";

/// Fields of a line whose only quoted field holds one comma.
std::size_t fields_of(const std::string& line) {
  std::size_t fields = 1;
  bool quoted = false;
  for (const char c : line) {
    quoted = quoted != (c == '"');
    if (c == ',' && !quoted) ++fields;
  }
  return fields;
}

std::string field(const Record& record, const std::string& name) {
  for (const Column& column : columns) {
    if (column.name == name) return csv_text(column.get(record));
  }
  return "no such column";
}

TEST(Cell, IsEmptyForWhatIsNotThere) {
  EXPECT_EQ(cell(std::string()), Value{});
  EXPECT_EQ(cell(std::optional<std::uint64_t>()), Value{});
  EXPECT_EQ(cell(std::uint64_t{0}), Value{std::int64_t{0}});  // zero is a number
  EXPECT_EQ(ratio_cell(1, 0, 1), Value{});
  EXPECT_EQ(percent_cell(1.0, 0.0), Value{});
  EXPECT_EQ(percent_cell(1.0, std::nullopt), Value{});
  EXPECT_EQ(percent_cell(1.0, 4.0), Value{25.0});
}

TEST(RowHeader, IsTheOneThatScriptsKnow) { EXPECT_EQ(row_header(), header); }

TEST(RowLine, APredictedRowLeavesWhatWasNotMeasuredEmpty) {
  EXPECT_EQ(row_line(predicted_record()),
            "offset,offset_read,offset,1,1048576,,,,,,,4,4,256,hot,listed,,10,100,7,"
            "720,1024,out[i] = in[i + 1],4,32768,163840,32768,131072,5,4,80,100,,,8388608,8388612,"
            ",,,,,,,,,,,,,predicted,,,,,,,,," +
                std::string(build_type) + "," + std::string(version) + ",\n");
}

TEST(RowLine, AMeasuredRowFillsEveryColumnThatApplies) {
  EXPECT_EQ(row_line(measured_record()),
            "offset,offset_read,offset,1,1048576,,,,,,,4,4,256,hot,listed,,10,100,7,"
            "720,1024,out[i] = in[i + 1],4,32768,163840,32768,131072,5,4,80,100,,,8388608,8388612,"
            "0.01,0.0105,0.0095,0.012,0.0005,838.8608,1677.7216,50,4915.2,17.0666667,dram,"
            "0,,ok,spread;short,\"NVIDIA X, 80GB\",GPU-1234,9.0,550.54.15,12.4,1980,3201," +
                std::string(build_type) + "," + std::string(version) + ",2030-01-02T03:04:05Z\n");
}

TEST(RowLine, HasAsManyFieldsAsTheHeader) {
  Record transpose = measured_record();
  transpose.key.rows = 1000;
  transpose.key.cols = 1049;
  transpose.key.ld_in = 1056;
  transpose.key.ld_out = 1008;
  transpose.key.seed = 7;
  transpose.prediction.shared_load_wavefronts = 32768;
  transpose.prediction.shared_store_wavefronts = 1048576;
  transpose.measured->max_abs_error = 0;
  EXPECT_EQ(fields_of(header), 61U);
  for (const Record& r : {predicted_record(), measured_record(), widest_record(), transpose, Record{}}) {
    EXPECT_EQ(fields_of(row_line(r)), 61U);
  }
  EXPECT_EQ(field(transpose, "rows"), "1000");
  EXPECT_EQ(field(transpose, "cols"), "1049");
  EXPECT_EQ(field(transpose, "ld_in"), "1056");
  EXPECT_EQ(field(transpose, "ld_out"), "1008");
  EXPECT_EQ(field(transpose, "seed"), "7");
  EXPECT_EQ(field(transpose, "shared_load_wavefronts"), "32768");
  EXPECT_EQ(field(transpose, "shared_store_wavefronts"), "1048576");
  EXPECT_EQ(field(widest_record(), "struct_bytes"), "24");
  EXPECT_EQ(field(widest_record(), "lanes"), "32");
  EXPECT_EQ(field(transpose, "max_abs_error"), "0");
}

TEST(RowLine, OneRunHasNoDeviation) {
  Record r = measured_record();
  r.measured->deviation_s.reset();
  EXPECT_EQ(field(r, "stddev_ms"), "");
}

TEST(RowLine, AnUnknownPeakOrClockIsEmptyAndNotZero) {
  Record r = measured_record();
  r.machine->peak_gbps.reset();
  r.machine->driver.clear();
  r.measured->ceiling_gbps.reset();
  r.measured->sm_clock_mhz.reset();
  for (const char* name : {"peak_gbps", "pct_of_peak", "driver", "ceiling_gbps", "pct_of_ceiling", "sm_clock_mhz"}) {
    EXPECT_EQ(field(r, name), "") << name;
  }
}

TEST(RowLine, ATimeOfZeroIsNoBandwidth) {
  Record r = measured_record();
  r.measured->median_s = 0;
  EXPECT_EQ(field(r, "useful_gbps"), "");
  EXPECT_EQ(field(r, "pct_of_ceiling"), "");
}

TEST(RowLine, CountsBeyond32BitsKeepEveryDigit) {
  Record r = predicted_record();
  r.prediction.needed_load_bytes = 8589953124;
  r.prediction.needed_store_bytes = 8589953124;
  r.prediction.load_sectors = 9007199254740993;  // no double holds it
  EXPECT_EQ(field(r, "useful_bytes"), "17179906248");
  EXPECT_EQ(field(r, "load_sectors"), "9007199254740993");
}

TEST(RowLine, TextWithACommaOrAQuoteIsQuoted) {
  Record r = measured_record();
  r.machine->gpu = "12\" card, big";
  EXPECT_NE(row_line(r).find(",\"12\"\" card, big\","), std::string::npos);
}

TEST(Bandwidth, IsUsefulBytesOverTheMedianInDecimalGigabytes) {
  const auto gbps = useful_gbps(measured_record());  // 8,388,608 bytes in 0.010 ms
  ASSERT_TRUE(gbps.has_value());
  EXPECT_NEAR(*gbps, 838.861, 0.0005);
  EXPECT_FALSE(useful_gbps(predicted_record()).has_value());
}

TEST(Efficiency, IsNeededBytesOverBytesMoved) {
  EXPECT_EQ(field(predicted_record(), "load_efficiency_pct"), "80");
  EXPECT_EQ(field(predicted_record(), "load_sectors_per_request"), "5");
  Record r = predicted_record();
  r.prediction.needed_load_bytes = 1024;
  r.prediction.load_requests = 10;
  r.prediction.load_sectors = 64;
  r.prediction.needed_store_bytes = 512;
  r.prediction.store_requests = 8;
  r.prediction.store_sectors = 128;
  EXPECT_EQ(field(r, "load_efficiency_pct"), "50");
  EXPECT_EQ(field(r, "store_efficiency_pct"), "12.5");
  EXPECT_EQ(field(r, "load_sectors_per_request"), "6.4");
  EXPECT_EQ(field(r, "store_sectors_per_request"), "16");
  r.prediction.load_sectors = 0;
  r.prediction.load_requests = 0;
  EXPECT_EQ(field(r, "load_efficiency_pct"), "");
  EXPECT_EQ(field(r, "load_sectors_per_request"), "");
}

TEST(Status, OneMismatchIsEnough) {
  EXPECT_EQ(field(predicted_record(), "status"), "predicted");
  EXPECT_EQ(field(predicted_record(), "mismatches"), "");
  Record r = measured_record();
  EXPECT_EQ(field(r, "status"), "ok");
  r.measured->mismatches = 1;
  EXPECT_EQ(field(r, "status"), "mismatch");
  EXPECT_EQ(field(r, "mismatches"), "1");
}

TEST(Samples, OneLineARunBehindTheKey) {
  const std::string key_header = header.substr(0, header.find(",launch_skip"));
  EXPECT_EQ(samples_header(), key_header + ",gpu,uuid,run,ms,gbps,mismatches\n");
  Record r = measured_record();
  r.measured->mismatches = 2;
  EXPECT_EQ(sample_line(r, 3, 0.00002),
            "offset,offset_read,offset,1,1048576,,,,,,,4,4,256,hot,listed,,10,100,7,"
            "\"NVIDIA X, 80GB\",GPU-1234,3,0.02,419.4304,2\n");
}

}  // namespace
}  // namespace sectorscope
