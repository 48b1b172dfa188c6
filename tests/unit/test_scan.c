/* scan and analysis: columns, the walk over calls, the rows of the analyses. */
#include "analysis/analysis.h"
#include "model/event_columns.h"
#include "scan/span_walk.h"
#include "unit.h"

/* --- columns ---------------------------------------------------------------------------------- */

UNIT_TEST(columns_that_were_asked_for) {
    struct event_columns columns = {0};
    struct event event = EVENT_EMPTY;

    event_columns_grow(&columns, EVENT_SIZE | EVENT_ARGUMENTS, 3);
    ck_assert(columns.id != NULL && columns.time != NULL && columns.size != NULL);
    ck_assert(columns.arguments != NULL && columns.arguments_size != NULL);
    ck_assert(columns.duration == NULL && columns.operation == NULL && columns.depth == NULL);
    for (int i = 0; i < 3; i++) {
        columns.id[i] = i;
        columns.time[i] = 10 * i;
        columns.size[i] = 100 * i;
        columns.arguments[i] = NULL;
        columns.arguments_size[i] = 0;
    }
    event_columns_grow(&columns, EVENT_SIZE | EVENT_ARGUMENTS, 1000);
    event_columns_copy_event(&columns, 2, &event);
    ck_assert_int_eq(event.time, 20);
    ck_assert_int_eq(event.size, 200);
    ck_assert_int_eq(event.duration, EVENT_NONE);
    event_columns_free(&columns);
    ck_assert_ptr_null(columns.id);
}

/* Every field has an array, and no two fields share one. */
UNIT_TEST(a_column_for_each_field) {
    struct event_columns columns = {0};
    void **seen[32];
    size_t count = 0;

    event_columns_grow(&columns, (EVENT_CPU << 1) - 1, 1);
    for (unsigned field = 1; field <= EVENT_CPU; field <<= 1) {
        seen[count] = event_columns_array(&columns, field);
        ck_assert_ptr_nonnull(*seen[count]);
        for (size_t i = 0; i < count; i++) {
            ck_assert_ptr_ne(seen[i], seen[count]);
        }
        count++;
    }
    ck_assert_ptr_eq(*event_columns_array(&columns, 0), columns.time);
    ck_assert_ptr_eq(*event_columns_array(&columns, EVENT_DEPTH), columns.depth);
    event_columns_free(&columns);
}

UNIT_TEST(events_move_to_the_front) {
    const uint32_t first[] = {1, 2}, second[] = {4, 7};
    const int64_t expected[] = {1, 2, 4, 7};
    struct event_columns columns = {0};

    event_columns_grow(&columns, EVENT_FLAGS, 8);
    for (uint32_t i = 0; i < 8; i++) {
        columns.id[i] = columns.time[i] = i;
        columns.flags[i] = i;
    }
    event_columns_move(&columns, 0, first, 2);
    event_columns_move(&columns, 2, second, 2);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(columns.id[i], expected[i]);
        ck_assert_int_eq(columns.flags[i], expected[i]);
    }
    event_columns_free(&columns);
}

/* --- the walk over calls ----------------------------------------------------------------------*/

static struct database open_memory(void) {
    struct database database = {.path = ":memory:"};

    ck_assert_int_eq(sqlite3_open(":memory:", &database.handle), SQLITE_OK);
    return database;
}

/* Thread 1: main (1) calls a (2), which calls b (3), then b; thread 2 calls b meanwhile. The last
 * call of thread 1 has no end. Operations: 1 main, 2 a, 3 b. */
static const char calls_sql[] =
    "CREATE TABLE event (id INTEGER PRIMARY KEY, time, duration, operation, actor, object, flags,"
    " address, size, value, parent, depth, arguments, self, issuer, response,"
    " error, source, source_address);"
    "CREATE TABLE trace (id INTEGER PRIMARY KEY, name, first_event, last_event);"
    "CREATE TABLE event_column (trace, field, first, count, least, most, sum, fields, data);"
    "CREATE TABLE cpu_time (event INTEGER PRIMARY KEY, duration, self);"
    "CREATE TABLE open_call (event INTEGER PRIMARY KEY, duration, self, cpu_duration, cpu_self);"
    "INSERT INTO event (id, time, duration, operation, actor, flags, depth) VALUES"
    " (1, 0, 100, 1, 1, 0, 0), (2, 10, 50, 2, 1, 0, 1), (3, 15, 30, 3, 2, 0, 0),"
    " (4, 20, 10, 3, 1, 0, 2), (5, 70, 5, 3, 1, 0, 1), (6, 200, NULL, 1, 1, 4, 0)";

