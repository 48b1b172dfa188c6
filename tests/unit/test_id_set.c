/* scan/id_set: ids of a trace selected by a filter. */
#include "report/workspace.h"
#include "scan/event_filter.h"
#include "unit.h"

/* Needs several words of 64 bits. */
#define PROCESSES 200

/* Imports an I/O of each process; p0 has no number. There are two traces, so that the tables have
 * ids of both. */
static void set_up(void) {
    struct text log = {0};

    database_make();
    for (int i = 1; i <= PROCESSES; i++) {
        text_append_format(&log, "%d.000000000\tC\tR\t%d\t8\t%d\tp%d\tM\n", i, i, i, i);
    }
    unit_import(&database, "most", "before", text_string(&log));
    unit_import(&database, "most", "log", text_string(&log));
    text_free(&log);
    unit_open(NULL);
}

/* Returns whether process number `process` of a trace is in the set. */
static bool has_process(const struct id_set *set, int64_t trace, int process) {
    char sql[96];
    int64_t id;

    snprintf(sql, sizeof sql, "SELECT id FROM actor WHERE trace = ?1 AND pid = %d", process);
    assert_done(database_query_integer(&database, sql, trace, 0, &id, &error));
    ck_assert_int_gt(id, 0);
    return id_set_has(set, (uint32_t)id);
}

/* Reads the set of processes that a filter selects in one of both traces. */
static void read_set(const struct name_set *names, int64_t trace, struct id_set *set) {
    const struct catalog_trace *traces[] = {&catalog.traces[0], &catalog.traces[1]};
    struct selection_request request = {.traces = traces, .count = 2};
    struct selection selection = {0};
    struct temp_schema temp;

    request.filter.names[FILTER_PROCESS] = *names;
    temp = (struct temp_schema){.database = &database};
    assert_done(workspace_select(&temp, &request, &selection, &error));
    assert_done(id_set_read(set, &selection, SELECTED_ACTORS, trace, &error));
    selection_close(&selection);
    temp_schema_free(&temp);
}

static const char *const chosen[] = {"p1", "p2", "p64", "p65", "p128", "p200"};

static bool is_chosen(int process) {
    char name[16];

    snprintf(name, sizeof name, "p%d", process);
    for (size_t i = 0; i < COUNT(chosen); i++) {
        if (strcmp(chosen[i], name) == 0) {
            return true;
        }
    }
    return false;
}

UNIT_CASE("id_set", set_up, unit_close);

UNIT_LOOP(holds_what_is_chosen, 4) {
    const struct name_set in = {.names = chosen, .count = COUNT(chosen)};
    const struct name_set out = {.excluded = chosen, .excluded_count = COUNT(chosen)};
    bool excluding = _i % 2 == 1;
    int64_t trace = catalog.traces[_i / 2].id;
    struct id_set set = {0};

    read_set(excluding ? &out : &in, trace, &set);
    for (int process = 1; process <= PROCESSES; process++) {
        ck_assert_msg(has_process(&set, trace, process) == (is_chosen(process) != excluding),
                      "process %d", process);
        /* Ids of the other trace are below or above, and never in the set. */
        ck_assert(!has_process(&set, catalog.traces[1 - _i / 2].id, process));
    }
    ck_assert(id_set_has(&set, 0) == excluding);
    ck_assert(!id_set_has(&set, UINT32_MAX));
    id_set_free(&set);
    ck_assert(!id_set_has(&set, 0));
}

UNIT_TEST(an_empty_set_has_nothing) {
    const struct id_set set = {0};

    ck_assert(!id_set_has(&set, 0));
    ck_assert(!id_set_has(&set, 1));
    ck_assert(!id_set_has(&set, UINT32_MAX));
}
