/* Rows of names, actors and objects, and of what is told of probes. */
#ifndef TRACETOOL_ENTRY_TABLE_H
#define TRACETOOL_ENTRY_TABLE_H

#include "model/batch.h"
#include "store/store.h"

/* Prepares what store_entry() needs, until entry_table_close(). */
bool entry_table_prepare(struct store *store, struct error *error);

/* Writes a new name, actor or object, with an id from first_name, … on, or renames one. */
bool store_entry(struct store *store, const struct entry *entry, struct error *error);

void entry_table_close(struct store *store);

#endif
