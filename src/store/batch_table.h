/* Batches as a virtual table, which SQLite reads about twice as fast as it takes bound values. */
#ifndef TRACETOOL_BATCH_TABLE_H
#define TRACETOOL_BATCH_TABLE_H

#include "store/store.h"

/* Registers, as `store->batches`, the table that hands over `store->batch`. */
bool batch_table_register(struct store *store, struct error *error);

#endif
