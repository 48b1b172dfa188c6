#include "play.h"

#include <string.h>

struct frame {
    enum function function;
    bool logged; /* its entry is in the log */
};

struct thread {
    struct frame stack[DEPTH];
    unsigned depth;
    unsigned logged[FUNCTIONS]; /* of stack */
    uint64_t last;              /* time of its last record */
};

struct player {
    const struct plan *plan;
    struct random random;
    uint64_t clock;
    struct thread threads[THREADS];
    unsigned last_thread;
    struct account *account;
    struct sink *sink;
    struct played played;
    struct record record;
};

/* --- records ---------------------------------------------------------------------------------- */

/* Often nothing, mostly little, at times long. */
static void tick(struct player *player) {
    uint32_t kind = word_below(&player->random, 100);
    uint32_t units = kind < 10   ? 0
                     : kind < 97 ? 1 + word_below(&player->random, 100)
                                 : 1 + word_below(&player->random, 5000);

    player->clock += units * (player->plan->scale > 0 ? player->plan->scale : 1);
}

/* The next record of the thread. Returns its time as a reader takes it: not before the thread's
 * last, while what the log says may be. */
static uint64_t begin_record(struct player *player, unsigned thread, enum record_type type,
                             enum function function) {
    struct thread *of = &player->threads[thread];
    struct record *record = &player->record;
    uint64_t time;

    tick(player);
    time = player->clock;
    if (random_chance(&player->random, player->plan->jitter)) {
        time -= word_below(&player->random, 400);
        time = time < player->account->origin ? player->account->origin : time;
    }
    record->type = type;
    record->function = program[function].number;
    record->thread = thread_numbers[thread];
    record->time = time;
    record->parameters = 0;
    player->played.switches += thread != player->last_thread;
    player->last_thread = thread;
    player->played.late += time < of->last;
    of->last = time > of->last ? time : of->last;
    return of->last;
}

/* Whether the record that comes is in the log. What is not is played all the same, so that the play
 * is one whatever the log has of it. */
static bool in_log(struct player *player) {
    return player->played.records++ >= player->plan->log_from;
}

static void end_record(struct player *player, bool logged) {
    if (logged && player->sink != NULL) {
        player->sink->put(player->sink, &player->record);
    }
}

static void add_parameter(struct player *player, unsigned type, enum control control) {
    static const uint32_t masks[PARAMETER_TYPES] = {
        [UINT8] = 0xFF,       [INT8] = 0xFF,          [BOOL] = 1,
        [UINT16] = 0xFFFF,    [INT16] = 0xFFFF,       [UINT32] = 0xFFFFFFFF,
        [INT32] = 0xFFFFFFFF, [POINTER] = 0xFFFFFFFF, [STRUCT] = 0xFFFFFFFF,
    };
    struct record *record = &player->record;

    record->parameter[record->parameters++] = (struct parameter){
        .type = (uint8_t)type,
        .control = (uint8_t)control,
        .value = random_word(&player->random) & masks[type],
    };
    player->played.parameter[record->type == EXIT][type][control] = true;
}

static void add_parameters(struct player *player, const uint8_t *types) {
    for (; *types != 0; types++) {
        uint32_t kind = word_below(&player->random, 100);

        add_parameter(player, *types, kind < 14 ? NULLPTR : kind < 28 ? NOTALIGNED : UNFORMATTED);
    }
}

/* As many as a record can have. */
static void add_many_parameters(struct player *player) {
    for (unsigned i = 0; i < MOST_PARAMETERS; i++) {
        add_parameter(player, UINT8 + i % 9, UNFORMATTED);
    }
    player->played.many = true;
}

static int32_t return_code(struct player *player) {
    static const int32_t codes[] = {-1, -5, INT32_MIN, 1, 17, INT32_MAX, -1, 17};

    if (!random_chance(&player->random, 250)) {
        return 0;
    }
    return codes[word_below(&player->random, sizeof codes / sizeof codes[0])];
}

/* --- what a thread does -------------------------------------------------------------------------
 */

static void note_recursion(struct player *player, const struct thread *of, enum function function) {
    for (unsigned i = 0; i + 1 < of->depth; i++) {
        if (of->stack[i].function == function && of->stack[of->depth - 1].function != function) {
            player->played.returns_to++;
            break;
        }
    }
    player->played.recursions += of->depth > 0 && of->stack[of->depth - 1].function == function;
}

/* An entry may be lost only while no call of the function is open: else the log would tell its exit
 * as that call's. */
static void enter(struct player *player, unsigned thread, enum function function) {
    struct thread *of = &player->threads[thread];
    bool lost = of->logged[function] == 0 && player->plan->lose_entry > 0 &&
                random_chance(&player->random, player->plan->lose_entry);
    bool logged = !lost && in_log(player);
    uint64_t time = begin_record(player, thread, ENTRY, function);

    note_recursion(player, of, function);
    player->played.lost += lost;
    if (function == IDLE && !player->plan->small && random_chance(&player->random, 60)) {
        add_many_parameters(player);
    } else {
        add_parameters(player, program[function].entry);
    }
    if (logged) {
        account_entry(player->account, thread, function, time, parameter_bytes(&player->record));
    }
    end_record(player, logged);
    of->stack[of->depth++] = (struct frame){function, logged};
    of->logged[function] += logged;
}

static struct frame pop(struct thread *of) {
    struct frame frame = of->stack[--of->depth];

    of->logged[frame.function] -= frame.logged;
    return frame;
}