struct walked {
    char text[512];
    unsigned open;
};

/* Appends a call by the number of its row and of its caller's. */
static bool enter(void *state, const struct span_row *row, void *call, void *caller,
                  struct error *error) {
    struct walked *walked = state;
    size_t length = strlen(walked->text);

    (void)error;
    walked->open++;
    snprintf(walked->text + length, sizeof walked->text - length, "+%d(%d) ", (int)row->id,
             caller == NULL ? 0 : *(int *)caller);
    *(int *)call = (int)row->id;
    return true;
}

static void leave(void *state, void *call, void *caller) {
    struct walked *walked = state;
    size_t length = strlen(walked->text);

    walked->open--;
    snprintf(walked->text + length, sizeof walked->text - length, "-%d(%d) ", *(int *)call,
             caller == NULL ? 0 : *(int *)caller);
}

static bool count_row(void *state, const struct span_row *row, struct error *error) {
    (void)row;
    (void)error;
    ++*(int *)state;
    return true;
}

UNIT_TEST(visitors_share_a_walk) {
    static const struct span_visitor calls = {
        .call_size = sizeof(int), .enter = enter, .leave = leave};
    static const struct span_visitor rows = {.row = count_row};
    struct database database = open_memory();
    struct catalog_trace trace = {.id = 1, .first_event = 1, .last_event = 6};
    struct selected_trace selected = {.trace = &trace,
                                      .first = 1,
                                      .last = 6,
                                      .ids = {.first = 1, .last = 6},
                                      .action = EVENT_NONE};
    struct temp_schema temp;
    struct selection selection = {.database = &database, .temp = &temp};
    struct walked walked[2] = {{"", 0}, {"", 0}};
    int count = 0;
    const struct span_visit visits[] = {
        {&calls, &walked[0]}, {&rows, &count}, {&calls, &walked[1]}};

    ck_assert(database_run(&database, calls_sql, &error));
    temp = (struct temp_schema){.database = &database};
    assert_done(span_walk(&selection, &selected, false, 0, visits, 3, &error));
    ck_assert_str_eq(walked[0].text,
                     "+1(0) +2(1) +3(0) +4(2) -4(2) -2(1) +5(1) -5(1) -1(0) +6(0) -6(0) -3(0) ");
    ck_assert_str_eq(walked[1].text, walked[0].text);
    ck_assert_uint_eq(walked[0].open, 0);
    ck_assert_int_eq(count, 6);
    temp_schema_free(&temp);
    database_finalize_statements(&database);
    ck_assert_int_eq(sqlite3_close(database.handle), SQLITE_OK);
}

/* --- rows of the analyses --------------------------------------------------------------------- */

/* Returns the first word of a column definition, without quotes. */
static size_t column_name(const char *column, const char **name) {
    column += strspn(column, " \"");
    *name = column;
    return strcspn(column, " \",");
}

/* Checks that the line of tracetool-config(5) for a table names exactly its columns. */
static void assert_documented(const char *manual, const struct analysis_table *table) {
    char item[128], line[512] = ".Va ";
    const char *found, *column = table->columns;

    snprintf(item, sizeof item, "\n.It Va temp.%s\n", table->name);
    found = strstr(manual, item);
    ck_assert_msg(found != NULL, "tracetool-config(5) does not speak of temp.%s", table->name);
    found += strlen(item);
    while (column != NULL) {
        const char *name;
        size_t length = column_name(column, &name);

        column = strchr(column, ',');
        column = column == NULL ? NULL : column + 1;
        snprintf(line + strlen(line), sizeof line - strlen(line), "%.*s%s", (int)length, name,
                 column == NULL ? " " : " , ");
    }
    ck_assert_msg(strncmp(found, line, strlen(line)) == 0 &&
                      (found[strlen(line)] == ':' || found[strlen(line)] == '.'),
                  "tracetool-config(5) does not say of temp.%s: %s", table->name, line);
}

static char *read_manual(void) {
    FILE *file = fopen("man/tracetool-config.5", "r");
    char *manual = calloc(1, 1 << 20);

    if (file != NULL) {
        ck_assert_uint_lt(fread(manual, 1, (1 << 20) - 1, file), (1 << 20) - 1);
        fclose(file);
    }
    return manual;
}

