/* System calls: strings as strace quotes them, and the files behind descriptors. */
#include "descriptors.h"
#include "model/event.h"
#include "model/linux.h"
#include "syscalls.h"
#include "unit.h"

/* --- quoting ---------------------------------------------------------------------------------- */

/* Checks that the line begins with a string of these bytes, followed by `rest`. */
static void check_quoted(const char *line, const char *bytes, size_t length, const char *rest) {
    struct word left = word_of(line), inside;
    struct text text = {0};
    bool has_nul;

    ck_assert_msg(syscalls_cut_quoted(&left, &inside, &has_nul), "%s", line);
    syscalls_unquote(inside, &text);
    ck_assert_msg(word_is(left, rest), "%s", line);
    ck_assert_uint_eq(text.length, length);
    ck_assert_msg(memcmp(text_string(&text), bytes, length) == 0, "%s", line);
    ck_assert_int_eq(has_nul, memchr(bytes, '\0', length) != NULL);
    text_free(&text);
}

UNIT_TEST(quoted) {
    check_quoted("\"\" x", "", 0, " x");
    check_quoted("\"a b\"...", "a b", 3, "...");
    check_quoted("\"a\\\"b\\\\\"", "a\"b\\", 4, "");
    check_quoted("\"\\n\\r\\t\\v\\f\\a\\b\\e\"", "\n\r\t\v\f\a\b\033", 8, "");
    check_quoted("\"\\1\\12\\1234\\377\"", "\1\012\1234\377", 5, "");
    check_quoted("\"\\x41\\xag\"", "A\012g", 3, "");
    check_quoted("\"a\\0b\"", "a\0b", 3, "");
    check_quoted("\"\\08\"", "\0008", 2, "");
}

UNIT_TEST(not_quoted) {
    static const char *const bad[] = {"\"",      "\"a",       "\"a\\\"",  "\"\\",
                                      "\"\\z\"", "\"\\400\"", "\"\\xg\"", "\"\\8\""};

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct word rest = word_of(bad[i]), inside;
        bool has_nul;

        ck_assert_msg(!syscalls_cut_quoted(&rest, &inside, &has_nul), "%s", bad[i]);
        ck_assert_ptr_eq(rest.bytes, bad[i]);
    }
}

UNIT_TEST(shown) {
    struct text text = {0};

    syscalls_append_quoted(&text, (struct word){"a\"b\n\"\0c", 7});
    ck_assert_str_eq(text_string(&text), "\"a\\\"b\\n\\\"\\x00c\"");
    text_free(&text);
}

/* --- descriptors ------------------------------------------------------------------------------ */

static struct descriptors *files;

static void begin(void) {
    files = descriptors_new();
    ck_assert_ptr_nonnull(files);
}

static void end(void) {
    descriptors_free(files);
}

UNIT_CASE("syscalls", begin, end);

static void opens(int64_t process, int64_t descriptor, uint32_t object) {
    descriptors_open(files, process, descriptor, (struct open_file){.object = object}, false);
}

/* Returns the object of a descriptor; 0: unknown. */
static uint32_t object(int64_t process, int64_t descriptor) {
    const struct open_file *file = descriptors_find(files, process, descriptor);

    return file == NULL ? 0 : file->object;
}

UNIT_TEST(open_and_close) {
    ck_assert_uint_eq(object(1, 3), 0);
    opens(1, 3, 10);
    opens(1, 1000, 11);
    ck_assert_uint_eq(object(1, 3), 10);
    ck_assert_uint_eq(object(1, 1000), 11);
    ck_assert_uint_eq(object(2, 3), 0);
    opens(1, 3, 12); /* its close is not in the log */
    ck_assert_uint_eq(object(1, 3), 12);
    descriptors_close(files, 1, 3);
    descriptors_close(files, 1, 3);
    descriptors_close(files, 1, -1);
    descriptors_close(files, 9, 3);
    ck_assert_uint_eq(object(1, 3), 0);
    ck_assert_uint_eq(object(1, 1000), 11);
    descriptors_end(files, 1);
    ck_assert_uint_eq(object(1, 1000), 0);
}

