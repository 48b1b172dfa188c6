/* store/functions: words for the numbers in `event`, and the views that contain these numbers. */
#include "model/event.h"
#include "unit.h"

/* Checks the only value of a query, as text; "NULL" for NULL. */
static void assert_value(const char *sql, const char *expected) {
    sqlite3_stmt *statement = database_prepare_read_only(&database, sql, &error);
    const char *text;

    ck_assert_msg(statement != NULL, "%s: %s", sql, error.message);
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    text = (const char *)sqlite3_column_text(statement, 0);
    ck_assert_msg(strcmp(text == NULL ? "NULL" : text, expected) == 0, "%s is %s, not %s", sql,
                  text == NULL ? "NULL" : text, expected);
    sqlite3_finalize(statement);
}

static void assert_number(const char *sql, unsigned expected) {
    char text[16];

    snprintf(text, sizeof text, "%u", expected);
    assert_value(sql, text);
}

/* --- words for numbers --------------------------------------------------------------------- */

static const struct {
    const char *word;
    unsigned number;
} classes[] = {{"read", IO_READ},           {"readsync", IO_READSYNC}, {"write", IO_WRITE},
               {"writesync", IO_WRITESYNC}, {"flush", IO_FLUSH},       {"other", IO_OTHER}},
  block_types[] = {{"none", IO_BLOCK_NONE},
                   {"data", IO_BLOCK_DATA},
                   {"journal", IO_BLOCK_JOURNAL},
                   {"metadata", IO_BLOCK_METADATA},
                   {"anonymous", IO_BLOCK_ANONYMOUS}},
  io_flags[] = {{"flush", IO_FLAG_FLUSH},
                {"fua", IO_FLAG_FUA},
                {"discard", IO_FLAG_DISCARD},
                {"metadata", IO_FLAG_METADATA},
                {"read-ahead", IO_FLAG_READ_AHEAD},
                {"barrier", IO_FLAG_BARRIER},
                {"fsync", IO_FLAG_FSYNC},
                {"fdatasync", IO_FLAG_FDATASYNC},
                {"sqlite sync", IO_FLAG_SQLITE_SYNC},
                {"unissued", IO_FLAG_UNISSUED},
                {"shared", IO_FLAG_SHARED},
                {"flush write", IO_FLAG_FLUSH_WRITE},
                {"flush sync", IO_FLAG_FLUSH_SYNC},
                {"flush asked", IO_FLAG_FLUSH_ASKED},
                {"below", IO_FLAG_BELOW}},
  span_flags[] = {{"data", SPAN_DATA},           {"stray exit", SPAN_STRAY_EXIT},
                  {"open", SPAN_OPEN},           {"exit missing", SPAN_EXIT_MISSING},
                  {"recursive", SPAN_RECURSIVE}, {"exception", SPAN_EXCEPTION}};

UNIT_CASE("functions", database_make, unit_close);

/* Whatever other bits are set in the flags. */
UNIT_TEST(classes_and_block_types) {
    char sql[96];

    for (size_t i = 0; i < COUNT(classes); i++) {
        snprintf(sql, sizeof sql, "SELECT io_class_number('%s')", classes[i].word);
        assert_number(sql, classes[i].number);
        snprintf(sql, sizeof sql, "SELECT io_class_name(%u)", classes[i].number);
        assert_value(sql, classes[i].word);
        snprintf(sql, sizeof sql, "SELECT io_class(%u)", classes[i].number | 0xFFF8u);
        assert_value(sql, classes[i].word);
    }
    for (size_t i = 0; i < COUNT(block_types); i++) {
        snprintf(sql, sizeof sql, "SELECT io_block_type_number('%s')", block_types[i].word);
        assert_number(sql, block_types[i].number);
        snprintf(sql, sizeof sql, "SELECT io_block_type_name(%u)", block_types[i].number);
        assert_value(sql, block_types[i].word);
        snprintf(sql, sizeof sql, "SELECT io_block_type(%u)",
                 block_types[i].number << IO_BLOCK_SHIFT | 0xFFC7u);
        assert_value(sql, block_types[i].word);
    }
    assert_value("SELECT io_class(7)", "other");
    assert_value("SELECT io_class(NULL)", "other");
    assert_value("SELECT io_class_name(99)", "other");
    assert_value("SELECT io_block_type(63)", "none");
    assert_value("SELECT io_block_type(NULL)", "none");
    assert_value("SELECT io_block_type_name(-1)", "none");
}

static void check_flag(const char *function, const char *word, unsigned bit) {
    char sql[96];

    snprintf(sql, sizeof sql, "SELECT %s('%s')", function, word);
    assert_number(sql, bit);
    snprintf(sql, sizeof sql, "SELECT %s(%u, '%s')", function, bit | 3u << 20, word);
    assert_value(sql, "1");
    snprintf(sql, sizeof sql, "SELECT %s(%u, '%s')", function, ~bit & 0xFFFFFF, word);
    assert_value(sql, "0");
    snprintf(sql, sizeof sql, "SELECT %s(NULL, '%s')", function, word);
    assert_value(sql, "NULL");
}

UNIT_TEST(flags) {
    char sql[96];

    for (size_t i = 0; i < COUNT(io_flags); i++) {
        check_flag("io_flag", io_flags[i].word, io_flags[i].number);
    }
    for (size_t i = 0; i < COUNT(span_flags); i++) {
        check_flag("span_flag", span_flags[i].word, span_flags[i].number);
        snprintf(sql, sizeof sql, "SELECT span_is_call(%u)", span_flags[i].number);
        assert_number(sql, i > 1);
    }
    assert_value("SELECT span_is_call(0)", "1");
    assert_value("SELECT span_is_call(NULL)", "NULL");
}

