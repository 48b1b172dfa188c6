/* Reading a declaration of a format: what its keys have in common. All functions return false after
 * an error, which names the place. */
#ifndef TRACETOOL_DECLARED_READING_H
#define TRACETOOL_DECLARED_READING_H

#include "declared.h"

/* What follows one another while a declaration is read. */
struct declared_reading {
    struct declaration *declaration;
    struct declared_column *column; /* being read; NULL: none */
    struct yaml_value place;        /* of the column, for messages */
    uint64_t given;                 /* bits: keys of the column */
};

/* The words of `is`, by enum declared_is; ended by NULL. */
extern const char *const declared_kinds[];

/* Calls `visit` for a single value, or for each of a list. */
bool declared_each_of(struct yaml_value value, const char *what, yaml_visit *visit, void *context,
                      struct error *error);

/* Adds a name to the struct declared_names that is the context. */
bool declared_add_name(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error);

/* An item of `columns` (declared_column.c); the context is a struct declared_reading. */
bool declared_read_column(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error);

/* Whether what was declared fits together and to its example, and what follows from it: the key
 * is the format's name (declared_column.c). */
bool declared_complete(struct declaration *declaration, struct yaml_value key, struct error *error);

#endif
