/* The table of events (event_table.h) as rows of ClickHouse's RowBinary, which other engines read,
 * too: values one behind the other, without a heading; `--as columns` says their types.
 *
 *     Int64            8 bytes, little-endian
 *     String           length as a varint (7 bits a byte, the lowest first; all but the last byte
 *                      have bit 7 set), then as many bytes, as they are in the log
 *     Nullable(T)      a byte 1 for NULL, else a byte 0 and a T */
#include "export/event_table.h"
#include "remote/rowbinary.h"

static void append_value(const struct event_table_column *column, sqlite3_stmt *values, int i,
                         struct text *row) {
    bool null = sqlite3_column_type(values, i) == SQLITE_NULL;

    if (column->optional) {
        rowbinary_put_u8(row, null);
        if (null) {
            return;
        }
    }
    if (column->type == EVENT_TABLE_INTEGER) {
        rowbinary_put_u64(row, (uint64_t)sqlite3_column_int64(values, i));
    } else {
        const void *bytes = sqlite3_column_blob(values, i);

        rowbinary_put_text(row, bytes, (size_t)sqlite3_column_bytes(values, i));
    }
}

static bool take(struct export_run *run, void *state, sqlite3_stmt *values, struct error *error) {
    struct text *row = state;

    for (int i = 0; event_table_columns[i].name != NULL; i++) {
        append_value(&event_table_columns[i], values, i, row);
    }
    return export_text(run, row, error);
}

static bool end(struct export_run *run, void *state, struct error *error) {
    return event_table_read(run, take, state, error);
}

static void free_state(void *state) {
    text_free(state);
}

const struct exporter rowbinary_exporter = {
    .name = "rowbinary",
    .description = "the same table as RowBinary, for ClickHouse",
    .binary = true,
    .kinds = EVENT_TABLE_KINDS,
    .steps = true,
    .state_size = sizeof(struct text),
    .end = end,
    .free = free_state,
};
