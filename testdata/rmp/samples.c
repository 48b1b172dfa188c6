#include "samples.h"

#include "account.h"
#include "browser.h"
#include "log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAIN = 0, WORKER = 3, NOTHING = -1 };

static void begin(struct play *play, int64_t wall) {
    play_begin(play, &browser_in_rmp);
    play_thread(play, MAIN, wall);
}

static void leaf(struct play *play, int function, int64_t microseconds) {
    play_enter(play, function);
    play_spend(play, microseconds);
    play_leave(play);
}

/* --- what is played --------------------------------------------------------------------------- */

static void restore_tabs(struct play *play, int depth) {
    play_enter(play, TAB_RESTORE);
    play_spend(play, 700);
    if (depth > 0) {
        restore_tabs(play, depth - 1);
        play_spend(play, 55);
        leaf(play, FREE_MEMORY, 910);
    }
    play_spend(play, 100);
    play_leave(play);
}

/* All four levels, two threads, recursion. */
void play_session(struct play *play) {
    begin(play, 0);
    for (int i = 0; i < 2; i++) {
        play_enter(play, BROWSER_ACTIVITY);
        play_spend(play, 1500);
        play_enter(play, RESTORE_RUN);
        play_enter(play, RESTORE_STATE);
        play_spend(play, 300 + i);
        play_enter(play, HOT_LOOP);
        restore_tabs(play, 2 - i);
        play_spend(play, 40000);
        play_leave(play);
        play_leave(play);
        play_spend(play, 250);
        play_leave(play);
        leaf(play, SORT, 1200);
        play_leave(play);
        play_wait(play, 5000);
    }
    play_thread(play, WORKER, 777 * MICROSECOND);
    for (int i = 0; i < 3; i++) {
        play_enter(play, WORKER_RUN);
        play_spend(play, 3000);
        leaf(play, ICON_RUN, 800 * (i + 1));
        play_leave(play);
        play_wait(play, 900);
    }
    play_end(play);
}

/* The first call of WebView has no exit: the caller's closes it, and what is called in between is
 * called by it, as far as the log says. The log is full before all is done. */
static void play_missing_exit(struct play *play) {
    begin(play, 0);
    play_enter(play, RESTORE_RUN);
    leaf(play, WEBVIEW_RESTORE, 4000);
    play_enter(play, RESTORE_STATE);
    play_spend(play, 1000);
    play_enter(play, WEBVIEW_RESTORE);
    play_spend(play, 2000);
    leaf(play, ADD_HISTORY, 1700);
    play_spend(play, 300);
    play_unwind(play, RESTORE_STATE);
    play_spend(play, 500);
    play_leave(play);
    play_enter(play, RESTORE_RUN);
    play_spend(play, 100);
    play_enter(play, RESTORE_STATE);
    play_spend(play, 200);
    leaf(play, ADD_HISTORY, 1100);
    play_end(play);
}

/* The log begins inside of calls; later an entry is lost. */
static void play_stray_exit(struct play *play) {
    begin(play, 0);
    play_stray(play, TAB_RESTORE);
    play_spend(play, 1000);
    play_stray(play, RESTORE_STATE);
    play_spend(play, 1000);
    play_enter(play, RESTORE_STATE);
    play_spend(play, 1500);
    play_stray(play, FREE_MEMORY);
    play_spend(play, 1500);
    leaf(play, TAB_RESTORE, 2500);
    play_leave(play);
    play_end(play);
}

static void play_exception(struct play *play) {
    begin(play, 0);
    for (int i = 0; i < 2; i++) {
        play_enter(play, RESTORE_RUN);
        play_spend(play, 400);
        play_enter(play, RESTORE_STATE);
        play_enter(play, HOT_LOOP);
        play_enter(play, TAB_RESTORE);
        play_spend(play, 2200);
        play_enter(play, TAB_RESTORE);
        play_spend(play, 1300);
        leaf(play, WEBVIEW_RESTORE, 3100);
        if (i == 0) {
            play_unwind(play, RESTORE_RUN);
        } else {
            play_unwind(play, HOT_LOOP);
            play_spend(play, 600);
            play_leave(play);
            play_leave(play);
        }
        play_wait(play, 1000);
    }
    play_end(play);
}

/* The browser goes to the back twice; it is not what takes the time then. */
static void play_switched_out(struct play *play) {
    static const int shown[] = {BROWSER_ACTIVITY, BOOKMARKS_PAGE,   BROWSER_ACTIVITY,
                                DOWNLOAD_PAGE,    BROWSER_ACTIVITY, SYNC_SERVICE};

    begin(play, 0);
    for (size_t i = 0; i < COUNT(shown); i++) {
        play_enter(play, shown[i]);
        play_spend(play, 20000);
        leaf(play, RESTORE_RUN, 3000 * (int64_t)(i + 1));
        play_wait(play, 9000 * (int64_t)(i + 1));
        play_leave(play);
        play_wait(play, 700);
    }
    play_end(play);
}

