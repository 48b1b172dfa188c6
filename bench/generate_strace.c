/* Logs of `strace -f -ttt -T -y`: 40 threads of a server, which read and write 3,000 files, few of
 * them most of the time, wait for locks and sockets, and now and then start a process that lives
 * for 20 calls. One call in 16 is interrupted by another thread's: unfinished, then resumed. Other
 * shapes are for how time grows: every call on a file of its own, all calls alike, a process for
 * every 20 calls.
 */
#include "generate.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    THREADS = 40,
    FILES = 3000,
    LIFE = 20, /* calls of a short process */
};

enum shape { SKEWED, DIFFERENT, EQUAL, PROCESSES };

struct thread {
    uint32_t id;
    uint32_t calls; /* made since it began */
    uint64_t free;  /* microsecond from which it can call again */
    uint64_t since; /* when the unfinished call began; 0: there is none */
    char end[400];  /* what the line of its end has behind its time */
};

struct player {
    struct dice dice;
    enum shape shape;
    uint64_t time; /* microseconds */
    uint64_t made;
    uint32_t last_id;
    struct thread threads[THREADS];
};

/* A few files have most of the calls. */
static uint64_t choose_file(struct player *player) {
    uint32_t dice = dice_below(&player->dice, 100);

    if (player->shape == DIFFERENT) {
        return player->made;
    }
    if (player->shape == EQUAL) {
        return 7;
    }
    return dice < 60   ? dice_below(&player->dice, 8)
           : dice < 90 ? dice_below(&player->dice, 200)
                       : dice_below(&player->dice, FILES);
}

/* The call's text as far as its arguments, its result behind them. */
static void say_call(struct player *player, char *call, size_t size, char *result,
                     size_t result_size) {
    static const char *const kinds[] = {"read", "write", "pread64", "pwrite64"};
    uint32_t dice = player->shape == EQUAL ? 0 : dice_below(&player->dice, 100);
    uint64_t file = choose_file(player);
    unsigned fd = 3 + (unsigned)(file % 200);
    unsigned length = 512U << dice_below(&player->dice, 6);

    snprintf(result, result_size, "%u", length);
    if (dice < 66) {
        unsigned kind = dice % 4;

        snprintf(call, size,
                 "%s(%u</data/app/files/part-%02u/file-%u.db>, \"SQLite format "
                 "3\\0\\20\\0\\1\\1\"..., %u",
                 kinds[kind], fd, (unsigned)(file % 64), (unsigned)file, length);
        if (kind >= 2) {
            snprintf(call, size,
                     "%s(%u</data/app/files/part-%02u/file-%u.db>, \"\\r\\0\\0\\0\\10\\17\\1\"..., "
                     "%u, %u",
                     kinds[kind], fd, (unsigned)(file % 64), (unsigned)file, length,
                     dice_below(&player->dice, 100000) * 4096);
        }
    } else if (dice < 72) {
        bool fails = dice_below(&player->dice, 4) == 0;

        snprintf(call, size,
                 "openat(AT_FDCWD</data/app>, \"files/part-%02u/file-%u.db\", "
                 "O_RDWR|O_CREAT|O_CLOEXEC, 0644",
                 (unsigned)(file % 64), (unsigned)file);
        snprintf(result, result_size, "%u</data/app/files/part-%02u/file-%u.db>", fd,
                 (unsigned)(file % 64), (unsigned)file);
        if (fails) {
            snprintf(result, result_size, "-1 ENOENT (No such file or directory)");
        }
    } else if (dice < 78) {
        snprintf(call, size, "close(%u</data/app/files/part-%02u/file-%u.db>", fd,
                 (unsigned)(file % 64), (unsigned)file);
        snprintf(result, result_size, "0");
    } else if (dice < 80) {
        snprintf(call, size, "fdatasync(%u</data/app/files/part-%02u/file-%u.db>", fd,
                 (unsigned)(file % 64), (unsigned)file);
        snprintf(result, result_size, "0");
    } else if (dice < 92) {
        bool fails = dice_below(&player->dice, 3) == 0;

        snprintf(call, size, "futex(0x7f31c40%05x, FUTEX_WAIT_PRIVATE, 2, NULL",
                 dice_below(&player->dice, 64) * 64);
        snprintf(result, result_size, fails ? "-1 EAGAIN (Resource temporarily unavailable)" : "0");
    } else {
        unsigned socket = 210 + dice_below(&player->dice, 40);

        snprintf(call, size, "poll([{fd=%u<socket:[%u]>, events=POLLIN}], 1, 1000", socket,
                 90000 + socket);
        snprintf(result, result_size, "1 ([{fd=%u, revents=POLLIN}])", socket);
    }
}

