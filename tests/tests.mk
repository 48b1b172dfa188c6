# Tests. `make check` is all of them, on any Debian 12; docs/adding-a-test.md explains how to add one.

UNIT_SOURCES = $(wildcard tests/unit/*.c)
UNIT_OBJECTS = $(UNIT_SOURCES:%.c=$(BUILD)/%.o)
UNIT = $(BUILD)/unit-tests

# Evaluated in the recipe: the package may have been installed by this very make.
$(UNIT): $(UNIT_OBJECTS) $(LIBRARY_OBJECTS)
	@echo "  LD $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(shell pkg-config --libs check)

# What the scripts need to know; TRACETOOL may be set from outside, to `valgrind … build/tracetool`.
TEST_ENVIRONMENT = BUILD='$(abspath $(BUILD))' \
	TRACETOOL='$(or $(TRACETOOL),$(abspath $(BUILD))/tracetool)' \
	GENERATE='$(abspath $(GENERATE))'

# Makes damaged files for tests/damage.sh.
$(BUILD)/damage: tests/damage.c
	@mkdir -p $(@D)
	$(HOSTCC) -std=c11 -Wall -Wextra -Werror -O2 -o $@ $<

.PHONY: check check-all check-unit check-golden check-reference renew

# pkg-config is asked when the Makefile is read: install first, then read it again.
check: check-packages
	@$(MAKE) --no-print-directory check-all

check-all: $(UNIT) $(BUILD)/tracetool $(GENERATE) $(BUILD)/replay $(BUILD)/damage
	@$(TEST_ENVIRONMENT) tests/check.sh unit golden reference blkparse androtrace mobigen study dwtrace rmp \
		android-trace fuzz hostile damage limits loss together

check-unit: $(UNIT)
	@$(TEST_ENVIRONMENT) tests/check.sh unit

check-golden: $(BUILD)/tracetool
	@$(TEST_ENVIRONMENT) tests/check.sh golden

check-reference: $(BUILD)/tracetool $(GENERATE)
	@$(TEST_ENVIRONMENT) tests/check.sh reference

# Which lines of src/ and importers/ the tests run: a line a file, and the sum, which must not fall
# below 90 per cent. What runs at build time is left out.
.PHONY: coverage coverage-run
coverage: check-packages
	@tools/need-packages gcovr
	@$(MAKE) --no-print-directory BUILD=build/coverage SANITIZE=--coverage OPT='-O0 -g' coverage-run

coverage-run: $(UNIT) $(BUILD)/tracetool $(GENERATE) $(BUILD)/replay $(BUILD)/damage
	@find $(BUILD) -name '*.gcda' -delete
	@$(TEST_ENVIRONMENT) tests/check.sh unit golden blkparse androtrace mobigen study dwtrace rmp \
		android-trace
	@gcovr --root . --filter src/ --filter importers/ --exclude src/build/ --sort-percentage \
		--fail-under-line 90 --print-summary $(BUILD)

# Writes what the program does now into tests/golden/: read the difference before you keep it.
renew: $(BUILD)/tracetool
	@$(TEST_ENVIRONMENT) tests/golden.sh --renew

-include $(UNIT_OBJECTS:.o=.d)
