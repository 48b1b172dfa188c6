/* model/call_stacks: threads looked up again, growing stacks, idle threads dropped. */
#include "model/call_stacks.h"
#include "unit.h"

/* Data of a thread here. */
struct kept {
    struct call_thread stack;
    int number;
};

static struct call_stacks stacks;
static int forgotten;

static void set_up(void) {
    stacks = (struct call_stacks){.thread_size = sizeof(struct kept), .call_size = sizeof(int)};
    forgotten = 0;
}

static void tear_down(void) {
    call_stacks_free(&stacks);
    ck_assert_uint_eq(call_stacks_count(&stacks), 0);
}

static void count_forgotten(void *context, struct call_thread *thread) {
    (void)thread;
    ++*(int *)context;
}

static struct kept *add(uint32_t actor) {
    struct call_thread *thread = call_stacks_add(&stacks, actor);

    ck_assert_ptr_nonnull(thread);
    return (void *)thread;
}

UNIT_CASE("call_stacks", set_up, tear_down);

UNIT_TEST(threads_are_found_again) {
    ck_assert_ptr_null(call_stacks_find(&stacks, 7));
    ck_assert_int_eq(add(7)->number, 0);
    add(8)->number = 80;
    ((struct kept *)(void *)call_stacks_find(&stacks, 7))->number = 70;
    ck_assert_int_eq(((struct kept *)(void *)call_stacks_find(&stacks, 8))->number, 80);
    ck_assert_int_eq(((struct kept *)(void *)call_stacks_find(&stacks, 7))->number, 70);
    ck_assert_uint_eq(call_stacks_find(&stacks, 8)->actor, 8);
    ck_assert_ptr_null(call_stacks_find(&stacks, 9));
    ck_assert_uint_eq(call_stacks_count(&stacks), 2);
}

UNIT_TEST(calls_come_off_as_they_were_put_on) {
    struct call_thread *one = &add(1)->stack, *two = &add(2)->stack;

    ck_assert_ptr_null(call_stacks_innermost(&stacks, one));
    for (int i = 0; i < 1000; i++) {
        *(int *)call_stacks_push(&stacks, one) = i;
        *(int *)call_stacks_push(&stacks, two) = -i;
    }
    ck_assert_int_eq(*(int *)call_stacks_at(&stacks, one, 17), 17);
    for (int i = 999; i >= 0; i--) {
        ck_assert_int_eq(*(int *)call_stacks_innermost(&stacks, one), i);
        ck_assert_int_eq(*(int *)call_stacks_pop(&stacks, one), i);
        ck_assert_int_eq(*(int *)call_stacks_pop(&stacks, two), -i);
    }
    ck_assert_uint_eq(one->depth, 0);
}

/* Every second thread has an open call. */
static void add_many(uint32_t first, uint32_t end) {
    for (uint32_t actor = first; actor < end; actor++) {
        struct call_thread *thread = &add(actor)->stack;

        if (actor % 2 == 0) {
            *(int *)call_stacks_push(&stacks, thread) = (int)actor;
        }
    }
}

UNIT_TEST(idle_threads_are_forgotten_when_there_are_many) {
    stacks.forget = count_forgotten;
    stacks.context = &forgotten;
    add_many(0, CALL_STACKS_IDLE);
    ck_assert_int_eq(forgotten, 0);
    add(CALL_STACKS_IDLE);
    ck_assert_int_eq(forgotten, CALL_STACKS_IDLE / 2);
    ck_assert_uint_eq(call_stacks_count(&stacks), CALL_STACKS_IDLE / 2 + 1);
    ck_assert_ptr_null(call_stacks_find(&stacks, 1));
    ck_assert_int_eq(*(int *)call_stacks_innermost(&stacks, call_stacks_find(&stacks, 2)), 2);
}

/* The user decides whether a thread may be dropped, and may remove calls from it before. */
static bool take_call(void *context, struct call_thread *thread) {
    (void)context;
    if (thread->actor % 4 == 0 && thread->depth > 0) {
        call_stacks_pop(&stacks, thread);
    }
    return thread->actor != 1;
}

UNIT_TEST(the_user_says_what_is_idle) {
    stacks.idle = take_call;
    add_many(0, CALL_STACKS_IDLE + 1);
    ck_assert_ptr_nonnull(call_stacks_find(&stacks, 1));
    ck_assert_ptr_nonnull(call_stacks_find(&stacks, 2));
    ck_assert_ptr_null(call_stacks_find(&stacks, 3));
    ck_assert_ptr_null(call_stacks_find(&stacks, 4));
}
