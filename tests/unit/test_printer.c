/* The printer: every style, with harmless and with hostile values. */
#include <errno.h>
#include <math.h>
#include <sys/wait.h>

#include "output/printer.h"
#include "unit.h"

/* ---- helpers ---- */

#define NOTHING                                                                                    \
    { .type = VALUE_NULL }
#define INTEGER(number)                                                                            \
    { .type = VALUE_INTEGER, .integer = (number) }
#define REAL(number)                                                                               \
    { .type = VALUE_REAL, .real = (number) }
#define TEXT(string)                                                                               \
    { .type = VALUE_TEXT, .bytes = (string), .length = sizeof(string) - 1 }

/* Contents that a test prints: the same rows for each of `results`. */
struct sheet {
    const char *style;
    struct printer_options options;
    const struct result *results;
    size_t result_count;
    const struct value *rows;
    size_t row_count;
};

static void print_sheet(const struct sheet *sheet, struct printer *printer) {
    for (size_t i = 0; i < sheet->result_count; i++) {
        const struct result *result = &sheet->results[i];

        ck_assert(printer_begin(printer, result, &error));
        for (size_t row = 0; row < sheet->row_count; row++) {
            ck_assert(printer_row(printer, sheet->rows + row * result->column_count, &error));
        }
        ck_assert(printer_end(printer, &error));
    }
}

/* Returns the output; to be freed. */
static char *printed(const struct sheet *sheet) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    struct printer *printer = printer_open(printer_style_find(sheet->style), file, &sheet->options);

    ck_assert_ptr_nonnull(printer);
    print_sheet(sheet, printer);
    ck_assert(printer_close(printer, true, &error));
    ck_assert_int_eq(error.status, EXIT_DONE);
    fclose(file);
    return bytes;
}

static void check_sheet(const struct sheet *sheet, const char *expected) {
    char *got = printed(sheet);

    ck_assert_str_eq(got, expected);
    free(got);
}

static void check_holds(const struct sheet *sheet, const char *part) {
    char *got = printed(sheet);

    ck_assert_msg(strstr(got, part) != NULL, "%s is not in: %s", part, got);
    free(got);
}

/* ---- contents ---- */

static const struct column columns[] = {
    {"name", "", COLUMN_TEXT},           {"count", "", COLUMN_INTEGER},
    {"share", "fraction", COLUMN_SHARE}, {"total", "ns", COLUMN_DURATION},
    {"start", "s", COLUMN_TIME},
};

static const struct value rows[] = {
    TEXT("Evt"), INTEGER(7),  REAL(0.1234), INTEGER(1500000), INTEGER(1500000000),
    NOTHING,     NOTHING,     NOTHING,      NOTHING,          NOTHING,
    TEXT("Dm"),  INTEGER(-1), INTEGER(1),   REAL(999.5),      INTEGER(INT64_MIN),
};

static const struct result_trace traces[] = {
    {.name = "palm-1",
     .format = "palmist",
     .events = 10,
     .merged = 1,
     .ignored = 2,
     .rejected = 3,
     .device = "palm"},
    {.name = "a\tb\n\x1b[31m", .format = "most", .events = 4},
};

static const char *const remarks[] = {"writes per read: 1.50", "- \033]0;x\007 <b>"};

static const struct result plain = {
    .report = "popularity",
    .title = "Popularity",
    .clock_unit = "ns",
    .traces = traces,
    .trace_count = 1,
    .columns = columns,
    .column_count = COUNT(columns),
};

static const struct result full = {
    .report = "popularity",
    .title = "Popularity",
    .clock_unit = "counter units",
    .traces = traces,
    .trace_count = COUNT(traces),
    .remarks = remarks,
    .remark_count = COUNT(remarks),
    .columns = columns,
    .column_count = COUNT(columns),
};

static struct sheet sheet_of(const char *style, const struct result *result) {
    return (struct sheet){style, {0}, result, 1, rows, 3};
}

/* One text column, one row, no trace. */
static const struct column text_column[] = {{"name", "", COLUMN_TEXT}};
static const struct result text_result = {
    .report = "sql",
    .title = "",
    .clock_unit = "ns",
    .columns = text_column,
    .column_count = 1,
    .plot = "plot $data using 0:0:1 with labels",
};

static struct sheet text_sheet(const char *style, const struct value *value) {
    return (struct sheet){style, {0}, &text_result, 1, value, 1};
}

