# Several threads and processes.

validate/tests/threads/threads.t: $(BUILD)/threads $(BUILD)/unload
$(BUILD)/threads: validate/tests/threads/threads.c $(BUILD)/libgpuranmar.so FORCE
	$(call run,CC,$(TEST_CC) $(RELINK) -lpthread)
$(BUILD)/unload: validate/tests/threads/unload.c FORCE
	$(call run,CC,$(TEST_CC) -ldl)
