# make bench: how fast an import is beside the floor; bench/README.md.

EVENTS ?= 10000000
ROUNDS ?= 5
BENCH = $(BUILD)/bench

# Packages first: the flags of the compiler are asked for when make starts.
.PHONY: bench
bench: packages
	@tools/need-packages sqlite3
	@$(MAKE) --no-print-directory all $(GENERATE) $(BENCH)/floor $(BENCH)/measure
	@bench/run $(BUILD)/tracetool $(GENERATE) $(BENCH) src/store/schema.sql $(BENCH) \
		$(EVENTS) $(ROUNDS)

$(BENCH)/floor: LDLIBS = $(shell pkg-config --libs sqlite3)
$(BENCH)/measure: LDLIBS =

$(BENCH)/%: bench/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(LDLIBS)
