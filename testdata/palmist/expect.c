#include "expect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL_TRAPS = 0x10000,
    LISTED = 50,
    SHOWN_EVENTS = 100,
    SMALL_LOG = 1000,
    MAX_IDENTITIES = 64
};
#define NS_PER_TICK   UINT64_C(10000000)
#define NS_PER_SECOND UINT64_C(1000000000)
#define NS_PER_HOUR   (3600 * NS_PER_SECOND)

/* ID and session identify an application. */
typedef struct {
    uint32_t id;
    unsigned session;
} Identity;

typedef struct {
    const Log *log;
    uint64_t *times; /* of each call, ns since the first */
    uint8_t *owners; /* of each call, index into identities */
    Identity identities[MAX_IDENTITIES];
    size_t identity_count;
    unsigned sessions;
} View;

typedef struct {
    char label[160];
    uint64_t count;
    uint64_t key;
} Row;

static size_t find_identity(View *view, uint32_t id) {
    for (size_t i = 0; i < view->identity_count; i++) {
        if (view->identities[i].id == id && view->identities[i].session == view->sessions) {
            return i;
        }
    }
    require(view->identity_count < MAX_IDENTITIES, "too many applications");
    view->identities[view->identity_count] = (Identity){id, view->sessions};
    return view->identity_count++;
}

/* A tick lower than the one before is a reset. Time goes on from the last
 * call, as if the reset had happened right behind it.
 */
static View make_view(const Log *log) {
    View view = {.log = log, .sessions = 1};
    uint64_t base = 0;
    view.times = allocate(log->count, sizeof *view.times);
    view.owners = allocate(log->count, sizeof *view.owners);
    for (size_t i = 0; i < log->count; i++) {
        const Call *call = &log->calls[i];
        if (i && call->tick < log->calls[i - 1].tick) {
            view.sessions++;
            base = view.times[i - 1] + log->calls[0].tick * NS_PER_TICK;
        }
        view.times[i] = base + call->tick * NS_PER_TICK - log->calls[0].tick * NS_PER_TICK;
        view.owners[i] = (uint8_t)find_identity(&view, call->application);
    }
    return view;
}

static void free_view(View *view) {
    free(view->times);
    free(view->owners);
}

static int compare_rows(const void *left, const void *right) {
    const Row *a = left;
    const Row *b = right;
    int order;
    if (a->count != b->count) {
        return a->count < b->count ? 1 : -1;
    }
    order = strcmp(a->label, b->label);
    if (order != 0) {
        return order;
    }
    return (a->key > b->key) - (a->key < b->key);
}

static void append_seconds(Buffer *out, uint64_t time) {
    buffer_printf(out, "%" PRIu64 ".%09" PRIu64, time / NS_PER_SECOND, time % NS_PER_SECOND);
}

static void append_share(Buffer *out, uint64_t count, uint64_t total) {
    buffer_printf(out, "\t%.6f", (double)count / (double)total);
}

/* rank name count share, and cumulative where wanted */
static void append_ranking(Buffer *out, Row *rows, size_t row_count, uint64_t total, size_t limit,
                           int cumulative) {
    uint64_t sum = 0;
    qsort(rows, row_count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < row_count && i < limit; i++) {
        sum += rows[i].count;
        buffer_printf(out, "%zu\t%s\t%" PRIu64, i + 1, rows[i].label, rows[i].count);
        append_share(out, rows[i].count, total);
        if (cumulative) {
            append_share(out, sum, total);
        }
        buffer_text(out, "\n");
    }
}

/* One row a trap that was called, ordered. */
static Row *count_traps(const Log *log, size_t *row_count) {
    uint64_t *counts = allocate(ALL_TRAPS, sizeof *counts);
    Row *rows = allocate(ALL_TRAPS, sizeof *rows);
    *row_count = 0;
    for (size_t i = 0; i < log->count; i++) {
        counts[log->calls[i].trap]++;
    }
    for (size_t id = 0; id < ALL_TRAPS; id++) {
        if (counts[id]) {
            Row *row = &rows[(*row_count)++];
            snprintf(row->label, sizeof row->label, "%s", trap_name((uint16_t)id).text);
            row->count = counts[id];
            row->key = id;
        }
    }
    free(counts);
    qsort(rows, *row_count, sizeof *rows, compare_rows);
    return rows;
}