/* Descriptors of the same open file share its position. */
UNIT_TEST(duplicates) {
    opens(1, 3, 10);
    descriptors_duplicate(files, 1, 3, 70, false);
    descriptors_find(files, 1, 3)->position = 512;
    ck_assert_int_eq(descriptors_find(files, 1, 70)->position, 512);
    descriptors_duplicate(files, 1, 3, 3, false);
    descriptors_close(files, 1, 3);
    ck_assert_uint_eq(object(1, 70), 10);
    opens(1, 4, 11);
    descriptors_duplicate(files, 1, 4, 70, false); /* closes the previous one */
    ck_assert_uint_eq(object(1, 70), 11);
    descriptors_duplicate(files, 1, 5, 70, false); /* the source is unknown */
    ck_assert_uint_eq(object(1, 70), 0);
    opens(1, 6, 12); /* the memory of a closed file is reused, but only once */
    opens(1, 7, 13);
    ck_assert(object(1, 4) == 11 && object(1, 6) == 12 && object(1, 7) == 13);
}

UNIT_TEST(forks) {
    opens(1, 3, 10);
    descriptors_fork(files, 1, 2, false);
    descriptors_fork(files, 1, 3, true);
    descriptors_find(files, 2, 3)->position = 7; /* the open file is shared in both directions */
    ck_assert_int_eq(descriptors_find(files, 1, 3)->position, 7);
    opens(1, 4, 11);
    ck_assert_uint_eq(object(2, 4), 0);
    ck_assert_uint_eq(object(3, 4), 11);
    opens(2, 2000, 13); /* deeper than the table that it was copied from */
    ck_assert(object(2, 3) == 10 && object(2, 2000) == 13 && object(1, 2000) == 0);
    descriptors_close(files, 3, 3);
    ck_assert_uint_eq(object(1, 3), 0);
    ck_assert_uint_eq(object(2, 3), 10);
    descriptors_unshare(files, 3);
    opens(3, 5, 12);
    ck_assert_uint_eq(object(1, 5), 0);
    descriptors_end(files, 1);
    ck_assert_uint_eq(object(3, 4), 11);
    descriptors_fork(files, 3, 2, false); /* the number was reused */
    ck_assert(object(2, 3) == 0 && object(2, 5) == 12);
    descriptors_fork(files, 3, 3, true);
    ck_assert_uint_eq(object(3, 5), 12);
}

UNIT_TEST(exec) {
    opens(1, 3, 10);
    descriptors_open(files, 1, 4, (struct open_file){.object = 11}, true);
    descriptors_duplicate(files, 1, 4, 5, false); /* without the flag */
    descriptors_duplicate(files, 1, 3, 6, true);
    descriptors_close_on_exec(files, 1, 6, false);
    descriptors_close_on_exec(files, 1, 99, true);
    descriptors_fork(files, 1, 2, true);
    ck_assert_uint_eq(object(2, 4), 11);
    descriptors_exec(files, 2);
    ck_assert(object(2, 3) == 10 && object(2, 4) == 0 && object(2, 5) == 11 && object(2, 6) == 10);
    ck_assert_uint_eq(object(1, 4), 11); /* no longer shared */
    descriptors_close_range(files, 1, 4, INT64_MAX, true);
    descriptors_exec(files, 1);
    ck_assert(object(1, 3) == 10 && object(1, 5) == 0);
    descriptors_close_range(files, 2, 0, 5, false);
    ck_assert(object(2, 3) == 0 && object(2, 6) == 10);
    descriptors_close_range(files, 8, 0, 5, false);
    descriptors_exec(files, 8);
}

UNIT_TEST(bounded) {
    int64_t last = DESCRIPTORS_LIMIT - 1;

    opens(1, -1, 10);
    opens(1, DESCRIPTORS_LIMIT, 10);
    opens(1, INT64_MAX, 10);
    ck_assert_uint_eq(object(1, DESCRIPTORS_LIMIT), 0);
    for (int64_t process = 1; process <= 5; process++) {
        for (int64_t descriptor = 31; descriptor <= last; descriptor += 32) {
            opens(process, descriptor, 10); /* a node each */
        }
    }
    ck_assert_uint_eq(object(3, last), 10);
    ck_assert_uint_eq(object(4, last), 0); /* room for less than four such tables */
    descriptors_fork(files, 1, 6, false);  /* a copy takes no memory before it is changed */
    ck_assert_uint_eq(object(6, last), 10);
    descriptors_end(files, 1);
    ck_assert_uint_eq(object(6, last), 10);
    descriptors_end(files, 6);
    opens(5, last, 11);
    ck_assert_uint_eq(object(5, last), 11);
    descriptors_drop_all(files);
    for (int64_t process = 1; process <= DESCRIPTORS_PROCESSES + 1; process++) {
        opens(process, -1, 10); /* creates none */
        descriptors_fork(files, 0, process, true);
    }
    opens(DESCRIPTORS_PROCESSES, 3, 10);
    opens(DESCRIPTORS_PROCESSES + 1, 3, 10);
    ck_assert_uint_eq(object(DESCRIPTORS_PROCESSES + 1, 3), 0); /* one process too many */
}

