#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* error.h has macros of these names for static analysers only; the functions are defined here */
#undef error_set
#undef error_set_status
#undef error_set_absent_status
#undef error_set_too_many_status
#undef error_context
#undef error_no_memory

static void set_message(struct error *error, enum exit_status status, const char *format,
                        va_list arguments) {
    /* uses a separate buffer, because arguments may point into the old message */
    char message[ERROR_MESSAGE_SIZE];

    vsnprintf(message, sizeof message, format, arguments);
    memcpy(error->message, message, sizeof message);
    error->status = status;
    error->absent = error->too_many = false;
}

bool error_set(struct error *error, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    set_message(error, EXIT_FAILED, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_status(struct error *error, enum exit_status status, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    set_message(error, status, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_absent_status(struct error *error, enum exit_status status, const char *format,
                             ...) {
    va_list arguments;

    va_start(arguments, format);
    set_message(error, status, format, arguments);
    va_end(arguments);
    error->absent = true;
    return false;
}

bool error_set_too_many_status(struct error *error, enum exit_status status, const char *format,
                               ...) {
    va_list arguments;

    va_start(arguments, format);
    set_message(error, status, format, arguments);
    va_end(arguments);
    error->too_many = true;
    return false;
}

bool error_context(struct error *error, const char *format, ...) {
    char context[ERROR_MESSAGE_SIZE / 2];
    char cause[ERROR_MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(context, sizeof context, format, arguments);
    va_end(arguments);
    memcpy(cause, error->message, sizeof cause);
    /* if both are too long, cuts the cause: the context says where to look */
    snprintf(error->message, sizeof error->message, "%s: %.*s", context,
             (int)(sizeof error->message - strlen(context) - 3), cause);
    if (error->status == EXIT_DONE) {
        error->status = EXIT_FAILED;
    }
    return false;
}

bool error_no_memory(struct error *error) {
    return error_set(error, "out of memory");
}
