/* import/span: scripts of records, compared with the rows, times and remarks that docs/spans.md
 * requires.
 *
 * A script is a list of words: `>f` enters f, `<f` leaves it, `.f` is a data record; `@2` continues
 * in thread 2 (it begins in thread 1). A record comes one unit after the previous one of any
 * thread. `p3` assigns the thread to process 3 from then on (it begins in the only one there is).
 * `+7` adds seven units, `=5` sets the time. `c30` gives later records a CPU time, which starts at
 * 30.
 */
#include "unit.h"

static const char *script;
static const char *clocks = "wall";

struct player {
    struct import *import;
    struct span_record record;
};

static void play_record(struct player *player, const char *word) {
    struct span_record *record = &player->record;
    char name[16] = "";

    sscanf(word + 1, "%15[a-z]", name);
    record->operation = import_simple_name(player->import, "function", word_of(name));
    record->time++;
    record->cpu += record->cpu != EVENT_NONE;
    if (word[0] == '>') {
        import_entry(player->import, record, 0, 1);
    } else if (word[0] == '<') {
        import_exit(player->import, record, 0, 1);
    } else {
        import_data(player->import, record, 0);
    }
}

static void play_word(struct player *player, const char *word) {
    struct span_record *record = &player->record;

    switch (word[0]) {
    case '@':
        record->actor =
            import_thread(player->import, EVENT_NONE, atoi(word + 1), (struct word){NULL, 0});
        break;
    case '+':
        record->time += atoi(word + 1);
        record->cpu += record->cpu == EVENT_NONE ? 0 : atoi(word + 1);
        break;
    case '=':
        record->time = atoi(word + 1) - 1;
        break;
    case 'p':
        record->process = atoi(word + 1);
        break;
    case 'c':
        record->cpu = atoi(word + 1) - 1;
        break;
    default:
        play_record(player, word);
    }
}

static void play(struct import *import, void *state, struct reader *reader) {
    struct player player = {
        .import = import,
        .record = {.time = -1, .cpu = EVENT_NONE, .size = EVENT_NONE, .value = EVENT_NONE},
    };
    char *words = strdup(script), *rest = words;

    (void)state;
    play_word(&player, "@1");
    import_clock(import, &(struct import_clock){"ns", clocks, 0});
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        play_word(&player, word);
    }
    free(words);
    reader_skip(reader, 1);
}

static enum sniff_score sniff_nothing(const struct sniff *sniff) {
    (void)sniff;
    return SNIFF_NO;
}

static const struct importer scripts = {
    .name = "scripts",
    .kinds = 1u << TRACE_SPANS,
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_SIZE |
               EVENT_VALUE | EVENT_PARENT | EVENT_DEPTH | EVENT_ARGUMENTS | EVENT_SELF | EVENT_CPU,
    .sniff = sniff_nothing,
    .read = play,
};

static void import_script(const char *text) {
    struct import_options options = {
        .importer = &scripts, .name = "t", .start = EVENT_NONE, .utc_offset = EVENT_NONE};
    struct import_summary summary;
    const char *path = folder_write("log", "x", 1);

    script = text;
    ck_assert(database_open(&database, folder_path("x.db"), DATABASE_CREATE, &error));
    assert_done(import_files(&database, &config, &options, &path, 1, &summary, &error));
}

/* Checks the only value of a query, as text. */
static void expect(const char *sql, const char *expected) {
    sqlite3_stmt *query = database_prepare(&database, sql, &error);
    bool row = false;

    assert_done(query != NULL && database_step(&database, query, &row, &error));
    ck_assert(row);
    ck_assert_str_eq((const char *)sqlite3_column_text(query, 0), expected);
    sqlite3_finalize(query);
}

