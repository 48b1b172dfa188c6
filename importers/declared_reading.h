/* Functions that read the keys of a format's declaration. On an error they return false, with a
 * message that names the place in the configuration. */
#ifndef TRACETOOL_DECLARED_READING_H
#define TRACETOOL_DECLARED_READING_H

#include "declared.h"

/* State while reading the keys of one declaration. */
struct declared_reading {
    struct declaration *declaration;
    struct declared_column *column; /* column being read; NULL: none */
    struct yaml_value place;        /* where the column is in the configuration, for messages */
    uint64_t given;                 /* bit set of the keys given for the column */
};

/* Words that the key `is` accepts: first by enum declared_is, then host, rank and ttl;
 * NULL-terminated. */
extern const char *const declared_kinds[];

/* Words that the key `kind` accepts, by enum declared_kind; NULL-terminated. */
extern const char *const declared_kinds_of_formats[];

/* Calls `visit` once for a single value, or for each item if the value is a list. */
bool declared_visit_items(struct yaml_value value, const char *what, yaml_visit *visit,
                          void *context, struct error *error);

/* Adds a name to a list; the context is a struct declared_names. */
bool declared_add_name(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error);

/* Compiles an expression of the declaration; the caller frees it. */
bool declared_compile(struct yaml_value value, const char *pattern, struct expression **expression,
                      struct error *error);

/* Reads an item of `columns`; the context is a struct declared_reading (declared_column.c). */
bool declared_read_column(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error);

/* Checks that the declaration is consistent and that its example line can be read; computes the
 * remaining members. The key is the format's name (declared_column.c). */
bool declared_complete(struct declaration *declaration, struct yaml_value key, struct error *error);

#endif
