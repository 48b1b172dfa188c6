#include "analysis/transfers.h"

#include <stdlib.h>

#include "base/memory.h"

void call_operations_read(struct call_operations *operations, struct analysis_context *context) {
    int64_t trace = context->trace->trace->id;
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT id, iif(kind = 'error', '', text) FROM main.name WHERE trace = ?1"
                       " AND id BETWEEN 1 AND 4294967295 ORDER BY id",
                       "i", trace);

    call_operations_free(operations);
    operations->by_file = filter_by_object(&context->selection->filter);
    query.failed |= operations->by_file && !id_set_read(&operations->files, context->selection,
                                                        SELECTED_OBJECTS, trace, &context->error);
    while (database_next(&query)) {
        *ARRAY_NEW(operations->all, operations->count, operations->capacity) =
            (struct call_operation){(uint32_t)sqlite3_column_int64(query.row, 0),
                                    call_does(database_column_text(query.row, 1))};
    }
    database_end(&query);
}

void call_operations_free(struct call_operations *operations) {
    free(operations->all);
    id_set_free(&operations->files);
    *operations = (struct call_operations){0};
}

/* limit of transfers per event: a copy is a read and a write */
#define TRANSFERS_MOST 2

void transfers_begin_trace(void *transfers_state) {
    struct transfers_state *state = transfers_state;
    struct analysis_context *context = state->context;
    const struct catalog_trace *trace = context->trace->trace;

    state->transfers.of_files = trace->kind == TRACE_CALLS;
    devices_free(&state->transfers.devices);
    if (state->transfers.of_files) {
        call_operations_read(&state->transfers.operations, context);
    } else {
        devices_read(&state->transfers.devices, context->database, trace->id, &context->error);
    }
}

void transfers_free(void *transfers_state) {
    struct transfers_state *state = transfers_state;

    devices_free(&state->transfers.devices);
    call_operations_free(&state->transfers.operations);
}

/* Fills in `transfer`, the read or the write of a call. Returns 1; or 0 if its file is not
 * selected, or its file or position is unknown. */
static size_t transfers_add_side(struct transfers *transfers, const struct transfer *side,
                                 struct transfer *transfer) {
    if (!call_operations_count(&transfers->operations, (uint32_t)side->within)) {
        return 0;
    }
    if (side->within == 0 || side->begin < 0 || side->begin > INT64_MAX - side->size) {
        transfers->unplaced++;
        return 0;
    }
    *transfer = *side;
    return 1;
}

/* Finds the transfers of a call. Failed calls, and reads at the end of a file, transfer nothing. */
static size_t transfers_of_call(struct transfers *transfers, const struct event_columns *columns,
                                size_t i, struct transfer transfer[TRANSFERS_MOST]) {
    enum call_does does = call_operations_find(&transfers->operations, columns->operation[i]);
    int64_t size = columns->size[i];
    size_t count = 0;

    if ((does != CALL_READS && does != CALL_WRITES && does != CALL_COPIES) || size <= 0) {
        return 0;
    }
    if (does == CALL_COPIES) {
        count =
            transfers_add_side(transfers,
                               &(struct transfer){columns->source[i], columns->source_address[i],
                                                  size, false, columns->time[i], 0},
                               transfer);
    }
    return count +
           transfers_add_side(transfers,
                              &(struct transfer){columns->object[i], columns->address[i], size,
                                                 does != CALL_READS, columns->time[i], 0},
                              &transfer[count]);
}

/* Fills in `transfer` with the reads and writes of event `i`. Returns their number. */
static size_t transfers_of_event(struct transfers *transfers, const struct event_columns *columns,
                                 size_t i, struct transfer transfer[TRANSFERS_MOST]) {
    enum io_class class;
    int64_t sector, size;
    uint32_t slot;

    if (transfers->of_files) {
        return transfers_of_call(transfers, columns, i, transfer);
    }
    class = io_class_of(columns->flags[i]);
    sector = columns->address[i];
    size = columns->size[i];
    if (class == IO_OTHER || class == IO_FLUSH || size <= 0) {
        return 0;
    }
    if (sector < 0 || sector > INT64_MAX / IO_SECTOR || size > INT64_MAX - sector * IO_SECTOR) {
        transfers->unplaced++;
        return 0;
    }
    slot = devices_find_slot(&transfers->devices, columns->object[i]);
    *transfer = (struct transfer){
        .within = transfers->devices.numbers[slot],
        .begin = sector * IO_SECTOR,
        .size = size,
        .write = class == IO_WRITE || class == IO_WRITESYNC,
        .time = columns->time[i],
        .slot = slot,
    };
    return 1;
}

void transfers_visit(void *transfers_state, const struct event_columns *columns, size_t count) {
    struct transfers_state *state = transfers_state;
    struct transfer some[TRANSFERS_MOST];

    for (size_t i = 0; i < count; i++) {
        size_t taken = transfers_of_event(&state->transfers, columns, i, some);

        for (size_t one = 0; one < taken; one++) {
            state->context->analysis->transfer(state, &some[one]);
        }
    }
}
