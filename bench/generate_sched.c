/* The kernel's trace as text, with scheduler events, of four CPUs: 48 threads run, are preempted,
 * sleep, wait for devices, and are woken by each other or in interrupts. The counts are those of
 * the resulting states. With calls, a thread sleeps in a futex.
 */
#include "generate.h"

#include <stdio.h>

enum { THREADS = 48, CPUS = 4, IDLE = 0 };

struct cpu {
    int runs; /* thread number, from 1, or IDLE */
    int ready[THREADS];
    uint32_t ready_count;
    bool seen; /* has a line */
};

struct player {
    struct dice dice;
    struct cpu cpus[CPUS];
    bool asleep[THREADS + 1];
    bool has_calls, in_call[THREADS + 1];
    uint64_t time; /* microseconds */
    int64_t left;  /* remaining lines */
};

static void name_thread(char name[PROCESS_NAME + 1], int thread, uint32_t cpu) {
    if (thread == IDLE) {
        snprintf(name, PROCESS_NAME + 1, "swapper/%u", cpu);
    } else {
        process_name(name, (uint32_t)thread % ISSUERS);
    }
}

static uint32_t number_of(int thread) {
    return thread == IDLE ? 0 : FIRST_PID + (uint32_t)thread;
}

static void put_head(struct player *player, uint32_t number, const char *flags) {
    struct cpu *cpu = &player->cpus[number];
    char name[PROCESS_NAME + 1] = "<idle>";

    if (cpu->runs != IDLE) {
        name_thread(name, cpu->runs, number);
    } else if (!cpu->seen) {
        count_name("processor idle");
    }
    cpu->seen = true;
    put_text("%16s-%-7u [%03u] %s %5u.%06u: ", name, number_of(cpu->runs), number, flags,
             (unsigned)(player->time / 1000000), (unsigned)(player->time % 1000000));
    player->left--;
}

static void wake(struct player *player, uint32_t number, const char *flags) {
    static const char *const events[] = {"sched_waking", "sched_wakeup"};
    uint32_t target = dice_below(&player->dice, CPUS);
    int thread = 1 + (int)dice_below(&player->dice, THREADS);
    char name[PROCESS_NAME + 1];

    if (!player->asleep[thread]) {
        return;
    }
    player->asleep[thread] = false;
    player->cpus[target].ready[player->cpus[target].ready_count++] = thread;
    name_thread(name, thread, number);
    count_name("woken");
    for (int i = 0; i < 2; i++) {
        put_head(player, number, flags);
        put_text("%s: comm=%s pid=%u prio=120 target_cpu=%03u\n", events[i], name,
                 number_of(thread), target);
    }
}

static void interrupt(struct player *player, uint32_t number) {
    put_head(player, number, "d.h1.");
    put_text("irq_handler_entry: irq=24 name=virtio0-req.0\n");
    wake(player, number, "d.h2.");
    put_head(player, number, "d.h1.");
    put_text("irq_handler_exit: irq=24 ret=handled\n");
}

static int next_ready(struct cpu *cpu) {
    int thread = cpu->ready_count > 0 ? cpu->ready[0] : IDLE;

    for (uint32_t i = 1; i < cpu->ready_count; i++) {
        cpu->ready[i - 1] = cpu->ready[i];
    }
    cpu->ready_count -= thread != IDLE;
    return thread;
}

/* The begin or end of a call of the running thread, on one of 16 locks. */
static void put_call(struct player *player, uint32_t number, bool begins) {
    int thread = player->cpus[number].runs;

    player->in_call[thread] = begins;
    put_head(player, number, ".....");
    if (begins) {
        put_text("sys_futex(uaddr: 7f%02x00, op: 80, val: 2)\n", (unsigned)thread % 16);
    } else {
        put_text("sys_futex -> 0x0\n");
    }
}

static void change_thread(struct player *player, uint32_t number) {
    struct cpu *cpu = &player->cpus[number];
    uint32_t roll = dice_below(&player->dice, 100);
    bool preempted = cpu->ready_count > 0 && roll < 30;
    int from = cpu->runs, to = next_ready(cpu);
    const char *state = from == IDLE || preempted ? "R" : roll < 90 ? "S" : "D";
    char from_name[PROCESS_NAME + 1], to_name[PROCESS_NAME + 1];

    if (from == to) {
        return;
    }
    if (player->has_calls && from != IDLE && !preempted) {
        put_call(player, number, true);
    }
    name_thread(from_name, from, number);
    name_thread(to_name, to, number);
    put_head(player, number, "d..2.");
    put_text("sched_switch: prev_comm=%s prev_pid=%u prev_prio=120 prev_state=%s ==> "
             "next_comm=%s next_pid=%u next_prio=120\n",
             from_name, number_of(from), state, to_name, number_of(to));
    if (preempted && from != IDLE) {
        cpu->ready[cpu->ready_count++] = from;
    } else {
        player->asleep[from] = true;
    }
    if (from != IDLE) {
        count_name(preempted ? "preempted" : *state == 'S' ? "sleeping" : "uninterruptible");
    }
    count_name(to == IDLE ? "processor idle" : "running");
    cpu->runs = to;
    if (player->in_call[to]) {
        put_call(player, number, false);
    }
}

static void generate(uint64_t count, bool has_calls) {
    static struct player player;

    player = (struct player){
        .dice = {7}, .time = 2720475937, .left = (int64_t)count, .has_calls = has_calls};
    put_text("# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
             "#              | |         |   |||||     |         |\n");
    for (int i = 1; i <= THREADS; i++) {
        player.asleep[i] = true;
    }
    while (player.left > 0) {
        uint32_t number = dice_below(&player.dice, CPUS);
        const struct cpu *cpu = &player.cpus[number];

        player.time += dice_long(&player.dice, 6);
        if (cpu->runs == IDLE && cpu->ready_count == 0) {
            interrupt(&player, number);
        } else if (cpu->runs != IDLE && dice_below(&player.dice, 4) == 0) {
            wake(&player, number, "d..2.");
        } else {
            change_thread(&player, number);
        }
    }
    for (int i = 0; i < CPUS; i++) {
        if (player.cpus[i].runs != IDLE) {
            count_name("unknown");
        }
    }
}

void generate_sched(uint64_t count) {
    generate(count, false);
}

void generate_waits(uint64_t count) {
    generate(count, true);
}
