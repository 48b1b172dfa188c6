#include "study.h"

#include "account.h"
#include "browser.h"
#include "log.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROUNDS = 8, PROBES_ON = 8, NONE = -1, ANY = -1 };

/* Which probes each round switches on: those of one more level inside what was found hottest. The
 * last gives the picture by module. */
static const int on_in[ROUNDS][PROBES_ON] = {
    {BROWSER_ACTIVITY, BOOKMARKS_PAGE, DOWNLOAD_PAGE, DOWNLOAD_RECEIVER, SYNC_SERVICE, NONE},
    {BROWSER_ACTIVITY, RESTORE_RUN, SAVE_RUN, ICON_RUN, NONE},
    {BROWSER_ACTIVITY, TRAVERSAL_RUN, EVENT_RUN, WORKER_RUN, COOKIE_RUN, ICON_RUN, NONE},
    {RESTORE_RUN, RESTORE_STATE, CREATE_TAB, FREE_MEMORY, NONE},
    {RESTORE_STATE, TAB_RESTORE, NONE},
    {RESTORE_STATE, WEBVIEW_RESTORE, ADD_HISTORY, MEASURE, NONE},
    {RESTORE_STATE, HOT_LOOP, TITLE_LOOP, MEASURE_LOOP, NONE},
    {BROWSER_ACTIVITY, HOT_LOOP, WEBVIEW_RESTORE, DRAW, SORT, CHECK_STRICT, NONE}};

static const struct module modules[] = {{"tab restore loop", "com.android.browser.TabControl."
                                                             "restoreState#"},
                                        {"browser", "com.android.browser."},
                                        {"webkit", "android.webkit."},
                                        {"view", "android.view."},
                                        {"java.util", "java.util."}};

/* Hotspots that are asked for: in which round, 0 for the study as a whole; at which level, inside
 * of what, with how many calls at least. */
static const struct {
    int round;
    enum resolution resolution;
    int within, min_calls;
} questions[] = {{1, PROCESS, ANY, 0},
                 {1, PROCESS, ANY, 13},
                 {2, PROCESS, ANY, 0},
                 {2, THREAD, ANY, 0},
                 {2, THREAD, BROWSER_ACTIVITY, 0},
                 {3, THREAD, ANY, 0},
                 {3, THREAD, BROWSER_ACTIVITY, 0},
                 {4, METHOD, ANY, 0},
                 {4, METHOD, RESTORE_RUN, 0},
                 {4, METHOD, RESTORE_RUN, 12},
                 {5, METHOD, ANY, 0},
                 {5, METHOD, RESTORE_STATE, 0},
                 {6, METHOD, ANY, 0},
                 {6, METHOD, RESTORE_STATE, 0},
                 {6, METHOD, WEBVIEW_RESTORE, 0},
                 {7, LOOP, ANY, 0},
                 {7, LOOP, RESTORE_STATE, 0},
                 {8, METHOD, BROWSER_ACTIVITY, 0},
                 {8, LOOP, BROWSER_ACTIVITY, 0},
                 {0, PROCESS, ANY, 0},
                 {0, THREAD, ANY, 0},
                 {0, METHOD, ANY, 0},
                 {0, LOOP, ANY, 0}};

static const char *const resolution_names[] = {"process", "thread", "method", "loop"};

/* --- a probe takes its time ------------------------------------------------------------------- */

static int compare_events(const void *left, const void *right) {
    const struct event *one = left, *other = right;

    if (one->at.wall != other->at.wall) {
        return one->at.wall < other->at.wall ? -1 : 1;
    }
    return one->order < other->order ? -1 : 1;
}

/* Half of it before the entry is logged, half after the exit is: a call's own probe adds nothing to
 * it, but to all that it was called by. */
static void add_overhead(struct play *play) {
    int64_t *late = allocate(play->program->thread_count, sizeof *late);

    for (size_t i = 0; i < play->event_count; i++) {
        struct event *event = &play->events[i];
        struct call *call = &play->calls[event->call];
        int64_t half = overhead_of(play, event->function) / 2;

        late[event->thread] += event->action == ENTRY ? half : 0;
        event->at.wall += late[event->thread];
        late[event->thread] += event->action == ENTRY ? 0 : half;
        *(event->action == ENTRY ? &call->begin : &call->end) = event->at;
    }
    free(late);
    qsort(play->events, play->event_count, sizeof *play->events, compare_events);
}

/* --- rounds ----------------------------------------------------------------------------------- */

struct round {
    int number;
    bool on[FUNCTIONS];
    struct play play; /* as it was seen */
    size_t bytes;     /* of its log */
};

/* `plain`: no probe takes any time, and every round is the same run, which is also the one that
 * there is an Android trace of. */
static void play_round(struct round *round, int number, bool plain) {
    struct play whole;

    *round = (struct round){.number = number};
    for (int i = 0; on_in[number - 1][i] != NONE; i++) {
        round->on[on_in[number - 1][i]] = true;
    }
    play_browser(&whole, &browser_in_rmp, plain ? 0 : (uint32_t)number);
    play_select(&round->play, &whole, round->on);
    play_free(&whole);
    if (!plain) {
        add_overhead(&round->play);
    }
}

