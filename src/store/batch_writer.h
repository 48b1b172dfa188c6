/* Writes batches of events. They enter as rows that are made already (row_pages.h); where that
 * cannot be, through an internal virtual table. */
#ifndef TRACETOOL_BATCH_WRITER_H
#define TRACETOOL_BATCH_WRITER_H

#include "base/text.h"
#include "model/batch.h"
#include "model/event.h"
#include "store/store.h"

/* --- tables of events ----------------------------------------------------------------------------
 */

/* The tables of a trace's events: `event`, and those beside it. */

/* Those beside it, in the order of enum beside_table: `columns` are those after the first, which is
 * `event`. */
extern const struct event_beside { const char *name, *columns; } beside_tables[BESIDE_TABLES];

/* Appends the names of columns of `event`: time, and those of `columns` (enum event_column). */
void event_tables_append_columns(struct text *list, unsigned columns);

/* The id behind those of all events. Fails where what somebody else put there leaves no room. */
bool event_tables_end(const struct store *store, int64_t *end, struct error *error);

/* --- names ---------------------------------------------------------------------------------------
 */

/* Rows of names, actors, objects and probes. */

/* Prepares what store_entry() needs, until entry_table_close(). */
bool entry_table_prepare(struct store *store, struct error *error);

/* Writes a new name, actor or object, with an id from first_name, … on, or renames one. */
bool store_entry(struct store *store, const struct entry *entry, struct error *error);

void entry_table_close(struct store *store);

/* --- events --------------------------------------------------------------------------------------
 */

/* Prepares what is needed until batch_writer_close(): the tables of `store` are there, and its ids
 * are known. */
bool batch_writer_prepare(struct store *store, struct error *error);

/* Makes the rows of a batch's events, by any thread, while others are written; `store` says what
 * belongs into them since batch_writer_prepare(). */
void store_make_rows(const struct store *store, struct batch *batch);

/* Has the system begin to write to the disk what it holds of the database, by any thread: the
 * commit waits for all that is not there yet. */
void store_write_back(const struct store *store);

/* Writes the names and events of a batch, whose rows and columns were made; events get successive
 * ids. Then it completes the events of earlier batches that the batch's endings tell of, and writes
 * its allocations. */
bool store_write(struct store *store, const struct batch *batch, struct error *error);

/* Writes the columns of the events; those of a trace that has had none are made out of its rows. */
bool batch_writer_finish(struct store *store, struct error *error);

/* Frees what batch_writer_prepare() made, but for `store->pages`, which are freed when the
 * transaction has ended. */
void batch_writer_close(struct store *store);

#endif
