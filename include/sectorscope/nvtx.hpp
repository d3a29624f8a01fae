#pragma once
// NVTX ranges, so that `ncu --nvtx --nvtx-include NAME/` selects a configuration by name.

#include <nvtx3/nvToolsExt.h>

#include <string>

namespace sectorscope {

/// A range on this thread for the object's lifetime.
class NvtxRange {
 public:
  explicit NvtxRange(const std::string& name) { nvtxRangePushA(name.c_str()); }
  ~NvtxRange() { nvtxRangePop(); }
  NvtxRange(const NvtxRange&) = delete;  // ranges nest by scope
  NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace sectorscope
