#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scan/statistics.h"
#include "model/tally.h"
#include "scan/event_scan.h"

static bool count_visit(void *context, const struct event_columns *columns, size_t count,
                        struct error *error) {
    int64_t *events = context;

    *events += (int64_t)count;
    return true;
}

/* Counts all events of a trace, regardless of filters; of block I/O, only those with the action of
 * --action. Without an action, their number is known and events are not read. */
static bool count_all(const struct selection *selection, const struct selected_trace *selected,
                      int64_t *events, struct error *error) {
    const struct catalog_trace *trace = selected->trace;
    struct event_scan scan;

    if (selected->action == EVENT_NONE) {
        *events += trace->last_event - trace->first_event + 1;
        return true;
    }
    event_scan_init(&scan, selection, selected);
    scan.selection = NULL;
    scan.first = trace->first_event;
    scan.last = trace->last_event;
    scan.ranges = NULL;
    scan.visit = count_visit;
    return event_scan_in_order(&scan, events, error);
}

static bool quality_count_events(struct compare_quality *quality, const struct selection *selection,
                                 struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < selection->count; i++) {
        struct event_scan scan;

        event_scan_init(&scan, selection, &selection->traces[i]);
        scan.visit = count_visit;
        done = event_scan_in_order(&scan, &quality->selected, error) &&
               count_all(selection, &selection->traces[i], &quality->all, error);
    }
    return done;
}

/* Returns whether the query uses latencies of I/Os. */
static bool reads_latency(const struct query *query) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        const char *table = query->wanted[i].analysis->tables[0].name;

        if (table != NULL && strcmp(table, "tally_latency") == 0) {
            return true;
        }
    }
    return false;
}

static bool count_timed(struct compare_quality *quality, const struct selection *selection,
                        struct error *error) {
    struct database_query query =
        database_query(selection->database, error,
                       "SELECT total(count) FILTER (WHERE bits IS NULL),"
                       " total(count) FILTER (WHERE bits IS NOT NULL) FROM temp.tally_latency",
                       "");

    if (database_next(&query)) {
        quality->untimed = (int64_t)sqlite3_column_double(query.row, 0);
        quality->timed = (int64_t)sqlite3_column_double(query.row, 1);
    }
    return database_end(&query);
}

/* Returns whether the query uses durations or response times of events. */
static bool reads_times(const struct query *query) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        if (query->wanted[i].analysis->fields & (EVENT_DURATION | EVENT_RESPONSE)) {
            return true;
        }
    }
    return false;
}

/* Estimates the share of I/Os whose issue and completion belong to different requests. Uses the
 * same formula as queries/include/loss-remark.sql. */
static bool find_joined(struct compare_quality *quality, const struct selection *selection,
                        struct error *error) {
    struct database_query query = database_query(
        selection->database, error,
        "SELECT total(1.0 * unissued / max(completions, 1) * \"open\" / max(issues, 1) * pairs),"
        " total(pairs) FROM temp.selection AS s CROSS JOIN main.pairing AS p ON p.trace = s.trace",
        "");

    if (database_next(&query) && sqlite3_column_double(query.row, 1) > 0) {
        quality->joined = sqlite3_column_double(query.row, 0) / sqlite3_column_double(query.row, 1);
    }
    return database_end(&query);
}

/* Finds out if calls have no durations. strace without -T prints none; only "unfinished" and
 * "resumed" lines of an interrupted call give a duration. */
static bool find_timeless(struct compare_quality *quality, const struct selection *selection,
                          struct error *error) {
    static const char sql[] =
        "SELECT max(ifnull((SELECT sum(timed) = 0 FROM main.rollup_call"
        " WHERE trace = ?1), 0), ifnull((SELECT max(1 + (text LIKE '%strace%'))"
        " FROM remark WHERE trace = ?1 AND text LIKE 'no durations%'), 0))";

    for (size_t i = 0; i < selection->count; i++) {
        int64_t found = 0;

        if (selection->traces[i].trace->kind == TRACE_CALLS &&
            !database_query_integer(selection->database, sql, selection->traces[i].trace->id, 0,
                                    &found, error)) {
            return false;
        }
        quality->timeless |= (unsigned)found;
    }
    return true;
}

/* State of find_step(): greatest common divisor of the durations, and the first distinct ones. */
struct stepping {
    int64_t step, times[QUALITY_TIMES];
    size_t count;
};

static void quality_add_time(struct stepping *stepping, int64_t time) {
    int64_t a = stepping->step, b = time;

    for (size_t i = 0; i <= stepping->count && stepping->count < QUALITY_TIMES; i++) {
        if (i == stepping->count) {
            stepping->times[stepping->count++] = time;
            break;
        }
        if (stepping->times[i] == time) {
            break;
        }
    }
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    stepping->step = a;
}

static bool step_visit(void *context, const struct event_columns *columns, size_t count,
                       struct error *error) {
    struct stepping *stepping = context;

    for (size_t i = 0; i < count; i++) {
        if (columns->duration[i] > 0) {
            quality_add_time(stepping, columns->duration[i]);
        }
    }
    return true;
}