UNIT_TEST(tables_are_documented) {
    char *manual = read_manual();

    for (size_t i = 0; analyses[i] != NULL; i++) {
        for (size_t j = 0; j < ANALYSIS_TABLES && analyses[i]->tables[j].name != NULL; j++) {
            if (strcmp(analyses[i]->name, "template") != 0) {
                assert_documented(manual, &analyses[i]->tables[j]);
            }
        }
    }
    free(manual);
}

/* Returns the first parameter of that name, of any analysis. */
static const struct parameter *find_parameter(const char *name) {
    for (size_t i = 0; analyses[i] != NULL; i++) {
        for (size_t j = 0; j < ANALYSIS_PARAMETERS && analyses[i]->parameters[j].name != NULL;
             j++) {
            if (strcmp(analyses[i]->parameters[j].name, name) == 0) {
                return &analyses[i]->parameters[j];
            }
        }
    }
    return NULL;
}

static void assert_parameters(const struct analysis *analysis) {
    for (size_t i = 0; i < ANALYSIS_PARAMETERS && analysis->parameters[i].name != NULL; i++) {
        const struct parameter *parameter = &analysis->parameters[i];
        const struct parameter *first = find_parameter(parameter->name);

        ck_assert_ptr_nonnull(parameter->help);
        ck_assert((parameter->argument == NULL) == (parameter->type == PARAMETER_FLAG));
        ck_assert((parameter->fits == NULL) == (parameter->what == NULL));
        ck_assert(parameter->type != PARAMETER_NUMBER ||
                  (parameter->least >= 1 && parameter->least <= parameter->most));
        /* Parameters of one name are one option. */
        ck_assert_ptr_nonnull(first);
        ck_assert_int_eq(first->type, parameter->type);
        ck_assert_str_eq(first->help, parameter->help);
        ck_assert(first->least == parameter->least && first->most == parameter->most &&
                  first->otherwise == parameter->otherwise);
    }
}

/* Each row has the functions that its pass needs. */
UNIT_TEST(rows_are_whole) {
    for (size_t i = 0; analyses[i] != NULL; i++) {
        const struct analysis *analysis = analyses[i];

        ck_assert_ptr_eq(analysis_find(analysis->name), analysis);
        ck_assert_ptr_nonnull(analysis->tables[0].name);
        ck_assert_uint_gt(analysis->state_size, 0);
        ck_assert((analysis->visit != NULL) ==
                  (analysis->pass == PASS_ANY_ORDER || analysis->pass == PASS_IN_ORDER ||
                   analysis->pass == PASS_ALL_ACTIONS));
        ck_assert((analysis->calls != NULL) == (analysis->pass == PASS_CALLS));
        ck_assert((analysis->merge != NULL) == (analysis->pass == PASS_ANY_ORDER));
        ck_assert((analysis->rollup != NULL) ==
                  (analysis->rollup_rows != NULL || analysis->take != NULL));
        ck_assert((analysis->rollup_title != NULL) == (analysis->rollup_rows != NULL));
        assert_parameters(analysis);
    }
    ck_assert_ptr_null(analysis_find("nosuch"));
}

static const struct {
    const char *name, *given;
    int64_t number;
    const char *message; /* NULL: valid */
} values[] = {
    {"length", NULL, 2, NULL},
    {"length", "8", 8, NULL},
    {"length", "9", 0, "--length must be from 2 to 8"},
    {"length", "1", 0, "--length must be from 2 to 8"},
    {"data-only", "", 0, NULL},
    {"resolution", "class", 0, NULL},
    {"resolution", "file", 0,
     "--resolution must be one of process thread class method loop, not 'file'"},
    {"within", "anything", 0, NULL},
    {"min-time", "0.01s", 10000000, NULL},
    {"min-time", "x", 0, "--min-time needs a time"},
    {"min-time", "2001-03-05T10:00:00", 0, "--min-time needs a duration of calls"},
};

UNIT_LOOP(parameters_are_read, COUNT(values)) {
    struct parameter_value value;
    bool good = parameter_read(find_parameter(values[_i].name), values[_i].given, &value, &error);

    ck_assert(good == (values[_i].message == NULL));
    if (good) {
        ck_assert_int_eq(value.number, values[_i].number);
        ck_assert(value.given == (values[_i].given != NULL));
    } else {
        assert_message(&error, values[_i].message);
        ck_assert_int_eq(error.status, EXIT_USAGE);
    }
}
