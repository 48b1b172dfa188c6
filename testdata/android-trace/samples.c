#include "samples.h"

#include "../rmp/account.h"
#include "../rmp/browser.h"

#include <stdlib.h>
#include <string.h>

/* --- the shop --------------------------------------------------------------------------------- */

enum {
    RUN,
    OPEN_SHOP,
    ADD_INT,
    ADD_LONG,
    ADD_NOTHING,
    TOTAL,
    PAY,
    CHECK,
    UNNAMED,
    LAMBDA,
    ROAR,
    TRIM,
    INIT,
    ZERO,
    SHOP_FUNCTIONS
};

#define SHOP "com.example.Shop"

/* What reports say; what the file says is below. */
static const struct function shop_functions[SHOP_FUNCTIONS] = {
    [RUN] = {"java.lang.Thread", "run", "()V", THREAD, true},
    [OPEN_SHOP] = {SHOP, "open", "()V", METHOD, false},
    [ADD_INT] = {SHOP, "add", "(I)V", METHOD, false},
    [ADD_LONG] = {SHOP, "add", "(J)V", METHOD, false},
    [ADD_NOTHING] = {SHOP, "add", "()V", METHOD, false},
    [TOTAL] = {SHOP, "total", "()J", METHOD, false},
    [PAY] = {"com.example.Cart", "pay", "(Lcom/example/Purse;)Z", METHOD, false},
    [CHECK] = {"com.example.Cart", "check", "()V", METHOD, false},
    [UNNAMED] = {"", "0xb6d0f00c", NULL, METHOD, false},
    [LAMBDA] = {"", "lambda", "()V", METHOD, false},
    [ROAR] = {"com.example.Löwe", "brüllen", "()V", METHOD, false},
    [TRIM] = {"com.example.Legacy", "trim", NULL, METHOD, false},
    [INIT] = {SHOP, "<init>", "()V", METHOD, false},
    [ZERO] = {"com.example.Zero", "zero", "()I", METHOD, false},
};

const struct listing shop_listings[SHOP_FUNCTIONS] = {
    [RUN] = {0x4, NULL},
    [OPEN_SHOP] = {0x8, NULL},
    [ADD_INT] = {0xFFFFFFFC, NULL},
    [ADD_LONG] = {0x80000000, NULL},
    [ADD_NOTHING] = {0x1000, "com.example.Shop\tadd\t()V\tShop.java\t-1"},
    [TOTAL] = {0x1004, NULL},
    [PAY] = {0x1008, "com/example/Cart\tpay\t(Lcom/example/Purse;)Z"},
    [CHECK] = {0x100C, "com/example/Cart\tcheck\t()V\t\t"},
    [UNNAMED] = {0xB6D0F00C, ""},
    [LAMBDA] = {0x1010, "\tlambda\t()V\tnone\t0"},
    [ROAR] = {0x1014, "com/example/Löwe\tbrüllen\t()V\tLöwe.java\t4"},
    [TRIM] = {0x1018, "com/example/Legacy\ttrim"},
    [INIT] = {0x101C, "com/example/Shop\t<init>\t()V\tShop.java"},
    [ZERO] = {0x0, NULL},
};

const struct extras shop_extras = {"2\tGC\n3\tSignal Catcher\n",
                                   "0x2000\tcom/example/Never\tnever\t()V\tNever.java\t1\n"
                                   "0x2004\tcom/example/Never\tnot\t()V\tNever.java\t2\n"};

enum { MAIN, FIRST, SECOND_SAME, CAFE, HASH, NAMELESS, EMPTY, SHOP_THREADS };

static const struct thread shop_threads[SHOP_THREADS] = {
    [MAIN] = {1, "main", 0},   [FIRST] = {5, "Thread-7", 0}, [SECOND_SAME] = {6, "Thread-7", 0},
    [CAFE] = {7, "Café ☕", 0}, [HASH] = {8, "#1 worker", 0}, [NAMELESS] = {9, NULL, 0},
    [EMPTY] = {10, "", 0},
};

static const struct program shop = {shop_functions, SHOP_FUNCTIONS, shop_threads, SHOP_THREADS,
                                    false};

static void leaf(struct play *play, int function, int64_t microseconds) {
    play_enter(play, function);
    play_spend(play, microseconds);
    play_leave(play);
}

static void total(struct play *play, int depth) {
    play_enter(play, TOTAL);
    play_spend(play, 30);
    if (depth > 0) {
        total(play, depth - 1);
        leaf(play, ADD_LONG, 7 + depth);
    }
    play_wait(play, 11);
    play_leave(play);
}

/* check() throws, pay() lets it through, open() catches. */
static void pay(struct play *play) {
    play_enter(play, PAY);
    play_spend(play, 60);
    play_enter(play, CHECK);
    play_spend(play, 25);
    play_throw(play);
    play_throw(play);
}