/* C0, DEL, C1, invalid UTF-8, characters special to csv, json, md and the shell, and é. */
static const struct value nasty[] = {
    TEXT("#a\tb\nc\\d\x01\x7f\xc2\x85\xff\xe9 \"`,|<&*_\xc3\xa9\0z"),
};

/* ---- the ledger of many traces ---- */

enum { MANY = PRINTER_LEDGER_LINES + 1 };

/* Alternating devices d0 to d6, and one trace without; events 0, 1, 2, … */
static void check_many(size_t count, const char *first_line) {
    struct result_trace many[MANY];
    struct result result = {.traces = many, .trace_count = count};
    struct text out = {0};
    char devices[7][4];

    for (size_t i = 0; i < MANY; i++) {
        snprintf(devices[i % 7], sizeof devices[0], "d%zu", i % 7);
        many[i] = (struct result_trace){.name = "t",
                                        .format = "most",
                                        .events = (int64_t)i,
                                        .rejected = i == 3   ? 5
                                                    : i == 4 ? 7
                                                             : 0,
                                        .lost = i == 3 ? 1 : 0,
                                        .device = i == 50 ? "" : devices[i % 7]};
    }
    printer_append_remarks(&out, &result, "# ");
    ck_assert_msg(strncmp(text_string(&out), first_line, strlen(first_line)) == 0, "%s",
                  text_string(&out));
    ck_assert_uint_eq(printer_trace_line_count(&result), count == MANY ? 1 : count);
    ck_assert_uint_eq(printer_trace_line_has_rejects(&result, 0), count == MANY);
    text_free(&out);
}

UNIT_TEST(many_traces_have_one_line) {
    check_many(MANY - 1, "# trace t: most, 0 events, 0 rejected\n# trace t: most, 1 event");
    check_many(MANY, "# 101 traces of 7 devices, 5050 events, 12 rejected in 2 traces"
                     " (list --rejected), 1 lost in 1 trace\n");
}

/* ---- formats of values ---- */

static void check_human(struct value value, enum column_kind kind, const char *expected) {
    struct column column = {"x", "", kind};
    struct text out = {0};

    printer_append_human(&out, &value, &column, "ns");
    ck_assert_str_eq(text_string(&out), expected);
    text_free(&out);
}

static void check_machine(struct value value, enum column_kind kind, const char *expected) {
    struct column column = {"x", "", kind};
    struct text out = {0};

    printer_append_machine(&out, &value, &column);
    ck_assert_str_eq(text_string(&out), expected);
    text_free(&out);
}

UNIT_TEST(own_kind_of_a_value) {
    struct value value = INTEGER(1500000000);

    value.kind = COLUMN_TIME;
    check_machine(value, COLUMN_ANY, "1.500000000");
    value.kind = COLUMN_DURATION;
    check_human(value, COLUMN_ANY, "1.50 s");
    check_machine((struct value)REAL(NAN), COLUMN_DURATION, "NaN");
}

UNIT_TEST(names_find_styles) {
    char *names = strdup(printer_style_names());
    size_t count = 0;

    for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " ")) {
        const struct printer_style *style = printer_style_find(name);

        ck_assert_ptr_nonnull(style);
        ck_assert_str_eq(style->name, name);
        count++;
    }
    ck_assert_uint_eq(count, 10);
    ck_assert_ptr_null(printer_style_find(""));
    free(names);
}

/* ---- tsv and csv ---- */

UNIT_TEST(tsv_full) {
    struct sheet sheet = sheet_of("tsv", &full);

    sheet.row_count = 0;
    check_sheet(&sheet, "# trace palm-1: palmist, 10 events, 3 rejected\n"
                        "# trace a\\tb\\n\\x1b[31m: most, 4 events, 0 rejected\n"
                        "# writes per read: 1.50\n"
                        "# - \\x1b]0;x\\x07 <b>\n"
                        "# durations are in counter units\n"
                        "# units: share fraction, total counter units, start s\n"
                        "# name\tcount\tshare\ttotal\tstart\n");
}

/* ---- json ---- */

