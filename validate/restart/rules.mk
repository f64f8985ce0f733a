# A program that is killed and restarted: a few times in make check, a thousand times in check-long.

$(BUILD)/restart: validate/restart/restart.c $(STATIC) FORCE
	$(call run,CC,$(PLAIN_CC) $(LINK_STATIC))
validate/restart/restart.t validate/restart/thousand.long.t: $(BUILD)/restart