/* Calls shorter than what the probes in them are said to take. */
static void play_short(struct play *play) {
    begin(play, 0);
    play_enter(play, RESTORE_RUN);
    for (int64_t i = 1; i <= 4; i++) {
        play_enter(play, RESTORE_STATE);
        for (int64_t left = i; left > 0; left--) {
            leaf(play, WEBVIEW_RESTORE, 100 + 200 * i);
        }
        play_spend(play, 900);
        play_leave(play);
    }
    play_leave(play);
    leaf(play, SORT, 5);
    play_end(play);
}

/* The device's clock is set back a little: such a record has the time of the one before it. */
static void play_backwards(struct play *play) {
    begin(play, 10000 * MICROSECOND);
    play_enter(play, RESTORE_STATE);
    play_spend(play, 3000);
    play_enter(play, TAB_RESTORE);
    play_back(play, 1500);
    play_enter(play, WEBVIEW_RESTORE);
    play_back(play, 500);
    play_leave(play);
    play_spend(play, 2000);
    play_leave(play);
    play_spend(play, 1000);
    play_leave(play);
    play_end(play);
}

/* Table 2 of the paper: mean times and references that differ by exactly its error rates. */
static const struct {
    int function;
    int64_t reference, measured; /* microseconds */
} accuracies[] = {{RESTORE_STATE, 10000, 10719},
                  {CREATE_TAB, 20000, 20884},
                  {FREE_MEMORY, 40000, 39084},
                  {SORT, 10000, 11021}};

