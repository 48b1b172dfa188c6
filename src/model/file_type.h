/* Types of files, by the ends of their names.
 *
 * A rule is an extension, after a `.`, `-` or `_`; `$N` in it means that exactly N more bytes
 * follow ("db-j$6" matches "a.db-journal"). The last rule that matches decides. Two lists are built
 * in: "most", as used by MOST and AndroTrace, and "realtime", the seven categories of Kim et al.,
 * "Real-time IO Trace Analysis of Smartphone Users", Table II. */
#ifndef TRACETOOL_FILE_TYPE_H
#define TRACETOOL_FILE_TYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "config/config.h"

struct file_type_rule;

struct file_types {
    struct file_type_rule *rules; /* owned */
    size_t count;
    char *other; /* owned; type of all other files, and of I/O without a file */
};

/* Loads the rules from the configuration; copies its strings. */
bool file_types_init(struct file_types *types, const struct config *config, struct error *error);
void file_types_free(struct file_types *types);

/* Returns the type of a file by its name; borrowed from `types`. `length` 0: I/O without a file. */
const char *file_types_find(const struct file_types *types, const char *name, size_t length);

#endif
