#include "report/units.h"

#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"

bool units_query_reads_weights(const struct query *query) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        const char *table = query->wanted[i].analysis->tables[1].name;

        if (table != NULL && strcmp(table, "weight_unit") == 0) {
            return true;
        }
    }
    return false;
}

bool units_set_weight_unit(struct database *database, const struct query *query,
                           struct column *columns, size_t count, char unit[UNIT_SIZE],
                           struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        struct database_query asked;

        if (strcmp(columns[i].unit, UNIT_OF_WEIGHTS) != 0 || !units_query_reads_weights(query)) {
            continue;
        }
        asked = database_query(database, error, "SELECT unit FROM temp.weight_unit", "");
        unit[0] = '\0';
        if (database_next(&asked)) {
            snprintf(unit, UNIT_SIZE, "%s", database_column_text(asked.row, 0));
        }
        done = database_end(&asked);
        columns[i].unit = unit;
    }
    return done;
}
