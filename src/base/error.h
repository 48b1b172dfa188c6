/* Error object: filled by the call that fails; each caller may add context.
 *
 * Code below main() never prints or exits, except when out of memory (base/memory.h). A function
 * that can fail returns false (or NULL) and describes the cause in its `struct error`. Callers
 * prepend what they were doing with error_context(). Only the command line prints the message.
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
    EXIT_HOLDS = 4, /* the condition of compare --fail-if holds */
    EXIT_INTERRUPTED = 130,
    /* assert cannot decide; main() exits with 2, though the command line is correct. */
    EXIT_UNDECIDED = 256,
};

#define ERROR_MESSAGE_SIZE 1024

struct error {
    /* EXIT_DONE without an error; otherwise the exit status of the process. */
    enum exit_status status;
    /* The requested data do not exist, but other questions may be answered. */
    bool absent;
    /* NUL-terminated; truncated if too long. May contain untrusted bytes. */
    char message[ERROR_MESSAGE_SIZE];
};

/* Sets a message and exit status 1, replacing any earlier message. Always returns false, so that a
 * caller can `return error_set(…)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(), with the given exit status. */
bool error_set_status(struct error *error, enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like error_set(), for an invalid command line. */
#define error_usage(error, ...) error_set_status(error, EXIT_USAGE, __VA_ARGS__)

/* Like error_set(), and sets `absent`. */
bool error_set_absent(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prepends "what was being done: " to the message. Always returns false. */
bool error_context(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the standard out-of-memory message. Always returns false. */
bool error_no_memory(struct error *error);

/* The analyzer sees one file at a time and cannot know that these return false. */
#ifdef __clang_analyzer__
#define error_set(...)        (error_set(__VA_ARGS__), false)
#define error_set_status(...) (error_set_status(__VA_ARGS__), false)
#define error_set_absent(...) (error_set_absent(__VA_ARGS__), false)
#define error_context(...)    (error_context(__VA_ARGS__), false)
#define error_no_memory(...)  (error_no_memory(__VA_ARGS__), false)
#endif

#endif
