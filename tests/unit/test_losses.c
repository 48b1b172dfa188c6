/* import/losses: losses reported by a log, by CPU. Times worked out by hand. */
#include "import/losses.h"

#include "import/metadata.h"
#include "import/context.h"
#include "unit.h"

static struct import_run run;
static struct import import;

static void begin(void) {
    run = (struct import_run){0};
    import = (struct import){.run = &run};
}

static void end(void) {
    losses_free(&run.losses);
    ledger_free(&import.ledger);
}

static void tell(int64_t cpu, int64_t time) {
    import_cpu_event(&import, cpu, time);
}

static const struct loss_cpu *cpu_of(int64_t cpu) {
    for (size_t i = 0; i < run.losses.cpu_count; i++) {
        if (run.losses.cpus[i].cpu == cpu) {
            return &run.losses.cpus[i];
        }
    }
    ck_abort_msg("there is no CPU %lld", (long long)cpu);
}

static void check_gap(size_t i, int64_t cpu, int64_t from, int64_t to) {
    const struct loss_gap *gap = &run.losses.gaps[i];

    ck_assert_uint_lt(i, run.losses.gap_count);
    ck_assert_int_eq(gap->cpu, cpu);
    ck_assert_int_eq(gap->from, from);
    ck_assert_int_eq(gap->to, to);
}

UNIT_CASE("losses", begin, end);

UNIT_TEST(complete_logs_have_events_and_no_loss) {
    tell(1, 10);
    tell(0, 12);
    tell(1, 9);
    tell(1, 15);
    losses_finish(&run.losses);
    ck_assert(!run.losses.reported && !run.losses.overrun);
    ck_assert_uint_eq(run.losses.gap_count, 0);
    ck_assert_uint_eq(run.losses.cpu_count, 2);
    ck_assert_int_eq(run.losses.cpus[0].cpu, 0);
    ck_assert_int_eq(run.losses.cpus[1].cpu, 1);
    ck_assert_int_eq(cpu_of(1)->events, 3);
    ck_assert_int_eq(cpu_of(1)->first, 9);
    ck_assert_int_eq(cpu_of(1)->last, 15);
    ck_assert_int_eq(losses_count_events(&run.losses), 4);
    ck_assert_int_eq(losses_complete_since(&run.losses), EVENT_NONE);
}

UNIT_TEST(gaps_lie_between_events_of_their_cpu) {
    tell(0, 10);
    tell(1, 11);
    import_cpu_lost(&import, 1, 5, "why", 100);
    tell(0, 12);
    import_cpu_lost(&import, 1, 2, "why", 90);
    tell(1, 14);
    tell(0, 15);
    import_cpu_lost(&import, 0, EVENT_NONE, "why", 200);
    import_cpu_lost(&import, 2, 1, "other", 210);
    tell(2, 16);
    losses_finish(&run.losses);
    ck_assert(run.losses.reported);
    ck_assert_uint_eq(run.losses.gap_count, 3);
    check_gap(0, 2, EVENT_NONE, 16);
    check_gap(1, 1, 11, 14);
    check_gap(2, 0, 15, EVENT_NONE);
    ck_assert_int_eq(cpu_of(1)->lost, 7);
    ck_assert_int_eq(cpu_of(0)->lost, 0);
    ck_assert_int_eq(cpu_of(0)->uncounted, 1);
    ck_assert_int_eq(import.ledger.totals[OUTCOME_LOST], 9);
    ck_assert_int_eq(import.ledger.lines[0].first_offset, 90);
}

UNIT_TEST(a_loss_of_all_cpus_ends_with_the_next_event_of_any) {
    import_cpu_lost(&import, EVENT_NONE, EVENT_NONE, "joined", 1);
    tell(0, 10);
    tell(1, 20);
    import_cpu_lost(&import, EVENT_NONE, EVENT_NONE, "joined", 2);
    tell(0, 500);
    tell(1, 501);
    losses_finish(&run.losses);
    ck_assert_uint_eq(run.losses.gap_count, 2);
    check_gap(0, EVENT_NONE, EVENT_NONE, 10);
    check_gap(1, EVENT_NONE, 20, 500);
    ck_assert_int_eq(cpu_of(EVENT_NONE)->uncounted, 2);
    ck_assert_int_eq(cpu_of(EVENT_NONE)->events, 0);
}

UNIT_TEST(after_an_overrun_idle_cpus_do_not_count) {
    import_overrun(&import, 4476, "small", 30);
    for (int64_t i = 0; i < 100; i++) {
        tell(0, i);
        if (i >= 44 && i < 69) { /* 25: a quarter */
            tell(1, i);
        }
        if (i >= 76) { /* 24 */
            tell(2, i);
        }
    }
    losses_finish(&run.losses);
    ck_assert(run.losses.reported && run.losses.overrun);
    ck_assert_int_eq(run.losses.overwritten, 4476);
    ck_assert_uint_eq(run.losses.gap_count, 0);
    ck_assert_int_eq(cpu_of(EVENT_NONE)->lost, 4476);
    ck_assert_int_eq(losses_complete_since(&run.losses), 44);
}

UNIT_TEST(what_was_no_loss_is_forgotten) {
    tell(0, 1);
    import_cpu_missing(&import, 0, 7);
    tell(0, 2);
    ck_assert_int_eq(import.ledger.totals[OUTCOME_LOST], 0);
    import_clear_losses(&import);
    tell(0, 3);
    losses_finish(&run.losses);
    ck_assert(!run.losses.reported);
    ck_assert_uint_eq(run.losses.gap_count, 0);
    ck_assert_int_eq(cpu_of(0)->lost, 0);
    ck_assert_int_eq(cpu_of(0)->events, 3);
}

/* Beyond the limit, a CPU's last gap is extended. */
UNIT_TEST(gaps_are_bounded) {
    const int64_t losses = LOSS_GAPS + 10;

    tell(0, 0);
    for (int64_t i = 1; i <= losses; i++) {
        import_cpu_lost(&import, 0, 1, "why", 0);
        tell(0, i);
    }
    losses_finish(&run.losses);
    ck_assert_uint_eq(run.losses.gap_count, LOSS_GAPS);
    check_gap(0, 0, 0, 1);
    check_gap(LOSS_GAPS - 1, 0, LOSS_GAPS - 1, losses);
    ck_assert_int_eq(cpu_of(0)->lost, losses);
}

UNIT_TEST(cpus_are_bounded) {
    for (int64_t i = 0; i < 2 * LOSS_CPUS; i++) {
        tell(i * 7919 % (2 * LOSS_CPUS), i);
    }
    import_cpu_lost(&import, 5 * LOSS_CPUS, 3, "why", 0);
    ck_assert_uint_eq(run.losses.cpu_count, LOSS_CPUS);
    ck_assert_int_eq(losses_count_events(&run.losses), 2 * LOSS_CPUS);
    ck_assert_int_eq(cpu_of(EVENT_NONE)->events, LOSS_CPUS + 1);
    ck_assert_int_eq(cpu_of(EVENT_NONE)->lost, 3);
    for (size_t i = 1; i < run.losses.cpu_count; i++) {
        ck_assert_int_lt(run.losses.cpus[i - 1].cpu, run.losses.cpus[i].cpu);
    }
}
