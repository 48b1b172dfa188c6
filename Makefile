# tracetool: `make help` lists the targets.
VERSION = 0.1.0

prefix ?= /usr/local
bindir = $(prefix)/bin
mandir = $(prefix)/share/man
DESTDIR ?=

# CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are the caller's, and come last, so that they win.
CC ?= cc
PKGS = sqlite3 nettle yaml-0.1 libarchive liblzma libmagic libzstd zlib libpcre2-8 ext2fs com_err blkid
BUILD ?= build
# -O3: imports take a twentieth less time than with -O2. -g1: lines in backtraces; variables for a debugger, `make OPT='-O0 -g'`, take an eighth longer to compile.
OPT ?= -O3 -g1
CFLAGS ?= $(OPT)
SANITIZE ?=
# -Werror in `make check` and CI: a newer compiler's warnings are no reason not to build.
WERROR ?=

# A function of an interface need not read all of its parameters.
COMPILE_FLAGS = -std=c11 -D_GNU_SOURCE -DTRACETOOL_VERSION='"$(VERSION)"' -Isrc -Iimporters \
	$(PKG_CFLAGS) $(CPPFLAGS) -Wall -Wextra -Wno-unused-parameter $(WERROR) -pthread -ffile-prefix-map=$(CURDIR)=. \
	$(SANITIZE) $(CFLAGS)
LINK_FLAGS = $(SANITIZE) -pthread $(CFLAGS) $(LDFLAGS)
LIBRARIES = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lxxhash -lm $(LDLIBS)
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
# Tools and generators that run here.
HOST_FLAGS = -std=c11 -Wall -Wextra $(WERROR)

