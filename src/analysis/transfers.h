/* Transfers: reads and writes of known position and size, either I/Os of a device or system calls
 * on a file. Requests without data or position, and discards, are no transfers. */
#ifndef TRACETOOL_TRANSFERS_H
#define TRACETOOL_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/search.h"
#include "model/event_columns.h"
#include "model/linux.h"
#include "scan/event_filter.h"
#include "store/devices.h"

/* Effects of the system calls of a trace on files, by name.id. */

/* Effect of a system call. Its name.id comes first, as search_id() requires. */
struct call_operation {
    uint32_t id;
    enum call_does does;
};

/* Effects of all system calls of a trace, and the selected files. Zeroed: empty. */
struct call_operations {
    struct call_operation *all; /* owned; system calls sorted by id */
    size_t count, capacity;
    bool by_file;        /* true: only calls on the files in `files` count */
    struct id_set files; /* owned; set of the selected files */
};

/* Reads the effects of the current trace's system calls, and which of its files are selected.
 * Replaces earlier contents. Must be freed even on failure. */
void call_operations_read(struct call_operations *operations, struct analysis_context *context);
void call_operations_free(struct call_operations *operations);

/* Returns the effect of the system call with an id (name.id). */
static inline enum call_does call_operations_find(const struct call_operations *operations,
                                                  uint32_t id) {
    const struct call_operation *found =
        search_id(operations->all, operations->count, sizeof *found, id);

    return found == NULL ? CALL_OTHER : found->does;
}

/* Returns whether calls on a file (object.id) count. A copy passes the filter if one of its two
 * files is selected, but counts only for the selected one. */
static inline bool call_operations_count(const struct call_operations *operations, uint32_t file) {
    return !operations->by_file || id_set_has(&operations->files, file);
}

/* Columns of events that transfers_visit() reads. */
#define TRANSFER_FIELDS                                                                            \
    (EVENT_OPERATION | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE | EVENT_SOURCE |    \
     EVENT_SOURCE_ADDRESS)

struct transfer {
    /* I/O: device_number(), or EVENT_NONE if unknown; call: object.id of the file. */
    int64_t within;
    int64_t begin, size; /* in bytes; size is at least 1, and begin + size does not overflow */
    bool write;
    int64_t time;
    uint32_t slot; /* I/O: devices_find_slot() of the device; call: 0 */
};

/* State of finding transfers among events. Zeroed: no trace has begun. */
struct transfers {
    bool of_files;                     /* true: calls on files; false: I/Os of a device */
    struct devices devices;            /* owned; for I/Os: device by object.id */
    struct call_operations operations; /* owned; for calls: effects of the system calls */
    /* Number of calls and I/Os, over all traces, that transferred bytes but are skipped: their file
     * or position is unknown, or their end is at 2^63 bytes or beyond. */
    int64_t unplaced;
};

/* First member of the state of an analysis of transfers; the functions below are its begin_trace(),
 * visit() and free(). visit() calls transfer() of the analysis for each transfer, in order; a call
 * that copies is a read and a write. */
struct transfers_state {
    struct analysis_context *context;
    struct transfers transfers;
};

void transfers_begin_trace(void *transfers_state);
void transfers_visit(void *transfers_state, const struct event_columns *columns, size_t count);
void transfers_free(void *transfers_state);

/* Pages that a transfer covers, and the options that define a page. */

/* Limit of pages per transfer; larger transfers are skipped. */
#define PAGE_SPAN_MOST 65536

/* Options of an analysis of pages; its first parameters must be PAGE_SPAN_PARAMETERS. */
struct page_span_options {
    int64_t unit; /* number of bytes in a page */
    bool by_start;
};

#define PAGE_SPAN_PARAMETERS                                                                       \
    {.name = "unit",                                                                               \
     .type = PARAMETER_NUMBER,                                                                     \
     .argument = "BYTES",                                                                          \
     .help = "concentration, footprint, reuse, rewrites, workingset: bytes of a page (default "    \
             "4096)",                                                                              \
     .least = IO_SECTOR,                                                                           \
     .most = INT64_C(1) << 30,                                                                     \
     .otherwise = 4096},                                                                           \
    {                                                                                              \
        .name = "by-start", .type = PARAMETER_FLAG,                                                \
        .help = "count an I/O only for its first page, not for all of its pages"                   \
    }

static inline struct page_span_options page_span_read(const struct parameter_value *values) {
    return (struct page_span_options){values[0].number, values[1].given};
}

/* Finds the first and the last page of a transfer. Returns false if it covers more than
 * PAGE_SPAN_MOST pages. */
static inline bool page_span(const struct page_span_options *options,
                             const struct transfer *transfer, int64_t *first, int64_t *last) {
    *first = transfer->begin / options->unit;
    *last = options->by_start ? *first : (transfer->begin + transfer->size - 1) / options->unit;
    return *last - *first < PAGE_SPAN_MOST;
}

#endif
