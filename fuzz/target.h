/* What is fuzzed: a target takes any bytes, and dies when something does not hold.
 *
 * Every importer is a target of its own name; those that are no importers are in parts.c, a
 * database file in database.c.
 */
#ifndef TRACETOOL_TARGET_H
#define TRACETOOL_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target {
    const char *name;
    void (*run)(const uint8_t *bytes, size_t length);
};

/* Ends with a NULL name. */
extern const struct target part_targets[];

/* Imports the bytes as a trace of that format (NULL: by content), checks what the database holds
 * then, and reads it back as text. With `append` the same file is then appended to the trace. */
struct importer;
void importer_target(const struct importer *importer, bool append, const uint8_t *bytes,
                     size_t length);

/* A database file, and behind it damage that is done to its columns and rollups: database.c. */
void database_target(const uint8_t *bytes, size_t length);

/* An image of a file system: image.c. */
void image_target(const uint8_t *bytes, size_t length);

/* What is written into the journal of one: journal.c. */
void journal_target(const uint8_t *bytes, size_t length);

/* A log pushed to a store, and the store's answers: store.c. */
void store_target(const uint8_t *bytes, size_t length);

/* Checks that a map that was made is sound, and finds what it holds. */
struct file_map;
void image_check(const struct file_map *map);

/* The configuration of all targets: what there is without a file. */
struct config;
const struct config *target_config(void);

/* The query files of the program. */
struct query_set;
const struct query_set *target_queries(void);

/* All that a target can do is done for every input, not only some of it. */
extern bool target_thorough;

/* Whether part number `part` of what a target can do is done for an input: when it is thorough,
 * else of one input in `of`. Which ones depends on their bytes alone. */
bool target_does(size_t part, size_t of, const uint8_t *bytes, size_t length);

/* Something is not as it must be: says it and aborts, which the fuzzer takes for a crash. */
_Noreturn void target_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A failure must say what is wrong. */
struct error;
void target_check_message(bool done, const struct error *error);

/* Counts that a target did what it is for: an import was made, a report ran to its end. A target
 * that takes every failure with a message for an answer may do nothing at all; tests/fuzz.sh looks
 * at what replaying the seeds did. `what` is copied. */
void target_did(const char *what);

/* Prints what was done and how often, parted by a TAB, a line each. */
void target_print_done(void);

/* A path under which the bytes can be opened: a file in memory, good until the next call. */
const char *target_file(const uint8_t *bytes, size_t length);

/* Chooses the target by name; false when there is none. */
bool target_choose(const char *name);

/* Prints the names of all targets. */
void target_list(void);

/* What libFuzzer calls; main.c calls them, too. The target is chosen by $FUZZ_TARGET, else by the
 * program's own name, fuzz-TARGET. */
int LLVMFuzzerInitialize(int *argument_count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
