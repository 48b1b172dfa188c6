#include "select/stacked.h"

#include <string.h>

static bool stacked_has(const struct catalog_trace *const *traces, size_t count, const char *what) {
    bool found = false;

    for (size_t i = 0; i < count; i++) {
        found |= catalog_meaning(traces[i], "flags", what) != NULL;
    }
    return found;
}

void stacked_choose(const struct catalog_trace *const *traces, size_t count, bool issued, bool all,
                    struct filter *filter) {
    if (filter->has_device) {
        return;
    }
    filter->devices = all || !stacked_has(traces, count, "below")             ? DEVICES_ADDED
                      : issued && !stacked_has(traces, count, "below issued") ? DEVICES_ISSUING
                                                                              : DEVICES_TOP;
}

/* Repeats the import's remarks on devices (importers/block_trace.c), and on what declared formats
 * assume. */
bool stacked_note(struct temp_schema *temp, const struct filter *filter, struct notes *notes,
                  struct error *error) {
    struct database_query query = database_query(
        temp->database, error,
        "SELECT iif((SELECT count(*) FROM temp.selection) > 1, t.name || ': ', '') || r.text"
        " || iif(r.text LIKE 'completions on %', '; --device chooses one', '')"
        " FROM temp.selection AS s CROSS JOIN main.remark AS r ON r.trace = s.trace"
        " CROSS JOIN main.trace AS t ON t.id = s.trace"
        " WHERE r.text LIKE 'completions on % devices: %'"
        " OR r.text LIKE 'assumed: %' OR (?1 AND r.text LIKE 'device % lies over %') ORDER BY "
        "s.place, r.number",
        "i", (int64_t)(filter->devices == DEVICES_TOP));
    bool any = false;

    while (database_next(&query)) {
        any = true;
        notes_append(notes, "%s", sqlite3_column_text(query.row, 0));
    }
    if (any && filter->devices == DEVICES_ISSUING) {
        notes_append(
            notes,
            "no stacked device issues (D) in this log: issues of the lower device are counted");
    }
    return database_end(&query);
}
