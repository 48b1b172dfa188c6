# make bench: tracetool and its peers; bench/README.md.

EVENTS ?= 10000000
ROUNDS ?= 3
FORMATS ?=
BRIEF ?=
BENCH = $(BUILD)/bench
BENCH_TOOLS = $(addprefix $(BENCH)/,floor measure duckdb generate)

# DuckDB's library, out of a package for Node. Without npm or network the benchmark runs without it.
DUCKDB_PACKAGE = @duckdb/node-bindings-linux-x64@1.5.6-r.1
DUCKDB = $(BENCH)/libduckdb.so

# Packages first: the flags of the compiler are asked for when make starts.
.PHONY: bench bench-duckdb bench-keep
bench: packages ## compares with other tools (EVENTS, ROUNDS, FORMATS)
	@tools/need-packages sqlite3 python3 python3-pandas mawk blktrace
	@$(MAKE) --no-print-directory all $(GENERATE) $(BENCH_TOOLS) bench-duckdb
	@python3 -B bench/run.py --tracetool $(BUILD)/tracetool --tools $(BENCH) \
		--palmist $(GENERATE) --schema src/store/schema.sql --work $(BENCH) \
		--events $(EVENTS) --rounds $(ROUNDS) --duckdb $(DUCKDB) \
		$(if $(BRIEF),--brief) $(if $(FORMATS),--only $(FORMATS))

bench-duckdb:
	@mkdir -p $(BENCH)
	@test -s $(DUCKDB) || (cd $(BENCH) && rm -rf package && \
		npm pack --silent $(DUCKDB_PACKAGE) >package.name && \
		tar -xzf "$$(tail -n 1 package.name)" package/libduckdb.so && \
		mv package/libduckdb.so . && rm -f duckdb-*.tgz) || \
		echo "bench: no DuckDB: npm cannot fetch $(DUCKDB_PACKAGE)" >&2

# Puts the table of the last run into bench/README.md.
bench-keep: $(BENCH)/table.md ## puts the last table into bench/README.md
	@sed -i '/^## The last table$$/q' bench/README.md
	@cat $(BENCH)/table.md >>bench/README.md

$(BENCH)/floor: LIBRARIES = $(shell pkg-config --libs sqlite3)
$(BENCH)/measure $(BENCH)/generate: LIBRARIES =
$(BENCH)/duckdb: LIBRARIES = -ldl

$(BENCH)/generate: $(addprefix bench/,generate.c generate_io.c generate_blktrace.c generate_calls.c \
		generate_strace.c generate_ftrace.c generate_sched.c generate.h)
	@mkdir -p $(@D)
	$(CC) $(COMPILE_FLAGS) $(LINK_FLAGS) -o $@ $(filter %.c,$^) $(LIBRARIES)

$(BENCH)/%: bench/%.c
	@mkdir -p $(@D)
	$(CC) $(COMPILE_FLAGS) $(LINK_FLAGS) -o $@ $< $(LIBRARIES)

# Of every report: how its time grows, and what it takes; up to EVENTS events, here a million unless told.
SMALLER = --tracetool $(BUILD)/tracetool --tools $(BENCH) --rounds $(ROUNDS) \
	--events $(if $(filter command line,$(origin EVENTS)),$(EVENTS),1000000)

.PHONY: growth bench-reports
growth: packages $(BENCH)/measure $(BENCH)/generate ## fits how the time of each report grows with the log
	@tools/need-packages python3
	@$(MAKE) --no-print-directory all
	@python3 -B bench/growth.py $(SMALLER) --work $(BENCH)/growth

bench-reports: packages $(BENCH)/measure $(BENCH)/generate ## measures every report on a million calls, I/Os and spans
	@tools/need-packages python3
	@$(MAKE) --no-print-directory all
	@python3 -B bench/reports.py $(SMALLER) --work $(BENCH)/reports

# What a database of so many small traces costs: the table of docs/reliability.md.
TRACES ?= 10000
.PHONY: bench-traces
bench-traces: packages $(BENCH)/measure ## measures a database of TRACES small traces, command by command
	@tools/need-packages python3
	@$(MAKE) --no-print-directory all
	@python3 -B bench/many_traces.py --tracetool $(BUILD)/tracetool --measure $(BENCH)/measure \
		--work $(BENCH)/traces --traces $(TRACES)