/* Of four calls only the outermost one's exit is there. */
static void lose_exits(struct play *play) {
    play_enter(play, OPEN_SHOP);
    play_spend(play, 40);
    play_enter(play, TOTAL);
    play_enter(play, TOTAL);
    play_spend(play, 90);
    play_enter(play, ADD_INT);
    play_spend(play, 13);
    play_unwind(play, OPEN_SHOP);
}

static void play_main(struct play *play) {
    play_thread(play, MAIN, 210 * MICROSECOND);
    play_stray(play, INIT); /* tracing began in there */
    play_spend(play, 4);
    play_stray(play, RUN);
    play_spend(play, 6);
    leaf(play, INIT, 100);
    play_enter(play, OPEN_SHOP);
    leaf(play, ADD_INT, 20);
    leaf(play, ADD_LONG, 35);
    leaf(play, ADD_NOTHING, 2);
    play_stray(play, ROAR);
    total(play, 3);
    pay(play);
    leaf(play, UNNAMED, 50);
    leaf(play, ZERO, 3);
    play_leave(play);
    lose_exits(play);
    leaf(play, LAMBDA, 41);
    leaf(play, TRIM, 42);
    play_enter(play, OPEN_SHOP); /* tracing ends in there */
    leaf(play, ADD_INT, 21);
    total(play, 1);
    play_enter(play, PAY);
    leaf(play, ROAR, 5);
}

void play_shop(struct play *play) {
    play_begin(play, &shop);
    play_main(play);
    for (int thread = FIRST; thread < SHOP_THREADS; thread++) {
        play_thread(play, thread, (300 + 17 * thread) * MICROSECOND);
        play_enter(play, RUN);
        play_spend(play, 8 + thread);
        leaf(play, ROAR, 100 + thread);
        play_wait(play, 500);
        total(play, thread % 3);
        if (thread == CAFE) {
            play_throw(play);
        } else if (thread != HASH) {
            play_leave(play);
        }
    }
    play_end(play);
}

/* Two and a half hours: the clocks of 32 bits wrap. A thread is silent across a wrap for
 * longer than half of the range. */
static void play_long(struct play *play) {
    const int64_t minute = 60000000;

    play_begin(play, &shop);
    play_thread(play, MAIN, 0);
    play_enter(play, OPEN_SHOP);
    for (int i = 0; i < 50; i++) {
        leaf(play, i % 3 == 0 ? TOTAL : ADD_INT, 3 * minute + i);
    }
    play_leave(play);
    play_thread(play, CAFE, 30 * minute * MICROSECOND);
    play_enter(play, RUN);
    leaf(play, ROAR, 1000);
    play_wait(play, 46 * minute);
    leaf(play, ROAR, 2000);
    play_wait(play, 50 * minute);
    leaf(play, ROAR, 3000);
    play_leave(play);
    play_end(play);
}

static void play_backwards(struct play *play) {
    play_begin(play, &shop);
    play_thread(play, MAIN, 5000 * MICROSECOND);
    play_enter(play, OPEN_SHOP);
    play_spend(play, 800);
    play_enter(play, TOTAL);
    play_back(play, 300);
    play_enter(play, ADD_INT);
    play_back(play, 100);
    play_leave(play);
    play_spend(play, 64);
    play_leave(play);
    play_spend(play, 10);
    play_leave(play);
    play_end(play);
}

/* --- expectations ----------------------------------------------------------------------------- */

static void expect_clock(const char *folder, const struct play *play, enum clock clock) {
    const char *name = clock == WALL ? "wall" : "cpu";
    struct account account;
    FILE *file;

    account_open(&account, play, clock);
    file = create("expected/%s/functions-%s.tsv", folder, name);
    write_functions(file, &account, false);
    close_file(file);
    file = create("expected/%s/per-thread-%s.tsv", folder, name);
    write_functions(file, &account, true);
    close_file(file);
    file = create("expected/%s/calltree-%s.tsv", folder, name);
    write_calltree(file, &account);
    close_file(file);
    account_free(&account);
}

/* `function` is called in one thread only: thread-CPU times of several have no order. */
static void expect_calls(const char *folder, const struct play *play, int function, enum clock axis,
                         enum clock clock, const char *name) {
    struct account account;
    FILE *file = create("expected/%s/calls-%s.tsv", folder, name);

    account_open(&account, play, clock);
    write_calls(file, &account, function, axis, 0);
    close_file(file);
    account_free(&account);
}

/* calls-cpu: of a file that has no other clock; calls-dual: --clock cpu where it has two. */
static void expect(const char *folder, const struct play *play, int function) {
    FILE *file = create("expected/%s/records.tsv", folder);
    char name[512];

    fprintf(file, "events\t%zu\nrejected\t0\n", play->event_count);
    close_file(file);
    file = create("expected/%s/op.txt", folder);
    function_name(play->program, function, name, sizeof name);
    fprintf(file, "%s\n", name);
    close_file(file);
    expect_clock(folder, play, WALL);
    expect_clock(folder, play, CPU);
    expect_calls(folder, play, function, WALL, WALL, "wall");
    expect_calls(folder, play, function, CPU, CPU, "cpu");
    expect_calls(folder, play, function, WALL, CPU, "dual");
}

