/* One error object that a failing call fills and every level above may add to.
 *
 * Code below main never prints and never exits, but for want of memory (base/memory.h): a function
 * that can fail returns false (or NULL) and describes the cause in the `struct error` it was given.
 * Callers put what they were doing in front with error_context(). Only the command line prints the
 * message.
 */
#ifndef TRACETOOL_ERROR_H
#define TRACETOOL_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses promised to users (see tracetool(1)). */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_REJECTED = 3,
    EXIT_HOLDS = 4, /* what was to be watched for is so: compare --fail-if */
    EXIT_INTERRUPTED = 130,
    /* 2 without a mistake on the command line: assert cannot decide. main() makes it 2. */
    EXIT_UNDECIDED = 256,
};

#define ERROR_MESSAGE_SIZE 1024

struct error {
    /* EXIT_DONE while there is no error; otherwise what the process should exit with. */
    enum exit_status status;
    /* What was asked for is not there, though other questions may be answered. */
    bool absent;
    /* NUL-terminated; cut at the end when too long. May hold bytes from outside. */
    char message[ERROR_MESSAGE_SIZE];
};

/* Describes a failure (exit status 1). Always returns false, so that a caller can
 * `return error_set(…)`. A message that is already there is replaced. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As error_set(), with an exit status of the caller's choice. */
bool error_set_status(struct error *error, enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set(), of a command that is typed wrong. */
#define error_usage(error, ...) error_set_status(error, EXIT_USAGE, __VA_ARGS__)

/* As error_set(), of what is `absent`. */
bool error_set_absent(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "what was being done: " in front of the message that is there. Always returns false. */
bool error_context(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Out of memory, in the words used everywhere. Always returns false. */
bool error_no_memory(struct error *error);

/* An analyzer, which sees one file at a time, must be told what is always false. */
#ifdef __clang_analyzer__
#define error_set(...)        (error_set(__VA_ARGS__), false)
#define error_set_status(...) (error_set_status(__VA_ARGS__), false)
#define error_set_absent(...) (error_set_absent(__VA_ARGS__), false)
#define error_context(...)    (error_context(__VA_ARGS__), false)
#define error_no_memory(...)  (error_no_memory(__VA_ARGS__), false)
#endif

#endif
