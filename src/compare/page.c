#include "compare/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool say_side(const struct comparison *comparison, enum side which, struct remarks *remarks,
                     struct error *error) {
    const struct compare_side *side = &comparison->sides[which];
    struct text line = {0};
    bool done;

    text_append_string(&line, which == SIDE_A ? "a: " : "b: ");
    if (side->trace_count > 1) {
        text_append_format(&line, "%zu traces: ", side->trace_count);
    }
    for (size_t i = 0; i < side->trace_count; i++) {
        text_append_string(&line, i == 0 ? "" : ", ");
        text_append_string(&line, side->traces[i]->name);
    }
    if (strcmp(side->clock_unit, "ns") == 0) {
        text_append_format(&line, ", %.9g s", side->observed / 1e9);
    }
    done = (!line.failed || error_no_memory(error)) &&
           remarks_add(remarks, error, "%s", text_string(&line));
    text_free(&line);
    return done;
}

/* The traces of both sides, each once. */
static bool add_ledger(const struct comparison *comparison, struct compare_page *page,
                       struct error *error) {
    const struct compare_side *sides = comparison->sides;
    size_t count = 0;

    page->ledger =
        xcalloc(sides[SIDE_A].trace_count + sides[SIDE_B].trace_count, sizeof *page->ledger);
    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t i = 0; i < sides[side].trace_count; i++) {
            const struct catalog_trace *trace = sides[side].traces[i];
            size_t known = 0;

            while (known < count && page->ledger[known].name != trace->name) {
                known++;
            }
            if (known == count) {
                page->ledger[count++] = result_trace_of(trace);
            }
        }
    }
    page->result.traces = page->ledger;
    page->result.trace_count = count;
    return true;
}

bool compare_page_begin(const struct comparison *comparison, struct compare_page *page,
                        struct error *error) {
    page->result.clock_unit = comparison->sides[SIDE_A].clock_unit;
    return add_ledger(comparison, page, error) &&
           say_side(comparison, SIDE_A, &page->remarks, error) &&
           say_side(comparison, SIDE_B, &page->remarks, error) &&
           remarks_add_all(&page->remarks, &comparison->mismatches, error);
}

bool compare_page_print(struct compare_page *page, const struct printer_style *style, FILE *file,
                        const struct printer_options *options,
                        bool (*print_results)(void *context, struct printer *printer,
                                              struct error *error),
                        void *context, struct error *error) {
    struct printer *printer = printer_open(style, file, options, error);
    struct error closing = {0};
    bool done;

    page->result.remarks = (const char *const *)page->remarks.lines;
    page->result.remark_count = page->remarks.count;
    done = printer != NULL && print_results(context, printer, error);
    if (printer != NULL && !printer_close(printer, !done, &closing) && done) {
        *error = closing;
        done = false;
    }
    return done;
}

void compare_page_free(struct compare_page *page) {
    free(page->ledger);
    remarks_free(&page->remarks);
    *page = (struct compare_page){.ledger = NULL};
}
