/* Nested calls: dwTrace's function log and Android's method trace. Both use the same model: a few
 * threads with stacks, one of which runs for a while. A function calls few others, so that there
 * are some ten thousand paths, not millions.
 */
#include "generate.h"

#include <stdbool.h>

enum {
    THREADS = 6,
    DEPTH = 10,
    CALLEES = 3,
    TURN = 40, /* records until another thread runs, on average */
};

struct thread {
    uint32_t functions[DEPTH];
    uint32_t depth;
    uint64_t processor; /* processor time used */
};

struct player {
    struct dice dice;
    struct thread threads[THREADS];
    uint32_t functions;    /* number of functions */
    uint32_t turn;         /* running thread */
    uint64_t time, step;   /* current time, and mean time between records */
    uint64_t left, opened; /* remaining records; calls without an exit */
};

/* Contents of a record. */
struct record {
    uint32_t thread, function;
    bool exit;
    uint64_t time, processor;
};

/* Returns one of the functions that `caller` calls, the first one most often. */
static uint32_t choose_callee(struct player *player, uint32_t caller) {
    uint32_t dice = dice_below(&player->dice, 20);
    struct dice fixed = {.state = caller * CALLEES + (dice < 14 ? 0 : dice < 19 ? 1 : 2)};

    return dice_below(&fixed, player->functions);
}

static void switch_thread(struct player *player) {
    uint32_t next = dice_below(&player->dice, THREADS);

    /* At the end, one with open calls. */
    while (player->left <= player->opened && player->threads[next].depth == 0) {
        next = (next + 1) % THREADS;
    }
    player->turn = next;
}

/* False after the last record. */
static bool next_record(struct player *player, struct record *record) {
    struct thread *thread = &player->threads[player->turn];
    bool ending = player->left <= player->opened;
    uint64_t step = dice_long(&player->dice, player->step);

    if (player->left == 0) {
        return false;
    }
    if (dice_below(&player->dice, TURN) == 0 || (ending && thread->depth == 0)) {
        switch_thread(player);
        thread = &player->threads[player->turn];
        ending = player->left <= player->opened;
    }
    player->time += step;
    thread->processor += step - step / 8;
    /* Deeper calls are more likely to end than to call. */
    if (thread->depth > 0 && (ending || thread->depth == DEPTH ||
                              dice_below(&player->dice, DEPTH) < 3 + thread->depth / 2)) {
        record->exit = true;
        record->function = thread->functions[--thread->depth];
        player->opened--;
    } else {
        record->exit = false;
        record->function = thread->depth == 0
                               ? player->turn % 2
                               : choose_callee(player, thread->functions[thread->depth - 1]);
        thread->functions[thread->depth++] = record->function;
        player->opened++;
    }
    player->left--;
    record->thread = player->turn;
    record->time = player->time;
    record->processor = thread->processor;
    return true;
}

/* --- dwTrace -----------------------------------------------------------------------------------
 */

enum { DW_FUNCTIONS = 400, DW_COMPONENT = 40, DW_TIMESTAMPS = 1 };

/* Entries of 13 bytes and exits of 17, with timestamps of 32 bits, which wrap. */
void generate_dwtrace(uint64_t count) {
    struct player player = {.dice = {3}, .functions = DW_FUNCTIONS, .step = 1000, .left = count};
    uint8_t bytes[32], *at = bytes;
    struct record record;

    put_bytes("DWTR", 4);
    at = put_little(at, 1, 2);
    at = put_little(at, DW_TIMESTAMPS, 2);
    at = put_little(at, 4711, 4);
    at = put_little(at, 0, 4);
    put_bytes(bytes, (unsigned)(at - bytes));
    while (next_record(&player, &record)) {
        uint32_t component = 1 + record.function / DW_COMPONENT;

        at = put_little(bytes, record.exit ? 2 : 1, 1);
        at = put_little(at, component << 16 | (1 + record.function % DW_COMPONENT), 4);
        at = put_little(at, 100 + record.thread, 4);
        at = put_little(at, record.time, 4);
        if (record.exit) {
            at = put_little(at, record.function % 7 == 0 && record.time % 16 == 0 ? 5 : 0, 4);
        }
        put_bytes(bytes, (unsigned)(at - bytes));
    }
}

/* --- Android -----------------------------------------------------------------------------------
 */

enum { METHODS = 3000, METHOD_BASE = 0x10000, METHODS_OF_CLASS = 12, ANDROID_STEP = 50 };

static struct player android_player(uint64_t count) {
    return (struct player){.dice = {4}, .functions = METHODS, .step = ANDROID_STEP, .left = count};
}

/* Writes the text part. It contains the duration of the trace, so the model runs once for it. */
static void put_key(uint64_t count) {
    static const char *const signatures[] = {"()V", "(I)I", "(Ljava/lang/String;)Z", "(JZ)V"};
    struct player player = android_player(count);
    struct record record;

    while (next_record(&player, &record)) {
    }
    put_text("*version\n3\ndata-file-overflow=false\nclock=dual\nelapsed-time-usec=%llu\n"
             "num-method-calls=%llu\nclock-call-overhead-nsec=120\nvm=art\npid=4711\n*threads\n",
             (unsigned long long)player.time, (unsigned long long)count);
    for (int i = 0; i < THREADS; i++) {
        put_text("%d\t%s%.0d\n", i + 1, i == 0 ? "main" : "Binder_", i);
    }
    put_text("*methods\n");
    for (unsigned i = 0; i < METHODS; i++) {
        unsigned class = i / METHODS_OF_CLASS;

        put_text("0x%x\tcom/example/part%u/Class%u\tmethod%u\t%s\tClass%u.java\t%u\n",
                 METHOD_BASE + 4 * i, class % 17, class, i, signatures[i % 4], class, 10 * i % 997);
    }
    put_text("*end\n");
}

/* Version 3 with both clocks: records of 14 bytes. */
void generate_android_trace(uint64_t count) {
    struct player player = android_player(count);
    uint8_t bytes[32], *at = bytes;
    struct record record;

    put_key(count);
    put_bytes("SLOW", 4);
    at = put_little(at, 3, 2);
    at = put_little(at, 32, 2);
    at = put_little(at, UINT64_C(1398506400000000), 8);
    at = put_little(at, 14, 2);
    at = put_little(at, 0, 8);
    at = put_little(at, 0, 6);
    put_bytes(bytes, (unsigned)(at - bytes));
    while (next_record(&player, &record)) {
        /* A few calls end by an exception. */
        uint32_t action = !record.exit ? 0 : record.time % 1024 == 0 ? 2 : 1;

        at = put_little(bytes, record.thread + 1, 2);
        at = put_little(at, METHOD_BASE + 4 * record.function + action, 4);
        at = put_little(at, record.processor, 4);
        at = put_little(at, record.time, 4);
        put_bytes(bytes, (unsigned)(at - bytes));
    }
}