UNIT_TEST(json_full) {
    struct sheet sheet = sheet_of("json", &full);

    check_sheet(&sheet,
                "{\"report\":\"popularity\",\n\"title\":\"Popularity\",\n"
                "\"traces\":[\"palm-1\",\"a\\tb\\n\\u001b[31m\"],\n"
                "\"ledger\":[{\"trace\":\"palm-1\",\"format\":\"palmist\",\"events\":10,"
                "\"merged\":1,\"ignored\":2,\"rejected\":3},"
                "{\"trace\":\"a\\tb\\n\\u001b[31m\",\"format\":\"most\",\"events\":4,"
                "\"merged\":0,\"ignored\":0,\"rejected\":0}],\n"
                "\"remarks\":[\"writes per read: 1.50\",\"- \\u001b]0;x\\u0007 <b>\"],\n"
                "\"columns\":[{\"name\":\"name\",\"unit\":\"\"},{\"name\":\"count\",\"unit\":\"\"},"
                "{\"name\":\"share\",\"unit\":\"fraction\"},"
                "{\"name\":\"total\",\"unit\":\"counter units\"},"
                "{\"name\":\"start\",\"unit\":\"s\"}],\n"
                "\"rows\":[\n[\"Evt\",7,0.123400,1500000,1.500000000],\n"
                "[null,null,null,null,null],\n"
                "[\"Dm\",-1,1.000000,1000,-9223372036.854775808]]}\n");
}

UNIT_TEST(json_array) {
    struct result results[] = {text_result, text_result};
    struct sheet sheet = {"json", {.many = true}, results, 0, nasty, 1};
    const char *object = "{\"report\":\"sql\",\n\"title\":\"\",\n\"traces\":[],\n\"ledger\":[],\n"
                         "\"remarks\":[],\n\"columns\":[{\"name\":\"name\",\"unit\":\"\"}],\n"
                         "\"rows\":[\n[\"#a\\tb\\nc\\\\d\\u0001\\u007f\\u0085\\\\xff\\\\xe9 "
                         "\\\"`,|<&*_\xc3\xa9\\u0000z\"]]}";
    struct text expected = {0};

    check_sheet(&sheet, "[]\n");
    sheet.result_count = 1;
    text_append_format(&expected, "[%s]\n", object);
    check_sheet(&sheet, text_string(&expected));
    sheet.result_count = 2;
    text_clear(&expected);
    text_append_format(&expected, "[%s,\n%s]\n", object, object);
    check_sheet(&sheet, text_string(&expected));
    text_free(&expected);
}

/* ---- several results for machines ---- */

UNIT_TEST(machines_are_told_the_part) {
    struct result results[] = {text_result, text_result, text_result};
    struct value value[] = {TEXT("x")};
    struct sheet sheet = {"csv", {.many = true}, results, 3, value, 1};

    results[0].part_name = results[1].part_name = "user";
    results[0].part = "a,\n";
    /* The third is another table: over all users. */
    check_sheet(&sheet, "name,user\nx,\"a,\\n\"\nx,\n\nname\nx\n");
    results[2].part_name = "user";
    results[2].part = "";
    check_sheet(&sheet, "name,user\nx,\"a,\\n\"\nx,\nx,\"\"\n");
    results[2].part_name = "device";
    check_sheet(&sheet, "name,user\nx,\"a,\\n\"\nx,\n\nname,device\nx,\"\"\n");
    sheet.result_count = 2;
    sheet.style = "tsv";
    check_sheet(&sheet, "# name\tuser\nx\ta,\\n\n\n\n# name\tuser\nx\t\n");
    sheet.style = "jsonl";
    check_sheet(&sheet, "{\"name\":\"x\",\"user\":\"a,\\n\"}\n{\"name\":\"x\",\"user\":null}\n");
    sheet.style = "json";
    check_holds(&sheet, "{\"name\":\"user\",\"unit\":\"\"}],\n\"rows\":[\n[\"x\",\"a,\\n\"]]}");
    sheet.style = "table";
    check_sheet(&sheet, "name\nx\n\nname\nx\n");
}