static void expect_popularity(Buffer *out, const View *view) {
    size_t row_count;
    Row *rows = count_traps(view->log, &row_count);
    append_ranking(out, rows, row_count, view->log->count, SIZE_MAX, 1);
    free(rows);
}

static void label_application(Row *row, const View *view, const Identity *identity) {
    char name[40];
    snprintf(name, sizeof name, "0x%08x", (unsigned)identity->id);
    for (size_t i = 0; view->log->configured && i < application_count; i++) {
        if (applications[i].id == identity->id) {
            snprintf(name, sizeof name, "%s", applications[i].name);
        }
    }
    if (view->sessions > 1) {
        snprintf(row->label, sizeof row->label, "%s (session %u)", name, identity->session);
    } else {
        snprintf(row->label, sizeof row->label, "%s", name);
    }
}

static void expect_applications(Buffer *out, const View *view) {
    Row *rows = allocate(view->identity_count, sizeof *rows);
    for (size_t i = 0; i < view->identity_count; i++) {
        label_application(&rows[i], view, &view->identities[i]);
        rows[i].key = i;
    }
    for (size_t i = 0; i < view->log->count; i++) {
        rows[view->owners[i]].count++;
    }
    append_ranking(out, rows, view->identity_count, view->log->count, SIZE_MAX, 1);
    free(rows);
}

static void expect_sizes(Buffer *out, const View *view) {
    uint64_t *counts = allocate(UINT16_MAX + 1, sizeof *counts);
    uint64_t sum = 0;
    for (size_t i = 0; i < view->log->count; i++) {
        counts[view->log->calls[i].size]++;
    }
    for (size_t size = 0; size <= UINT16_MAX; size++) {
        if (counts[size]) {
            sum += counts[size];
            buffer_printf(out, "%zu\t%" PRIu64, size, counts[size]);
            append_share(out, counts[size], view->log->count);
            append_share(out, sum, view->log->count);
            buffer_text(out, "\n");
        }
    }
    free(counts);
}

static uint64_t duration(const View *view) {
    return view->times[view->log->count - 1];
}

static void expect_hours(Buffer *out, const View *view) {
    size_t hours = (size_t)(duration(view) / NS_PER_HOUR) + 1;
    uint64_t *counts = allocate(hours, sizeof *counts);
    for (size_t i = 0; i < view->log->count; i++) {
        counts[view->times[i] / NS_PER_HOUR]++;
    }
    for (size_t i = 0; i < hours; i++) {
        buffer_printf(out, "%zu\t%" PRIu64 "\t%.6f\n", i, counts[i],
                      (double)counts[i] / (double)view->log->count);
    }
    free(counts);
}

typedef struct {
    uint64_t start;
    uint64_t end;
} Gap;

static int compare_gaps(const void *left, const void *right) {
    const Gap *a = left;
    const Gap *b = right;
    uint64_t length_a = a->end - a->start;
    uint64_t length_b = b->end - b->start;
    if (length_a != length_b) {
        return length_a < length_b ? 1 : -1;
    }
    return (a->start > b->start) - (a->start < b->start);
}

static void expect_gaps(Buffer *out, const View *view) {
    Gap *gaps = allocate(view->log->count, sizeof *gaps);
    size_t limit = view->log->count < SMALL_LOG ? SIZE_MAX : LISTED;
    size_t count = 0;
    for (size_t i = 1; i < view->log->count; i++) {
        if (view->times[i] > view->times[i - 1]) {
            gaps[count++] = (Gap){view->times[i - 1], view->times[i]};
        }
    }
    qsort(gaps, count, sizeof *gaps, compare_gaps);
    for (size_t i = 0; i < count && i < limit; i++) {
        buffer_printf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", gaps[i].start, gaps[i].end,
                      gaps[i].end - gaps[i].start);
    }
    free(gaps);
}

static int compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Every run of length calls within one application, as one number each:
 * the trap IDs behind one another.
 */
static size_t collect_windows(const View *view, size_t length, uint64_t *windows) {
    uint64_t recent[MAX_IDENTITIES] = {0};
    size_t seen[MAX_IDENTITIES] = {0};
    uint64_t mask = (UINT64_C(1) << (16 * length)) - 1;
    size_t count = 0;
    for (size_t i = 0; i < view->log->count; i++) {
        size_t owner = view->owners[i];
        recent[owner] = (recent[owner] << 16 | view->log->calls[i].trap) & mask;
        if (++seen[owner] >= length) {
            windows[count++] = recent[owner];
        }
    }
    qsort(windows, count, sizeof *windows, compare_keys);
    return count;
}

