/* Logs of `strace -f -ttt -T -y -s 200`: 40 threads of a server. They read and write 3,000 files,
 * mostly a few of them, send to sockets, and wait for locks and sockets. Four of them live for 20
 * calls: each is a process started by another one, with a long command. One call in 16 is
 * interrupted by another thread's: unfinished, then resumed. Other shapes measure how time grows:
 * every call on a different file, all calls equal, a process for every 20 calls.
 */
#include "generate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    THREADS = 40,
    FILES = 3000,
    SOCKET = 3100, /* first descriptor of sockets */
    LIFE = 20,     /* calls of a short-lived process */
    SHORT = 4,     /* threads that are short-lived processes */
    WORDS = 24,    /* limit of words in a command */
    CALL = 1536,
};

enum shape { SKEWED, DIFFERENT, EQUAL, PROCESSES };

struct thread {
    uint32_t id;
    uint32_t calls; /* since its start */
    uint64_t free;  /* microsecond from which it can call again */
    uint64_t since; /* begin of the unfinished call; 0: none */
    char end[400];  /* text after the time in the line of its end */
};

struct player {
    struct dice dice;
    enum shape shape;
    uint64_t time; /* microseconds */
    uint64_t made;
    uint32_t last_id;
    struct thread threads[THREADS];
};

/* A few files get most of the calls. */
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

/* Refers to one file, unless there are too many files. */
static unsigned descriptor(const struct player *player, uint64_t file) {
    return 3 + (unsigned)(player->shape == DIFFERENT ? file % 200 : file);
}

/* Formats a read or write of a file; the result is its length. */
static void say_transfer(struct player *player, unsigned kind, uint64_t file, char *call,
                         size_t size, unsigned length) {
    static const char *const kinds[] = {"read", "write", "pread64", "pwrite64"};
    int end = snprintf(call, size, "%s(%u</data/app/files/part-%02u/file-%u.db>, ", kinds[kind],
                       descriptor(player, file), (unsigned)(file % 64), (unsigned)file);

    if (kind < 2) {
        snprintf(call + end, size - (size_t)end, "\"SQLite format 3\\0\\20\\0\\1\\1\"..., %u",
                 length);
    } else {
        snprintf(call + end, size - (size_t)end, "\"\\r\\0\\0\\0\\10\\17\\1\"..., %u, %u", length,
                 dice_below(&player->dice, 100000) * 4096);
    }
}

/* Formats a call with a long argument; the result is its length. */
static void say_send(struct player *player, char *call, size_t size, unsigned length) {
    unsigned socket = SOCKET + dice_below(&player->dice, 40);

    snprintf(call, size,
             "sendto(%u<socket:[%u]>, \"POST /v1/items/%u HTTP/1.1\\r\\nHost: "
             "api.example.com\\r\\nAccept: application/json\\r\\nContent-Type: "
             "application/json\\r\\nUser-Agent: app/4.2\\r\\nContent-Length: "
             "%u\\r\\n\\r\\n{\\\"id\\\": %u, \\\"na\"..., %u, MSG_NOSIGNAL, NULL, 0",
             socket, 90000 + socket, dice_below(&player->dice, 100000), length,
             dice_below(&player->dice, FILES), length);
}

static void say_wait(struct player *player, bool lock, char *call, size_t size, char *result,
                     size_t result_size) {
    unsigned socket = SOCKET + dice_below(&player->dice, 40);

    if (lock) {
        bool fails = dice_below(&player->dice, 3) == 0;

        snprintf(call, size, "futex(0x7f31c40%05x, FUTEX_WAIT_PRIVATE, 2, NULL",
                 dice_below(&player->dice, 64) * 64);
        snprintf(result, result_size, fails ? "-1 EAGAIN (Resource temporarily unavailable)" : "0");
    } else {
        snprintf(call, size, "poll([{fd=%u<socket:[%u]>, events=POLLIN}], 1, 1000", socket,
                 90000 + socket);
        snprintf(result, result_size, "1 ([{fd=%u, revents=POLLIN}])", socket);
    }
}

static void say_open(struct player *player, uint64_t file, char *call, size_t size, char *result,
                     size_t result_size) {
    snprintf(call, size,
             "openat(AT_FDCWD</data/app>, \"files/part-%02u/file-%u.db\", "
             "O_RDWR|O_CREAT|O_CLOEXEC, 0644",
             (unsigned)(file % 64), (unsigned)file);
    snprintf(result, result_size, "%u</data/app/files/part-%02u/file-%u.db>",
             descriptor(player, file), (unsigned)(file % 64), (unsigned)file);
    if (dice_below(&player->dice, 4) == 0) {
        snprintf(result, result_size, "-1 ENOENT (No such file or directory)");
    }
}

