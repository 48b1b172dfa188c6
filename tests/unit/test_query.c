/* report/query: the headers of query files. */
#include "report/prepare.h"
#include "report/query_set.h"
#include "select/temp_schema.h"
#include "unit.h"

UNIT_CASE("query", folder_make, folder_remove);

static void say(struct text *out, const char *what, const char *value) {
    if (value != NULL && value[0] != '\0') {
        text_append_format(out, "%s<%s> ", what, value);
    }
}

/* Says all that a header gives. */
static void describe(const struct query *query, struct text *out) {
    text_append_format(out, "%s %s kinds %x %s%s", query->file, query->report, query->kinds,
                       query->reads_events ? "events " : "", query->all_actions ? "actions " : "");
    say(out, "", query->title);
    say(out, "question ", query->question);
    say(out, "when ", query->when_option);
    say(out, query->by_default ? "by default " : "= ", query->when_value);
    say(out, "options ", query->options);
    say(out, "plot ", query->plot);
    say(out, "other ", query->other_plot.plot);
    say(out, "if ", query->other_plot.option);
    say(out, "is ", query->other_plot.values);
    for (size_t i = 0; i < query->wanted_count; i++) {
        say(out, query->wanted[i].filtered_only ? "tally? " : "tally ",
            query->wanted[i].analysis->name);
    }
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        text_append_format(out, "\n%s %d %d ", column->column.name, (int)column->column.kind,
                           (int)column->worth);
        say(out, "", column->column.unit);
        say(out, column->unless ? "unless " : "if ", column->condition);
        say(out, "", column->meaning);
    }
    for (size_t i = 0; i < query->parameter_count; i++) {
        text_append_format(out, "\n--%s %s ", query->parameters[i].row.name,
                           query->parameters[i].row.help);
        say(out, "", query->parameters[i].otherwise);
    }
    text_append_format(out, "\n%s", query->sql);
    for (size_t i = 0; i < query->remark_count; i++) {
        text_append_format(out, "remark %d %s", (int)query->remarks[i].class,
                           query->remarks[i].sql);
    }
}

/* The numbers are those of enum trace_kind (as bits), column_kind, worth and remark_class. */
static const struct {
    const char *text, *said;
} headers[] = {
    {"-- report: first\n-- title: First of all\n-- kinds: calls io\n-- when: of = application\n"
     "-- options: of mark\n-- tally: operation size? object?\n-- tally: size\n-- events: yes\n"
     "-- actions: all\n-- plot: other\n-- plot: shares if share  row column\n"
     "-- column: rank integer\n-- column: share share fraction\n-- column: mark text if mark\n"
     "-- column: gap duration ns if gap\n--\n-- Any other comment.\nSELECT 1,\n    2;\n"
     "-- remark\nSELECT 'one';\n-- remark loss\nSELECT 'two';\n",
     "f first kinds 3 events actions <First of all> when <of> = <application> options <of mark> "
     "plot <other> other <shares> if <share> is <row column> "
     "tally <operation> tally <size> tally? <object> "
     "\nrank 3 0 \nshare 6 0 <fraction> \nmark 1 0 if <mark> \ngap 8 0 <ns> if <gap> "
     "\nSELECT 1,\n    2;\nremark 0 SELECT 'one';\nremark 1 SELECT 'two';\n"},
    /* The plot defaults to the report's name. */
    {"-- report: r\n-- kinds: spans\n-- column: a any\nSELECT 1",
     "f r kinds 4 plot <r> \na 0 0 \nSELECT 1"},
    {"-- report: r\n-- kinds: io\n-- when: timeline\n-- column: a any\nSELECT 1",
     "f r kinds 2 when <timeline> plot <r> \na 0 0 \nSELECT 1"},
    {"-- report: r\n-- kinds: io\n-- when: of = x by default\n-- column: a any\nSELECT 1",
     "f r kinds 2 when <of> by default <x> plot <r> \na 0 0 \nSELECT 1"},
    /* All of NAME TYPE UNIT WORTH MEANING. */
    {"-- report: r\n-- kinds: io\n-- question: How long?\n-- column: count int - - how many\n"
     "-- column: p99 duration ns unless cdf less 99 % are no longer\n"
     "-- column: rate real 1/s more\n-- say: first\n-- say: second\n-- weight: 3\nSELECT 1",
     "f r kinds 2 question <How long?> plot <r> \ncount 3 0 <how many> "
     "\np99 8 2 <ns> unless <cdf> <99 % are no longer> \nrate 5 1 <1/s> \nSELECT 1"},
    {"-- report: r\n-- kinds: io\n-- column: a any\n"
     "-- parameter: limit-2 integer -5 \"how many\"\n"
     "-- parameter: word text \"two words\" \"\"  \n"
     "-- parameter: least duration none \"as long\"\n"
     "-- parameter: literal text \"none\" \"h\"\nSELECT 1",
     "f r kinds 2 plot <r> \na 0 0 \n--limit-2 how many <-5> \n--word  <two words> "
     "\n--least as long \n--literal h <none> \nSELECT 1"},
};