/* Close-on-exec descriptors close at an execve, also in a copy; the original table keeps them. */
UNIT_TEST(copies_are_executed) {
    opens(1, 1000, 10);
    descriptors_open(files, 1, 3, (struct open_file){.object = 11}, true);
    descriptors_open(files, 1, 1001, (struct open_file){.object = 12}, true);
    for (int64_t child = 2; child <= 3; child++) {
        descriptors_fork(files, 1, child, false);
        descriptors_exec(files, child);
        ck_assert(object(child, 1000) == 10 && object(child, 3) == 0 && object(child, 1001) == 0);
        descriptors_find(files, child, 1000)->position = 512 * child;
        ck_assert_int_eq(descriptors_find(files, 1, 1000)->position, 512 * child);
        ck_assert(object(1, 3) == 11 && object(1, 1001) == 12);
    }
    descriptors_close(files, 1, 3);
    descriptors_close_on_exec(files, 1, 1001, false);
    descriptors_fork(files, 1, 4, false);
    descriptors_exec(files, 4);
    ck_assert(object(4, 3) == 0 && object(4, 1001) == 12); /* unlike after the execve before */
    descriptors_end(files, 1);
    ck_assert(object(2, 1000) == 10 && object(2, 1001) == 0 && object(4, 1001) == 12);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Numbers from the kernel's own tables, including the newest. */
UNIT_TEST(numbers) {
    static const struct {
        enum linux_processor processor;
        int64_t number;
        const char *name;
    } calls[] = {
        {LINUX_X86_64, 0, "read"},
        {LINUX_X86_64, 18, "pwrite64"},
        {LINUX_X86_64, 257, "openat"},
        {LINUX_X86_64, 334, "rseq"},
        {LINUX_X86_64, 425, "io_uring_setup"},
        {LINUX_X86_64, 469, "file_setattr"},
        {LINUX_GENERIC, 38, "renameat"},
        {LINUX_GENERIC, 64, "write"},
        {LINUX_GENERIC, 79, "newfstatat"},
        {LINUX_GENERIC, 291, "statx"},
        {LINUX_GENERIC, 462, "mseal"},
        {LINUX_GENERIC, 469, "file_setattr"},
    };

    for (size_t i = 0; i < COUNT(calls); i++) {
        ck_assert_str_eq(linux_call_name(calls[i].processor, calls[i].number), calls[i].name);
    }
    ck_assert_ptr_null(linux_call_name(LINUX_X86_64, -1));
    ck_assert_ptr_null(linux_call_name(LINUX_X86_64, 335));
    ck_assert_ptr_null(linux_call_name(LINUX_GENERIC, 244));
    ck_assert_ptr_null(linux_call_name(LINUX_GENERIC, LINUX_CALL_NUMBERS));
}

/* Names of x86-64, arm64, i386, ARM, MIPS, PowerPC and s390, of the kernel and of tracers. */
UNIT_TEST(names) {
    static const char *const known[] = {
        "read",      "renameat2", "mseal",        "mmap2",    "_newselect",    "cacheflush",
        "cachectl",  "spu_run",   "s390_sthyi",   "newfstat", "oldumount",     "usr26",
        "syscall_9", "????",      "ppoll_time64", "waitpid",  "syscall_0x1d6", "riscv_flush_icache",
    };
    static const char *const unknown[] = {"", "rea", "reads", "read write", "syscall_", "my_call"};

    for (size_t i = 0; i < COUNT(known); i++) {
        ck_assert_msg(linux_call_is_known(word_of(known[i])), "%s", known[i]);
    }
    for (size_t i = 0; i < COUNT(unknown); i++) {
        ck_assert_msg(!linux_call_is_known(word_of(unknown[i])), "%s", unknown[i]);
    }
}