/* --- files ------------------------------------------------------------------------------------ */

static FILE *list; /* file, its clocks, its expectations */

static const char *const clock_sets[] = {"cpu", "wall", "wall cpu"};

static void write_one(const char *name, const char *folder, const struct play *play,
                      const struct trace_style *style, const struct listing *listings,
                      const struct extras *extras) {
    struct trace trace = {0};

    write_trace(&trace, play, style, listings, extras);
    save(&trace.bytes, "ok/%s.trace", name);
    fprintf(list, "%s\t%s\t%s\n", name, clock_sets[style->clocks], folder);
    free_trace(&trace);
}

static const struct {
    const char *name;
    struct trace_style style;
} styles[] = {
    {"v1-thread-cpu", {.version = 1, .clocks = THREAD_CPU, .clock = "thread-cpu"}},
    {"v1-global", {.version = 1, .clocks = WALL_CLOCK, .clock = "global"}},
    {"v2-thread-cpu", {.version = 2, .clocks = THREAD_CPU, .clock = "thread-cpu"}},
    {"v2-wall", {.version = 2, .clocks = WALL_CLOCK, .clock = "wall", .art = true}},
    {"v3-thread-cpu", {.version = 3, .clocks = THREAD_CPU, .clock = "thread-cpu"}},
    {"v3-wall", {.version = 3, .clocks = WALL_CLOCK, .clock = "wall", .art = true}},
    {"v3-dual", {.version = 3, .clocks = DUAL, .clock = "dual"}},
    {"v3-dual-art", {.version = 3, .clocks = DUAL, .clock = "dual", .art = true}},
    {"streaming-dual",
     {.version = 3, .clocks = DUAL, .clock = "dual", .art = true, .streaming = true}},
    {"streaming-wall",
     {.version = 3, .clocks = WALL_CLOCK, .clock = "wall", .art = true, .streaming = true}},
};

static void write_styles(const char *name, const struct play *play, const struct listing *listings,
                         const struct extras *extras) {
    char file[64];

    for (size_t i = 0; i < COUNT(styles); i++) {
        snprintf(file, sizeof file, "%s-%s", name, styles[i].name);
        write_one(file, name, play, &styles[i].style, listings, extras);
    }
}

static void write_keys(const struct play *play) {
    struct trace_style style = {.version = 3, .clocks = DUAL, .clock = "dual"};

    style.overflow = "true";
    style.wrong_count = 1000;
    write_one("shop-overflow", "shop", play, &style, shop_listings, &shop_extras);
    style.overflow = NULL;
    style.wrong_count = -3;
    write_one("shop-wrong-count", "shop", play, &style, shop_listings, &shop_extras);
    style.wrong_count = 0;
    style.no_count = style.no_overhead = true;
    write_one("shop-no-count", "shop", play, &style, shop_listings, &shop_extras);
    /* ART says when tracing began by the time since the device was switched on. */
    style.no_count = style.no_overhead = false;
    style.start = 202272032;
    style.art = true;
    write_one("shop-uptime", "shop", play, &style, shop_listings, &shop_extras);
}

void write_samples(void) {
    struct trace_style dual = {.version = 3, .clocks = DUAL, .clock = "dual"};
    struct trace_style cpu = {.version = 1, .clocks = THREAD_CPU, .clock = "thread-cpu"};
    struct trace_style stream = {
        .version = 3, .clocks = DUAL, .clock = "dual", .art = true, .streaming = true};
    struct play play;

    list = create("ok/list.tsv");
    play_shop(&play);
    expect("shop", &play, ADD_INT);
    write_styles("shop", &play, shop_listings, &shop_extras);
    write_keys(&play);
    play_free(&play);
    play_long(&play);
    expect("long", &play, TOTAL);
    write_one("long", "long", &play, &dual, shop_listings, NULL);
    write_one("long-thread-cpu", "long", &play, &cpu, shop_listings, NULL);
    write_one("long-streaming", "long", &play, &stream, shop_listings, NULL);
    play_free(&play);
    play_backwards(&play);
    expect("backwards", &play, TOTAL);
    write_one("backwards", "backwards", &play, &dual, shop_listings, NULL);
    play_free(&play);
    close_file(list);
}

void write_browser(void) {
    struct play whole, play;
    bool on[FUNCTIONS];

    for (int i = 0; i < FUNCTIONS; i++) {
        enum resolution resolution = browser.functions[i].resolution;

        on[i] = resolution == THREAD || resolution == METHOD;
    }
    play_browser(&whole, &browser, 0);
    play_select(&play, &whole, on);
    play_free(&whole);
    list = create("ok/list.tsv");
    expect("browser", &play, TAB_RESTORE);
    write_styles("browser", &play, NULL, NULL);
    play_free(&play);
    close_file(list);
}