static void label_window(Row *row, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        uint16_t trap = (uint16_t)(row->key >> (16 * (length - 1 - i)));
        used += (size_t)snprintf(row->label + used, sizeof row->label - used, "%s%s",
                                 i ? " > " : "", trap_name(trap).text);
    }
}

static void expect_sequences(Buffer *out, const View *view, size_t length) {
    uint64_t *windows = allocate(view->log->count, sizeof *windows);
    size_t total = collect_windows(view, length, windows);
    Row *rows = allocate(total, sizeof *rows);
    size_t row_count = 0;
    for (size_t i = 0; i < total; i++) {
        if (i == 0 || windows[i] != windows[i - 1]) {
            rows[row_count].key = windows[i];
            label_window(&rows[row_count++], length);
        }
        rows[row_count - 1].count++;
    }
    append_ranking(out, rows, row_count, total, LISTED, 0);
    for (size_t i = 1; i < row_count; i++) {
        /* Else it would matter whether ID or name identifies a sequence. */
        require(strcmp(rows[i].label, rows[i - 1].label) != 0, "two sequences are called %s",
                rows[i].label);
    }
    free(rows);
    free(windows);
}

static void expect_timeline(Buffer *out, const View *view) {
    size_t count = view->log->count;
    for (size_t i = 0; i < count; i++) {
        uint16_t trap = view->log->calls[i].trap;
        if (count < SMALL_LOG || i < SHOWN_EVENTS || i >= count - SHOWN_EVENTS) {
            append_seconds(out, view->times[i]);
            buffer_printf(out, "\t%u\t%s\n", trap, trap_name(trap).text);
        }
    }
}

Figures figures_of(const Log *log) {
    Figures figures = {0};
    Row *rows = count_traps(log, &figures.distinct_traps);
    for (size_t i = 0; i < log->count; i++) {
        figures.argument_bytes += log->calls[i].size;
        figures.without_arguments += log->calls[i].size == 0;
    }
    for (size_t i = 0; i < figures.distinct_traps && i < TOP; i++) {
        figures.top_ten_calls += rows[i].count;
    }
    free(rows);
    return figures;
}

static void expect_summary(Buffer *out, const View *view) {
    Figures figures = figures_of(view->log);
    buffer_printf(out, "events\t%zu\n", view->log->count);
    if (view->log->configured) {
        buffer_printf(out, "operations seen\t%zu of %d\n", figures.distinct_traps, LOGGABLE_TRAPS);
    } else {
        buffer_printf(out, "operations seen\t%zu of %d (default set)\n", figures.distinct_traps,
                      DEFAULT_LOGGABLE_TRAPS);
    }
    buffer_printf(out, "applications\t%zu\n", view->identity_count);
    buffer_printf(out, "sessions\t%u\n", view->sessions);
    buffer_printf(out, "run time\t%" PRIu64 "\n", duration(view));
    buffer_text(out, "mean argument size");
    append_share(out, figures.argument_bytes, view->log->count);
    buffer_printf(out, "\nargument bytes\t%" PRIu64 "\n", figures.argument_bytes);
    buffer_printf(out, "calls without arguments\t%zu\n", figures.without_arguments);
}

static void expect_pairs(Buffer *out, const View *view) {
    expect_sequences(out, view, 2);
}

static void expect_triples(Buffer *out, const View *view) {
    expect_sequences(out, view, 3);
}

void write_expectations(const char *directory, const Log *log) {
    static const struct {
        const char *file;
        void (*expect)(Buffer *out, const View *view);
    } reports[] = {
        {"popularity.tsv", expect_popularity},
        {"popularity-application.tsv", expect_applications},
        {"argsize.tsv", expect_sizes},
        {"hourly.tsv", expect_hours},
        {"gaps.tsv", expect_gaps},
        {"sequences-2.tsv", expect_pairs},
        {"sequences-3.tsv", expect_triples},
        {"timeline.tsv", expect_timeline},
        {"summary.tsv", expect_summary},
    };
    View view = make_view(log);
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        Buffer content = {0};
        reports[i].expect(&content, &view);
        write_file(directory, reports[i].file, &content);
        buffer_free(&content);
    }
    free_view(&view);
}