static void play_accuracy(struct play *play) {
    begin(play, 0);
    for (int64_t call = -1; call <= 1; call++) {
        for (size_t i = 0; i < COUNT(accuracies); i++) {
            leaf(play, accuracies[i].function, accuracies[i].measured + 77 * call);
            play_wait(play, 250);
        }
    }
    play_end(play);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Which files there are, and what belongs to each: log, probe list, expectations, configuration. */
static FILE *list;

static void write_files(const char *name, const char *expected, const struct play *play,
                        const struct log_style *style, const char *configuration) {
    struct bytes log = {0}, probes = {0};
    bool on[PROBES];

    memset(on, true, sizeof on);
    write_log(&log, play, style, NULL);
    if (strcmp(name, "session-no-newline") == 0) {
        log.length--;
    }
    save(&log, "ok/%s.rmp", name);
    write_probes(&probes, play->program, PROBES, on, style->newline);
    save(&probes, "ok/%s.probes", name);
    if (configuration != NULL) {
        FILE *file = create("ok/%s.yaml", name);

        fprintf(file, "rmp:\n%s", configuration);
        close_file(file);
    }
    fprintf(list, "%s\t%s\t%s\n", name, expected, configuration == NULL ? "-" : name);
    free(log.at);
    free(probes.at);
}

static bool uses(const struct play *play, enum resolution resolution) {
    for (size_t i = 0; i < play->count; i++) {
        if (play->program->functions[play->calls[i].function].resolution == resolution) {
            return true;
        }
    }
    return false;
}

static void expect_hotspots(const char *name, const struct account *account) {
    static const char *const names[] = {"process", "thread", "method", "loop"};

    for (enum resolution resolution = PROCESS; resolution < RESOLUTIONS; resolution++) {
        if (uses(account->play, resolution)) {
            FILE *file = create("expected/%s/hotspots-%s.tsv", name, names[resolution]);

            write_hotspots(file, account, resolution, NOTHING, 0);
            close_file(file);
        }
    }
}

static void expect(const char *name, const struct play *play) {
    struct account account;
    FILE *file = create("expected/%s/functions.tsv", name);

    account_open(&account, play, WALL);
    write_functions(file, &account, false);
    close_file(file);
    file = create("expected/%s/calltree.tsv", name);
    write_calltree(file, &account);
    close_file(file);
    file = create("expected/%s/ledger.tsv", name);
    fprintf(file, "events\t%zu\nrejected\t0\n", play->event_count);
    close_file(file);
    /* An item with only open calls is in no report of times. */
    if (strcmp(name, "missing-exit") != 0) {
        expect_hotspots(name, &account);
    }
    account_free(&account);
}

static void write_session(void) {
    struct log_style style = plain_style;
    struct play play;

    play_session(&play);
    expect("session", &play);
    write_files("session", "session", &play, &style, NULL);
    write_files("session-no-newline", "session", &play, &style, NULL);
    style.newline = "\r\n";
    write_files("session-crlf", "session", &play, &style, NULL);
    style = plain_style;
    style.comments = true;
    style.header = "#rmp 1 start=2012-05-01T10:00:00+0800 round=3";
    write_files("session-comments", "session", &play, &style, NULL);
    style = plain_style;
    style.columns = "cbitop";
    style.separator = ',';
    write_files("session-columns", "session", &play, &style,
                "  columns: [caller, probe, tid, time, point, pid]\n  separator: \",\"\n");
    play_free(&play);
}

static void write_accuracy(void) {
    struct play play;
    FILE *reference = create("ok/accuracy.reference"), *file;
    char name[512];
    double sum = 0;

    play_accuracy(&play);
    write_files("accuracy", "accuracy", &play, &plain_style, NULL);
    expect("accuracy", &play);
    file = create("expected/accuracy/accuracy.tsv");
    for (size_t i = 0; i < COUNT(accuracies); i++) {
        int64_t wrong = accuracies[i].measured - accuracies[i].reference;
        double error = (double)(wrong < 0 ? -wrong : wrong) / (double)accuracies[i].reference;

        sum += error;
        function_name(play.program, accuracies[i].function, name, sizeof name);
        fprintf(reference, "%s\t%" PRId64 "\n", name, accuracies[i].reference * MICROSECOND);
        fprintf(file, "%s\t%" PRId64 "\t%" PRId64 "\t%.6f\n", name,
                accuracies[i].reference * MICROSECOND, accuracies[i].measured * MICROSECOND, error);
    }
    close_file(file);
    close_file(reference);
    file = create("expected/accuracy/mean.tsv");
    fprintf(file, "%.6f\n", sum / (double)COUNT(accuracies));
    close_file(file);
    play_free(&play);
}

/* Table 2 as the paper prints it, in microseconds: System.nanoTime, RMP, Android's Debug class. */
static const struct {
    const char *name;
    int64_t reference, rmp, debug;
} table_2[] = {{"onPause", 14518, 15562, 8250},
               {"addObserver", 1221, 1167, 2417},
               {"resetLockcon", 1312, 1282, 2099},
               {"buildTitleUrl", 1068, 1177, 4061}};

/* Each method once, one after another; the paper names no classes. */
static void write_table_2(void) {
    FILE *reference = create("ok/table2.reference");
    FILE *rmp = create("ok/table2-rmp.rmp"), *debug = create("ok/table2-debug.rmp");

    for (size_t i = 0; i < COUNT(table_2); i++) {
        const char *name = table_2[i].name;
        int64_t start = (int64_t)i * SECOND;

        fprintf(reference, "%s\t%" PRId64 "us\n", name, table_2[i].reference);
        fprintf(rmp, "%" PRId64 "\t1\t1\tE\t%s\t-\n", start, name);
        fprintf(rmp, "%" PRId64 "\t1\t1\tX\t%s\t-\n", start + table_2[i].rmp * MICROSECOND, name);
        fprintf(debug, "%" PRId64 "\t1\t1\tE\t%s\t-\n", start, name);
        fprintf(debug, "%" PRId64 "\t1\t1\tX\t%s\t-\n", start + table_2[i].debug * MICROSECOND,
                name);
    }
    close_file(reference);
    close_file(rmp);
    close_file(debug);
}

/* Figure 8's shares of 1 s, in hundredths of a per cent. The paper names the modules, but no
 * methods.
 */
static const struct {
    const char *method;
    int64_t share;
} figure_8[] = {{"webview.draw", 8297},
                {"view.start", 502},
                {"settings.update", 446},
                {"others.all", 10000 - 8297 - 502 - 446}};

static void write_figure_8(void) {
    FILE *log = create("ok/figure8.rmp"), *modules = create("ok/figure8.yaml");
    int64_t time = 0;

    for (size_t i = 0; i < COUNT(figure_8); i++) {
        fprintf(log, "%" PRId64 "\t1\t1\tE\t%s\t-\n", time, figure_8[i].method);
        time += figure_8[i].share * (SECOND / 10000);
        fprintf(log, "%" PRId64 "\t1\t1\tX\t%s\t-\n", time, figure_8[i].method);
    }
    fprintf(modules, "modules:\n"
                     "  A resources and framework of view: [view.]\n"
                     "  B browser settings and database: [settings.]\n"
                     "  C network data and web view: [webview.]\n");
    close_file(log);
    close_file(modules);
}

void write_samples(void) {
    static const struct {
        const char *name;
        void (*play)(struct play *play);
    } samples[] = {{"missing-exit", play_missing_exit},
                   {"stray-exit", play_stray_exit},
                   {"exception", play_exception},
                   {"switched-out", play_switched_out},
                   {"short", play_short},
                   {"backwards", play_backwards}};

    list = create("ok/list.tsv");
    write_session();
    write_accuracy();
    write_table_2();
    write_figure_8();
    for (size_t i = 0; i < COUNT(samples); i++) {
        struct play play;

        samples[i].play(&play);
        write_files(samples[i].name, samples[i].name, &play, &plain_style, NULL);
        expect(samples[i].name, &play);
        play_free(&play);
    }
    close_file(list);
}
