# Fuzzing; fuzz/README.md explains it. `make fuzz SECONDS=n` runs every target for n seconds.

SECONDS ?= 60
TARGETS ?=
JOBS ?= $(shell nproc)
FUZZ_OPT ?= -O1 -g1

FUZZ_OBJECTS = $(BUILD)/fuzz/target.o $(BUILD)/fuzz/importer.o $(BUILD)/fuzz/parts.o \
	$(BUILD)/fuzz/database.o $(BUILD)/fuzz/image.o $(BUILD)/fuzz/journal.o $(BUILD)/fuzz/store.o \
	$(BUILD)/tests/fake_store.o

# Replays files; any compiler, any sanitizer.
$(BUILD)/replay: $(BUILD)/fuzz/main.o $(FUZZ_OBJECTS) $(LIBRARY_OBJECTS) $(FILE_LIST)
	@echo "  LD $@"
	@$(CC) $(LINK_FLAGS) $(FAKE_STORE_FLAGS) -o $@ $(filter %.o,$^) $(LIBRARIES)

# The same with libFuzzer, which has a main() of its own; needs clang.
$(BUILD)/fuzzer: $(FUZZ_OBJECTS) $(LIBRARY_OBJECTS) $(FILE_LIST)
	@echo "  LD $@"
	@$(CC) $(LINK_FLAGS) $(FAKE_STORE_FLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(LIBRARIES)

FUZZ_BUILD = $(MAKE) --no-print-directory BUILD=build/fuzzing CC=clang OPT='$(FUZZ_OPT)' \
	SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'

.PHONY: fuzz fuzzer
fuzzer: packages
	@tools/need-packages clang libclang-rt-14-dev xz-utils zstd sqlite3 e2fsprogs
	@$(FUZZ_BUILD) build/fuzzing/fuzzer
	@$(MAKE) --no-print-directory $(BUILD)/replay $(BUILD)/tracetool

fuzz: fuzzer ## runs the fuzz targets (SECONDS each, TARGETS)
	@REPLAY=$(BUILD)/replay FUZZ_TRACETOOL=$(BUILD)/tracetool FUZZER=build/fuzzing/fuzzer SECONDS_EACH=$(SECONDS) JOBS=$(JOBS) \
		fuzz/run $(TARGETS)

-include $(FUZZ_OBJECTS:.o=.d) $(BUILD)/fuzz/main.d
