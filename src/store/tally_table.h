/* Tallies as tables: the rollups of a trace, and the same counts over a report's selection. */
#ifndef TRACETOOL_TALLY_TABLE_H
#define TRACETOOL_TALLY_TABLE_H

#include "model/tally.h"
#include "store/database.h"

enum tally_table {
    TALLY_TABLE_ROLLUP,    /* main.rollup_NAME */
    TALLY_TABLE_SELECTION, /* temp.scanned_NAME */
};

/* Appends the rows of a tally for a trace. `label` gives the text of a label number; for a
 * selection it may be NULL: the number is then the id of the object (file types), of the actor
 * (processes) or the number in the table `partition`, and the text is looked up. */
bool tally_table_write(struct database *database, enum tally_table table, int64_t trace,
                       const struct tally *tally,
                       const char *(*label)(void *context, uint32_t number, size_t *length),
                       void *context, struct error *error);

/* Fills a tally with the rows of a trace's rollup, which are then removed from the table. `number`
 * gives the label number of a text, 0 on failure. `*complete` is false when the rows do not fit. */
bool tally_table_take(struct database *database, int64_t trace, struct tally *tally,
                      uint32_t (*number)(void *context, const char *text, size_t length),
                      void *context, bool *complete, struct error *error);

#endif
