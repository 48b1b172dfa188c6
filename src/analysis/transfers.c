#include "analysis/transfers.h"

bool transfers_begin(struct transfers *transfers, struct database *database,
                     const struct catalog_trace *trace, struct error *error) {
    transfers->of_files = trace->kind == TRACE_CALLS;
    devices_free(&transfers->devices);
    return transfers->of_files
               ? call_operations_read(&transfers->operations, database, trace->id, error)
               : devices_read(&transfers->devices, database, trace->id, error);
}

void transfers_free(struct transfers *transfers) {
    devices_free(&transfers->devices);
    call_operations_free(&transfers->operations);
}

/* A call that failed, or read at the end of a file, moves nothing. */
static bool take_call(struct transfers *transfers, const struct event_columns *columns, size_t i,
                      struct transfer *transfer) {
    enum call_does does = call_operations_find(&transfers->operations, columns->operation[i]);

    if ((does != CALL_READS && does != CALL_WRITES) || columns->size[i] <= 0) {
        return false;
    }
    *transfer = (struct transfer){columns->object[i], columns->address[i], columns->size[i],
                                  does == CALL_WRITES};
    if (transfer->within == 0 || transfer->begin < 0 ||
        transfer->begin > INT64_MAX - transfer->size) {
        transfers->unplaced++;
        return false;
    }
    return true;
}

bool transfers_take(struct transfers *transfers, const struct event_columns *columns, size_t i,
                    struct transfer *transfer) {
    enum io_class class;
    int64_t sector, size;

    if (transfers->of_files) {
        return take_call(transfers, columns, i, transfer);
    }
    class = io_class_of(columns->flags[i]);
    sector = columns->address[i];
    size = columns->size[i];
    if (class == IO_OTHER || class == IO_FLUSH || size <= 0 || sector < 0 ||
        sector > INT64_MAX / IO_SECTOR || size > INT64_MAX - sector * IO_SECTOR) {
        return false;
    }
    *transfer =
        (struct transfer){devices_find(&transfers->devices, columns->object[i]), sector * IO_SECTOR,
                          size, class == IO_WRITE || class == IO_WRITESYNC};
    return true;
}