/* Formats the text of a call, up to its arguments, and its result. */
static void say_call(struct player *player, char *call, size_t size, char *result,
                     size_t result_size) {
    uint32_t dice = player->shape == EQUAL ? 0 : dice_below(&player->dice, 100);
    uint64_t file = choose_file(player);
    unsigned length = 512U << dice_below(&player->dice, 6);

    snprintf(result, result_size, "%u", length);
    if (dice < 66) {
        say_transfer(player, dice % 4, file, call, size, length);
    } else if (dice < 72) {
        say_open(player, file, call, size, result, result_size);
    } else if (dice < 80) {
        snprintf(call, size, "%s(%u</data/app/files/part-%02u/file-%u.db>",
                 dice < 78 ? "close" : "fdatasync", descriptor(player, file), (unsigned)(file % 64),
                 (unsigned)file);
        snprintf(result, result_size, "0");
    } else if (dice >= 90 && dice < 94) {
        say_send(player, call, size, length);
    } else {
        say_wait(player, dice < 90, call, size, result, result_size);
    }
}

/* Counts the call with that text. */
static void count_call(const char *call) {
    char name[32];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(call, "("), call);
    count_name(name);
}

static void count_error(const char *result) {
    if (strstr(result, "-1 E") != NULL) {
        count_name(strstr(result, "EAGAIN") != NULL ? "EAGAIN" : "ENOENT");
    }
}

/* Writes a complete call of a thread, at a distinct time. */
static void put_call(struct player *player, struct thread *thread, const char *call,
                     const char *result) {
    uint64_t took = dice_long(&player->dice, 40);

    player->time = thread->free > player->time ? thread->free : player->time + 1;
    put_text("%u %u.%06u %s) = %s <%u.%06u>\n", thread->id, (unsigned)(player->time / 1000000),
             (unsigned)(player->time % 1000000), call, result, (unsigned)(took / 1000000),
             (unsigned)(took % 1000000));
    thread->free = player->time + took;
    thread->calls++;
    player->made++;
    count_call(call);
}

/* The first call of a process: a compiler with its options. */
static void put_execve(struct player *player, struct thread *thread) {
    uint32_t words = 4 + dice_below(&player->dice, WORDS - 4);
    char call[CALL];
    int length = snprintf(call, sizeof call, "execve(\"/usr/bin/cc\", [\"cc\"");

    for (uint32_t i = 0; i < words; i++) {
        length += snprintf(call + length, sizeof call - (size_t)length, ", \"-Isrc/part-%02u/%u\"",
                           dice_below(&player->dice, 64), dice_below(&player->dice, 1000));
    }
    snprintf(call + length, sizeof call - (size_t)length, "], 0x7ffd1e%06x /* %u vars */",
             dice_below(&player->dice, 1 << 24), 30 + dice_below(&player->dice, 20));
    put_call(player, thread, call, "0");
}

/* Replaces an ended process by a new one, started by the last thread if it can call. */
static void replace_thread(struct player *player, struct thread *thread) {
    struct thread *parent = &player->threads[THREADS - 1];
    uint64_t time = player->time;
    char result[16];

    put_text("%u %u.%06u exit_group(0) = ?\n", thread->id, (unsigned)(time / 1000000),
             (unsigned)(time % 1000000));
    put_text("%u %u.%06u +++ exited with 0 +++\n", thread->id, (unsigned)(time / 1000000),
             (unsigned)(time % 1000000));
    count_name("exit_group");
    player->made++;
    *thread = (struct thread){.id = ++player->last_id};
    if (parent != thread && parent->since == 0) {
        snprintf(result, sizeof result, "%u", thread->id);
        put_call(player, parent,
                 "clone(child_stack=NULL, "
                 "flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, "
                 "child_tidptr=0x7f31c4000a10",
                 result);
    }
    put_execve(player, thread);
}

static void finish_call(struct player *player, struct thread *thread) {
    uint64_t took = player->time - thread->since;

    put_text("%u %u.%06u <... %s <%u.%06u>\n", thread->id, (unsigned)(player->time / 1000000),
             (unsigned)(player->time % 1000000), thread->end, (unsigned)(took / 1000000),
             (unsigned)(took % 1000000));
    thread->since = 0;
    player->made++;
    count_name("merged");
    count_error(thread->end);
}

static void make_call(struct player *player, struct thread *thread) {
    char call[CALL], result[128];
    uint64_t took = dice_long(&player->dice, 40);

    say_call(player, call, sizeof call, result, sizeof result);
    put_text("%u %u.%06u %s", thread->id, (unsigned)(player->time / 1000000),
             (unsigned)(player->time % 1000000), call);
    thread->calls++;
    count_call(call);
    if (player->shape != EQUAL && dice_below(&player->dice, 16) == 0) {
        put_text(" <unfinished ...>\n");
        snprintf(thread->end, sizeof thread->end, "%.*s resumed>) = %s", (int)strcspn(call, "("),
                 call, result);
        thread->since = player->time;
        return;
    }
    put_text(") = %s <%u.%06u>\n", result, (unsigned)(took / 1000000), (unsigned)(took % 1000000));
    thread->free = player->time + took;
    player->made++;
    count_error(result);
}

/* Writes `count` calls of random threads; a thread that cannot call yet advances the time. */
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
                   (shape == PROCESSES || (shape == SKEWED && thread < player.threads + SHORT))) {
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