UNIT_TEST(machines_are_told_units_of_rows) {
    static const struct column any[] = {{"attribute", "", COLUMN_TEXT}, {"value", "", COLUMN_ANY}};
    struct value values[] = {TEXT("a"), INTEGER(1), TEXT("b"), REAL(1.5),
                             TEXT("c"), REAL(0.5),  TEXT("d"), NOTHING};
    struct result result = text_result;
    struct sheet sheet = {"tsv", {0}, &result, 1, values, 4};

    result.columns = any;
    result.column_count = 2;
    result.row_units = true;
    values[1].kind = COLUMN_DURATION;
    values[3].kind = COLUMN_REAL;
    values[3].unit = "bytes";
    values[5].kind = COLUMN_SHARE;
    check_sheet(&sheet, "# units: a ns, b bytes, c fraction\n# attribute\tvalue\na\t1\n"
                        "b\t1.500000\nc\t0.500000\nd\t\n");
    result.part_name = result.part = "trace";
    check_sheet(&sheet, "# units: a ns, b bytes, c fraction\n# attribute\tvalue\ttrace\n"
                        "a\t1\ttrace\nb\t1.500000\ttrace\nc\t0.500000\ttrace\nd\t\ttrace\n");
    sheet.row_count = 0;
    check_sheet(&sheet, "# attribute\tvalue\ttrace\n");
    sheet.row_count = 4;
    result.part_name = NULL;
    sheet.style = "table";
    check_sheet(&sheet, "attribute  value\na           1 ns\nb          1.5 B\n"
                        "c         50.0 %\nd         \n");
}

/* ---- table ---- */

UNIT_TEST(table_color) {
    struct value value[] = {TEXT("x")};
    struct sheet sheet = text_sheet("table", value);

    sheet.options.color = true;
    check_holds(&sheet, "\033[1mname");
    sheet.row_count = 0;
    check_sheet(&sheet, "\033[1mname\033[0m\n# no rows\n");
}

/* Returns the number of visible columns; text is ASCII here. */
static size_t longest_line(const char *text) {
    size_t longest = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        longest = length > longest ? length : longest;
        text += length + (text[length] == '\n');
    }
    return longest;
}

UNIT_TEST(table_is_cut) {
    static const struct column two[] = {{"name", "", COLUMN_TEXT}, {"count", "", COLUMN_INTEGER}};
    struct result result = text_result;
    struct sheet sheet = {"table", {.width = 30}, &result, 1, NULL, 2500};
    struct value *many = calloc(2 * sheet.row_count, sizeof *many);
    char *got;

    result.columns = two;
    result.column_count = 2;
    for (size_t i = 0; i < sheet.row_count; i++) {
        many[2 * i] = (struct value)TEXT("a name that is longer than the terminal is wide");
        many[2 * i + 1] = (struct value)INTEGER((int64_t)i);
    }
    /* The first name is short: the others must not widen the column chunk by chunk. */
    sheet.rows = many;
    got = printed(&sheet);
    ck_assert_uint_le(longest_line(got), 30);
    ck_assert_ptr_nonnull(strstr(got, " 2,499\nthan the terminal is"));
    ck_assert_ptr_null(strstr(strstr(got, "name") + 1, "name  "));
    free(got);
    free(many);
}

/* Below the rows losses come first, and definitions only on request; forms for machines print all
 * of them first, in their order. */
UNIT_TEST(table_sorts_remarks) {
    static const char *const said[] = {"a word: what it means", "a figure: 3", "excluded: 2",
                                       "lost: 1"};
    static const enum remark_class classes[] = {REMARK_DEFINITION, REMARK_PLAIN, REMARK_EXCLUDED,
                                                REMARK_LOSS};
    static const struct column one[] = {{"depth", "", COLUMN_INTEGER}, {"name", "", COLUMN_TEXT}};
    const struct result result = {.report = "x",
                                  .title = "",
                                  .clock_unit = "ns",
                                  .remarks = said,
                                  .remark_classes = classes,
                                  .remark_count = COUNT(said),
                                  .sorted_below = true,
                                  .columns = one,
                                  .column_count = COUNT(one)};
    struct value values[] = {INTEGER(0), TEXT("f")};
    struct sheet sheet = {"table", {0}, &result, 1, values, 1};

    check_sheet(&sheet, "depth name\n    0 f\n# lost: 1\n# excluded: 2\n# a figure: 3\n");
    sheet.options.definitions = true;
    check_sheet(&sheet, "depth name\n    0 f\n# lost: 1\n# excluded: 2\n# a figure: 3\n"
                        "# a word: what it means\n");
    sheet.style = "tsv";
    check_sheet(&sheet, "# a word: what it means\n# a figure: 3\n# excluded: 2\n# lost: 1\n"
                        "# depth\tname\n0\tf\n");
}

