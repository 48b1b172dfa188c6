#include "damage.h"

#include "account.h"
#include "browser.h"
#include "log.h"
#include "samples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VICTIM = 12, LONG_LINE = 100000 };

/* The session, into which something is put. */
static struct play play;
static struct bytes log;
static size_t *begins;

static void open_play(void) {
    if (begins == NULL) {
        play_session(&play);
        begins = allocate(play.event_count, sizeof *begins);
    }
}

static void open_session(void) {
    log.length = 0;
    write_log(&log, &play, &plain_style, begins);
}

static void save_damaged(const char *name, size_t events, size_t rejected, size_t offset,
                         bool session) {
    FILE *file = create("damaged/%s.rmp.expected", name);

    fprintf(file, "events\t%zu\nrejected\t%zu\noffset\t%zu\n", events, rejected, offset);
    if (session) {
        fprintf(file, "reports\tsession\n");
    }
    close_file(file);
    save(&log, "damaged/%s.rmp", name);
}

/* A line that is not one, between two that are. */
static void insert_line(const char *name, const char *line, size_t length) {
    open_session();
    insert(&log, begins[VICTIM], line, length);
    save_damaged(name, play.event_count, 1, begins[VICTIM], true);
}

static void insert_lines(void) {
    static const struct {
        const char *name, *line;
    } lines[] = {
        {"one-field", "hello\n"},
        {"four-fields", "87123456799012\t1507\t1507\tE\n"},
        {"blanks", "87123456799012 1507 1507 E com.android.browser.Tab.restoreState -\n"},
        {"time-word", "now\t1507\t1507\tE\tcom.android.browser.Tab.restoreState\t-\n"},
        {"time-empty", "\t1507\t1507\tE\tcom.android.browser.Tab.restoreState\t-\n"},
        {"time-tail", "87123456799012x\t1507\t1507\tE\tcom.android.browser.Tab.restoreState\t-\n"},
        {"time-fraction", "87123456.799\t1507\t1507\tE\tcom.android.browser.Tab.restoreState\t-\n"},
        {"time-negative", "-5\t1507\t1507\tE\tcom.android.browser.Tab.restoreState\t-\n"},
        {"time-beyond", "9223372036854775808\t1507\t1507\tX\tcom.android.browser.Tab.restoreState"
                        "\t-\n"},
        {"time-huge", "99999999999999999999999999\t1507\t1507\tX\tcom.android.browser.Tab."
                      "restoreState\t-\n"},
        {"pid-word", "87123456799012\tx\t1507\tE\tcom.android.browser.Tab.restoreState\t-\n"},
        {"tid-word", "87123456799012\t1507\t15o7\tE\tcom.android.browser.Tab.restoreState\t-\n"},
        {"point-unknown", "87123456799012\t1507\t1507\tQ\tcom.android.browser.Tab.restoreState\t-"
                          "\n"},
        {"point-long", "87123456799012\t1507\t1507\tEX\tcom.android.browser.Tab.restoreState\t-\n"},
        {"point-empty", "87123456799012\t1507\t1507\t\tcom.android.browser.Tab.restoreState\t-\n"},
    };

    static const char nul_line[] = "871234\0"
                                   "56799012\t1507\t1507\tE\tcom.android.browser.Tab\t-\n";

    for (size_t i = 0; i < COUNT(lines); i++) {
        insert_line(lines[i].name, lines[i].line, strlen(lines[i].line));
    }
    insert_line("nul-in-time", nul_line, sizeof nul_line - 1);
}

/* A log as a power cut leaves it: the last page was allotted, but never written. */
static void nul_tail(void) {
    char nuls[512] = {0};

    open_session();
    put(&log, nuls, sizeof nuls);
    save_damaged("nul-tail", play.event_count, 1, log.length - sizeof nuls, true);
}

static void cut(void) {
    open_session();
    log.length = begins[play.event_count - 1] + 25;
    save_damaged("cut", play.event_count - 1, 1, begins[play.event_count - 1], false);
}

static void several(void) {
    open_session();
    insert(&log, begins[VICTIM + 8], "x\n", 2);
    insert(&log, begins[VICTIM + 4], "y\tz\n", 4);
    insert(&log, begins[VICTIM], "\ty\t\t\tz\n", 7);
    put(&log, "87", 2);
    save_damaged("several", play.event_count, 4, begins[VICTIM], true);
}

void write_long_line(void) {
    char *line = allocate(LONG_LINE, 1);

    open_play();
    memset(line, 'x', LONG_LINE - 1);
    line[LONG_LINE - 1] = '\n';
    insert_line("long-line", line, LONG_LINE);
    free(line);
}

static void write_refused(void) {
    static const char prose[] = "It was the best of times,\nit was the worst of times.\n";
    struct bytes file = {0};

    put(&file, prose, sizeof prose - 1);
    save(&file, "fail/prose.rmp");
    file.length = 0;
    for (int i = 0; i < 3000; i++) {
        put_number(&file, 0, 1);
    }
    save(&file, "fail/zeros.rmp");
    file.length = 0;
    seed_dice(99);
    for (int i = 0; i < 3000; i++) {
        put_number(&file, (uint64_t)dice(256), 1);
    }
    save(&file, "fail/random.rmp");
    free(file.at);
}

void write_damaged(void) {
    open_play();
    insert_lines();
    nul_tail();
    cut();
    several();
    write_refused();
}