/* Rows as `function time+duration/self depth mark`, NULLs as -. */
static void expect_rows(const char *expected) {
    expect(
        "SELECT group_concat(name.text || ' ' || time || '+' || ifnull(duration, '-') ||"
        " ifnull('/' || self, '') || ' ' || depth || CASE flags WHEN 0 THEN '' WHEN 1 THEN ' data'"
        " WHEN 2 THEN ' stray' WHEN 4 THEN ' open' WHEN 8 THEN ' missing' WHEN 16 THEN ' again'"
        " WHEN 20 THEN ' again open' WHEN 24 THEN ' again missing' ELSE ' ' || flags END, ', ')"
        " FROM (SELECT * FROM event ORDER BY id) JOIN name ON name.id = operation",
        expected);
    expect("SELECT count(*) FROM event AS e LEFT JOIN event AS p ON p.id = e.parent WHERE"
           " (p.id IS NULL) <> (e.depth = 0) OR p.depth <> e.depth - 1 OR p.actor <> e.actor",
           "0");
}

/* Checks open calls, as `function duration/self CPU/self`. */
static void expect_open(const char *expected) {
    expect("SELECT group_concat(n.text || ' ' || o.duration || ifnull('/' || o.self, '') ||"
           " ifnull(' ' || o.cpu_duration, '') || ifnull('/' || o.cpu_self, ''), ', ') FROM"
           " (SELECT * FROM open_call ORDER BY event) AS o JOIN event AS e ON e.id = o.event"
           " JOIN name AS n ON n.id = e.operation",
           expected);
}

static void expect_remarks(const char *expected) {
    expect(
        "SELECT ifnull(group_concat(text, '; '), '') FROM (SELECT * FROM remark ORDER BY number)",
        expected);
}

#define CALLS "SELECT sum(calls) FROM rollup_span"

/* Expected results of calls; NULL: not checked. */
static const struct {
    const char *clocks, *script, *rows, *remarks, *open, *sql, *gives;
} calls[] = {
    {NULL, ">f >g <g +5 >h <h <f", "f 0+10/8 0, g 1+1 1, h 8+1 1", "", NULL,
     "SELECT events || ' ' || paired || ' ' || last_time FROM trace", "6 3 10"},
    /* Threads are separate. */
    {NULL, ">f @2 >f >g @1 <f @2 <g <f", "f 0+3 0, f 1+4/2 0, g 2+2 1", "", NULL, NULL, NULL},
    /* The calls above the one that ends had no exit. */
    {NULL, ">f >g >h <f", "f 0+3/1 0, g 1+2/1 1 missing, h 2+1 2 missing",
     "no exit in the log, ended with their callers: 2 calls", NULL, NULL, NULL},
    {NULL, "<g >f <g <f", "g 0+- 0 stray, f 1+2 0, g 2+- 1 stray",
     "exits without an entry in the log, kept but not counted as calls: 2 exits", NULL, CALLS, "1"},
    {NULL, ">f >g >h <h", "f 0+- 0 open, g 1+- 1 open, h 2+1 2",
     "open at the end of the log, ended there: 2 calls", "f 3/1, g 2/1",
     "SELECT sum(calls) || ' ' || sum(timed) || ' ' || total(total) FROM rollup_span", "3 1 1.0"},
    /* A process continues until the last record of any of its threads: here h's exit at 5, and at
     * 14.
     */
    {NULL, "p1 >f @2 >g >h @3 p2 >i =5 @2 p1 <h @4 p2 =14 .d",
     "f 0+- 0 open, g 1+- 0 open, h 2+3 1, i 3+- 0 open, d 14+- 0 data", NULL, "f 5, g 4/1, i 11",
     NULL, NULL},
    /* Recursive calls, too, and those whose thread has no more records. */
    {NULL, ">f >f @2 >g <g +10 .d", NULL, NULL, "f 14/1, f 13", NULL, NULL},
    /* A thread's CPU time does not continue after its own last record. */
    {"wall cpu", "c30 >f +4 >g @2 c7 >h =40 .d", NULL, NULL, "f 40/5 5, g 35 0, h 34 1", NULL,
     NULL},
    {"cpu", ">f >g <g @2 >h =40 .d", NULL, NULL, "f 2/1, h 37", NULL, NULL},
    /* Total time counts the outermost calls, self time all of them. */
    {NULL, ">f >f >g >f <f <g <f <f", "f 0+7/2 0, f 1+5/2 1 again, g 2+3/2 2, f 3+1 3 again", NULL,
     NULL,
     "SELECT calls || ' ' || total || ' ' || sum || ' ' || self || ' ' || least || ' ' || most"
     " FROM rollup_span JOIN name ON name.id = operation WHERE text = 'f'",
     "3 7 13 5 1 7"},
    /* Data records keep their place. */
    {NULL, ".d >f .d <f", "d 0+- 0 data, f 1+2 0, d 2+- 1 data", NULL, NULL, CALLS, "1"},
    {"wall cpu", "c30 >f +4 >g +2 <g <f", "f 0+9/6 0, g 5+3 1", NULL, NULL,
     "SELECT group_concat(duration || ifnull('/' || self, ''), ', ') FROM"
     " (SELECT * FROM cpu_time ORDER BY event)",
     "9/6, 3"},
    /* Without a clock there is an order, but no duration. */
    {"", ">f >g <g <f", "f 0+- 0, g 1+- 1", NULL, NULL, NULL, NULL},
    {"", ">f >g <g", "f 0+- 0 open, g 1+- 1",
     "open at the end of the log, counted without a duration: 1 call", NULL,
     "SELECT count(*) FROM open_call", "0"},
};

