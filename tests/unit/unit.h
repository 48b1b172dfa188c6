/* What the unit tests share: suites, and files to work on. */
#ifndef TRACETOOL_UNIT_H
#define TRACETOOL_UNIT_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/database.h"

/* Check writes a message to a file for each assertion that holds, to know where a test crashed; the
 * parent then reads millions of them. What fails says so by itself, and a crash names its test. */
#define _mark_point(file, line) ((void)0)

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* Fails the test with what is in `error` when a call of the program does. */
#define assert_done(call) ck_assert_msg((call), "%s", error.message)

/* NAME_tests() of test_NAME.c adds its tests to a case, which is the first of a suite of that name.
 * unit_suite() makes that suite, unit_case() a further case of it. */
Suite *unit_suite(const char *name, void (*add)(TCase *cases));
TCase *unit_case(const char *name);

/* Adds tests to a case. */
#define UNIT_TESTS(cases, ...) unit_tests((cases), (const TTest *const[]){__VA_ARGS__, NULL})
void unit_tests(TCase *cases, const TTest *const *tests);

/* A new folder for the files of one test, and its removal: the two halves of a checked fixture.
 * Check runs every test in a process of its own. */
void folder_make(void);
void folder_remove(void);

/* The path of a file in that folder; valid until the end of the test. */
const char *folder_path(const char *name);

/* Writes a file into the folder and returns its path. */
const char *folder_write(const char *name, const void *bytes, size_t length);

/* Opens the database x.db of that folder, which is made when it is not there. */
struct database folder_database(void);

/* Says that a test is left out because its data is not there, and counts it. While suites are made,
 * not within a test. */
void unit_skip(const char *missing);
extern int unit_skipped;

/* That folder with a new database, and the removal of both. */
void database_make(struct database *database);
void database_remove(struct database *database);

struct config;

/* Imports a file as a trace, though it be there; a text, as a log of that format. */
void unit_import_file(struct database *database, const struct config *config, const char *name,
                      const char *path);
void unit_import(struct database *database, const char *format, const char *name, const char *text);

/* An xorshift generator, which begins with what the test puts into `unit_random_state`. */
extern uint64_t unit_random_state;
uint64_t unit_random(void);

struct query;
struct report_option;
struct report_request;
struct temp_schema;
struct workspace;

/* The report that a query file makes, by the option that chooses it, which is filled in and must
 * stay. */
struct report_request unit_request(const struct query *query, struct report_option *option);

/* What a report prints as JSON; NULL with `error` set when it cannot be made. Owned by the caller.
 */
char *unit_printed(struct workspace *where, const struct report_request *request,
                   struct error *error);

/* The number that a query over the tables of `temp` gives, of one row and column. */
int64_t unit_ask(struct temp_schema *temp, const char *sql);

/* The text that a query gives, of one row and column; NULL is "". Valid until the next call. */
const char *unit_text(struct database *database, const char *sql);

/* Runs a shell command in the folder; the test fails when it does. */
void folder_run(const char *command);

/* Fails the test when the error's message does not hold `part`. */
void assert_message(const struct error *error, const char *part);

#endif