UNIT_TEST(table_leaves_out) {
    struct result result = plain;
    struct sheet sheet = sheet_of("table", &result);

    sheet.row_count = 1;
    result.trace_count = 0;
    sheet.options.width = 24;
    check_sheet(&sheet, "name count  share\nEvt      7 12.3 %\n"
                        "# left out: total,\n#   start; -l or\n#   --format tsv shows\n#   all\n");
    /* A narrow view has its own order. */
    sheet.options.width = 80;
    result.brief = "count name";
    check_sheet(&sheet, "count name\n    7 Evt\n"
                        "# left out: share, total, start; -l or --format tsv shows all\n");
    sheet.row_count = 0;
    check_sheet(&sheet, "count name\n# no rows\n"
                        "# left out: share, total, start; -l or --format tsv shows all\n");
    /* Without a terminal, or with -l, everything is shown. */
    sheet.options.width = 0;
    check_sheet(&sheet, "name count share total start\n# no rows\n");
}

static const struct column tree_columns[] = {{"depth", "", COLUMN_INTEGER},
                                             {"name", "", COLUMN_TEXT}};

static struct result tree_result(void) {
    struct result result = text_result;

    result.columns = tree_columns;
    result.column_count = COUNT(tree_columns);
    result.indented = "name";
    return result;
}

UNIT_TEST(table_draws_trees) {
    struct value values[] = {
        INTEGER(0), TEXT("a"), INTEGER(1),         TEXT("b.cccccccc"), INTEGER(2),  TEXT("d"),
        INTEGER(2), TEXT("e"), INTEGER(1),         TEXT("f"),          INTEGER(3),  TEXT("g"),
        INTEGER(0), TEXT("h"), INTEGER(INT64_MAX), TEXT("i"),          INTEGER(-1), TEXT("j"),
    };
    struct result result = tree_result();
    struct sheet sheet = {"table", {.width = 11}, &result, 1, values, 7};

    /* Branches take at most half of the column. */
    check_sheet(&sheet, "name\na\n├─b.ccccccc\n│ c\n│ ├─d\n│ └─e\n└─f\n  └─g\nh\n"
                        "# left\n#   out:\n#   depth;\n#   -l or\n#   --forma\n#   t tsv\n"
                        "#   shows\n#   all\n");
    sheet.options.width = 0;
    check_sheet(&sheet, "depth name\n    0 a\n    1 ├─b.cccccccc\n    2 │ ├─d\n    2 │ └─e\n"
                        "    1 └─f\n    3     └─g\n    0 h\n");
    /* Invalid depths. */
    sheet.rows = values + 14;
    sheet.row_count = 2;
    check_holds(&sheet, "└─i\n                       -1 j\n");
}

/* A branch continues in the next chunk. */
UNIT_TEST(table_draws_trees_over_chunks) {
    struct result result = tree_result();
    struct sheet sheet = {"table", {0}, &result, 1, NULL, 2500};
    struct value *many = calloc(2 * sheet.row_count, sizeof *many);
    char *got;

    for (size_t i = 0; i < sheet.row_count; i++) {
        many[2 * i] = (struct value)INTEGER(i == 0 ? 0 : 1);
        many[2 * i + 1] = (struct value)TEXT("x");
    }
    sheet.rows = many;
    got = printed(&sheet);
    ck_assert_ptr_nonnull(strstr(got, "    1 └─x\n"));
    ck_assert_ptr_null(strstr(strstr(got, "└─x\n") + strlen("└─x"), "─x\n"));
    free(got);
    free(many);
}

UNIT_TEST(table_keeps_widths) {
    struct sheet sheet = sheet_of("table", &plain);
    struct value *many = calloc(5 * 1001, sizeof *many);
    char *got;
    size_t width;

    for (size_t row = 0; row < 1001; row++) {
        memcpy(many + 5 * row, rows + (row < 1000 ? 10 : 0), 5 * sizeof *many);
    }
    sheet.rows = many;
    sheet.row_count = 1001;
    got = printed(&sheet);
    width = longest_line(strchr(got, '\n') + 1);
    /* The line of the second chunk is as wide, except for the bytes of the µ. */
    ck_assert_uint_eq(strlen(strrchr(got, 'E')), width - 1 + 1);
    free(got);
    free(many);
}

UNIT_TEST(table_aligns_any) {
    static const struct column any[] = {{"number", "", COLUMN_ANY}, {"mixed", "", COLUMN_ANY}};
    struct result result = text_result;
    struct value values[] = {INTEGER(1), TEXT("a"), NOTHING, INTEGER(2)};
    struct sheet sheet = {"table", {0}, &result, 1, values, 2};

    result.columns = any;
    result.column_count = 2;
    check_sheet(&sheet, "number mixed\n     1 a\n       2\n");
}