# What the program is made of: all of src/ but the tools that run at build time.
ROOMS = base config input filesystem model store copy cache import output select scan analysis annotate remote export report compare contract page
SOURCES = $(wildcard $(ROOMS:%=src/%/*.c) importers/*.c)
CLI_SOURCES = $(wildcard src/cli/*.c)
GENERATED = $(addprefix $(BUILD)/,queries.c query_includes.c findings.c plots.c plot_includes.c scripts.c \
	schema.c formats.c palmos_table.c linux_calls.c help.c log_help.c web.c)
LIBRARY_OBJECTS = $(SOURCES:%.c=$(BUILD)/%.o) $(GENERATED:%.c=%.o)
OBJECTS = $(LIBRARY_OBJECTS) $(CLI_SOURCES:%.c=$(BUILD)/%.o)

# Completions of shells are made out of the program's own tables of commands and options.
COMPLETIONS = $(addprefix $(BUILD)/completions/tracetool.,bash zsh fish)

# Deleting or renaming a file leaves nothing newer behind. This list is newer then, and what is built of all
# files of a folder depends on it.
PARTS = $(SOURCES) $(CLI_SOURCES) $(wildcard queries/*.sql queries/include/*.sql queries/findings/*.sql plots/*.gp plots/include/*.gp \
	plots/*.js src/store/*.sql formats/*.yaml docs/help/*.txt docs/help/logs/*.txt testdata/palmist/*.[ch] tests/unit/*.c tests/importers/*.c)
FILE_LIST = $(BUILD)/files

.PHONY: all help always
.DELETE_ON_ERROR:
all: $(BUILD)/tracetool $(COMPLETIONS) ## builds build/tracetool and the completions of shells

help: ## lists the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

$(FILE_LIST): always
	@mkdir -p $(@D)
	@echo '$(sort $(PARTS))' | cmp -s - $@ || echo '$(sort $(PARTS))' > $@

$(GENERATED): $(FILE_LIST)

$(BUILD)/tracetool: $(OBJECTS) $(FILE_LIST)
	@echo "  LD $@"
	@$(CC) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(LIBRARIES)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	@$(CC) $(COMPILE_FLAGS) -MMD -MP -c -o $@ $<

$(GENERATED:%.c=%.o): %.o: %.c
	@echo "  CC $@"
	@$(CC) $(COMPILE_FLAGS) -c -o $@ $<

# --- made at build time; the tools run here, so no sanitizer and no cross compiler for them ---

HOSTCC ?= cc

$(BUILD)/tools/%: src/build/%.c
	@mkdir -p $(@D)
	$(HOSTCC) $(HOST_FLAGS) -O1 -D_GNU_SOURCE -Isrc -Iimporters -o $@ $< $(TOOL_LIBRARIES)

$(BUILD)/queries.c: $(BUILD)/tools/embed $(wildcard queries/*.sql)
	$(BUILD)/tools/embed query_resources $(sort $(wildcard queries/*.sql)) > $@

$(BUILD)/query_includes.c: $(BUILD)/tools/embed $(wildcard queries/include/*.sql)
	$(BUILD)/tools/embed query_include_resources $(sort $(wildcard queries/include/*.sql)) > $@

$(BUILD)/findings.c: $(BUILD)/tools/embed $(wildcard queries/findings/*.sql)
	$(BUILD)/tools/embed finding_resources $(sort $(wildcard queries/findings/*.sql)) > $@

$(BUILD)/plots.c: $(BUILD)/tools/embed $(wildcard plots/*.gp)
	$(BUILD)/tools/embed plot_resources $(sort $(wildcard plots/*.gp)) > $@

$(BUILD)/plot_includes.c: $(BUILD)/tools/embed $(wildcard plots/include/*.gp)
	$(BUILD)/tools/embed plot_include_resources $(sort $(wildcard plots/include/*.gp)) > $@

$(BUILD)/scripts.c: $(BUILD)/tools/embed $(wildcard plots/*.js)
	$(BUILD)/tools/embed script_resources $(sort $(wildcard plots/*.js)) > $@

# Style and script of HTML pages, and the SHA-256 of each as a content policy takes it. The script
# has that of flame graphs behind it, and no comments: it goes out with every page.
WEB = $(BUILD)/web/script.js web/style.css
WEB_FILES = $(WEB) $(BUILD)/web/script-digest $(BUILD)/web/style-digest

$(BUILD)/web/script.js: web/script.js plots/flame-graph.js
	@mkdir -p $(@D)
	sed '/^ *\/\//d' $^ > $@

$(BUILD)/web/%-digest: src/build/digest.sh $(WEB)
	sh src/build/digest.sh $(filter %/$*.js %/$*.css,$^) > $@

$(BUILD)/web.c: $(BUILD)/tools/embed $(WEB_FILES)
	$(BUILD)/tools/embed web_resources $(WEB_FILES) > $@

$(BUILD)/schema.c: $(BUILD)/tools/embed $(wildcard src/store/*.sql)
	$(BUILD)/tools/embed schema_resources $(sort $(wildcard src/store/*.sql)) > $@

# Topics of `tracetool help`: a file each, and the questions of a page of the manual.
HELP = $(BUILD)/help/tasks.txt $(sort $(wildcard docs/help/*.txt))

$(BUILD)/help/tasks.txt: src/build/tasks.awk man/tracetool-tasks.7
	@mkdir -p $(@D)
	awk -f src/build/tasks.awk man/tracetool-tasks.7 > $@

$(BUILD)/help.c: $(BUILD)/tools/embed $(HELP)
	$(BUILD)/tools/embed help_resources $(HELP) > $@

# How logs are recorded, in the order of the help.
LOG_HELP = $(addprefix docs/help/logs/,$(addsuffix .txt,strace ltrace ftrace perfetto perf bcc blktrace fio msr android chrome \
	android-trace androtrace most mobibench rmp dwtrace palmist))

$(BUILD)/log_help.c: $(BUILD)/tools/embed $(LOG_HELP)
	$(BUILD)/tools/embed log_help_resources $(LOG_HELP) > $@

$(BUILD)/formats.c: $(BUILD)/tools/embed $(wildcard formats/*.yaml)
	$(BUILD)/tools/embed format_resources $(sort $(wildcard formats/*.yaml)) > $@

$(BUILD)/palmos_table.c: src/build/palmos_table.awk importers/palmos.table
	LC_ALL=C awk -f src/build/palmos_table.awk importers/palmos.table > $@

# The program itself does not need libseccomp.
$(BUILD)/tools/linux_calls: TOOL_LIBRARIES = $(shell pkg-config --libs libseccomp)

$(BUILD)/linux_calls.c: $(BUILD)/tools/linux_calls
	$(BUILD)/tools/linux_calls > $@

# --- completions of shells ---

$(BUILD)/tools/completions: $(BUILD)/src/build/completions.o $(filter-out %/main.o,$(OBJECTS)) $(FILE_LIST)
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(CC) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(LIBRARIES)

$(BUILD)/completions/tracetool.%: completions/tracetool.% $(BUILD)/tools/completions
	@mkdir -p $(@D)
	@$(BUILD)/tools/completions $* <$< >$@

# --- the test data generator: independent of the program ---

GENERATE = $(BUILD)/generate-palmist

$(GENERATE): $(wildcard testdata/util.[ch] testdata/palmist/*.[ch]) $(FILE_LIST)
	@mkdir -p $(@D)
	$(HOSTCC) $(HOST_FLAGS) -O2 -o $@ $(filter %.c,$^)

# --- packages of Debian: does nothing when they are there ---

.PHONY: packages check-packages
packages: ## installs the Debian packages that a build needs
	@tools/need-packages gcc libc6-dev pkg-config libsqlite3-dev libyaml-dev libarchive-dev liblzma-dev \
		libzstd-dev libxxhash-dev libmagic-dev nettle-dev libpcre2-dev uthash-dev zlib1g-dev \
		libext2fs-dev libblkid-dev libseccomp-dev libcurl4-openssl-dev gnuplot-nox

check-packages: packages
	@tools/need-packages check sqlite3 xz-utils zstd mandoc less e2fsprogs f2fs-tools fdisk python3-xxhash \
		poppler-utils libxml2-utils python3-yaml libtracecmd1 trace-cmd

# --- targets in files of their own: tests, benchmarks ---

-include bench/bench.mk
-include tests/tests.mk
-include fuzz/fuzz.mk

# --- the main job on shipped data ---

.PHONY: demo
demo: packages ## installs what is missing, builds, and runs the main job on shipped data
	@$(MAKE) --no-print-directory all $(GENERATE)
	@tools/demo $(BUILD)/tracetool $(GENERATE) demo

# --- installation ---

datadir = $(prefix)/share
docdir = $(datadir)/doc/tracetool
# Where each shell looks for completions.
bashdir = $(datadir)/bash-completion/completions
zshdir = $(datadir)/zsh/vendor-completions
fishdir = $(datadir)/fish/vendor_completions.d
MANUALS = $(wildcard man/*.[157])
# Of testdata/; a file is named after its path.
EXAMPLES = palmist/demo.yaml palmist/ok/small.txt most/small.po mobigen/small.txt \
	dwtrace/symbols.yaml dwtrace/ok/program.dwt

.PHONY: install uninstall
install: all ## installs program, manual, completions, documents and examples (DESTDIR, prefix)
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(docdir)/docs $(DESTDIR)$(docdir)/examples
	install -m 755 $(BUILD)/tracetool $(DESTDIR)$(bindir)/tracetool
	for page in $(MANUALS); do \
		section=$${page##*.}; \
		install -d $(DESTDIR)$(mandir)/man$$section; \
		install -m 644 $$page $(DESTDIR)$(mandir)/man$$section/; \
	done
	install -D -m 644 $(BUILD)/completions/tracetool.bash $(DESTDIR)$(bashdir)/tracetool
	install -D -m 644 $(BUILD)/completions/tracetool.zsh $(DESTDIR)$(zshdir)/_tracetool
	install -D -m 644 $(BUILD)/completions/tracetool.fish $(DESTDIR)$(fishdir)/tracetool.fish
	install -m 644 README.md CHANGELOG.md $(DESTDIR)$(docdir)/
	install -m 644 docs/*.md docs/*.svg $(DESTDIR)$(docdir)/docs/
	install -d $(DESTDIR)$(docdir)/formats
	install -m 644 formats/*.yaml $(DESTDIR)$(docdir)/formats/
	for file in $(EXAMPLES); do \
		install -m 644 testdata/$$file $(DESTDIR)$(docdir)/examples/$$(echo $$file | tr / -); \
	done

uninstall: ## removes what install has brought
	rm -f $(DESTDIR)$(bindir)/tracetool $(DESTDIR)$(bashdir)/tracetool \
		$(DESTDIR)$(zshdir)/_tracetool $(DESTDIR)$(fishdir)/tracetool.fish
	for page in $(MANUALS); do \
		rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}; \
	done
	rm -rf $(DESTDIR)$(docdir)

# --- packages to give away ---

DIST = tracetool-$(VERSION)

# What git has, with the date of the last commit, so that the same commit gives the same bytes.
.PHONY: dist deb
dist: ## makes build/tracetool-VERSION.tar.gz of the last commit
	@mkdir -p $(BUILD)
	git archive --prefix=$(DIST)/ HEAD | gzip -9n >$(BUILD)/$(DIST).tar.gz

deb: ## makes the Debian package in build/deb, and has lintian look at it
	@tools/need-packages build-essential debhelper lintian $(shell tools/build-depends)
	@tools/make-deb $(BUILD)/deb

# --- style ---

C_FILES = $(wildcard src/*/*.[ch] importers/*.[ch] tests/*.[ch] tests/*/*.[ch] bench/*.[ch] fuzz/*.[ch] \
	testdata/*.[ch] testdata/*/*.[ch])

# States of a function that the path-sensitive analyzer of clang-tidy goes through, at most. Its own
# limit is 225000; .ci/run has 60000, for time (with 20000 it sees functions without what they call, and errs).
ANALYZED = 225000

# The files that cppcheck and the path-sensitive analyzer read, which take longest. .ci/run has a quarter and a
# 14th of them for each commit. The other checks read all files.
CHECKED = src importers fuzz tests/*.c tests/importers
TIDIED = $(SOURCES) $(CLI_SOURCES)

# Without the quotes of the version, which the shell below would take away.
TIDY_FLAGS = -std=c11 -D_GNU_SOURCE -DTRACETOOL_VERSION=__FILE__ -Isrc -Iimporters \
	$(shell pkg-config --cflags $(PKGS) 2>/dev/null) -Xclang -analyzer-config -Xclang max-nodes=$(ANALYZED)

.PHONY: format lint
format: ## puts the sources into form
	clang-format -i $(C_FILES)

lint: ## runs the linters
	@tools/need-packages clang-format clang-tidy cppcheck mandoc shellcheck
	clang-format --dry-run --Werror $(C_FILES)
	cppcheck --quiet -j $$(nproc) --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
		-Isrc -Iimporters -D_GNU_SOURCE $(CHECKED)
	printf '%s\n' $(SOURCES) $(CLI_SOURCES) | xargs -n 8 -P "$$(nproc)" \
		sh -c 'clang-tidy --quiet "--checks=-clang-analyzer-*" "$$@" -- $(TIDY_FLAGS) 2>/dev/null' clang-tidy
	printf '%s\n' $(TIDIED) | xargs -n 4 -P "$$(nproc)" \
		sh -c 'clang-tidy --quiet "--checks=-bugprone-*" "$$@" -- $(TIDY_FLAGS) 2>/dev/null' clang-tidy
	shellcheck $(filter-out tools/limits tools/same-numbers,$(wildcard tools/*)) .ci/run fuzz/run fuzz/seeds bench/store.sh tests/store/fetch \
		$(wildcard tests/*.sh tests/*/*.sh)
	tools/check-layers
	mandoc -T lint -W warning $(MANUALS)

.PHONY: measure
measure: all ## prints the size of the program and its limits
	@BUILD='$(BUILD)' tools/measure

.PHONY: clean
clean: ## removes what was built
	rm -rf build demo

-include $(OBJECTS:.o=.d) $(BUILD)/src/build/completions.d
