/* Tallies as tables: the rollups of a trace, and the same counts over a selection. */
#ifndef TRACETOOL_TALLY_TABLE_H
#define TRACETOOL_TALLY_TABLE_H

#include "model/tally.h"
#include "store/database.h"

/* Appends the rows of a tally for a trace to `table`, such as main.rollup_hour: it has the columns
 * trace, those of the tally's definition, count and bytes. `label` gives the text of a label
 * number; where it is NULL the number is the id of the object (file types), of the actor
 * (processes) or the number in the table `partition`, and the text is looked up. */
bool tally_table_write(struct database *database, const char *table, int64_t trace,
                       const struct tally *tally,
                       const char *(*label)(void *context, uint32_t number, size_t *length),
                       void *context, struct error *error);

/* Fills a tally with the rows of a trace's rollup, which are then removed from the table. `number`
 * gives the label number of a text, 0 on failure. `*complete` is false when the rows do not fit. */
bool tally_table_take(struct database *database, int64_t trace, struct tally *tally,
                      uint32_t (*number)(void *context, const char *text, size_t length),
                      void *context, bool *complete, struct error *error);

#endif