/* ---- gnuplot ---- */

UNIT_TEST(gnuplot_needs_a_plot) {
    struct printer_options options = {0};
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    struct printer *printer = printer_open(printer_style_find("gnuplot"), file, &options);

    ck_assert(!printer_begin(printer, &plain, &error));
    ck_assert_str_eq(error.message, "report popularity has no picture");
    ck_assert(!printer_close(printer, false, &error));
    ck_assert_str_eq(error.message, "report popularity has no picture");
    fclose(file);
    free(bytes);
}

UNIT_TEST(gnuplot_groups) {
    struct result results[] = {full, full, text_result};
    struct value value[] = {TEXT("x"), INTEGER(1), INTEGER(1), INTEGER(1), INTEGER(1)};
    struct sheet sheet = {"gnuplot", {.many = true}, results, 3, value, 1};
    char other[] = "plot $data";

    results[0].plot = "plot $data";
    results[0].trace_count = 1;
    results[1].plot = other; /* equal text at another address */
    results[1].trace_count = 0;
    results[1].remark_count = 0;
    check_sheet(&sheet,
                "set encoding utf8\nterminal_options = GPVAL_TERMOPTIONS\n"
                "set termoption noenhanced\nset datafile separator \"\\t\"\n"
                "$data << TRACETOOL_END\n"
                "# trace palm-1: palmist, 10 events, 3 rejected \\#\n"
                "# writes per read: 1.50 \\#\n# - \\x1b\\135\\060;x\\x07 <b> \\#\n"
                "# name\tcount\tshare\ttotal\tstart\n\\170\t1\t1.000000\t1\t0.000000001\n\n\n"
                "# name\tcount\tshare\ttotal\tstart\n\\170\t1\t1.000000\t1\t0.000000001\n"
                "TRACETOOL_END\nreport_title = \"Popularity\"\n"
                "duration_unit = \"\\143ounter\\040unit\\163\"\ntrace_names = "
                "\"\\160alm-\\061\"\nresults = 2\n"
                "array result_name[2]\nresult_name[1] = \"\\160alm-\\061\"\nresult_name[2] = \"\"\n"
                "rows = 2\ncolumn_names = \"name count share total start\"\n"
                "column_shares = \"0 0 1 0 0\"\n"
                "given_title = \"\"\nremarks = 3\narray remark[4]\narray remark_of[4]\n"
                "remark[1] = \"\\164race\\040palm-1:\\040palmist,\\040\\061\\060"
                "\\040events,\\040\\063\\040rejecte\\144\"\nremark_of[1] = 0\n"
                "remark[2] = \"\\167rites\\040per\\040read:\\040\\061.5\\060\"\nremark_of[2] = 1\n"
                "remark[3] = \"\\055\\040\\\\x1b\\135\\060;x\\\\x07\\040<b\\076\"\n"
                "remark_of[3] = 1\nplot $data\n"
                "reset\nset termoption noenhanced\n"
                "set datafile separator \"\\t\"\n$data << TRACETOOL_END\n# name\n\\170\n"
                "TRACETOOL_END\nreport_title = \"\"\nduration_unit = \"ns\"\n"
                "trace_names = \"\"\nresults = 1\narray result_name[1]\nresult_name[1] = \"\"\n"
                "rows = 1\ncolumn_names = \"name\"\ncolumn_shares = \"0\"\ngiven_title = \"\"\n"
                "remarks = 0\narray remark[1]\narray remark_of[1]\n"
                "plot $data using 0:0:1 with labels\n");
}

/* Runs gnuplot on a script, on stdin or as a file, and returns its messages. */
static char *run_gnuplot(const char *script, const char *how) {
    char command[128];
    char path[] = "/tmp/test-printer-XXXXXX";
    struct text said = {0};
    int descriptor = mkstemp(path);
    FILE *pipe;
    int byte;

    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, script, strlen(script)), (ssize_t)strlen(script));
    close(descriptor);
    snprintf(command, sizeof command, "LC_ALL=C.UTF-8 gnuplot %s %s 2>&1", how, path);
    pipe = popen(command, "r");
    while ((byte = getc(pipe)) != EOF) {
        text_append_char(&said, (char)byte);
    }
    ck_assert_int_eq(pclose(pipe), 0);
    unlink(path);
    return said.bytes != NULL ? said.bytes : strdup("");
}

