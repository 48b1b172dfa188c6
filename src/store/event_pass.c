#include "store/event_pass.h"

#include "store/column_reader.h"
#include "store/event_rows.h"

static sqlite3_stmt *prepare_select(const struct event_pass *pass, struct error *error) {
    struct text sql = {0};
    sqlite3_stmt *select;

    event_rows_select_only(&sql, pass->fields);
    text_append_string(&sql, " FROM main.event AS e WHERE e.id BETWEEN ?1 AND ?2 ORDER BY e.id");
    select = database_take(pass->database, text_string(&sql), error);
    text_free(&sql);
    if (select != NULL) {
        sqlite3_bind_int64(select, 1, pass->range.first);
        sqlite3_bind_int64(select, 2, pass->range.last);
    }
    return select;
}

static bool pass_over_rows(const struct event_pass *pass, struct event_columns *columns,
                           void *context, struct error *error) {
    sqlite3_stmt *select = prepare_select(pass, error);
    bool row = true, done = select != NULL;

    while (done && row) {
        size_t count = 0;

        while (done && row && count < EVENT_CHUNK) {
            done = database_step(pass->database, select, &row, error) &&
                   (!row || event_rows_take_only(pass->database, select, pass->fields, columns,
                                                 count++, error));
        }
        done = done && (count == 0 || pass->visit(context, columns, count, error));
    }
    database_keep(pass->database, select);
    return done;
}

static bool decode(const struct event_pass *pass, const struct column_piece *piece,
                   struct event_columns *columns, struct error *error) {
    for (size_t i = 0; i < piece->count && !pass->untimed; i++) {
        columns->id[i] = piece->first + (int64_t)i;
    }
    return ((pass->untimed || column_piece_decode(piece, 0, columns)) &&
            column_piece_decode(piece, pass->fields, columns)) ||
           columns_damaged(pass->database, pass->range.trace, error);
}

static bool pass_over_columns(const struct event_pass *pass, struct column_reader *reader,
                              struct event_columns *columns, void *context, struct error *error) {
    struct column_piece piece = {0};
    bool some = true, done = true;

    while (done && some) {
        done = column_reader_next(reader, &piece, &some, error) &&
               (!some || (column_reader_load(reader, &piece, error) &&
                          decode(pass, &piece, columns, error) &&
                          pass->visit(context, columns, piece.count, error)));
    }
    column_piece_free(&piece);
    return done;
}

bool event_pass_run(const struct event_pass *pass, void *context, struct error *error) {
    const struct column_range *range = &pass->range;
    struct column_reader *reader = NULL;
    struct event_columns columns = {0};
    bool done;

    if (range->last < range->first) {
        return true;
    }
    event_columns_grow(&columns, pass->fields, EVENT_CHUNK);
    done = (pass->of_rows || column_reader_open(&reader, pass->database, range->trace, range->first,
                                                range->last, pass->fields, error)) &&
           (reader != NULL ? pass_over_columns(pass, reader, &columns, context, error)
                           : pass_over_rows(pass, &columns, context, error));
    column_reader_close(reader);
    event_columns_free(&columns);
    return done;
}
