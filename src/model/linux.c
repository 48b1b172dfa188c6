#include "model/linux.h"

#include <stddef.h>
#include <string.h>

/* --- numbers of system calls -------------------------------------------------------------------
 */

/* Names that the lists of libseccomp lack: of earlier kernels and processors, ARM's own with large
 * numbers, and names that only the kernel itself uses. */
static const char more_names[] =
    "breakpoint clone2 futimes get_tls getdomainname getpagesize getunwind kern_features llseek "
    "memory_ordering mmap_pgoff newfstat newlstat newstat newuname old_getrlimit old_mmap "
    "old_readdir old_select oldfstatat oldumount perfctr perfmonctl pread pwrite riscv_hwprobe "
    "set_tls usr26 usr32 utrap_install";

bool linux_processor_find(struct word name, enum linux_processor *processor) {
    static const char *const generic[] = {"aarch64", "arm64", "riscv64", "loongarch64"};

    if (word_is(name, "x86_64") || word_is(name, "amd64")) {
        *processor = LINUX_X86_64;
        return true;
    }
    *processor = LINUX_GENERIC;
    return word_among(name, generic, sizeof generic / sizeof generic[0]) != NULL;
}

const char *linux_call_name(enum linux_processor processor, int64_t number) {
    if (number < 0 || number >= LINUX_CALL_NUMBERS) {
        return NULL;
    }
    return linux_call_names[processor][number];
}

/* syscall_ and a number, as ftrace's and strace's are read. */
static bool is_numbered(struct word name) {
    uint64_t bits;
    int64_t number;

    return word_accept(&name, "syscall_") &&
           (word_number(name, UINT32_MAX, &number) ||
            (word_begins(name, "0x") && word_hex(name, UINT32_MAX, &bits)));
}

bool linux_call_is_known(struct word name) {
    for (int i = 0; i < LINUX_CALL_NUMBERS; i++) {
        for (int j = 0; j <= LINUX_GENERIC; j++) {
            if (linux_call_names[j][i] != NULL && word_is(name, linux_call_names[j][i])) {
                return true;
            }
        }
    }
    return word_listed(name, linux_call_other_names) || word_listed(name, more_names) ||
           is_numbered(name) || word_is(name, "????");
}

/* --- what system calls do to files -------------------------------------------------------------
 */

static const struct {
    const char *name;
    enum call_does does;
} file_calls[] = {
    {"open", CALL_OPENS},
    {"open64", CALL_OPENS},
    {"openat", CALL_OPENS},
    {"openat2", CALL_OPENS},
    {"creat", CALL_OPENS},
    {"read", CALL_READS},
    {"pread", CALL_READS},
    {"pread64", CALL_READS},
    {"readv", CALL_READS},
    {"preadv", CALL_READS},
    {"preadv2", CALL_READS},
    {"write", CALL_WRITES},
    {"pwrite", CALL_WRITES},
    {"pwrite64", CALL_WRITES},
    {"writev", CALL_WRITES},
    {"pwritev", CALL_WRITES},
    {"pwritev2", CALL_WRITES},
    {"fsync", CALL_SYNCS},
    {"fdatasync", CALL_SYNCS},
    {"unlink", CALL_UNLINKS},
    {"unlinkat", CALL_UNLINKS},
    {"ftruncate", CALL_TRUNCATES},
    {"ftruncate64", CALL_TRUNCATES},
    {"truncate", CALL_TRUNCATES},
    {"truncate64", CALL_TRUNCATES},
    {"fcntl", CALL_LOCKS},
    {"fcntl64", CALL_LOCKS},
    {"copy_file_range", CALL_COPIES},
    {"sendfile", CALL_COPIES},
    {"sendfile64", CALL_COPIES},
    {"splice", CALL_COPIES},
    {"tee", CALL_COPIES},
    {"vmsplice", CALL_WRITES},
};

enum call_does call_does(const char *name) {
    for (size_t i = 0; i < sizeof file_calls / sizeof file_calls[0]; i++) {
        if (strcmp(file_calls[i].name, name) == 0) {
            return file_calls[i].does;
        }
    }
    return CALL_OTHER;
}

const char *call_does_word(enum call_does does) {
    switch (does) {
    case CALL_OPENS:
        return "open";
    case CALL_READS:
        return "read";
    case CALL_WRITES:
        return "write";
    case CALL_COPIES:
        return "copy";
    case CALL_SYNCS:
        return "fsync";
    case CALL_OTHER:
    case CALL_UNLINKS:
    case CALL_TRUNCATES:
    case CALL_LOCKS:
        break;
    }
    return NULL;
}

/* --- errors ------------------------------------------------------------------------------------
 */

