# tracetool: `make help` lists the targets.
VERSION = 0.1.0

prefix ?= /usr/local
bindir = $(prefix)/bin
mandir = $(prefix)/share/man
DESTDIR ?=

CC ?= cc
PKGS = sqlite3 yaml-0.1 libarchive smartcols zlib
BUILD ?= build
OPT ?= -O2 -g
SANITIZE ?=

CPPFLAGS += -D_GNU_SOURCE -DTRACETOOL_VERSION='"$(VERSION)"' -Isrc -Iimporters \
	$(shell pkg-config --cflags $(PKGS) 2>/dev/null)
CFLAGS += -std=c11 -Wall -Wextra -Werror $(OPT) $(SANITIZE) -pthread
LDFLAGS += $(SANITIZE) -pthread
LDLIBS += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lxxhash -lm

# What the program is made of: all of src/ but the tools that run at build time.
ROOMS = base config input model store import output select scan analysis annotate report
SOURCES = $(wildcard $(ROOMS:%=src/%/*.c) importers/*.c)
CLI_SOURCES = $(wildcard src/cli/*.c)
GENERATED = $(addprefix $(BUILD)/,queries.c query_includes.c plots.c plot_includes.c schema.c \
	palmos_table.c)
LIBRARY_OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:%.c=%.o)
OBJECTS = $(LIBRARY_OBJECTS) $(CLI_SOURCES:%.c=$(BUILD)/%.o)

.PHONY: all
.DELETE_ON_ERROR:
all: $(BUILD)/tracetool

$(BUILD)/tracetool: $(OBJECTS)
	@echo "  LD $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(GENERATED:%.c=%.o): %.o: %.c
	@echo "  CC $@"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# --- made at build time; the tools run here, so no sanitizer and no cross compiler for them ---

HOSTCC ?= cc

$(BUILD)/tools/%: src/build/%.c
	@mkdir -p $(@D)
	$(HOSTCC) -std=c11 -Wall -Wextra -Werror -O1 -Isrc -Iimporters -o $@ $<

$(BUILD)/queries.c: $(BUILD)/tools/embed $(wildcard queries/*.sql)
	$(BUILD)/tools/embed query_resources $(sort $(wildcard queries/*.sql)) > $@

$(BUILD)/query_includes.c: $(BUILD)/tools/embed $(wildcard queries/include/*.sql)
	$(BUILD)/tools/embed query_include_resources $(sort $(wildcard queries/include/*.sql)) > $@

$(BUILD)/plots.c: $(BUILD)/tools/embed $(wildcard plots/*.gp)
	$(BUILD)/tools/embed plot_resources $(sort $(wildcard plots/*.gp)) > $@

$(BUILD)/plot_includes.c: $(BUILD)/tools/embed $(wildcard plots/include/*.gp)
	$(BUILD)/tools/embed plot_include_resources $(sort $(wildcard plots/include/*.gp)) > $@

$(BUILD)/schema.c: $(BUILD)/tools/embed $(wildcard src/store/*.sql)
	$(BUILD)/tools/embed schema_resources $(sort $(wildcard src/store/*.sql)) > $@

$(BUILD)/palmos_table.c: $(BUILD)/tools/palmos_table importers/palmos.table
	$(BUILD)/tools/palmos_table importers/palmos.table > $@

# --- the test data generator: independent of the program ---

GENERATE = $(BUILD)/generate-palmist

$(GENERATE): $(wildcard testdata/util.[ch] testdata/palmist/*.[ch])
	@mkdir -p $(@D)
	$(HOSTCC) -std=c11 -Wall -Wextra -Werror -O2 -o $@ $(filter %.c,$^)

# --- packages of Debian: does nothing when they are there ---

.PHONY: packages check-packages
packages:
	@tools/need-packages gcc libc6-dev pkg-config libsqlite3-dev libyaml-dev libarchive-dev \
		libsmartcols-dev libxxhash-dev uthash-dev zlib1g-dev gnuplot-nox

check-packages: packages
	@tools/need-packages check sqlite3 xz-utils zstd mandoc

# --- targets in files of their own: tests, benchmarks ---

-include tests/tests.mk
-include bench/bench.mk
-include fuzz/fuzz.mk

# --- the main job on shipped data ---

.PHONY: demo
demo: packages
	@$(MAKE) --no-print-directory all $(GENERATE)
	@tools/demo $(BUILD)/tracetool $(GENERATE) demo

# --- installation ---

MANUALS = $(wildcard man/*.[157])

.PHONY: install uninstall
install: all
	install -d $(DESTDIR)$(bindir)
	install -m 755 $(BUILD)/tracetool $(DESTDIR)$(bindir)/tracetool
	for page in $(MANUALS); do \
		section=$${page##*.}; \
		install -d $(DESTDIR)$(mandir)/man$$section; \
		install -m 644 $$page $(DESTDIR)$(mandir)/man$$section/; \
	done

uninstall:
	rm -f $(DESTDIR)$(bindir)/tracetool
	for page in $(MANUALS); do \
		rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}; \
	done

# --- style ---

C_FILES = $(wildcard src/*/*.[ch] importers/*.[ch] tests/*.[ch] tests/*/*.[ch] bench/*.[ch] fuzz/*.[ch] \
	testdata/*.[ch] testdata/*/*.[ch])

# Without the quotes of the version, which the shell below would take away.
TIDY_FLAGS = -std=c11 -D_GNU_SOURCE -DTRACETOOL_VERSION=__FILE__ -Isrc -Iimporters \
	$(shell pkg-config --cflags $(PKGS) 2>/dev/null)

.PHONY: format lint
format:
	clang-format -i $(C_FILES)

lint:
	@tools/need-packages clang-format clang-tidy cppcheck mandoc shellcheck
	clang-format --dry-run --Werror $(C_FILES)
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
		-Isrc -Iimporters -D_GNU_SOURCE src importers fuzz tests/*.c tests/importers
	printf '%s\n' $(SOURCES) $(CLI_SOURCES) | xargs -n 4 -P "$$(nproc)" \
		sh -c 'clang-tidy --quiet "$$@" -- $(TIDY_FLAGS) 2>/dev/null' clang-tidy
	shellcheck $(wildcard tools/*) .ci/run fuzz/run fuzz/seeds $(wildcard tests/*.sh tests/*/*.sh)
	tools/check-layers
	mandoc -T lint -W warning $(MANUALS)

.PHONY: clean
clean:
	rm -rf build demo

-include $(OBJECTS:.o=.d)
