#include "store/loss_table.h"

bool loss_table_add(struct database *database, int64_t trace, const struct loss_row *row,
                    struct error *error) {
    return database_change(
        database, error,
        "INSERT INTO main.loss VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        " ON CONFLICT (trace, cpu) DO UPDATE SET lost = lost + excluded.lost,"
        " uncounted = uncounted + excluded.uncounted,"
        " overwritten = overwritten + excluded.overwritten, events = events + excluded.events,"
        " first = min(ifnull(first, excluded.first), ifnull(excluded.first, first)),"
        " last = max(ifnull(last, excluded.last), ifnull(excluded.last, last))",
        "iiiiiioo", trace, row->cpu, row->lost, row->uncounted, row->overwritten, row->events,
        row->first, row->last);
}
