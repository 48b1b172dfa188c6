#include "analysis/intervals.h"

#include <inttypes.h>

#include "base/time_unit.h"
#include "select/window.h"

/* Returns the number of intervals of `length` that cover the times `first` to `last`. Sets
 * `*origin` to the begin of the first one. */
static uint64_t intervals_count_intervals(int64_t first, int64_t last, uint64_t length,
                                          uint64_t *origin) {
    int64_t past = first % (int64_t)length;

    past += past < 0 ? (int64_t)length : 0;
    *origin = (uint64_t)first - (uint64_t)past;
    return ((uint64_t)last - *origin) / length + 1;
}

/* Returns the next longer round length: 1, 2, 5, 10 … units; for real time 20 s, 1, 5, 15 min … */
static uint64_t next_length(uint64_t length, bool real_clock) {
    static const uint64_t steps[] = {60, 300, 900, 3600, 21600, 86400};
    uint64_t power = 1;

    for (size_t i = 0; real_clock && length >= 20 * SECOND && i < sizeof steps / sizeof *steps;
         i++) {
        if (length < steps[i] * SECOND) {
            return steps[i] * SECOND;
        }
    }
    while (length / power >= 10 && length % (power * 10) == 0) {
        power *= 10;
    }
    return length / power == 2 ? length / 2 * 5 : length * 2;
}

static void set_intervals(struct intervals *intervals, struct analysis_context *context,
                          size_t wanted, size_t most) {
    const int64_t first = intervals->first, last = intervals->last;
    bool real_clock = catalog_has_real_clock(context->selection->traces[0].trace), whole;
    uint64_t count;
    int64_t given;

    if (!parameter_length(&context->values[0], "interval", real_clock, &given, &context->error)) {
        return;
    }
    intervals->length = given == 0 ? 1 : (uint64_t)given;
    while (given == 0 &&
           intervals_count_intervals(first, last, intervals->length, &intervals->origin) > wanted) {
        intervals->length = next_length(intervals->length, real_clock);
    }
    whole = given == 0 && real_clock && intervals->length < (uint64_t)SECOND;
    for (size_t i = 0; whole && i < context->selection->count; i++) {
        whole = catalog_count_whole_second_files(
                    context->database, context->selection->traces[i].trace, &context->error) > 0;
    }
    intervals->length = whole ? (uint64_t)SECOND : intervals->length;
    count = intervals_count_intervals(first, last, intervals->length, &intervals->origin);
    if (count > most) {
        error_usage(&context->error,
                    "--interval %s makes %" PRIu64
                    " intervals, but %zu are the limit: give a longer one, or a shorter time with "
                    "--from and --to",
                    context->values[0].text, count, most);
        return;
    }
    intervals->count = (size_t)count;
}

/* Finds the time window over all traces: from --from or the first event, whichever is later, to
 * --to or the last event, whichever is earlier. `*from` is INT64_MAX without --from, `*to` is
 * INT64_MIN without --to. */
static void find_window(struct analysis_context *context, int64_t *from, int64_t *to) {
    const struct selection *selection = context->selection;

    *from = INT64_MAX;
    *to = INT64_MIN;
    for (size_t i = 0; i < selection->count; i++) {
        const struct catalog_trace *trace = selection->traces[i].trace;
        struct window window;

        if (!window_times(trace, &selection->filter, &window, &context->error)) {
            break;
        }
        if (window.from != INT64_MIN && window.from <= trace->last_time) {
            int64_t begin = window.from < trace->first_time ? trace->first_time : window.from;

            *from = begin < *from ? begin : *from;
        }
        if (window.to != INT64_MAX && window.to > trace->first_time) {
            int64_t end = window.to > trace->last_time ? trace->last_time : window.to - 1;

            *to = end > *to ? end : *to;
        }
    }
}

void intervals_find(struct intervals *intervals, struct analysis_context *context,
                    enum interval_cover cover, size_t wanted, size_t most) {
    struct database_query query;
    int64_t from, to;

    find_window(context, &from, &to);
    query = database_query(
        context->database, &context->error,
        "SELECT ifnull(min(min(a.time), ?1), ?1), ifnull(max(max(b.time), ?2), ?2)"
        " FROM temp.selection AS s "
        "CROSS JOIN main.event AS a ON a.id = s.first_event "
        "CROSS JOIN main.event AS b ON b.id = s.last_event WHERE s.first_event <= s.last_event",
        "ii", cover == COVER_EVENTS ? INT64_MAX : from, cover == COVER_WINDOW ? to : INT64_MIN);

    /* a length above 0 is needed even if a damaged database lacks the first event */
    *intervals = (struct intervals){.length = 1};
    if (database_next(&query)) {
        intervals->first = sqlite3_column_int64(query.row, 0);
        intervals->last = sqlite3_column_int64(query.row, 1);
        if (intervals->first <= intervals->last) {
            set_intervals(intervals, context, wanted, most);
        }
    }
    database_end(&query);
}
