/* Names that differ between two traces although they mean the same. */
#ifndef TRACETOOL_COMPARE_NAMES_H
#define TRACETOOL_COMPARE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "output/printer.h"

/* Lines of a file of names, and bytes of one, at most. */
#define COMPARE_NAMES_LINES 100000
#define COMPARE_NAMES_LINE  4096

/* Zeroed: names stay as they are. */
struct compare_names {
    struct compare_name *names; /* owned hash table */
    bool strip_hex;
    struct text buffer; /* owned; of the last name */
};

/* Loads a file of lines of a name and what it becomes, parted by a TAB; empty ones and those that
 * begin with # are passed over. */
bool compare_names_load(struct compare_names *names, const char *file, struct error *error);

/* Makes a value that is text what it is called; the bytes stay until the next call. `matched`:
 * also by the names that were loaded. */
bool compare_names_apply(struct compare_names *names, bool matched, struct value *value,
                         struct error *error);

void compare_names_free(struct compare_names *names);

#endif
