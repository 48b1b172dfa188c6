/* The kernel's trace as text, as in /sys/kernel/tracing/trace, of four CPUs: system calls of 24
 * tasks, some of whose reads, writes and syncs use the disk. A few tasks live for 20 calls. Between
 * the begin and the end of a call there are calls and I/Os of other tasks.
 */
#include "generate.h"

#include <stdio.h>

enum {
    TASKS = 24,
    SHORT = 3, /* number of tasks that live for LIFE calls */
    LIFE = 20,
    CPUS = 4,
    HOT = 8, /* descriptors with most of the calls */
    DESCRIPTORS = 200,
};

enum call { READ, WRITE, PREAD, PWRITE, FSYNC, OPENAT, CLOSE, FUTEX, EPOLL_WAIT, EXIT };

static const char *const calls[] = {"read",   "write", "pread64", "pwrite64",   "fsync",
                                    "openat", "close", "futex",   "epoll_wait", "exit_group"};

struct task {
    uint32_t pid, calls;
    enum call call; /* current call, … */
    bool inside;
    int stage;              /* … and the next stage of its request, one of Q G I D C; 0: none */
    uint32_t length;        /* of the call */
    struct request request; /* of the disk */
};

struct player {
    struct disk disk;
    struct task tasks[TASKS];
    uint64_t time, left; /* microseconds; remaining lines */
    uint32_t last_pid;
};

static void put_head(struct player *player, const char *task, uint32_t pid, uint32_t cpu,
                     const char *state) {
    put_text("%16s-%-7u [%03u] %s %5u.%06u: ", task, pid, cpu, state,
             (unsigned)(player->time / 1000000), (unsigned)(player->time % 1000000));
    player->left--;
}

static void put_task(struct player *player, const struct task *task, const char *state) {
    char name[PROCESS_NAME + 1];

    process_name(name, task->pid % ISSUERS);
    put_head(player, name, task->pid, task->pid % CPUS, state);
}

/* --- the disk ----------------------------------------------------------------------------------
 */

static void put_block(struct player *player, struct task *task) {
    static const char *const events[] = {"block_bio_queue", "block_getrq", "block_rq_insert",
                                         "block_rq_issue", "block_rq_complete"};
    const struct request *request = &task->request;
    int stage = task->stage++;
    char name[PROCESS_NAME + 1], rwbs[3] = {request->write ? 'W' : 'R', request->sync ? 'S' : 0};

    count_name((const char *[]){"Q", "G", "I", "D", "C"}[stage - 1]);
    process_name(name, task->pid % ISSUERS);
    if (stage == 5) {
        put_head(player, "<idle>", 0, request->sector / 8 % CPUS, "d.h1.");
        put_text("%s: 8,0 %s () %u + %u none,0,0 [0]\n", events[stage - 1], rwbs, request->sector,
                 request->blocks);
        task->stage = 0;
        return;
    }
    put_task(player, task, "d..1.");
    put_text("%s: 8,0 %s ", events[stage - 1], rwbs);
    if (stage >= 3) {
        put_text("%u () ", request->blocks * 512);
    }
    put_text("%u + %u ", request->sector, request->blocks);
    put_text(stage >= 3 ? "be,0,4 [%s]\n" : "[%s]\n", name);
}

/* --- system calls ------------------------------------------------------------------------------
 */

static enum call choose_call(struct player *player) {
    uint32_t dice = dice_below(&player->disk.dice, 100);

    return dice < 60   ? (enum call)(dice % 4)
           : dice < 64 ? FSYNC
           : dice < 70 ? OPENAT
           : dice < 76 ? CLOSE
           : dice < 92 ? FUTEX
                       : EPOLL_WAIT;
}