UNIT_LOOP(headers_are_read, COUNT(headers)) {
    struct query query;
    struct text said = {0};

    assert_done(query_parse(&query, "f", headers[_i].text, NULL, NULL, &error));
    describe(&query, &said);
    ck_assert_str_eq(text_string(&said), headers[_i].said);
    ck_assert_ptr_null(query_parameter(&query, "nosuch"));
    for (size_t i = 0; i < query.parameter_count; i++) {
        ck_assert_ptr_eq(query_parameter(&query, query.parameters[i].row.name),
                         &query.parameters[i]);
    }
    query_free(&query);
    text_free(&said);
}

/* The text of defining remarks, if it is the same for all traces. */
UNIT_TEST(definitions) {
    static const struct {
        const char *sql, *text; /* NULL: none */
        enum remark_class class;
    } cases[] = {
        {"SELECT 'a''s';\n", "a's", REMARK_DEFINITION},
        {"-- why\nSELECT 'a' ||\n 'b' WHERE 1;\n", "ab", REMARK_DEFINITION},
        {"SELECT 'a ' || printf('%d', 1);\n", NULL, REMARK_DEFINITION},
        {"SELECT text FROM t;\n", NULL, REMARK_DEFINITION},
        {"SELECT 'a'", "a", REMARK_DEFINITION},
        {"", NULL, REMARK_DEFINITION},
        {"SELECT 'a';\n", NULL, REMARK_LOSS},
    };
    struct text text = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct query_remark remark = {cases[i].sql, cases[i].class};

        ck_assert_int_eq(query_append_definition(&remark, &text), cases[i].text != NULL);
        ck_assert(cases[i].text == NULL || strcmp(text_string(&text), cases[i].text) == 0);
    }
    text_free(&text);
}

#define GOOD "-- report: r\n-- kinds: io\n-- column: a any\n"

/* All built-in queries are valid, and a user's file of the same name replaces one. */
UNIT_TEST(sets) {
    struct query_set own, all;
    size_t replaced = 0;

    assert_done(query_set_load(&own, NULL, &error));
    ck_assert_uint_ge(own.count, 10);
    for (size_t i = 1; i < own.count; i++) {
        ck_assert_int_le(strcmp(own.queries[i - 1].report, own.queries[i].report), 0);
    }
    folder_write("iosize.sql", GOOD "SELECT 1", strlen(GOOD "SELECT 1"));
    folder_write("mine.sql", GOOD "SELECT 2", strlen(GOOD "SELECT 2"));
    folder_write("r.gp", "plot $data\n", 11);
    folder_write("ignored.txt", "x", 1);
    assert_done(query_set_load(&all, folder_path("."), &error));
    assert_done(query_set_attach_plots(&all, "r", &error));
    ck_assert_uint_eq(all.count, own.count + 1);
    for (size_t i = 0; i < all.count; i++) {
        replaced += strcmp(all.queries[i].report, "iosize") == 0;
        if (strcmp(all.queries[i].report, "r") == 0) {
            ck_assert_str_eq(all.queries[i].plot_text, "plot $data\n");
        }
    }
    ck_assert_uint_eq(replaced, 0);
    query_set_free(&own);
    query_set_free(&all);
    ck_assert(!query_set_load(&all, folder_path("nosuch"), &error));
}

/* Checks that `some` has all files of `all` for reports with the prefix `typed`, and no others. */
static void check_typed(const struct query_set *all, const struct query_set *some,
                        const char *typed) {
    size_t at = 0;

    for (size_t i = 0; i < all->count; i++) {
        if (strncmp(all->queries[i].report, typed, strlen(typed)) == 0) {
            ck_assert_uint_lt(at, some->count);
            ck_assert_str_eq(some->queries[at++].file, all->queries[i].file);
        }
    }
    ck_assert_uint_eq(at, some->count);
}

