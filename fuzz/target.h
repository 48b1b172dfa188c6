/* Fuzz targets: a target takes any bytes, and aborts if a check fails.
 *
 * Every importer is a target with its name; other targets are in parts.c, a database file in
 * database.c.
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

/* Imports the bytes as a trace of that format (NULL: by content), checks the database, and reads it
 * back as text. With `append` the same file is then appended to the trace. */
struct importer;
void importer_target(const struct importer *importer, bool append, const uint8_t *bytes,
                     size_t length);

/* A database file, followed by damage to its columns and rollups: database.c. */
void database_target(const uint8_t *bytes, size_t length);

/* An image of a file system: image.c. */
void image_target(const uint8_t *bytes, size_t length);

/* Contents of the journal of a file system: journal.c. */
void journal_target(const uint8_t *bytes, size_t length);

/* A log pushed to a store, and false answers of the store: store.c. */
void store_target(const uint8_t *bytes, size_t length);

/* Checks that a map is sound, and that its lookups find its contents. */
struct file_map;
void image_check(const struct file_map *map);

/* The configuration of all targets: the defaults, without a file. */
struct config;
const struct config *target_config(void);

/* The query files of the program. */
struct query_set;
const struct query_set *target_queries(void);

/* Makes targets do all their parts for every input, not only some of them. */
extern bool target_thorough;

/* Whether part number `part` of a target is done for an input: always if thorough, else for one
 * input in `of`, chosen only by its bytes. */
bool target_does(size_t part, size_t of, const uint8_t *bytes, size_t length);

/* Prints the failed check and aborts, which the fuzzer takes for a crash. */
_Noreturn void target_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Checks that a failure has a message. */
struct error;
void target_check_message(bool done, const struct error *error);

/* Counts that a target did its work: an import or a report succeeded. A target that accepts every
 * failure with a message may do nothing at all; tests/fuzz.sh checks these counts after replaying
 * the seeds. `what` is copied. */
void target_did(const char *what);

/* Prints the counts of target_did(), one a line, separated by a TAB. */
void target_print_done(void);

/* Returns a path of a file in memory with the bytes, valid until the next call. */
const char *target_file(const uint8_t *bytes, size_t length);

/* Chooses the target by name; false if there is none. */
bool target_choose(const char *name);

/* Prints the names of all targets. */
void target_list(void);

/* Entry points for libFuzzer and main.c. $FUZZ_TARGET chooses the target, else the program's own
 * name, fuzz-TARGET. */
int LLVMFuzzerInitialize(int *argument_count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