static bool find_step(struct compare_quality *quality, const struct selection *selection,
                      struct error *error) {
    struct stepping stepping = {.step = 0};
    struct event_scan scan;

    event_scan_init(&scan, selection, &selection->traces[0]);
    if (scan.last - scan.first >= QUALITY_EVENTS) {
        scan.last = scan.first + QUALITY_EVENTS - 1;
    }
    scan.fields = EVENT_DURATION;
    scan.visit = step_visit;
    if (!event_scan_in_order(&scan, &stepping, error)) {
        return false;
    }
    quality->step = stepping.count == QUALITY_TIMES ? stepping.step : 0;
    return true;
}

static bool quality_event_time(const struct selection *selection, const struct catalog_trace *trace,
                               int64_t event, int64_t *time, struct error *error) {
    return database_query_integer(selection->database, "SELECT time FROM event WHERE id = ?1",
                                  event, trace->first_time, time, error);
}

static bool event_hour(const struct selection *selection, const struct catalog_trace *trace,
                       int64_t event, int64_t *hour, struct error *error) {
    struct tally_context context = {
        .kind = trace->kind,
        .hour_origin = catalog_hour_origin(trace),
    };
    int64_t time;

    if (!quality_event_time(selection, trace, event, &time, error)) {
        return false;
    }
    *hour = tally_hour(&context, time);
    return true;
}

static bool find_hours(struct compare_quality *quality, const struct selection *selection,
                       struct error *error) {
    quality->has_hours = true;
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_trace *selected = &selection->traces[i];
        int64_t first, last;

        quality->has_hours &= catalog_has_hours_of_day(selected->trace);
        if (selected->last < selected->first) {
            continue;
        }
        if (!event_hour(selection, selected->trace, selected->first, &first, error) ||
            !event_hour(selection, selected->trace, selected->last, &last, error)) {
            return false;
        }
        for (int64_t hour = first; hour <= last && hour < first + QUALITY_HOURS; hour++) {
            quality->hours[(hour % QUALITY_HOURS + QUALITY_HOURS) % QUALITY_HOURS] = true;
        }
    }
    return true;
}

/* Numbers of events in QUALITY_STRETCHES equal intervals of a trace. */
struct stretches {
    int64_t first, last; /* time of the first, and of the last selected event */
    double counts[QUALITY_STRETCHES];
};

static bool stretch_visit(void *context, const struct event_columns *columns, size_t count,
                          struct error *error) {
    struct stretches *stretches = context;
    double length = (double)stretches->last - (double)stretches->first;

    for (size_t i = 0; i < count; i++) {
        double since = (double)columns->time[i] - (double)stretches->first;
        int at = length > 0 ? (int)(since / length * QUALITY_STRETCHES) : 0;

        stretches->counts[at < 0 ? 0 : at < QUALITY_STRETCHES ? at : QUALITY_STRETCHES - 1]++;
    }
    return true;
}

static bool count_in_stretches(const struct selection *selection,
                               const struct selected_trace *selected, struct stretches *stretches,
                               struct error *error) {
    struct event_scan scan;

    event_scan_init(&scan, selection, selected);
    scan.visit = stretch_visit;
    return quality_event_time(selection, selected->trace, selected->first, &stretches->first,
                              error) &&
           quality_event_time(selection, selected->trace, selected->last, &stretches->last,
                              error) &&
           event_scan_in_order(&scan, stretches, error);
}

/* Measures how bursty events are: the mean over the traces, weighted by events, or the variation
 * between the traces if larger. */
static bool find_dispersion(struct compare_quality *quality, const struct selection *selection,
                            bool per_second, struct error *error) {
    double *events = xcalloc(selection->count + 1, sizeof *events), sum = 0;
    double *weights = xcalloc(selection->count + 1, sizeof *weights);
    bool done = true;

    quality->weights = weights;
    for (size_t i = 0; done && i < selection->count; i++) {
        struct stretches stretches = {.counts = {0}};

        done = count_in_stretches(selection, &selection->traces[i], &stretches, error);
        events[i] = statistics_total(stretches.counts, QUALITY_STRETCHES);
        weights[i] = per_second ? (double)stretches.last - (double)stretches.first : 1;
        quality->counted += events[i];
        sum += events[i] * statistics_dispersion(stretches.counts, QUALITY_STRETCHES);
    }
    quality->dispersion =
        quality->counted > 0
            ? fmax(sum / quality->counted,
                   statistics_dispersion_between(events, weights, selection->count))
            : 1;
    free(events);
    return done;
}

bool compare_quality_read(struct compare_quality *quality, const struct query *query,
                          const struct selection *selection,
                          const struct compare_quality_wanted *wanted, struct error *error) {
    bool counts = wanted->filter && filter_can_exclude(&selection->filter);

    return (!counts || quality_count_events(quality, selection, error)) &&
           (!reads_latency(query) || count_timed(quality, selection, error)) &&
           (!wanted->times || !reads_latency(query) || find_step(quality, selection, error)) &&
           (!reads_times(query) ||
            (find_joined(quality, selection, error) && find_timeless(quality, selection, error))) &&
           (!wanted->rates || find_dispersion(quality, selection, wanted->per_second, error)) &&
           find_hours(quality, selection, error);
}