static bool has_gnuplot(void) {
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

#define PWNED "/tmp/test-printer-pwned"

static const char *const attacks[] = {
    "\"; system(\"touch " PWNED "\") #",
    "`touch " PWNED "`",
    "'; system('touch " PWNED "') #",
    "\nTRACETOOL_END\nsystem(\"touch " PWNED "\")",
    "TRACETOOL_END",
    "TRACETOOL_ENDX",
    "@mac a@mac \\@mac",
    "\\\"\\",
    "ends in \\",
    "\\042\\x22\\n\\",
    "{/Symbol a}^2_3 ~ & %s %n %d",
    "  leading",
    "#comment",
    " #comment",
    "\"\"",
    "",
    "$data $0",
    "\"1 '22 `333 #4444\"567é89",
    "\xff\xc2\x85\x1b[31m",
    "?",
    "\xc3\xa9",
};

/* Plots that print what gnuplot read of their data, and that define a macro, so that its expansion
 * would do harm. */
static const char print_data[] = "s = ''\nadd(x) = (s = s.'['.x.']', 1)\n"
                                 "set table '/dev/null'\n"
                                 "plot $data index results - 1 using (add(strcol(1))):2\n"
                                 "unset table\nprint s\n"
                                 "do for [k = remarks - 1:remarks] { print '<'.remark[k].'>' }\n"
                                 "set terminal dumb\n"
                                 "set output '/dev/null'\n"
                                 "set title report_title.trace_names.result_name[1]\n"
                                 "plot $data using 2:xtic(1) title trace_names";
static const char define_macro[] = "mac = 'system(\"touch " PWNED "\")'\nprint results, rows\n";

/* Appends the attacks as gnuplot prints them as data. */
static void append_attacks(struct text *expected) {
    for (size_t i = 0; i < COUNT(attacks); i++) {
        if (strlen(attacks[i]) == 0) {
            text_append_string(expected, "[(none)]");
            continue;
        }
        text_append_char(expected, '[');
        text_append_escaped(expected, attacks[i], strlen(attacks[i]));
        text_append_char(expected, ']');
    }
}

/* Prints every attack as trace name, title, remark, column name and value. */
static char *printed_attacks(void) {
    struct column two[] = {{attacks[0], "", COLUMN_TEXT}, {attacks[1], "", COLUMN_INTEGER}};
    struct result_trace attacking[COUNT(attacks)] = {0};
    struct value values[2 * COUNT(attacks)];
    struct result results[COUNT(attacks)];
    struct sheet sheet = {"gnuplot",      {.many = true}, results,
                          COUNT(attacks), values,         COUNT(attacks)};

    for (size_t i = 0; i < COUNT(attacks); i++) {
        attacking[i] = (struct result_trace){.name = attacks[i], .format = attacks[i]};
        values[2 * i] =
            (struct value){.type = VALUE_TEXT, .bytes = attacks[i], .length = strlen(attacks[i])};
        values[2 * i + 1] = (struct value)INTEGER((int64_t)i);
    }
    for (size_t i = 0; i < COUNT(attacks); i++) {
        results[i] = (struct result){
            .report = attacks[i],
            .title = attacks[i],
            .clock_unit = "ns",
            .traces = attacking,
            .trace_count = COUNT(attacks),
            .remarks = attacks,
            .remark_count = COUNT(attacks),
            .columns = two,
            .column_count = 2,
            /* Two different plots, so that there are groups. */
            .plot = i % 3 == 0 ? print_data : define_macro,
        };
    }
    return printed(&sheet);
}

static void check_attacks(const char *how) {
    struct text expected = {0};
    char *script = printed_attacks();
    char *said;

    unlink(PWNED);
    said = run_gnuplot(script, how);
    ck_assert_msg(access(PWNED, F_OK) != 0, "a command was run:\n%s", said);
    append_attacks(&expected);
    ck_assert_msg(strstr(said, text_string(&expected)) != NULL, "%.2000s\nis not in\n%.2000s",
                  text_string(&expected), said);
    /* The last two remarks, as in the picture. */
    ck_assert_msg(strstr(said, "<?>\n<é>\n") != NULL, "%.2000s", said);
    ck_assert_msg(strstr(said, "invalid") == NULL && strstr(said, "line ") == NULL, "%.3000s",
                  said);
    text_free(&expected);
    free(script);
    free(said);
}

UNIT_TEST(gnuplot_runs_nothing) {
    if (!has_gnuplot()) {
        fprintf(stderr, "skipped: gnuplot is not installed\n");
        return;
    }
    check_attacks("");
    check_attacks("<");
}

/* An empty result must not shift the index of the next; if all are empty, a message says so. */
UNIT_TEST(gnuplot_empty_results) {
    struct result results[] = {text_result, text_result};
    struct sheet sheet = {"gnuplot", {.many = true}, results, 2, NULL, 0};
    char *script;
    char *said;

    if (!has_gnuplot()) {
        fprintf(stderr, "skipped: gnuplot is not installed\n");
        return;
    }
    check_holds(&sheet, "# name\nNaN\n\n\n# name\nNaN\nTRACETOOL_END\n");
    script = printed(&sheet);
    said = run_gnuplot(script, "-e 'set terminal dumb'");
    ck_assert_ptr_nonnull(strstr(said, "no data"));
    free(script);
    free(said);
}

UNIT_TEST(gnuplot_missing_numbers) {
    static const struct column two[] = {{"a", "", COLUMN_INTEGER}, {"b", "", COLUMN_INTEGER}};
    struct result result = text_result;
    struct value values[] = {INTEGER(1), NOTHING, NOTHING, INTEGER(5), INTEGER(2), INTEGER(7)};
    struct sheet sheet = {"gnuplot", {0}, &result, 1, values, 3};

    result.columns = two;
    result.column_count = 2;
    result.plot = "plot $data using 1:2";
    check_holds(&sheet, "1\t\t-\nNaN\t5\n2\t7\n");
}

/* ---- every style ---- */

static struct printer *open_on(const char *style, FILE *file) {
    struct printer_options options = {.many = true};

    return printer_open(printer_style_find(style), file, &options);
}

static const char *const style_names[] = {"table", "tsv", "csv",  "json",
                                          "jsonl", "md",  "html", "gnuplot"};

/* Much text in one field, and enough rows for flushes in between. */
UNIT_LOOP(huge_text, COUNT(style_names)) {
    size_t size = 65536;
    char *huge = malloc(size);
    struct value values[50] = {{0}};
    struct sheet sheet = text_sheet(style_names[_i], values);
    char *got;

    memset(huge, 'x', size);
    for (size_t i = 0; i < COUNT(values); i++) {
        values[i] = (struct value){.type = VALUE_TEXT, .bytes = huge, .length = size};
    }
    sheet.row_count = COUNT(values);
    got = printed(&sheet);
    ck_assert_uint_gt(strlen(got), size * COUNT(values));
    free(got);
    free(huge);
}

UNIT_LOOP(aborted_writes_nothing_more, COUNT(style_names)) {
    struct result result = text_result;
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    struct printer *printer = open_on(style_names[_i], file);

    ck_assert(printer_begin(printer, &result, &error));
    ck_assert(printer_row(printer, nasty, &error));
    error_set(&error, "my own");
    ck_assert(!printer_close(printer, false, &error));
    ck_assert_str_eq(error.message, "my own");
    fclose(file);
    ck_assert_uint_eq(size, 0);
    free(bytes);
}

UNIT_LOOP(full_disk_is_noticed, COUNT(style_names)) {
    FILE *file = fopen("/dev/full", "w");
    struct printer *printer = open_on(style_names[_i], file);

    ck_assert(printer_begin(printer, &text_result, &error));
    ck_assert(printer_row(printer, nasty, &error));
    ck_assert(printer_end(printer, &error));
    ck_assert(!printer_close(printer, true, &error));
    ck_assert_str_eq(error.message, "cannot write the output: No space left on device");
    ck_assert_int_eq(error.status, EXIT_FAILED);
    fclose(file);
}

/* On a full disk the rows end soon, not after all of them. */
UNIT_LOOP(full_disk_stops_rows, COUNT(style_names)) {
    FILE *file = fopen("/dev/full", "w");
    struct printer *printer = open_on(style_names[_i], file);
    size_t written = 0;

    ck_assert(printer_begin(printer, &text_result, &error));
    while (written < 1000000 && printer_row(printer, nasty, &error)) {
        written++;
    }
    ck_assert_uint_lt(written, 100000);
    ck_assert(strstr(error.message, "No space left") != NULL);
    ck_assert(!printer_close(printer, false, &error));
    fclose(file);
}

UNIT_LOOP(no_result_at_all, COUNT(style_names)) {
    struct sheet sheet = {style_names[_i], {0}, NULL, 0, NULL, 0};

    check_sheet(&sheet, "");
}
