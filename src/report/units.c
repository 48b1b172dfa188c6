#include "report/units.h"

#include <stdio.h>
#include <string.h>

bool units_find(struct database *database, struct column *columns, size_t count,
                char unit[UNIT_SIZE], struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        struct database_query query;

        if (strcmp(columns[i].unit, UNIT_OF_WEIGHTS) != 0) {
            continue;
        }
        query = database_query(database, error, "SELECT unit FROM temp.weight_unit", "");
        unit[0] = '\0';
        if (database_next(&query)) {
            snprintf(unit, UNIT_SIZE, "%s", database_column_text(query.row, 0));
        }
        done = database_end(&query);
        columns[i].unit = unit;
    }
    return done;
}