/* A thread that ends makes room for a new one, which another has started. */
static void replace_thread(struct player *player, struct thread *thread) {
    uint64_t time = player->time;

    put_text("%u %u.%06u exit_group(0) = ?\n", thread->id, (unsigned)(time / 1000000),
             (unsigned)(time % 1000000));
    put_text("%u %u.%06u +++ exited with 0 +++\n", thread->id, (unsigned)(time / 1000000),
             (unsigned)(time % 1000000));
    thread->id = ++player->last_id;
    thread->calls = 0;
    player->made++;
}

static void finish_call(struct player *player, struct thread *thread) {
    uint64_t took = player->time - thread->since;

    put_text("%u %u.%06u <... %s <%u.%06u>\n", thread->id, (unsigned)(player->time / 1000000),
             (unsigned)(player->time % 1000000), thread->end, (unsigned)(took / 1000000),
             (unsigned)(took % 1000000));
    thread->since = 0;
    player->made++;
}

static void make_call(struct player *player, struct thread *thread) {
    char call[256], result[128];
    uint64_t took = dice_long(&player->dice, 40);
    int name;

    say_call(player, call, sizeof call, result, sizeof result);
    put_text("%u %u.%06u %s", thread->id, (unsigned)(player->time / 1000000),
             (unsigned)(player->time % 1000000), call);
    thread->calls++;
    if (player->shape != EQUAL && dice_below(&player->dice, 16) == 0) {
        put_text(" <unfinished ...>\n");
        for (name = 0; call[name] != '('; name++) {
        }
        snprintf(thread->end, sizeof thread->end, "%.*s resumed>) = %s", name, call, result);
        thread->since = player->time;
        return;
    }
    put_text(") = %s <%u.%06u>\n", result, (unsigned)(took / 1000000), (unsigned)(took % 1000000));
    thread->free = player->time + took;
    player->made++;
}

/* The thread of number `at`, or one behind it that can call: those before it have waited least. */
static void generate(uint64_t count, enum shape shape) {
    static struct player player;
    struct thread *thread;

    player = (struct player){
        .dice.state = 39, .shape = shape, .time = UINT64_C(1700000000000000), .last_id = 4000};
    for (int i = 0; i < THREADS; i++) {
        player.threads[i].id = ++player.last_id;
    }
    while (player.made < count) {
        thread = &player.threads[dice_below(&player.dice, THREADS)];
        player.time += dice_long(&player.dice, 6);
        if (thread->since != 0) {
            finish_call(&player, thread);
        } else if (thread->calls >= LIFE &&
                   (shape == PROCESSES || (shape == SKEWED && thread == player.threads))) {
            replace_thread(&player, thread);
        } else {
            if (thread->free > player.time) {
                player.time = thread->free;
            }
            make_call(&player, thread);
        }
    }
}

void generate_strace(uint64_t count) {
    generate(count, SKEWED);
}

void generate_strace_different(uint64_t count) {
    generate(count, DIFFERENT);
}

void generate_strace_equal(uint64_t count) {
    generate(count, EQUAL);
}

void generate_strace_processes(uint64_t count) {
    generate(count, PROCESSES);
}
