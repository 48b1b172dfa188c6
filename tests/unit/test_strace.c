/* Parsing of strace lines. */
#include "strace_line.h"
#include "unit.h"

/* Expected result for the line of a call. */
struct expected {
    const char *line, *name, *text;
    int64_t thread, time, value, duration; /* EVENT_NONE: none */
    const char *error;
    size_t arguments;
};

#define NONE EVENT_NONE

static const struct expected calls[] = {
    {"read(3, \"a\", 1) = 1", "read", "3, \"a\", 1", NONE, 0, 1, NONE, "", 3},
    {"12    1795303426.5 f(1)   = 0x7f", "f", "1", 12, 1795303426500000000, 127, NONE, "", 1},
    {"[pid    12] 00:00:01 f() = 022 <0.000021>", "f", "", 12, 1000000000, 18, 21000, "", 0},
    {"     0.000542 f(1) = -1 ENOENT (a (b)) <1>", "f", "1", NONE, 542000, -1, 1000000000, "ENOENT",
     1},
    {"12<a b> 12:00:00 (+     0.1) [ 257] [00007f8e7a2c1d3b] f(1) = 0", "f", "1", 12,
     43200000000000, 0, NONE, "", 1},
    {"open(\"a) = 3\", 0) = 4", "open", "\"a) = 3\", 0", NONE, 0, 4, NONE, "", 2},
    {"wait4(-1, [{E(s) && W(s) == 0}], 0) = 7", "wait4", "-1, [{E(s) && W(s) == 0}], 0", NONE, 0, 7,
     NONE, "", 3},
    {"c({a} => {b=[7]}, 88) = 7", "c", "{a} => {b=[7]}, 88", NONE, 0, 7, NONE, "", 2},
    {"f(4</a (b, c>, 1) = 3</x> <0.5>", "f", "4</a (b, c>, 1", NONE, 0, 3, 500000000, "", 2},
    {"f(5<TCP:[1:5->6:80]>, '\\0', 'a') = 0 (Timeout)", "f", "5<TCP:[1:5->6:80]>, '\\0', 'a'", NONE,
     0, 0, NONE, "", 3},
    {"f([1, ...) = 2", "f", "[1, ...", NONE, 0, 2, NONE, "", 0},
    {"f(1 /* a, b) = */, 2) = 0x8002 (flags O_RDWR)", "f", "1 /* a, b) = */, 2", NONE, 0, 32770,
     NONE, "", 2},
    {"f() = -1 ERRNO_9999 (Unknown)", "f", "", NONE, 0, -1, NONE, "ERRNO_9999", 0},
    {"syscall_0x1bd(0x1) = 0", "syscall_0x1bd", "0x1", NONE, 0, 0, NONE, "", 1},
    {"f(1) = ? ERESTARTSYS (To be restarted)", "f", "1", NONE, 0, NONE, NONE, "ERESTARTSYS", 1},
    {"f(1) = ? <unavailable>", "f", "1", NONE, 0, NONE, NONE, "", 1},
    {"f(1 <detached ...>", "f", "1", NONE, 0, NONE, NONE, "", 1},
};

UNIT_LOOP(whole_calls, COUNT(calls)) {
    const struct expected *expected = &calls[_i];
    struct strace_line line;

    ck_assert_ptr_null(strace_parse(word_of(expected->line), &line));
    ck_assert_msg(line.form == STRACE_CALL, "%s", expected->line);
    ck_assert_msg(word_is(line.name, expected->name), "%s", expected->line);
    ck_assert_msg(word_is(line.text, expected->text), "%s", expected->line);
    ck_assert_int_eq(line.prefix.thread, expected->thread);
    ck_assert_int_eq(line.prefix.time, expected->time);
    ck_assert_int_eq(line.result.known ? line.result.value : NONE, expected->value);
    ck_assert_int_eq(line.duration, expected->duration);
    ck_assert_msg(word_is(line.result.error, expected->error), "%s", expected->line);
    if (expected->arguments > 0) {
        ck_assert_uint_eq(line.argument_count, expected->arguments);
    }
}

static const struct {
    const char *line;
    enum strace_form form;
} forms[] = {
    {"", STRACE_BLANK},
    {"# f(1) = 2", STRACE_BLANK},
    {"7 read(3,  <unfinished ...>", STRACE_UNFINISHED},
    {"7 <... read resumed>\"a) = 5\", 1) = 1", STRACE_RESUMED},
    {"7 <... read resumed> <unfinished ...>", STRACE_RESUMED_HALF},
    {"--- SIGCHLD (Child exited) @ 0 (0) ---", STRACE_SIGNAL},
    {"7 +++ killed by SIGSEGV (core dumped) +++", STRACE_EXITED},
    {"7 +++ superseded by execve in pid 8 +++", STRACE_SUPERSEDED},
    {"strace: Process 8 attached with 4 threads", STRACE_ATTACHED},
    {"Process 8 attached (waiting for parent)", STRACE_ATTACHED},
    {"Process 8 suspended", STRACE_NOTE},
    {"strace: whatever", STRACE_NOTE},
    {"[ Process PID=8 runs in 32 bit mode. ]", STRACE_NOTE},
    {" > /lib/x.so(read+0x12) [0x114992]", STRACE_STACK},
    {" | 00010  61 62  ab |", STRACE_DUMP},
    {" * 12 bytes in buffer 0", STRACE_DUMP},
    {"% time     seconds", STRACE_SUMMARY},
    {"7 read(3, \"a", STRACE_CUT},
    {"7 read(3) =", STRACE_CUT},
    {"open(\"a\") = 3 0", STRACE_CUT},
    {"open(\"a\") = 3 (0x3)", STRACE_CUT},
    {", 1) = 5", STRACE_OTHER},
    {"prose (in brackets) = 5", STRACE_OTHER},
    {"0.000 ( 0.014 ms): cat/6532 openat(1) = 4", STRACE_OTHER},
};

UNIT_LOOP(other_lines, COUNT(forms)) {
    struct strace_line line;

    ck_assert_ptr_null(strace_parse(word_of(forms[_i].line), &line));
    ck_assert_msg(line.form == forms[_i].form, "%s: %d", forms[_i].line, (int)line.form);
}

UNIT_TEST(beyond_64_bits) {
    struct strace_line line;

    ck_assert_ptr_nonnull(strace_parse(word_of("f(1) = 18446744073709551616"), &line));
    ck_assert_ptr_null(strace_parse(word_of("f(1) = 18446744073709551615"), &line));
    ck_assert_int_eq(line.result.value, -1);
}