static void expect_given(void expect_it(const char *expected), const char *expected) {
    if (expected != NULL) {
        expect_it(expected);
    }
}

UNIT_CASE("span", folder_make, unit_close);

UNIT_LOOP(entries_and_exits_make_calls, COUNT(calls)) {
    clocks = calls[_i].clocks != NULL ? calls[_i].clocks : clocks;
    import_script(calls[_i].script);
    expect_given(expect_rows, calls[_i].rows);
    expect_given(expect_remarks, calls[_i].remarks);
    expect_given(expect_open, calls[_i].open);
    if (calls[_i].sql != NULL) {
        expect(calls[_i].sql, calls[_i].gives);
    }
}

/* A thread's time does not go back; times of other threads do not matter. */
UNIT_TEST(does_not_go_back) {
    import_script("=10 >f =4 >g =20 <g @2 =5 >h =6 <h @1 =25 <f");
    expect("SELECT group_concat(text || ' ' || time || '+' || duration, ', ') FROM"
           " (SELECT * FROM event ORDER BY id) JOIN name ON name.id = operation",
           "h 5+1, f 10+15, g 10+10");
    expect("SELECT count(*) FROM remark WHERE text = 'earlier than the previous record of the same"
           " thread, and so set to the time of that: 1 record'",
           "1");
    expect("SELECT count(*) FROM event AS e JOIN event AS p ON p.id = e.parent"
           " WHERE p.depth = 0 AND e.depth = 1",
           "1");
}

/* Exits after the row was passed to the writer are sent as endings. */
UNIT_TEST(ends_calls_of_earlier_batches) {
    enum { MANY = 70000 };
    char *text = malloc(16 + 6 * (size_t)MANY), *at = text;

    at += sprintf(at, ">f");
    for (int i = 0; i < MANY; i++) {
        at += sprintf(at, " >g <g");
    }
    sprintf(at, " <f");
    import_script(text);
    free(text);
    expect("SELECT duration || ' ' || self FROM event WHERE depth = 0", "140001 70001");
    expect("SELECT count(*) FROM event WHERE depth = 1 AND duration = 1 AND parent = 1 AND"
           " self IS NULL AND flags = 0",
           "70000");
    expect("SELECT group_concat(total, ' ') FROM (SELECT total FROM rollup_span ORDER BY 1)",
           "70000 140001");
}