static const char *const error_names[LINUX_ERRORS] = {
    [1] = "EPERM",
    [2] = "ENOENT",
    [3] = "ESRCH",
    [4] = "EINTR",
    [5] = "EIO",
    [6] = "ENXIO",
    [7] = "E2BIG",
    [8] = "ENOEXEC",
    [9] = "EBADF",
    [10] = "ECHILD",
    [11] = "EAGAIN",
    [12] = "ENOMEM",
    [13] = "EACCES",
    [14] = "EFAULT",
    [15] = "ENOTBLK",
    [16] = "EBUSY",
    [17] = "EEXIST",
    [18] = "EXDEV",
    [19] = "ENODEV",
    [20] = "ENOTDIR",
    [21] = "EISDIR",
    [22] = "EINVAL",
    [23] = "ENFILE",
    [24] = "EMFILE",
    [25] = "ENOTTY",
    [26] = "ETXTBSY",
    [27] = "EFBIG",
    [28] = "ENOSPC",
    [29] = "ESPIPE",
    [30] = "EROFS",
    [31] = "EMLINK",
    [32] = "EPIPE",
    [33] = "EDOM",
    [34] = "ERANGE",
    [35] = "EDEADLK",
    [36] = "ENAMETOOLONG",
    [37] = "ENOLCK",
    [38] = "ENOSYS",
    [39] = "ENOTEMPTY",
    [40] = "ELOOP",
    [42] = "ENOMSG",
    [43] = "EIDRM",
    [44] = "ECHRNG",
    [45] = "EL2NSYNC",
    [46] = "EL3HLT",
    [47] = "EL3RST",
    [48] = "ELNRNG",
    [49] = "EUNATCH",
    [50] = "ENOCSI",
    [51] = "EL2HLT",
    [52] = "EBADE",
    [53] = "EBADR",
    [54] = "EXFULL",
    [55] = "ENOANO",
    [56] = "EBADRQC",
    [57] = "EBADSLT",
    [59] = "EBFONT",
    [60] = "ENOSTR",
    [61] = "ENODATA",
    [62] = "ETIME",
    [63] = "ENOSR",
    [64] = "ENONET",
    [65] = "ENOPKG",
    [66] = "EREMOTE",
    [67] = "ENOLINK",
    [68] = "EADV",
    [69] = "ESRMNT",
    [70] = "ECOMM",
    [71] = "EPROTO",
    [72] = "EMULTIHOP",
    [73] = "EDOTDOT",
    [74] = "EBADMSG",
    [75] = "EOVERFLOW",
    [76] = "ENOTUNIQ",
    [77] = "EBADFD",
    [78] = "EREMCHG",
    [79] = "ELIBACC",
    [80] = "ELIBBAD",
    [81] = "ELIBSCN",
    [82] = "ELIBMAX",
    [83] = "ELIBEXEC",
    [84] = "EILSEQ",
    [85] = "ERESTART",
    [86] = "ESTRPIPE",
    [87] = "EUSERS",
    [88] = "ENOTSOCK",
    [89] = "EDESTADDRREQ",
    [90] = "EMSGSIZE",
    [91] = "EPROTOTYPE",
    [92] = "ENOPROTOOPT",
    [93] = "EPROTONOSUPPORT",
    [94] = "ESOCKTNOSUPPORT",
    [95] = "EOPNOTSUPP",
    [96] = "EPFNOSUPPORT",
    [97] = "EAFNOSUPPORT",
    [98] = "EADDRINUSE",
    [99] = "EADDRNOTAVAIL",
    [100] = "ENETDOWN",
    [101] = "ENETUNREACH",
    [102] = "ENETRESET",
    [103] = "ECONNABORTED",
    [104] = "ECONNRESET",
    [105] = "ENOBUFS",
    [106] = "EISCONN",
    [107] = "ENOTCONN",
    [108] = "ESHUTDOWN",
    [109] = "ETOOMANYREFS",
    [110] = "ETIMEDOUT",
    [111] = "ECONNREFUSED",
    [112] = "EHOSTDOWN",
    [113] = "EHOSTUNREACH",
    [114] = "EALREADY",
    [115] = "EINPROGRESS",
    [116] = "ESTALE",
    [117] = "EUCLEAN",
    [118] = "ENOTNAM",
    [119] = "ENAVAIL",
    [120] = "EISNAM",
    [121] = "EREMOTEIO",
    [122] = "EDQUOT",
    [123] = "ENOMEDIUM",
    [124] = "EMEDIUMTYPE",
    [125] = "ECANCELED",
    [126] = "ENOKEY",
    [127] = "EKEYEXPIRED",
    [128] = "EKEYREVOKED",
    [129] = "EKEYREJECTED",
    [130] = "EOWNERDEAD",
    [131] = "ENOTRECOVERABLE",
    [132] = "ERFKILL",
    [133] = "EHWPOISON",
    [512] = "ERESTARTSYS",
    [513] = "ERESTARTNOINTR",
    [514] = "ERESTARTNOHAND",
    [515] = "ENOIOCTLCMD",
    [516] = "ERESTART_RESTARTBLOCK",
    [517] = "EPROBE_DEFER",
    [518] = "EOPENSTALE",
    [519] = "ENOPARAM",
    [521] = "EBADHANDLE",
    [522] = "ENOTSYNC",
    [523] = "EBADCOOKIE",
    [524] = "ENOTSUPP",
    [525] = "ETOOSMALL",
    [526] = "ESERVERFAULT",
    [527] = "EBADTYPE",
    [528] = "EJUKEBOX",
    [529] = "EIOCBQUEUED",
};

/* Other error_names of the same. */
static const struct {
    const char *name;
    int64_t number;
} other_errors[] = {{"EWOULDBLOCK", 11}, {"EDEADLOCK", 35}, {"ENOTSUP", 95}, {"EREFUSED", 111}};

int64_t linux_error_number(struct word name) {
    for (int64_t i = 1; i < LINUX_ERRORS; i++) {
        if (error_names[i] != NULL && word_is(name, error_names[i])) {
            return i;
        }
    }
    for (size_t i = 0; i < sizeof other_errors / sizeof other_errors[0]; i++) {
        if (word_is(name, other_errors[i].name)) {
            return other_errors[i].number;
        }
    }
    return EVENT_NONE;
}

const char *linux_error_name(int64_t number) {
    return number > 0 && number < LINUX_ERRORS ? error_names[number] : NULL;
}