/* A typed report loads only its files; an unknown prefix, and a user's own files, load all. */
UNIT_TEST(what_is_typed_is_loaded) {
    struct query_set all, some;
    char typed[128];

    assert_done(query_set_load(&all, NULL, &error));
    for (size_t i = 0; i < all.count; i += query_set_count_of_report(&all, i)) {
        ck_assert(query_set_load_typed(&some, NULL, all.queries[i].report, &error));
        check_typed(&all, &some, all.queries[i].report);
        query_set_free(&some);
    }
    ck_assert(query_set_load_typed(&some, NULL, "cal", &error));
    check_typed(&all, &some, "cal");
    query_set_free(&some);
    snprintf(typed, sizeof typed, "%s\n-- title", all.queries[0].report);
    ck_assert(query_set_load_typed(&some, NULL, typed, &error));
    check_typed(&all, &some, "");
    query_set_free(&some);
    ck_assert(query_set_load_typed(&some, folder_path("."), "rw", &error));
    check_typed(&all, &some, "");
    query_set_free(&some);
    query_set_free(&all);
}

/* --- includes ------------------------------------------------------------------------------ */

static void write_string(const char *name, const char *string) {
    folder_write(name, string, strlen(string));
}

/* Returns the query of report `r` among those of the directory and the built-in ones. */
static const struct query *find_own(const struct query_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->queries[i].report, "r") == 0) {
            return &set->queries[i];
        }
    }
    ck_abort_msg("the query is not in the set");
    return NULL;
}

static void assert_place(const struct query *query, const char *part, const char *place) {
    struct text text = {0};

    ck_assert_ptr_nonnull(strstr(query->sql, part));
    query_append_place(query, strstr(query->sql, part), &text);
    ck_assert_str_eq(text_string(&text), place);
    text_free(&text);
}

/* In the header and after it, nested, the user's own before built-in ones; errors name the file of
 * each line. */
UNIT_TEST(includes_are_put_in) {
    struct query_set set;
    const struct query *query;

    folder_run("mkdir include");
    write_string("include/head.sql", "-- column: a any\n-- include: class-columns\n");
    write_string("include/body.sql", "two,\n    -- include: inner\nfour");
    write_string("include/inner.sql", "three,\n");
    write_string("include/last.gp", "plot $data\n");
    write_string("r.gp", "# include: common\n # include: last\n");
    write_string("r.sql", "-- report: r\n-- kinds: io\n-- include: head\n"
                          "SELECT one,\n-- include: body\nFROM five\n-- remark\nSELECT six");
    assert_done(query_set_load(&set, folder_path("."), &error));
    assert_done(query_set_attach_plots(&set, "r", &error));
    query = find_own(&set);
    ck_assert_uint_eq(query->column_count, 8);
    ck_assert_str_eq(query->columns[7].column.name, "total");
    ck_assert_str_eq(query->sql, "SELECT one,\ntwo,\nthree,\nfour\nFROM five\n");
    ck_assert_str_eq(query->remarks[0].sql, "SELECT six");
    assert_place(query, "SELECT", "r.sql:4");
    assert_place(query, "two", "r.sql: include/body.sql:1");
    assert_place(query, "three", "r.sql: include/inner.sql:1");
    assert_place(query, "four", "r.sql: include/body.sql:3");
    assert_place(query, "FROM", "r.sql:6");
    assert_place(query, "five", "r.sql:6");
    ck_assert_ptr_nonnull(strstr(query->plot_text, "shorten(name, n) = "));
    ck_assert_ptr_nonnull(strstr(query->plot_text, "\nplot $data\n"));
    ck_assert_ptr_null(strstr(query->plot_text, "include:"));
    query_set_free(&set);
}

/* Built-in files include built-in files, whatever the user's directory contains. */
UNIT_TEST(own_files_include_own_files) {
    struct query_set set;

    folder_run("mkdir include && echo broken | tee include/class-columns.sql >include/common.gp");
    assert_done(query_set_load(&set, folder_path("."), &error));
    assert_done(query_set_attach_plots(&set, NULL, &error));
    for (size_t i = 0; i < set.count; i++) {
        ck_assert_ptr_null(strstr(set.queries[i].source.text.bytes, "broken"));
        ck_assert(set.queries[i].plot_text == NULL ||
                  strstr(set.queries[i].plot_text, "broken") == NULL);
    }
    query_set_free(&set);
}

