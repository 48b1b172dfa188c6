/* The pages of a transfer, and the options that define a page. */
#ifndef TRACETOOL_PAGE_SPAN_H
#define TRACETOOL_PAGE_SPAN_H

#include "analysis/analysis.h"
#include "analysis/transfers.h"

/* Limit of pages per transfer; larger transfers are skipped. */
#define PAGE_SPAN_MOST 65536

/* Options of a page analysis; its first parameters must be PAGE_SPAN_PARAMETERS. */
struct page_span_options {
    int64_t unit; /* bytes of a page */
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
        .help = "the same: an I/O is of the page where it begins alone"                            \
    }

static inline struct page_span_options page_span_read(const struct parameter_value *values) {
    return (struct page_span_options){values[0].number, values[1].given};
}

/* Sets the first and the last page of a transfer; false if there are too many. */
static inline bool page_span(const struct page_span_options *options,
                             const struct transfer *transfer, int64_t *first, int64_t *last) {
    *first = transfer->begin / options->unit;
    *last = options->by_start ? *first : (transfer->begin + transfer->size - 1) / options->unit;
    return *last - *first < PAGE_SPAN_MOST;
}

#endif
