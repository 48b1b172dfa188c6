/* Errors: the function that fails describes the cause; its callers may prepend what they were
 * doing.
 *
 * A function that can fail returns false (or NULL) and sets its `struct error`. Callers prepend
 * context with error_context(). Only the command line prints the message: no other code prints or
 * exits, except when memory runs out (base/memory.h). */
#ifndef TRACETOOL_ERROR_H
#define TRACETOOL_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses, documented for users in tracetool(1). */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_REJECTED = 3,
    EXIT_HOLDS = 4, /* compare: the condition of --fail-if holds */
    EXIT_INTERRUPTED = 130,
    /* Only for assert, which could not decide: main() exits with 2, which otherwise means wrong
       usage. */
    EXIT_UNDECIDED = 256,
};

#define ERROR_MESSAGE_SIZE 1024

struct error {
    /* EXIT_DONE: no error; else the exit status of the process. */
    enum exit_status status;
    /* True: the requested data do not exist; other requests may succeed. */
    bool absent;
    /* True: the requested data are more than a limit; other requests may succeed. */
    bool too_many;
    /* Description of the error, NUL-terminated; cut if too long. May contain untrusted bytes. */
    char message[ERROR_MESSAGE_SIZE];
};

/* Sets a message, replacing an earlier one, and exit status 1. Always returns false, so that
 * callers can write `return error_set(…)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets a message, as error_set(), and the exit status. Always returns false. */
bool error_set_status(struct error *error, enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets a message on a wrong command line, with exit status EXIT_USAGE. Returns false. */
#define error_usage(error, ...) error_set_status(error, EXIT_USAGE, __VA_ARGS__)

/* Sets a message, the exit status, and `absent`: the requested data do not exist. Returns false. */
bool error_set_absent_status(struct error *error, enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Set a message and `absent`, with exit status EXIT_FAILED or EXIT_USAGE. Return false. */
#define error_set_absent(error, ...)   error_set_absent_status(error, EXIT_FAILED, __VA_ARGS__)
#define error_usage_absent(error, ...) error_set_absent_status(error, EXIT_USAGE, __VA_ARGS__)

/* Set a message and `too_many`: the requested data are more than a limit. Return false. */
bool error_set_too_many_status(struct error *error, enum exit_status status, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));
#define error_set_too_many(error, ...)   error_set_too_many_status(error, EXIT_FAILED, __VA_ARGS__)
#define error_usage_too_many(error, ...) error_set_too_many_status(error, EXIT_USAGE, __VA_ARGS__)

/* Returns whether the error is about the requested data alone, so that other requests may succeed.
 */
static inline bool error_is_of_data(const struct error *error) {
    return error->absent || error->too_many;
}

/* Prepends "what was done: " to the message. Always returns false. */
bool error_context(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the message "out of memory". Always returns false. */
bool error_no_memory(struct error *error);

/* Static analysers read single files, so they cannot know that these functions return false. */
#ifdef __clang_analyzer__
#define error_set(...)                 (error_set(__VA_ARGS__), false)
#define error_set_status(...)          (error_set_status(__VA_ARGS__), false)
#define error_set_absent_status(...)   (error_set_absent_status(__VA_ARGS__), false)
#define error_set_too_many_status(...) (error_set_too_many_status(__VA_ARGS__), false)
#define error_context(...)             (error_context(__VA_ARGS__), false)
#define error_no_memory(...)           (error_no_memory(__VA_ARGS__), false)
#endif

#endif