/* Checks the meaning of a column of a built-in report. */
static void check_meaning(const struct query_set *set, const char *file, const char *column,
                          const char *wanted) {
    for (size_t i = 0; i < set->count; i++) {
        const struct query *query = &set->queries[i];

        for (size_t j = 0; strcmp(query->name, file) == 0 && j < query->column_count; j++) {
            if (strcmp(query->columns[j].column.name, column) == 0) {
                ck_assert_str_eq(query->columns[j].meaning, wanted);
                return;
            }
        }
    }
    ck_abort_msg("%s has no column %s", file, column);
}

/* Each column of built-in reports has a meaning, for pages; those of user files have what these
 * define.
 */
UNIT_TEST(columns_have_a_meaning) {
    struct query_set set;
    struct query query;

    assert_done(query_set_load(&set, NULL, &error));
    for (size_t i = 0; i < set.count; i++) {
        for (size_t j = 0; j < set.queries[i].column_count; j++) {
            const struct query_column *column = &set.queries[i].columns[j];

            ck_assert_msg(query_column_is_hidden(column) || column->meaning != NULL,
                          "%s: column %s", set.queries[i].file, column->column.name);
        }
    }
    check_meaning(&set, "loggable-parameters.sql", "parameters", "number of parameters");
    check_meaning(&set, "filetype-partition.sql", "share", "share of the partition");
    check_meaning(&set, "filetype-partition-share.sql", "bytes_share",
                  "share of all bytes of the partition");
    check_meaning(&set, "process-partition.sql", "share", "share of the partition");
    check_meaning(&set, "filetype-process.sql", "share", "share of the process");
    check_meaning(&set, "filetype.sql", "share", "share of all");
    check_meaning(&set, "rewrites-io.sql", "share",
                  "share of all references; for updates, of all writes");
    check_meaning(&set, "usage.sql", "memory_extra",
                  "memory above that of the reference, as a share of the reference");
    check_meaning(&set, "seeks.sql", "still",
                  "I/Os at distance 0: they begin or end in the previous I/O, or adjoin it");
    query_set_free(&set);
    assert_done(
        query_parse(&query, "own.sql",
                    "-- report: r\n-- kinds: io\n-- column: count integer\n"
                    "-- column: max integer\n-- meaning: count  of all that\nSELECT 1, 2;\n",
                    NULL, NULL, &error));
    ck_assert_str_eq(query.columns[0].meaning, "of all that");
    ck_assert_ptr_null(query.columns[1].meaning);
    query_free(&query);
    ck_assert(!query_parse(&query, "own.sql",
                           "-- report: r\n-- kinds: io\n-- column: count integer\n"
                           "-- meaning: none of all that\nSELECT 1;\n",
                           NULL, NULL, &error));
    assert_message(&error, "own.sql: 'meaning' names an unknown column");
}

/* A LIMIT without effect is not passed to SQLite; one with effect, or not in the last line, is. A
 * query's own parameter has a value, even without a limit of rows. */
UNIT_TEST(limits_without_rows_are_left_out) {
    static const struct query plain = {0},
                              own = {.parameters = {{.row.name = "rows"}}, .parameter_count = 1};
    static const struct {
        const char *sql;
        int64_t top;
        const struct query *query;
        bool left_out;
    } cases[] = {
        {"SELECT 1\nLIMIT ifnull(:top, -1);\n", 0, &plain, true},
        {"SELECT 1\nLIMIT ifnull(:rows, -1)", 0, &plain, true},
        {"SELECT 1\nLIMIT ifnull(:top, -1);\n", 3, &plain, false},
        {"SELECT 1\nLIMIT ifnull(:rows, -1)", 3, &plain, false},
        {"SELECT 1\nLIMIT ifnull(:top, 10)", 0, &plain, false},
        {"SELECT 1\nLIMIT ifnull(:top, -1)\nOFFSET 1", 0, &plain, false},
        {"SELECT 1\nLIMIT ifnull(:rows, -1)", 0, &own, false},
        {"SELECT 1\nLIMIT ifnull(:top, -1)", 0, &own, true},
    };
    struct database database = folder_database();
    struct temp_schema temp = {.database = &database};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct report_request request = {.top = cases[i].top};
        const struct binding binding = {.query = cases[i].query, .request = &request};
        sqlite3_stmt *statement = prepare_statement(&temp, &binding, cases[i].sql, &error);

        ck_assert_msg(statement != NULL, "%s", error.message);
        ck_assert_msg((strcmp(sqlite3_sql(statement), "SELECT 1") == 0) == cases[i].left_out, "%s",
                      cases[i].sql);
        sqlite3_finalize(statement);
    }
    temp_schema_free(&temp);
    database_close(&database);
}
