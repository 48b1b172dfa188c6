#include "strace_syscall.h"

#include <string.h>

/* --- table of system calls -------------------------------------------------------------------- */

#define NO STRACE_NO_ARGUMENT

/* System calls in groups with equal effect: names, effect, and indexes of arguments (struct
 * strace_call). */
#define NAMES(names)                                                                               \
    { (names), sizeof(names) - 1 }
static const struct strace_call kinds[] = {
    {NAMES("bind connect"), EFFECT_NONE, 0, 1, NO, NO, NULL},
    {NAMES("arm_fadvise64_64 arm_sync_file_range cachestat fadvise64 fadvise64_64 "
           "fallocate fchmod fchown fchown32 fdatasync fgetxattr flistxattr flock "
           "fremovexattr fsetxattr fstatfs fstatfs64 fsync ftruncate "
           "ftruncate64 futimes getdents getdents64 getpeername getsockname getsockopt "
           "listen oldfstat readahead recvmmsg recvmmsg_time64 sendmmsg setsockopt "
           "shutdown sync_file_range sync_file_range2 syncfs"),
     EFFECT_NONE, 0, NO, NO, NO, NULL},
    {NAMES("access acct chmod chown chown32 getxattr lchown lchown32 lgetxattr "
           "listxattr llistxattr lremovexattr lsetxattr lstat lstat64 mkdir mknod oldlstat "
           "oldstat pivot_root readlink removexattr setxattr stat stat64 statfs statfs64 "
           "swapoff swapon truncate truncate64 umount umount2 uselib utime utimes"),
     EFFECT_NONE, NO, 0, NO, NO, NULL},
    {NAMES("faccessat faccessat2 fchmodat fchmodat2 fchownat file_getattr file_setattr "
           "fstatat64 futimesat getxattrat listxattrat mkdirat mknodat name_to_handle_at "
           "newfstatat oldfstatat readlinkat removexattrat setxattrat statx utimensat "
           "utimensat_time64"),
     EFFECT_NONE, NO, 1, 0, NO, NULL},
    {NAMES("inotify_add_watch mount quotactl"), EFFECT_NONE, NO, 1, NO, NO, NULL},
    {NAMES("rename"), EFFECT_RENAME, NO, 0, NO, 1, NULL},
    {NAMES("renameat renameat2"), EFFECT_RENAME, NO, 1, 0, 3, NULL},
    {NAMES("link"), EFFECT_LINK, NO, 0, NO, 1, NULL},
    {NAMES("linkat"), EFFECT_LINK, NO, 1, 0, 3, NULL},
    {NAMES("symlink"), EFFECT_SYMLINK, NO, 1, NO, 0, NULL},
    {NAMES("symlinkat"), EFFECT_SYMLINK, NO, 2, 1, 0, NULL},
    {NAMES("rmdir unlink"), EFFECT_UNLINK, NO, 0, NO, NO, NULL},
    {NAMES("unlinkat"), EFFECT_UNLINK, NO, 1, 0, NO, NULL},
    {NAMES("open"), EFFECT_OPEN, NO, 0, NO, 1, NULL},
    {NAMES("creat"), EFFECT_OPEN, NO, 0, NO, NO, NULL},
    {NAMES("open_tree openat openat2"), EFFECT_OPEN, NO, 1, 0, 2, NULL},
    {NAMES("bpf"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[bpf]"},
    {NAMES("eventfd eventfd2"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[eventfd]"},
    {NAMES("epoll_create epoll_create1"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[eventpoll]"},
    {NAMES("fanotify_init"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[fanotify]"},
    {NAMES("fsopen fspick"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[fscontext]"},
    {NAMES("fsmount"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[fsmount]"},
    {NAMES("io_uring_setup"), EFFECT_NEW, NO, NO, NO, 1, "anon_inode:[io_uring]"},
    {NAMES("landlock_create_ruleset"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[landlock-ruleset]"},
    {NAMES("perf_event_open"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[perf_event]"},
    {NAMES("pidfd_open"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[pidfd]"},
    {NAMES("signalfd signalfd4"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[signalfd]"},
    {NAMES("timerfd timerfd_create"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[timerfd]"},
    {NAMES("userfaultfd"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:[userfaultfd]"},
    {NAMES("inotify_init inotify_init1"), EFFECT_NEW, NO, NO, NO, NO, "anon_inode:inotify"},
    {NAMES("memfd_create memfd_secret"), EFFECT_NEW, NO, NO, NO, NO, "memfd"},
    {NAMES("mq_open"), EFFECT_NEW, NO, NO, NO, NO, "mqueue"},
    {NAMES("accept accept4 socket"), EFFECT_NEW, NO, NO, NO, NO, "socket"},
    {NAMES("open_by_handle_at pidfd_getfd"), EFFECT_NEW, NO, NO, NO, NO, NULL},
    {NAMES("pipe pipe2"), EFFECT_PAIR, NO, NO, NO, 0, "pipe"},
    {NAMES("socketpair"), EFFECT_PAIR, NO, NO, NO, 3, "socket"},
    {NAMES("close"), EFFECT_CLOSE, 0, NO, NO, NO, NULL},
    {NAMES("close_range"), EFFECT_CLOSE_RANGE, NO, NO, NO, NO, NULL},
    {NAMES("dup"), EFFECT_DUP, 0, NO, NO, NO, NULL},
    {NAMES("dup2 dup3"), EFFECT_DUP_TO, 0, NO, NO, 2, NULL},
    {NAMES("fcntl fcntl64"), EFFECT_FCNTL, 0, NO, NO, 1, NULL},
    {NAMES("ioctl"), EFFECT_IOCTL, 0, NO, NO, 1, NULL},
    {NAMES("pread pread64 preadv preadv2"), EFFECT_READ, 0, NO, NO, 3, NULL},
    {NAMES("read readv"), EFFECT_READ, 0, NO, NO, NO, NULL},
    {NAMES("pwrite pwrite64 pwritev pwritev2"), EFFECT_WRITE, 0, NO, NO, 3, NULL},
    {NAMES("vmsplice write writev"), EFFECT_WRITE, 0, NO, NO, NO, NULL},
    {NAMES("recv recvfrom recvmsg send sendmsg sendto"), EFFECT_RECEIVE, 0, NO, NO, NO, NULL},
    {NAMES("sendfile sendfile64"), EFFECT_SEND_FILE, 0, NO, NO, NO, NULL},
    {NAMES("copy_file_range splice"), EFFECT_COPY, 2, NO, NO, NO, NULL},
    {NAMES("tee"), EFFECT_TEE, 1, NO, NO, NO, NULL},
    {NAMES("llseek lseek"), EFFECT_SEEK, 0, NO, NO, NO, NULL},
    {NAMES("_llseek"), EFFECT_LONG_SEEK, 0, NO, NO, 2, NULL},
    {NAMES("mmap mmap2 old_mmap"), EFFECT_MAP, 4, NO, NO, NO, NULL},
    {NAMES("madvise mprotect mremap msync munmap"), EFFECT_PROTECT, NO, NO, NO, 2, NULL},
    {NAMES("fstat fstat64"), EFFECT_STAT, 0, NO, NO, 1, NULL},
    {NAMES("clone3"), EFFECT_FORK, NO, NO, NO, 0, NULL},
    {NAMES("clone clone2"), EFFECT_FORK, NO, NO, NO, 1, NULL},
    {NAMES("fork vfork"), EFFECT_FORK, NO, NO, NO, NO, NULL},
    {NAMES("execve"), EFFECT_EXEC, NO, 0, NO, NO, NULL},
    {NAMES("execveat"), EFFECT_EXEC, NO, 1, 0, NO, NULL},
    {NAMES("unshare"), EFFECT_UNSHARE, NO, NO, NO, NO, NULL},
    {NAMES("fchdir"), EFFECT_CHDIR, 0, NO, NO, NO, NULL},
    {NAMES("chdir"), EFFECT_CHDIR, NO, 0, NO, NO, NULL},
    {NAMES("chroot"), EFFECT_CHROOT, NO, 0, NO, NO, NULL},
    {NAMES("getcwd"), EFFECT_GETCWD, NO, 0, NO, NO, NULL},
    {NAMES("exit exit_group _exit"), EFFECT_EXIT, NO, NO, NO, NO, NULL},
    {NAMES("getpid gettid set_tid_address"), EFFECT_OWN_NUMBER, NO, NO, NO, NO, NULL},
    {NAMES("io_submit io_uring_enter"), EFFECT_UNSEEN, NO, NO, NO, NO, NULL},
};

/* All system calls, and a hash table of them by name with linear probing. An element of `places` is
 * an index in `calls` plus 1; 0: free. */
enum { PLACES = 4 * STRACE_CALLS_MOST };
static struct strace_call calls[STRACE_CALLS_MOST];
static uint16_t places[PLACES];
static size_t call_count;

/* Returns the slot of a name in the hash table, or a free one. The names are constant, so the hash
 * needs no secret seed. */
static uint16_t *strace_syscall_place_of(struct word name) {
    size_t length = name.length, at = 0;

    if (length > 0) {
        at = 31 * (31 * (31 * length + (uint8_t)name.bytes[0]) + (uint8_t)name.bytes[length / 2]) +
             (uint8_t)name.bytes[length - 1];
    }
    at %= PLACES;
    while (places[at] != 0) {
        const struct word *there = &calls[places[at] - 1].name;

        if (there->length == name.length && memcmp(there->bytes, name.bytes, name.length) == 0) {
            break;
        }
        at = (at + 1) % PLACES;
    }
    return &places[at];
}

/* Fills in the hash table. Runs before main(), and so before there are threads. */
__attribute__((constructor)) static void list_calls(void) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct word rest = kinds[i].name, name;

        while ((name = word_next(&rest)).length > 0 && call_count < STRACE_CALLS_MOST) {
            uint16_t *place = strace_syscall_place_of(name);

            calls[call_count] = kinds[i];
            calls[call_count++].name = name;
            *place = (uint16_t)call_count;
        }
    }
}

const struct strace_call *strace_call_find(struct word name) {
    uint16_t place = *strace_syscall_place_of(name);

    return place == 0 ? NULL : &calls[place - 1];
}

enum {
    ANNOTATION_LENGTH = 16384 + 256, /* maximum bytes: a fully escaped path, and a suffix */
    /* After so many annotations without an end, no more are searched for in a line. */
    ANNOTATIONS_OPEN = 64,
};

/* Returns the end of a string whose opening quotation mark precedes `at`; NULL if it has no end. */
static const char *skip_string(const char *at, const char *end) {
    const char *begin = at;

    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        size_t backslashes = 0;

        while (at - backslashes > begin && at[-1 - (ptrdiff_t)backslashes] == '\\') {
            backslashes++;
        }
        at++;
        if (backslashes % 2 == 0) {
            return at;
        }
    }
    return NULL;
}

/* Returns the position after a character constant like '\0' at `at`; `at` + 1 if there is none. */
static const char *skip_character(const char *at, const char *end) {
    const char *close = at + 2;

    if (end - at > 3 && at[1] == '\\') {
        for (close = at + 3; close < end && close < at + 7 && *close != '\''; close++) {
        }
    }
    return close < end && *close == '\'' ? close + 1 : at + 1;
}

/* --- annotations of descriptors (-y) ---------------------------------------------------------- */

/* Returns whether the > at `at` ends an annotation's path. Before strace 4.22, paths may contain
 * angle brackets. */
static bool ends_path(const char *at, const char *end) {
    return at + 1 == end || strchr(",) ]}(\r", at[1]) != NULL;
}

/* Finds the end of an annotation that is not a path: the first > outside square brackets. Inside,
 * -> may occur. */
static const char *end_of_other(const char *at, const char *end) {
    for (size_t depth = 0; at < end; at++) {
        switch (*at) {
        case '[':
            depth++;
            break;
        case ']':
            depth -= depth > 0;
            break;
        case '"':
            at = skip_string(at + 1, end);
            if (at == NULL) {
                return NULL;
            }
            at--;
            break;
        case '>':
            if (depth == 0) {
                return at;
            }
            break;
        default:
            break;
        }
    }
    return NULL;
}

/* Returns an annotation without the suffixes for devices and deleted files. */
static struct word annotation_without_suffixes(struct word inside) {
    static const char deleted[] = " (deleted)";
    const char *type = memrchr(inside.bytes, '<', inside.length);

    if (type != NULL &&
        (word_begins(word_between(type, inside.bytes + inside.length), "<char ") ||
         word_begins(word_between(type, inside.bytes + inside.length), "<block "))) {
        inside.length = (size_t)(type - inside.bytes);
    }
    if (word_ends(inside, deleted)) {
        inside.length -= sizeof deleted - 1;
    }
    return inside;
}

bool strace_annotation(struct word *rest, struct word *inside) {
    const char *begin = rest->bytes + 1, *end = rest->bytes + rest->length, *last = end, *close;
    struct word all;

    if (rest->length < 3 || *rest->bytes != '<') {
        return false;
    }
    if (end - begin > ANNOTATION_LENGTH) {
        last = begin + ANNOTATION_LENGTH;
    }
    all = word_between(begin, end);
    if (word_begins(all, "/") || word_begins(all, "\\x2f") || word_begins(all, "\\57")) {
        /* Find the > that ends the path, before `last`; NULL: none. */
        const char *at = begin;
        while ((at = memchr(at, '>', (size_t)(last - at))) != NULL && !ends_path(at, end)) {
            at++;
        }
        close = at;
    } else if (strace_is_name_byte(*begin) || *begin == '\\' || *begin == '(') {
        close = end_of_other(begin, last);
    } else {
        return false;
    }
    if (close == NULL) {
        return false;
    }
    *inside = annotation_without_suffixes(word_between(begin, close));
    *rest = word_between(close + 1, end);
    if (word_begins(*rest, "(deleted)")) {
        word_skip(rest, strlen("(deleted)"));
    }
    return true;
}

/* --- splitting arguments ---------------------------------------------------------------------- */

/* Bytes that separate, nest or quote parts of arguments; all other bytes are skipped. */
static const bool special[256] = {
    ['"'] = true, ['\''] = true, ['('] = true, [')'] = true, ['['] = true, [']'] = true,
    ['{'] = true, ['}'] = true,  [','] = true, ['<'] = true, ['/'] = true,
};

/* State of scanning the arguments of a call. */
struct walk {
    const char *at, *end;
    const char *begin; /* where the current argument starts */
    size_t depth;      /* number of brackets not yet closed */
    size_t open;       /* number of annotations without an end so far */
    struct word *arguments;
    size_t count;
};

static void end_argument(struct walk *walk) {
    struct word argument = word_trim(word_between(walk->begin, walk->at));

    if (walk->count < STRACE_ARGUMENTS && argument.length > 0) {
        walk->arguments[walk->count++] = argument;
    }
    walk->begin = walk->at + 1;
}

/* Skips a string, character constant, comment, annotation or other byte. False if a string has no
 * end. */
static bool strace_syscall_pass_over(struct walk *walk) {
    struct word rest = word_between(walk->at, walk->end), inside;
    const char *found = walk->at + 1;

    switch (*walk->at) {
    case '"':
        found = skip_string(walk->at + 1, walk->end);
        break;
    case '\'':
        found = skip_character(walk->at, walk->end);
        break;
    case '/':
        if (word_begins(rest, "/*") && (found = memmem(walk->at + 2, rest.length - 2, "*/", 2))) {
            found += 2;
        }
        break;
    case '<':
        if (walk->at > walk->begin && (word_is_digit(walk->at[-1]) || walk->at[-1] == 'D') &&
            walk->open < ANNOTATIONS_OPEN) {
            walk->open += !strace_annotation(&rest, &inside);
            found = rest.bytes > walk->at ? rest.bytes : found;
        }
        break;
    default:
        break;
    }
    walk->at = found;
    return found != NULL;
}

/* Scans up to the parenthesis that closes the arguments, or to the end of the text: `walk->at`.
 * Returns false if brackets or strings do not match. */
static bool walk_arguments(struct walk *walk) {
    while (walk->at < walk->end) {
        if (!special[(uint8_t)*walk->at]) {
            walk->at++;
            continue;
        }
        switch (*walk->at) {
        case '(':
        case '[':
        case '{':
            walk->depth++;
            walk->at++;
            break;
        case ')':
            if (walk->depth == 0) {
                end_argument(walk);
                return true;
            }
            /* fall through */
        case ']':
        case '}':
            if (walk->depth == 0) {
                return false;
            }
            walk->depth--;
            walk->at++;
            break;
        case ',':
            if (walk->depth == 0) {
                end_argument(walk);
            }
            walk->at++;
            break;
        default:
            if (!strace_syscall_pass_over(walk)) {
                return false;
            }
            break;
        }
    }
    end_argument(walk);
    return true;
}

static void begin_walk(struct walk *walk, struct word text,
                       struct word arguments[STRACE_ARGUMENTS]) {
    *walk = (struct walk){
        .at = text.bytes,
        .end = text.bytes + text.length,
        .begin = text.bytes,
        .arguments = arguments,
    };
}

size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]) {
    struct walk walk;

    begin_walk(&walk, text, arguments);
    walk_arguments(&walk);
    return walk.count;
}

const char *strace_find_close(struct word text, struct word arguments[STRACE_ARGUMENTS],
                              size_t *count) {
    struct walk walk;
    bool fits;

    begin_walk(&walk, text, arguments);
    fits = walk_arguments(&walk);
    *count = walk.count;
    return fits && walk.at < walk.end ? walk.at : NULL;
}

/* Returns an argument without the name that -N prints before it. */
static struct word strace_value(struct word argument) {
    size_t i = 0;

    if (argument.length == 0 || word_is_digit(*argument.bytes)) {
        return argument;
    }
    while (i < argument.length && strace_is_name_byte(argument.bytes[i])) {
        i++;
    }
    if (i > 0 && i < argument.length && argument.bytes[i] == '=' &&
        (i + 1 == argument.length || argument.bytes[i + 1] != '>')) {
        word_skip(&argument, i + 1);
    }
    return argument;
}

bool strace_number(struct word word, int64_t *number, struct word *rest) {
    bool negative = word_begins(word, "-");
    unsigned base = 10;
    uint64_t sum = 0;
    size_t digits = 0;

    *rest = word;
    word_skip(rest, negative);
    if (word_begins(*rest, "0x")) {
        base = 16;
        word_skip(rest, 2);
    } else if (rest->length > 1 && *rest->bytes == '0' && word_is_digit(rest->bytes[1])) {
        base = 8;
    }
    if (base == 10) {
        for (; digits < rest->length && digits < WORD_SAFE_DIGITS &&
               word_is_digit(rest->bytes[digits]);
             digits++) {
            sum = sum * 10 + (uint64_t)(rest->bytes[digits] - '0');
        }
    }
    for (; digits < rest->length; digits++) {
        unsigned digit = word_hex_digit(rest->bytes[digits]);

        if (digit >= base) {
            break;
        }
        if (__builtin_mul_overflow(sum, base, &sum) || __builtin_add_overflow(sum, digit, &sum)) {
            return false;
        }
    }
    word_skip(rest, digits);
    if (digits == 0 || (negative && sum > INT64_MAX)) {
        return false;
    }
    *number = negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file) {
    struct word rest;

    argument = strace_value(argument);
    *file = (struct word){argument.bytes, 0};
    if (word_begins(argument, "AT_FDCWD")) {
        *descriptor = STRACE_CWD;
        rest = argument;
        word_skip(&rest, strlen("AT_FDCWD"));
    } else if (!strace_number(argument, descriptor, &rest)) {
        return false;
    }
    if (*descriptor == UINT32_MAX + (int64_t)STRACE_CWD + 1) {
        *descriptor = STRACE_CWD; /* AT_FDCWD as -X raw prints it */
    }
    if (rest.length > 0 && *rest.bytes == '<') {
        strace_annotation(&rest, file);
    }
    return true;
}

/* --- flags of clone() ------------------------------------------------------------------------- */

struct word strace_argument(const struct strace_syscall *syscall, int place) {
    return place < 0 || (size_t)place >= syscall->argument_count
               ? (struct word){"", 0}
               : strace_value(syscall->arguments[place]);
}

bool strace_has_flag(struct word flags, const char *name, int64_t bit) {
    struct word rest;
    int64_t number;

    return word_has(flags, name) ||
           (strace_number(flags, &number, &rest) && (rest.length == 0 || *rest.bytes == '|') &&
            (number & bit) != 0);
}
