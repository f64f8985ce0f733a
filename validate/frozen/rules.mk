# What releases have promised.

validate/frozen/abi.t: $(LIBRARIES) $(CUDA_PLUGIN)
validate/frozen/frozen.t: all $(if $(FORTRAN),$(BUILD)/replay-relinked $(REPLAYED:%=%-relinked)) \
                          $(if $(HAS_CXX),$(BUILD)/frozen-states)
$(BUILD)/frozen-states: validate/frozen/states.cc $(BUILD)/libgpuranmar.so FORCE
	$(call run,CXX,$(CXX_TEST))
