# Neighbouring seeds: the program behind validate/results/neighbouring-seeds.md.

.PHONY: neighbours
neighbours: $(BUILD)/neighbours
$(BUILD)/neighbours: validate/seeds/neighbours.c $(STATIC) FORCE
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(INCLUDES) $(ALL_LDFLAGS) -o $@ $< $(STATIC) $(LIB_LIBS))
