/* File types by file name suffix.
 *
 * A rule is an extension at the end of the name, after a `.`, `-` or `_`; `$N` stands for exactly N
 * more bytes ("db-j$6" matches "a.db-journal"). The last matching rule wins. Two lists are built
 * in: "most", used by MOST and AndroTrace, and "realtime", the seven categories of Kim et al.,
 * "Real-time IO Trace Analysis of Smartphone Users", Table II.
 */
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
    char *other; /* owned; type of all other files, and of a block without a file */
};

/* Loads the configured rules, copying their strings. */
bool file_types_init(struct file_types *types, const struct config *config, struct error *error);
void file_types_free(struct file_types *types);

/* Returns the type of a file, borrowed from `types`. `length` 0: a block without a file. */
const char *file_types_find(const struct file_types *types, const char *name, size_t length);

#endif