/* Returns from the innermost call except `vanished`, which has no exit record. */
static void leave(struct player *player, unsigned thread, unsigned vanished) {
    struct thread *of = &player->threads[thread];
    unsigned logged_vanished = 0;
    struct frame frame;
    uint64_t time;
    bool logged;

    for (unsigned i = 0; i < vanished; i++) {
        logged_vanished += pop(of).logged;
    }
    frame = pop(of);
    logged = in_log(player);
    time = begin_record(player, thread, EXIT, frame.function);
    player->record.code = return_code(player);
    player->played.negative |= player->record.code < 0;
    player->played.positive |= player->record.code > 0;
    add_parameters(player, program[frame.function].exit);
    if (logged && frame.logged) {
        account_exit(player->account, thread, logged_vanished, time, player->record.code,
                     parameter_bytes(&player->record));
    } else if (logged) {
        account_stray(player->account, thread, frame.function, time, player->record.code);
    }
    player->played.unwound += logged_vanished;
    end_record(player, logged);
}

/* How many calls an exception passes, 0 to 3. The one that catches it has its entry in the log, and
 * none of those passed is of its function: else the log would tell its exit as theirs. */
static unsigned passed_by_exception(struct player *player, const struct thread *of) {
    unsigned passed = 1 + word_below(&player->random, 3);
    const struct frame *catcher;

    if (!random_chance(&player->random, player->plan->unwind) || passed >= of->depth) {
        return 0;
    }
    catcher = &of->stack[of->depth - 1 - passed];
    for (unsigned i = of->depth - passed; i < of->depth; i++) {
        if (of->stack[i].function == catcher->function) {
            return 0;
        }
    }
    return catcher->logged ? passed : 0;
}

static void write_data(struct player *player, unsigned thread, unsigned size) {
    static const uint16_t sizes[] = {0, 1, 15, 16, 17, MOST_DATA};
    const struct thread *of = &player->threads[thread];
    enum function function = of->depth == 0 || random_chance(&player->random, 250)
                                 ? NOTE
                                 : of->stack[of->depth - 1].function;
    bool logged = in_log(player);
    uint64_t time = begin_record(player, thread, DATA, function);

    if (size == 0) {
        size = sizes[word_below(&player->random, player->plan->small ? 3 : 6)];
    }
    player->record.size = size;
    player->record.binary = random_chance(&player->random, 500);
    player->played.data[player->record.binary][size] = true;
    if (logged) {
        account_data(player->account, thread, function, time);
    }
    end_record(player, logged);
}

/* --- the play -----------------------------------------------------------------------------------
 */

static bool is_over(const struct player *player) {
    return player->plan->log_until > 0 && player->played.records >= player->plan->log_until;
}

static enum function choose_callee(struct player *player, enum function caller) {
    const uint8_t *callees = program[caller].callees;
    unsigned count = 0;

    while (count < CALLEES && callees[count] != RUN) {
        count++;
    }
    return count > 0 ? (enum function)callees[word_below(&player->random, count)] : RUN;
}

static enum function choose_root(struct player *player) {
    static const enum function roots[] = {RUN, RUN, HANDLE, ELEMENT};

    return player->plan->stay_in_root ? RUN : roots[word_below(&player->random, 4)];
}

static bool pad(struct player *player, unsigned thread) {
    if (player->plan->pad_size == 0 || player->played.records != player->plan->pad_at) {
        return false;
    }
    write_data(player, thread, (unsigned)player->plan->pad_size);
    return true;
}

static void step(struct player *player) {
    enum { LIKELY_DEPTH = 12 };
    unsigned thread = word_below(&player->random, THREADS);
    struct thread *of = &player->threads[thread];
    uint32_t choice = word_below(&player->random, 100);
    enum function callee;

    if (pad(player, thread)) {
        return;
    }
    if (choice < 7) {
        write_data(player, thread, 0);
        return;
    }
    if (of->depth == 0) {
        enter(player, thread, choose_root(player));
        return;
    }
    callee = choose_callee(player, of->stack[of->depth - 1].function);
    if (callee != RUN && of->depth < LIKELY_DEPTH && choice < 64) {
        enter(player, thread, callee);
    } else if (of->depth > 1 || !player->plan->stay_in_root) {
        leave(player, thread, passed_by_exception(player, of));
    }
}

static bool close_one(struct player *player) {
    unsigned first = word_below(&player->random, THREADS);

    for (unsigned i = 0; i < THREADS; i++) {
        unsigned thread = (first + i) % THREADS;

        if (player->threads[thread].depth > 0) {
            if (!pad(player, thread)) {
                leave(player, thread, 0);
            }
            return true;
        }
    }
    return false;
}

static void begin_play(struct player *player, const struct plan *plan, struct account *account,
                       struct sink *sink) {
    memset(player, 0, sizeof *player);
    player->plan = plan;
    player->account = account;
    player->sink = sink;
    player->random.state = plan->seed;
    player->clock = plan->counter;
}

struct played play(const struct plan *plan, struct account *account, struct sink *sink) {
    static struct player player;

    begin_play(&player, plan, account, sink);
    for (unsigned phase = 0; phase < plan->phases; phase++) {
        uint64_t end = player.played.records + plan->records;

        while (player.played.records < end && !is_over(&player) && !(sink != NULL && sink->full)) {
            step(&player);
        }
        while (!plan->stay_in_root && !is_over(&player) && close_one(&player)) {
        }
        if (phase == 0) {
            player.played.phase_end = player.played.records;
        }
    }
    account_end(account);
    return player.played;
}

struct played play_deep(unsigned depth, struct account *account, struct sink *sink) {
    static const struct plan plan = {.seed = 1, .small = true};
    static struct player player;

    begin_play(&player, &plan, account, sink);
    for (unsigned i = 0; i < depth; i++) {
        enter(&player, 0, READ);
    }
    while (close_one(&player)) {
    }
    account_end(account);
    return player.played;
}