static const char *const unknown_words[] = {
    "SELECT io_class_number('reed')",   "SELECT io_class_number(NULL)",
    "SELECT io_block_type_number('M')", "SELECT io_flag('FUA')",
    "SELECT io_flag(0, 'open')",        "SELECT span_flag('fua')",
};

UNIT_LOOP(unknown_words_are_refused, COUNT(unknown_words)) {
    sqlite3_stmt *statement = database_prepare_read_only(&database, unknown_words[_i], &error);

    ck_assert_ptr_nonnull(statement);
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ERROR);
    ck_assert_ptr_nonnull(strstr(sqlite3_errmsg(database.handle), "of this name"));
    sqlite3_finalize(statement);
}

/* --- views --------------------------------------------------------------------------------- */

/* Adds a trace of a kind, with an event for each value of its flags up to `most`. */
static void fill(const char *kind, unsigned most) {
    char sql[512];

    snprintf(sql, sizeof sql,
             "INSERT INTO trace (id, name, kind, format, variant, clock_unit, sessions, events,"
             " merged, ignored, rejected, lost_bytes, first_event, last_event, rollups)"
             " VALUES (1, 't', '%s', 'f', '', 'ns', 1, 0, 0, 0, 0, 0, 1, %u, '');"
             "WITH RECURSIVE n(flags) AS (SELECT 0 UNION ALL SELECT flags + 1 FROM n"
             " WHERE flags < %u) INSERT INTO event (id, time, flags) SELECT flags + 1, 0, flags"
             " FROM n",
             kind, most + 1, most);
    unit_run(sql);
}

/* Plain SQLite reads the views in databases, so they contain the numbers literally. */
UNIT_TEST(the_view_of_io_has_the_same_numbers) {
    fill("io", 1023);
    assert_value("SELECT count(*) FROM io", "1024");
    assert_value("SELECT count(*) FROM io JOIN event AS e USING (id) WHERE io.class IS NOT"
                 " io_class(e.flags) OR io.block_type IS NOT io_block_type(e.flags)",
                 "0");
}

/* Checks that no row of a view has a wrong or missing word in `flags`. */
static void assert_word_of_flags(const char *view, const char *word) {
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM %s AS v JOIN event AS e USING (id) WHERE"
             " (instr(', ' || v.flags || ',', ', %s,') > 0) IS NOT %s_flag(e.flags, '%s')",
             view, word, view, word);
    assert_value(sql, "0");
}

/* Checks that there is one word per flag, and no others. */
static void assert_count_of_words(const char *view, const char *flags) {
    char sql[256];

    snprintf(sql, sizeof sql,
             "WITH bit(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM bit WHERE n < 31) SELECT"
             " sum((v.flags <> '') + length(v.flags) - length(replace(v.flags, ',', ''))) ="
             " sum((SELECT sum((e.flags & %s) >> n & 1) FROM bit)) FROM %s AS v JOIN event AS e"
             " USING (id)",
             flags, view);
    assert_value(sql, "1");
}

UNIT_TEST(the_views_have_all_flags_in_words) {
    static const char *const words[] = {"flush",       "fua",        "discard", "metadata",
                                        "read-ahead",  "barrier",    "fsync",   "fdatasync",
                                        "sqlite sync", "unissued",   "shared",  "flush write",
                                        "flush sync",  "flush asked"};
    static const char *const marks[] = {"data",         "stray exit", "open",
                                        "exit missing", "recursive",  "exception"};

    /* Any two flags are both set in some row, and only one of them in another. */
    fill("io", 1023);
    unit_run("UPDATE event SET flags = (id * 2654435761) >> 7 & 0x3FFFFF");
    for (size_t i = 0; i < COUNT(words); i++) {
        assert_word_of_flags("io", words[i]);
    }
    assert_count_of_words("io", "~0x1803F");
    unit_run("DELETE FROM event; DELETE FROM trace");
    fill("spans", (1u << SPAN_FLAGS) - 1);
    for (size_t i = 0; i < COUNT(marks); i++) {
        assert_word_of_flags("span", marks[i]);
    }
    assert_count_of_words("span", "~0");
}

UNIT_TEST(the_view_of_io_says_origins_where_they_mean_something) {
    fill("io", 3);
    unit_run("UPDATE event SET flags = flags << 15");
    assert_value("SELECT count(*) FROM io WHERE origin IS NULL", "4");
    unit_run("INSERT INTO meaning VALUES (1, 'issuer', '', 'process', '')");
    assert_value("SELECT count(*) FROM io JOIN event AS e USING (id)"
                 " WHERE origin = io_origin(e.flags)",
                 "4");
}

UNIT_TEST(the_view_of_spans_has_the_same_numbers) {
    fill("spans", (1u << SPAN_FLAGS) - 1);
    assert_value("SELECT count(*) FROM span", "64");
    assert_value("SELECT count(*) FROM span JOIN event AS e USING (id) WHERE mark IS NOT CASE"
                 " WHEN span_flag(e.flags, 'data') THEN 'data'"
                 " WHEN span_flag(e.flags, 'stray exit') THEN 'stray exit'"
                 " WHEN span_flag(e.flags, 'open') THEN 'open'"
                 " WHEN span_flag(e.flags, 'exit missing') THEN 'exit missing' ELSE '' END",
                 "0");
}
