/* Common part of the unit tests: suites, and files to work on. */
#ifndef TRACETOOL_UNIT_H
#define TRACETOOL_UNIT_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "import/import.h"
#include "report/print.h"
#include "store/database.h"

/* Check writes a message to a file for each assertion that holds, to locate crashes; the parent
 * then reads millions of them. A failure has its own message, and a crash names its test. */
#define _mark_point(file, line) ((void)0)

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* The error of the test: each runs in its own process. */
extern struct error error;

/* Fails the test with the message of `error` if a call of the program fails. */
#define assert_done(call) ck_assert_msg((call), "%s", error.message)

/* Defines a test of the suite NAME of test_NAME.c: UNIT_TEST(test) { … }. UNIT_LOOP runs it `count`
 * times, with `_i` from 0 on. */
#define UNIT_TEST(function) UNIT_LOOP(function, 1)
#define UNIT_LOOP(function, times)                                                                 \
    static void function##_run(int _i);                                                            \
    __attribute__((constructor)) static void function##_add(void) {                                \
        static const TTest run = {#function, function##_run, __FILE__, __LINE__};                  \
        static struct unit_item item = {.test = &run, .file = __FILE__, .line = __LINE__};         \
        unit_add(&item, (times));                                                                  \
    }                                                                                              \
    static void function##_run(int _i CK_ATTRIBUTE_UNUSED)

/* Begins a case: the two functions run before and after each test that follows in the file. */
#define UNIT_CASE(title, begin, end) UNIT_CASE_AT(title, begin, end, __LINE__)
#define UNIT_CASE_AT(...)            UNIT_CASE_ON(__VA_ARGS__) /* the number of the line */
#define UNIT_CASE_ON(title, begin, end, on)                                                        \
    __attribute__((constructor)) static void case_##on##_add(void) {                               \
        static struct unit_item item = {title, begin, end, .file = __FILE__, .line = __LINE__};    \
        unit_add(&item, 0);                                                                        \
    }                                                                                              \
    struct unit_item

/* A test, or the case of the tests that follow. Constructors may run in any order: items are
 * sorted. */
struct unit_item {
    const char *name;
    SFun begin, end;
    const TTest *test; /* NULL: a case */
    const char *file;
    int line, count;
    char *suite; /* its name; owned, of the first item of a file */
    struct unit_item *next;
};
void unit_add(struct unit_item *item, int count);

/* Returns the number of suites that were added to the runner: those in `names`, or all if there are
 * none. */
int unit_suites(SRunner *runner, int count, char *const *names);

/* Create and remove a directory for the files of one test: the two parts of a checked fixture.
 * Check runs every test in its own process. */
void folder_make(void);
void folder_remove(void);

/* Returns the path of a file in that directory; valid until the end of the test. */
const char *folder_path(const char *name);

/* Writes a file into the directory and returns its path. */
const char *folder_write(const char *name, const void *bytes, size_t length);

/* Opens the database x.db of that directory, and creates it if missing. */
struct database folder_database(void);

/* What most tests work on; the configuration is empty. */
extern struct database database;
extern struct config config;
extern struct catalog catalog;
extern struct query_set queries;
extern struct workspace workspace;

/* Creates that directory with a new database. */
void database_make(void);

/* Opens a workspace on `database` and the catalog, with the built-in queries and those of a
 * directory; NULL: none. */
void unit_open(const char *own_queries);

/* Frees all of these, and the directory. */
void unit_close(void);

/* Imports a file as a trace, even if it exists; a text is imported as a log of that format. */
void unit_import_file(struct database *database, const struct config *config, const char *name,
                      const char *path);
void unit_import(struct database *database, const char *format, const char *name, const char *text);

/* An xorshift generator, seeded by the test in `unit_random_state`. */
extern uint64_t unit_random_state;
uint64_t unit_random(void);

/* Returns a request for a query file's report, with its selecting option in `option`, which must
 * stay. */
struct report_request unit_request(const struct query *query, struct report_option *option);

/* Returns a report printed as JSON; NULL with `error` set on failure. Owned by the caller. */
char *unit_printed(struct workspace *where, const struct report_request *request,
                   struct error *error);

/* Fails the test unless the report has the same bytes, or none, in both. Returns whether it has. */
bool unit_same(struct workspace *one, struct workspace *other, const struct report_request *request,
               const char *what);

/* Returns the number of a query on `database`, with one row and column. */
int64_t unit_ask(const char *sql);

/* Runs statements on `database`. */
void unit_run(const char *sql);

/* Returns the text of a query, with one row and column; NULL is "". Valid until the next call. */
const char *unit_text(struct database *database, const char *sql);

/* Runs a shell command in the directory; the test fails if it fails. */
void folder_run(const char *command);

/* Fails the test unless the error's message contains `part`. */
void assert_message(const struct error *error, const char *part);

#endif