static void put_arguments(struct player *player, const struct task *task, uint32_t fd) {
    struct dice *dice = &player->disk.dice;

    switch (task->call) {
    case READ:
    case WRITE:
        put_text("fd: %x, buf: 0x7f31c4%06x, count: 0x%x", fd, dice_below(dice, 1 << 24),
                 task->length);
        break;
    case PREAD:
    case PWRITE:
        put_text("fd: %x, buf: 0x7f31c4%06x, count: 0x%x, pos: 0x%x", fd, dice_below(dice, 1 << 24),
                 task->length, dice_below(dice, 100000) * 4096);
        break;
    case OPENAT:
        put_text("dfd: 0xffffffffffffff9c, filename: 0x7ffd%06x, flags: 0x80042, mode: 0x1a4",
                 dice_below(dice, 1 << 24));
        break;
    case FUTEX:
        put_text("uaddr: 0x7f31c4%06x, op: 0x80, val: 2, utime: 0, uaddr2: 0, val3: 0",
                 dice_below(dice, 64) * 64);
        break;
    case EPOLL_WAIT:
        put_text("epfd: 4, events: 0x7f31c4%06x, maxevents: 0x10, timeout: 0x3e8",
                 dice_below(dice, 1 << 24));
        break;
    case EXIT:
        put_text("error_code: 0");
        break;
    default:
        put_text("fd: %x", fd);
        break;
    }
}

static void enter(struct player *player, struct task *task) {
    struct dice *dice = &player->disk.dice;
    bool ends = task - player->tasks < SHORT && task->calls == LIFE;
    uint32_t fd =
        5 + (dice_below(dice, 10) < 6 ? dice_below(dice, HOT) : dice_below(dice, DESCRIPTORS));

    task->call = ends ? EXIT : choose_call(player);
    task->length = 512u << dice_below(dice, 6);
    task->inside = true;
    task->calls++;
    count_name(calls[task->call]);
    put_task(player, task, ".....");
    put_text("sys_%s(", calls[task->call]);
    put_arguments(player, task, fd);
    put_text(")\n");
    if (task->call <= FSYNC && dice_below(dice, 10) == 0) {
        task->request = next_request(&player->disk);
        task->request.sector += (uint32_t)(task - player->tasks); /* so that all differ */
        task->stage = 1;
    }
    if (ends) {
        *task = (struct task){.pid = ++player->last_pid};
    }
}

static void leave(struct player *player, struct task *task) {
    struct dice *dice = &player->disk.dice;
    uint64_t result = task->call <= PWRITE ? task->length : 0;

    if (task->call == FUTEX && dice_below(dice, 3) == 0) {
        result = (uint64_t)-11;
        count_name("EAGAIN");
    } else if (task->call == OPENAT) {
        result = 5 + dice_below(dice, DESCRIPTORS);
        if (dice_below(dice, 4) == 0) {
            result = (uint64_t)-2;
            count_name("ENOENT");
        }
    } else if (task->call == EPOLL_WAIT) {
        result = 1;
    }
    task->inside = false;
    count_name("merged");
    put_task(player, task, ".....");
    put_text("sys_%s -> 0x%llx\n", calls[task->call], (unsigned long long)result);
}

void generate_ftrace(uint64_t count) {
    static struct player player;

    player = (struct player){.disk.dice = {6}, .time = 2720475937, .left = count, .last_pid = 4000};
    put_text("# tracer: nop\n#\n# entries-in-buffer/entries-written: %llu/%llu   #P:%d\n#\n",
             (unsigned long long)count, (unsigned long long)count, CPUS);
    put_text("#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
             "#              | |         |   |||||     |         |\n");
    for (int i = 0; i < TASKS; i++) {
        player.tasks[i].pid = ++player.last_pid;
    }
    while (player.left > 0) {
        struct task *task = &player.tasks[dice_below(&player.disk.dice, TASKS)];

        player.time += dice_long(&player.disk.dice, 6);
        if (!task->inside) {
            enter(&player, task);
        } else if (task->stage > 0) {
            put_block(&player, task);
        } else {
            leave(&player, task);
        }
    }
}
