# Tests, on any Debian 12. `make check` is a short set, `make check-all` all of them; docs/adding-a-test.md explains
# how to add one.

UNIT_SOURCES = $(wildcard tests/unit/*.c)
UNIT_OBJECTS = $(UNIT_SOURCES:%.c=$(BUILD)/%.o)
UNIT = $(BUILD)/unit-tests

# The tests have one analysis more: the template, as a new one would be listed.
LISTED = $(BUILD)/src/analysis/list.o
UNIT_LISTED = $(BUILD)/tests/unit/analysis_list.o
# And one step from a schema version to the next.
UNIT_SCHEMA = $(BUILD)/tests/unit/schema
UNIT_LIBRARY = $(filter-out $(LISTED) $(BUILD)/schema.o,$(LIBRARY_OBJECTS)) $(UNIT_LISTED) $(UNIT_SCHEMA).o

$(UNIT_LISTED): src/analysis/list.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	@$(CC) $(COMPILE_FLAGS) -D'ALSO_LISTED(ROW)=ROW(template)' -MMD -MP -c -o $@ $<

$(UNIT_SCHEMA).c: $(BUILD)/tools/embed $(wildcard src/store/*.sql tests/unit/*.sql)
	@mkdir -p $(@D)
	$(BUILD)/tools/embed schema_resources $(filter %.sql,$^) > $@

$(UNIT_SCHEMA).o: $(UNIT_SCHEMA).c
	@$(CC) $(COMPILE_FLAGS) -c -o $@ $<

# A store in the process, in place of HTTP: tests/fake_store.h.
FAKE_STORE = $(BUILD)/tests/fake_store.o
FAKE_STORE_FLAGS = -Wl,--wrap=http_open,--wrap=http_close,--wrap=http_post,--wrap=sleep

# Evaluated in the recipe: the package may have been installed by this very make.
$(UNIT): $(UNIT_OBJECTS) $(UNIT_LIBRARY) $(FAKE_STORE) $(FILE_LIST)
	@echo "  LD $@"
	@$(CC) $(LINK_FLAGS) $(FAKE_STORE_FLAGS) -o $@ $(filter %.o,$^) $(LIBRARIES) $(shell pkg-config --libs check)

# tracetool with importers made for the tests: what no shipped format shows yet.
KINDS = $(BUILD)/tracetool-kinds
KINDS_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/importers/*.c))

# Golden tests run it beside the other.
$(KINDS): | $(BUILD)/terminal

$(KINDS): $(KINDS_OBJECTS) $(filter-out $(BUILD)/importers/list.o,$(OBJECTS)) $(FILE_LIST)
	@echo "  LD $@"
	@$(CC) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(LIBRARIES)

# What the scripts need to know; TRACETOOL may be set from outside, to `valgrind … build/tracetool`.
TEST_ENVIRONMENT = BUILD='$(abspath $(BUILD))' \
	TRACETOOL='$(or $(TRACETOOL),$(abspath $(BUILD))/tracetool)' \
	GENERATE='$(abspath $(GENERATE))'

# Makes damaged files for tests/damage.sh.
$(BUILD)/damage: tests/damage.c
	@mkdir -p $(@D)
	$(HOSTCC) $(HOST_FLAGS) -O2 -o $@ $<

# Runs commands in a pseudo-terminal.
$(BUILD)/terminal: tests/terminal.c
	@mkdir -p $(@D)
	$(HOSTCC) $(HOST_FLAGS) -O2 -D_GNU_SOURCE -o $@ $<

# Lets allocations fail, for tests/memory.sh.
$(BUILD)/no-memory.so: tests/no_memory.c
	@mkdir -p $(@D)
	$(HOSTCC) $(HOST_FLAGS) -O2 -fPIC -shared -o $@ $<

# Counts SQLite's steps for tests/golden/many-traces.test.
$(BUILD)/work.so: tests/work.c
	@mkdir -p $(@D)
	$(HOSTCC) $(HOST_FLAGS) -O2 -D_GNU_SOURCE -shared -fPIC -o $@ $< -lsqlite3 -ldl

# Holds a program up where it opens a file, for tests/golden/copies-beside.test.
$(BUILD)/hold.so: tests/hold.c
	@mkdir -p $(@D)
	$(HOSTCC) $(HOST_FLAGS) -O2 -D_GNU_SOURCE -shared -fPIC -o $@ $< -ldl

.PHONY: check check-all check-seventh check-parts check-unit check-golden check-reference renew

# pkg-config is asked when the Makefile is read: install first, then read it again.
# As many compilers run as there are processors, unless make was told how many.
CHECK_MAKE = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc)) WERROR=-Werror check-parts

check: check-packages ## installs what is missing, builds, and runs the short set of tests
	@$(CHECK_MAKE)

check-all: check-packages ## the same with all tests, also those that take long
	@POWER_CUTS=100 $(CHECK_MAKE) CHECK_PARTS='$(CHECK_PARTS) $(LONG_PARTS)'

check-seventh: check-packages ## runs a seventh of the long tests, chosen by the commit
	@parts=$$(printf '%s\n' $(LONG_PARTS) | tests/deal.sh long 7) && $(CHECK_MAKE) CHECK_PARTS="$$(echo $$parts)"

# The parts of `make check` in their order. Each is a script tests/PART.sh, but those of unit tests. The longest that cannot be
# divided comes first; `golden`, which fills all processors, last.
CHECK_PARTS = unit-1 unit-2 damage damaged terminal tasks registry build readme golden

# The others, of which CI runs a seventh; tests/seconds says how long each takes. `long-NAME` are the golden tests of
# NAME.test that are marked as long.
LONG_PARTS = together memory fuzz foreign slow more-damage figures loss papers examples bench power-cut \
	$(shell bash -c '. tests/lib.sh && long_golden')

CHECK_NEEDS = $(UNIT) $(BUILD)/tracetool $(COMPLETIONS) $(KINDS) $(GENERATE) $(BUILD)/replay $(BUILD)/damage \
	$(BUILD)/no-memory.so $(BUILD)/work.so $(BUILD)/hold.so $(BUILD)/terminal
CHECK_NEEDS += $(if $(filter bench,$(CHECK_PARTS)),$(BENCH_TOOLS))

# How many of them run at once: one more than there are processors, for some wait now and then.
CHECK_JOBS ?= $(shell expr $$(nproc) + 1)

check-parts: $(CHECK_NEEDS)
	@$(TEST_ENVIRONMENT) JOBS=$(CHECK_JOBS) tests/check.sh $(CHECK_PARTS)

check-unit: $(UNIT)
	@$(TEST_ENVIRONMENT) tests/check.sh unit

check-golden: $(CHECK_NEEDS)
	@$(TEST_ENVIRONMENT) tests/check.sh golden

# What node needs, where npm reaches its registry; where not, that part is skipped, which is said.
PAGE_MODULES = $(BUILD)/npm/node_modules

.PHONY: check-page
check-page: check-packages ## looks at pages of HTML in Chromium, which it installs
	@tools/need-packages chromium python3
	@command -v npm >/dev/null || tools/need-packages nodejs npm || echo "npm cannot be installed"
	@$(MAKE) --no-print-directory $(BUILD)/tracetool
	@[ -e $(PAGE_MODULES)/axe-core ] || \
		PUPPETEER_SKIP_DOWNLOAD=1 timeout 300 npm install --silent --no-audit --no-fund --prefix $(BUILD)/npm \
			puppeteer-core axe-core || echo "npm does not reach its registry"
	@$(TEST_ENVIRONMENT) BROWSER=yes NODE_PATH='$(abspath $(PAGE_MODULES))' \
		tests/golden.sh tests/golden/page-read.test

# The current ClickHouse as a library, which takes 560 MB.
CHDB = $(BUILD)/chdb/libchdb.so

$(CHDB):
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && timeout 600 npm pack --silent @chdb/lib-linux-x64-gnu@26.5.3 >package.name && \
		tar -xzf "$$(tail -n 1 package.name)" package/libchdb.so && rm -f ./*.tgz && mv package/libchdb.so .

# Real stores. ClickHouse is taken apart below build/store and not installed; where it cannot be had, all of
# it is skipped, which is said.
.PHONY: check-store
check-store: check-packages ## pushes to three ClickHouse servers, which it brings and starts
	@tools/need-packages curl python3 time
	@command -v npm >/dev/null || tools/need-packages nodejs npm || echo "npm cannot be installed"
	@tests/store/fetch $(BUILD)/store || echo "ClickHouse cannot be had"
	@$(MAKE) --no-print-directory $(CHDB) || echo "npm does not reach its registry"
	@$(MAKE) --no-print-directory $(BUILD)/tracetool $(GENERATE)
	@$(TEST_ENVIRONMENT) tests/store.sh

check-reference: $(CHECK_NEEDS)
	@$(TEST_ENVIRONMENT) tests/golden.sh tests/golden/reference.test

# Data races. The program is built for it: ThreadSanitizer, 16 processors, and small chunks of events.
# Addresses are not moved about, which the sanitizer of Debian 12 cannot cope with on newer kernels.
THREADS_BUILD = build/threads
THREADS_MAKE = $(MAKE) --no-print-directory BUILD=$(THREADS_BUILD) SANITIZE=-fsanitize=thread OPT='-O1 -g1' \
	CPPFLAGS='-DCOLUMN_CODE_VALUES=16 -DPROCESSORS=16'

.PHONY: threads
threads: check-packages $(BUILD)/tracetool ## looks for data races, in imports and scans of every format
	@$(THREADS_MAKE) $(THREADS_BUILD)/tests/count_threads.o
	@$(THREADS_MAKE) LDFLAGS=-Wl,--wrap=pthread_create LDLIBS=$(THREADS_BUILD)/tests/count_threads.o \
		$(THREADS_BUILD)/tracetool
	@$(TEST_ENVIRONMENT) THREADED='setarch -R $(abspath $(THREADS_BUILD))/tracetool' tests/check.sh threads

# What `make check-all` does in short form, as a whole.
.PHONY: attack
attack: $(CHECK_NEEDS) ## the attacks that take long: every byte, every write, 1 MB of anything
	@$(TEST_ENVIRONMENT) tests/attack.sh

# Which lines and branches of src/ and importers/ the tests run: a line a file, the sum of each room, and the
# sum of all, of which lines must not fall below 92 per cent. What runs at build time is left out.
COVERAGE_EXIT = build/coverage/tests/coverage_exit.o
COVERAGE_MAKE = $(MAKE) --no-print-directory BUILD=build/coverage SANITIZE=--coverage OPT='-O0 -g' \
	CPPFLAGS=-D_exit=coverage_exit

.PHONY: coverage coverage-run
coverage: check-packages ## says which lines the tests run
	@tools/need-packages gcovr
	@$(COVERAGE_MAKE) $(COVERAGE_EXIT)
	@$(COVERAGE_MAKE) LDLIBS=$(COVERAGE_EXIT) coverage-run

coverage-run: $(UNIT) $(BUILD)/tracetool $(KINDS) $(GENERATE) $(BUILD)/replay $(BUILD)/damage
	@find $(BUILD) -name '*.gcda' -delete
	@$(TEST_ENVIRONMENT) JOBS=$(CHECK_JOBS) tests/check.sh unit golden $(filter long-%,$(LONG_PARTS))
	@gcovr --root . --filter src/ --filter importers/ --exclude src/build/ --sort-percentage \
		--fail-under-line 92 --print-summary --json-summary $(BUILD)/coverage.json $(BUILD); status=$$?; \
		python3 tests/coverage_rooms.py $(BUILD)/coverage.json; exit $$status

# The commands of the README draw them.
.PHONY: pictures
pictures: $(BUILD)/tracetool $(GENERATE) ## draws the pictures of the README from ../shared
	@$(TEST_ENVIRONMENT) tests/readme.sh --renew

# Writes what the program does now into tests/golden/ and tests/terminal/: read the difference before you keep it.
renew: $(CHECK_NEEDS) ## writes what the program does now into tests/golden and tests/terminal
	@$(TEST_ENVIRONMENT) tests/golden.sh --renew
	@$(TEST_ENVIRONMENT) tests/terminal.sh --renew

-include $(UNIT_OBJECTS:.o=.d) $(FAKE_STORE:.o=.d) $(UNIT_LISTED:.o=.d) $(KINDS_OBJECTS:.o=.d)
