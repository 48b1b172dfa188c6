/* File types by the end of a file's name.
 *
 * A rule is an extension that must stand at the very end of the name, behind a `.`, `-` or `_`;
 * `$N` in it stands for exactly N more bytes ("db-j$6" fits "a.db-journal"). The last rule that
 * fits wins. Two lists are shipped: "most", which MOST and AndroTrace use, and "realtime", the
 * seven categories of Kim et al., "Real-time IO Trace Analysis of Smartphone Users", Table II.
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
    char *other; /* owned; type of everything else, and of a block without a file */
};

/* The rules that the configuration asks for; its strings are copied. */
bool file_types_init(struct file_types *types, const struct config *config, struct error *error);
void file_types_free(struct file_types *types);

/* The type of a file, borrowed from `types`. `length` 0: a block without a file. */
const char *file_types_find(const struct file_types *types, const char *name, size_t length);

#endif