static void write_round(struct round *round, const char *folder, bool header) {
    struct log_style style = plain_style;
    struct bytes log = {0}, probes = {0};
    char first[128];

    snprintf(first, sizeof first, "#rmp 1 start=2012-05-01T10:%02d:00+0800 round=%d",
             round->number * 5, round->number);
    style.header = header ? first : NULL;
    style.base += round->number * 300 * SECOND;
    write_log(&log, &round->play, &style, NULL);
    write_probes(&probes, round->play.program, PROBES, round->on, "\n");
    save(&log, "%s/round%d.rmp", folder, round->number);
    save(&probes, "%s/round%d.probes", folder, round->number);
    round->bytes = log.length;
    free(log.at);
    free(probes.at);
}

static void write_configuration(const char *folder) {
    FILE *file = create("%s/browser.yaml", folder);

    fputs("modules:\n", file);
    for (size_t i = 0; i < COUNT(modules); i++) {
        fprintf(file, "  %s: [\"%s\"]\n", modules[i].name, modules[i].prefix);
    }
    close_file(file);
}

void write_rounds(const char *folder) {
    struct round round;

    for (int number = 1; number <= ROUNDS; number++) {
        play_round(&round, number, false);
        write_round(&round, folder, true);
        play_free(&round.play);
    }
    write_configuration(folder);
}

/* --- expectations ----------------------------------------------------------------------------- */

static void expect_questions(const char *folder, FILE *list, int number,
                             const struct account *account) {
    char within[512];

    for (size_t i = 0; i < COUNT(questions); i++) {
        FILE *file;

        if (questions[i].round != number) {
            continue;
        }
        snprintf(within, sizeof within, "-");
        if (questions[i].within != ANY) {
            function_name(account->play->program, questions[i].within, within, sizeof within);
        }
        fprintf(list, "%d\t%s\t%s\t%d\thotspots-%zu.tsv\n", number,
                resolution_names[questions[i].resolution], within, questions[i].min_calls, i);
        file = create("expected/%s/hotspots-%zu.tsv", folder, i);
        write_hotspots(file, account, questions[i].resolution, questions[i].within,
                       questions[i].min_calls);
        close_file(file);
    }
}

static void expect_times(const char *folder, int number, const struct account *account) {
    FILE *file = create("expected/%s/functions-%d.tsv", folder, number);

    write_functions(file, account, false);
    close_file(file);
    file = create("expected/%s/calltree-%d.tsv", folder, number);
    write_calltree(file, account);
    close_file(file);
    file = create("expected/%s/modules-%d.tsv", folder, number);
    write_modules(file, account, modules, COUNT(modules));
    close_file(file);
    file = create("expected/%s/calls-%d.tsv", folder, number);
    /* The start of the trace is its first event. */
    write_calls(file, account, HOT_LOOP, WALL, account->play->events[0].at.wall);
    close_file(file);
}

static void expect_round(const char *folder, FILE *list, struct round *round, FILE *overhead) {
    struct account account;
    char trace[32];

    account_open(&account, &round->play, WALL);
    expect_times(folder, round->number, &account);
    expect_questions(folder, list, round->number, &account);
    snprintf(trace, sizeof trace, "round%d", round->number);
    write_overhead(overhead, &round->play, trace, round->bytes);
    account_free(&account);
}

/* Puts the calls of a round behind those of the rounds before it. */
static void append(struct play *all, const struct play *play) {
    int before = (int)all->count;

    all->program = play->program;
    for (size_t i = 0; i < play->count; i++) {
        struct call call = play->calls[i];

        call.parent += call.parent < 0 ? 0 : before;
        all->calls = grow(all->calls, all->count, &all->capacity, sizeof call);
        all->calls[all->count++] = call;
    }
}

/* Without the probes' time the calls take what they took in the same run without probes: its times
 * are the corrected ones. */
static void expect_corrected(const struct round *round) {
    struct play whole, seen;
    struct account account;

    play_browser(&whole, &browser_in_rmp, (uint32_t)round->number);
    play_select(&seen, &whole, round->on);
    for (size_t i = 0; i < seen.count; i++) {
        const struct call *truth = &seen.calls[i], *measured = &round->play.calls[i];
        int64_t added = 0;

        for (size_t j = i + 1; j < seen.count; j++) {
            int at = seen.calls[j].parent;

            while (at > (int)i) {
                at = seen.calls[at].parent;
            }
            added += at == (int)i ? overhead_of(&seen, seen.calls[j].function) : 0;
        }
        if (measured->end.wall - measured->begin.wall - added !=
            truth->end.wall - truth->begin.wall) {
            die("round %d: call %zu does not come out right", round->number, i);
        }
    }
    account_open(&account, &seen, WALL);
    expect_times("corrected", round->number, &account);
    account_free(&account);
    play_free(&whole);
    play_free(&seen);
}

static void write_variant(const char *folder, bool plain) {
    struct round round;
    struct play all = {0};
    struct account account;
    FILE *list = create("expected/%s/hotspots.list", folder);
    FILE *overhead = create("expected/%s/overhead.tsv", folder);

    for (int number = 1; number <= ROUNDS; number++) {
        play_round(&round, number, plain);
        if (!plain) {
            expect_corrected(&round);
            write_round(&round, "bare", false);
        }
        write_round(&round, folder, true);
        expect_round(folder, list, &round, overhead);
        append(&all, &round.play);
        play_free(&round.play);
    }
    account_open(&account, &all, WALL);
    expect_questions(folder, list, 0, &account);
    account_free(&account);
    play_free(&all);
    close_file(list);
    close_file(overhead);
    write_configuration(folder);
}

void write_study(void) {
    write_variant("measured", false);
    write_variant("plain", true);
}
