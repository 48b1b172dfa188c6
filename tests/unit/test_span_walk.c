/* scan/span_walk: callers and callees, with filters. */
#include "report/workspace.h"
#include "scan/span_walk.h"
#include "unit.h"

static const char *const only_a[] = {"A"};
static const char *const only_c[] = {"C"};
static const char *const thread_5[] = {"t5"};
static const char *const thread_6[] = {"t6"};

static bool leave_open;

/* Thread 5: A 0-100 { B 10-40 { C 20-30 } C 50-60 } A 110-120; thread 6: B 15-55 { A 25-45 }. */
static const char log_text[] = "0\t1\t5\tE\tA\t-\n"
                               "10\t1\t5\tE\tB\t-\n"
                               "15\t1\t6\tE\tB\t-\n"
                               "20\t1\t5\tE\tC\t-\n"
                               "25\t1\t6\tE\tA\t-\n"
                               "30\t1\t5\tX\tC\t-\n"
                               "40\t1\t5\tX\tB\t-\n"
                               "45\t1\t6\tX\tA\t-\n"
                               "50\t1\t5\tE\tC\t-\n"
                               "55\t1\t6\tX\tB\t-\n"
                               "60\t1\t5\tX\tC\t-\n"
                               "100\t1\t5\tX\tA\t-\n"
                               "110\t1\t5\tE\tA\t-\n"
                               "120\t1\t5\tX\tA\t-\n";

static void set_up(void) {
    leave_open = false;
    database_make();
    unit_import(&database, "rmp", "one", log_text);
    unit_import(&database, "rmp", "two", "0\t1\t5\tE\tC\t-\n7\t1\t5\tE\tA\t-\n9\t1\t5\tX\tA\t-\n");
    unit_run("UPDATE actor SET name = 't' || tid");
    unit_open(NULL);
}

/* Calls that a visitor saw: `A(B)` is the call of A, begun inside a selected call of B. */
struct seen {
    struct text text;
    size_t count; /* calls begun */
    size_t open;
    uint32_t fail_at; /* the call that fails, from 1; 0: none */
};

static char letter(uint32_t operation) {
    char sql[64];

    snprintf(sql, sizeof sql, "SELECT text FROM name WHERE id = %u", operation);
    return unit_text(&database, sql)[0];
}

static bool enter(void *context, const struct span_row *row, void *call, void *caller,
                  struct error *error) {
    struct seen *seen = context;

    if (++seen->count == seen->fail_at) {
        return error_set(error, "failed on purpose");
    }
    *(uint32_t *)call = row->operation;
    seen->open++;
    text_append_format(&seen->text, "%c", letter(row->operation));
    if (caller != NULL) {
        text_append_format(&seen->text, "(%c)", letter(*(uint32_t *)caller));
    }
    text_append_format(&seen->text, "%lld ", (long long)row->duration);
    return true;
}

static void leave(void *context, void *call, void *caller) {
    struct seen *seen = context;

    (void)caller;
    seen->open--;
    text_append_format(&seen->text, "/%c ", letter(*(uint32_t *)call));
}

static bool row(void *context, const struct span_row *row, struct error *error) {
    (void)error;
    text_append_format(&((struct seen *)context)->text, "%lld ", (long long)row->time);
    return true;
}

/* Walks over the selected calls of a trace; all calls begun must be left. The result is owned by
 * the caller. */
static struct seen walk(const char *trace, const struct filter *filter,
                        const struct span_visitor *visitor, uint32_t fail_at, struct error *error) {
    const struct catalog_trace *found = catalog_find(&catalog, trace);
    const struct selection_request request = {
        .traces = &found, .count = 1, .filter = *filter, .leave_open = leave_open};
    struct seen seen = {.fail_at = fail_at};
    const struct span_visit visit = {visitor, &seen};
    struct selection selection;
    struct temp_schema temp;
    bool done;

    temp = (struct temp_schema){.database = &database};
    ck_assert_msg(workspace_select(&temp, &request, &selection, error), "%s", error->message);
    done = span_walk(&selection, &selection.traces[0], false, 0, &visit, 1, error);
    ck_assert(done == (fail_at == 0));
    ck_assert(!done || visitor->leave == NULL || seen.open == 0);
    selection_close(&selection);
    temp_schema_free(&temp);
    return seen;
}

static void expect_walk(const char *trace, const struct filter *filter,
                        const struct span_visitor *visitor, const char *expected) {
    struct seen seen = walk(trace, filter, visitor, 0, &error);

    ck_assert_str_eq(text_string(&seen.text), expected);
    text_free(&seen.text);
}

static const struct span_visitor begins = {.call_size = sizeof(uint32_t), .enter = enter};
static const struct span_visitor both = {
    .call_size = sizeof(uint32_t), .enter = enter, .leave = leave};
static const struct span_visitor rows = {.row = row};

UNIT_CASE("span_walk", set_up, unit_close);

UNIT_TEST(calls_are_begun_in_their_callers) {
    const struct filter all = {0};

    expect_walk("one", &all, &begins, "A100 B(A)30 B40 C(B)10 A(B)20 C(A)10 A10 ");
    /* The open call ends with the log, or has no duration. */
    expect_walk("two", &all, &begins, "C9 A(C)2 ");
    leave_open = true;
    expect_walk("two", &all, &begins, "C-9223372036854775808 A(C)2 ");
}

/* That a call is over is only known at the next row of its thread. */
UNIT_TEST(callees_are_left_before_their_callers) {
    const struct filter filter = {.names[FILTER_PROCESS] = {thread_5, 1, NULL, 0}};

    expect_walk("one", &filter, &both, "A100 B(A)30 C(B)10 /C /B C(A)10 /C /A A10 /A ");
}

static const struct {
    struct filter filter;
    const char *calls, *rows;
} filters[] = {
    {{.names[FILTER_OPERATION] = {only_c, 1, NULL, 0}}, "C10 C10 ", "20 50 "},
    {{.names[FILTER_OPERATION] = {only_a, 1, NULL, 0}}, "A100 A20 A10 ", "0 25 110 "},
    {{.names[FILTER_PROCESS] = {thread_6, 1, NULL, 0}}, "B40 A(B)20 ", "15 25 "},
    /* B and all calls below, in both threads; the callers above are not selected. */
    {{.under = "B"}, "B30 B40 C(B)10 A(B)20 ", "10 15 20 25 "},
    {{.under = "B", .names[FILTER_OPERATION] = {only_c, 1, NULL, 0}}, "C10 ", "20 "},
    {{.under = "C"}, "C10 C10 ", "20 50 "},
    {{.under = "A", .names[FILTER_PROCESS] = {thread_6, 1, NULL, 0}}, "A20 ", "25 "},
};

UNIT_LOOP(filters_choose_calls, COUNT(filters)) {
    expect_walk("one", &filters[_i].filter, &begins, filters[_i].calls);
    expect_walk("one", &filters[_i].filter, &rows, filters[_i].rows);
}

UNIT_TEST(a_visitor_that_fails_ends_the_walk) {
    const struct filter all = {0};
    struct seen seen = walk("one", &all, &begins, 3, &error);

    assert_message(&error, "failed on purpose");
    ck_assert_uint_eq(seen.count, 3);
    text_free(&seen.text);
}
