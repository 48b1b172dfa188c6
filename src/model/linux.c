#include "model/linux.h"

#include <stddef.h>
#include <string.h>

#include "base/words.h"

/* --- names of system calls, by number --------------------------------------------------------- */

/* Names of system calls that libseccomp lacks: of old kernels and processors, ARM's private calls
 * with large numbers, and names used only inside the kernel. */
static const char more_names[] =
    "breakpoint clone2 futimes get_tls getdomainname getpagesize getunwind kern_features llseek "
    "memory_ordering mmap_pgoff newfstat newlstat newstat newuname old_getrlimit old_mmap "
    "old_readdir old_select oldfstatat oldumount perfctr perfmonctl pread pwrite riscv_hwprobe "
    "set_tls usr26 usr32 utrap_install";

const char *linux_call_name(enum linux_processor processor, int64_t number) {
    return number < 0 || number >= LINUX_CALL_NUMBERS ? NULL : linux_call_names[processor][number];
}

/* Returns whether a name is syscall_NUMBER, as ftrace and strace print unknown system calls. */
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

/* --- what system calls do to files ------------------------------------------------------------ */

static const struct {
    enum call_does does;
    const char *word, *names;
} file_calls[] = {
    {CALL_OPENS, "open", "open open64 openat openat2 creat"},
    {CALL_READS, "read", "read pread pread64 readv preadv preadv2"},
    {CALL_WRITES, "write", "write pwrite pwrite64 writev pwritev pwritev2 vmsplice"},
    {CALL_SYNCS, "fsync", "fsync fdatasync"},
    {CALL_UNLINKS, NULL, "unlink unlinkat"},
    {CALL_TRUNCATES, NULL, "ftruncate ftruncate64 truncate truncate64"},
    {CALL_LOCKS, NULL, "fcntl fcntl64"},
    {CALL_COPIES, "copy", "copy_file_range sendfile sendfile64 splice tee"},
};

enum call_does call_does(const char *name) {
    for (size_t i = 0; i < sizeof file_calls / sizeof file_calls[0]; i++) {
        if (word_in(file_calls[i].names, name)) {
            return file_calls[i].does;
        }
    }
    return CALL_OTHER;
}

const char *call_does_word(enum call_does does) {
    for (size_t i = 0; i < sizeof file_calls / sizeof file_calls[0]; i++) {
        if (file_calls[i].does == does) {
            return file_calls[i].word;
        }
    }
    return NULL;
}

static const char *const wait_words[CALL_WAITS] = {
    [WAIT_BINDER] = "binder",
    [WAIT_DESCRIPTOR] = "descriptor",
    [WAIT_EVENT] = "event",
    [WAIT_FILE] = "file",
    [WAIT_FILESYSTEM] = "filesystem",
    [WAIT_LOCK] = "lock",
    [WAIT_PEER] = "peer",
    [WAIT_PIPE] = "pipe",
    [WAIT_PROCESS] = "process",
    [WAIT_RESTARTED] = "restarted",
    [WAIT_SIGNAL] = "signal",
    [WAIT_STORAGE] = "storage",
    [WAIT_TIME] = "time",
};

const char *call_wait_word(enum call_wait wait) {
    return wait_words[wait];
}

enum call_wait wait_of_descriptor(const char *name, bool typed) {
    size_t length = name == NULL ? 0 : strlen(name);

    if (name == NULL) {
        return WAIT_DESCRIPTOR;
    }
    if (strncmp(name, "pipe:[", 6) == 0 || (strcmp(name, "pipe") == 0 && !typed)) {
        return WAIT_PIPE;
    }
    if (strncmp(name, "anon_inode:", 11) == 0) {
        return WAIT_EVENT;
    }
    if ((name[0] != '/' && strstr(name, ":[") != NULL) || (strcmp(name, "socket") == 0 && !typed)) {
        return WAIT_PEER;
    }
    return length >= 11 && strncmp(name, "/dev/", 5) == 0 &&
                   strcmp(name + length - 6, "binder") == 0
               ? WAIT_BINDER
               : WAIT_FILE;
}

static const char *const waiting_calls[CALL_WAITS] = {
    [WAIT_LOCK] =
        "futex futex_time64 futex_wait futex_waitv flock semop semtimedop semtimedop_time64",
    [WAIT_EVENT] = "poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 epoll_wait "
                   "epoll_pwait epoll_pwait2 io_getevents io_pgetevents io_uring_enter",
    [WAIT_PROCESS] = "wait4 waitid waitpid vfork",
    [WAIT_TIME] = "nanosleep clock_nanosleep clock_nanosleep_time64",
    [WAIT_SIGNAL] = "pause sigsuspend rt_sigsuspend rt_sigtimedwait rt_sigtimedwait_time64",
    [WAIT_PEER] = "accept accept4 connect recv recvfrom recvmsg recvmmsg send sendto sendmsg "
                  "sendmmsg msgrcv msgsnd mq_timedreceive mq_timedsend",
    [WAIT_STORAGE] = "fsync fdatasync sync syncfs sync_file_range sync_file_range2 "
                     "arm_sync_file_range msync readahead io_submit",
    [WAIT_RESTARTED] = "restart_syscall",
    [WAIT_FILESYSTEM] =
        "open open64 openat openat2 creat open_by_handle_at unlink unlinkat rename renameat "
        "renameat2 mkdir mkdirat rmdir mknod mknodat link linkat symlink symlinkat truncate "
        "truncate64 ftruncate ftruncate64 fallocate chmod fchmod fchmodat fchmodat2 chown chown32 "
        "fchown fchown32 lchown lchown32 fchownat utime utimes utimensat utimensat_time64 futimes "
        "futimesat setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr "
        "removexattrat getxattr lgetxattr fgetxattr getxattrat listxattr llistxattr flistxattr "
        "listxattrat getdents getdents64 stat stat64 lstat lstat64 newfstatat fstatat64 statx "
        "oldstat oldlstat access faccessat faccessat2 readlink readlinkat statfs statfs64 fstatfs "
        "fstatfs64 chdir chroot mount umount umount2 pivot_root move_mount quotactl",
};

enum call_wait call_wait(const char *name, enum call_wait descriptor) {
    const bool binder = descriptor == WAIT_BINDER;

    for (unsigned wait = 0; wait < CALL_WAITS; wait++) {
        if (waiting_calls[wait] != NULL && word_in(waiting_calls[wait], name)) {
            return (enum call_wait)wait;
        }
    }
    switch (call_does(name)) {
    case CALL_READS:
    case CALL_WRITES:
    case CALL_COPIES:
        return binder ? WAIT_FILE : descriptor;
    default:
        break;
    }
    if (strcmp(name, "close") == 0) {
        return binder || descriptor == WAIT_FILE ? WAIT_FILESYSTEM : WAIT_NONE;
    }
    return binder && strcmp(name, "ioctl") == 0 ? WAIT_BINDER : WAIT_NONE;
}

/* --- names of Linux errors, by number --------------------------------------------------------- */

/* Names of errors, from number 1 on; then kernel-internal ones, from 512 on; `-`: no name. */
static char first_errors[] =
    "EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES "
    "EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY "
    "ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK "
    "ENOSYS ENOTEMPTY ELOOP - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH "
    "ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME "
    "ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG "
    "EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ "
    "ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT "
    "EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE "
    "EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN "
    "ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY "
    "EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE "
    "ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL "
    "EHWPOISON";
static char kernel_errors[] =
    "ERESTARTSYS ERESTARTNOINTR ERESTARTNOHAND ENOIOCTLCMD ERESTART_RESTARTBLOCK EPROBE_DEFER "
    "EOPENSTALE ENOPARAM - EBADHANDLE ENOTSYNC EBADCOOKIE ENOTSUPP ETOOSMALL ESERVERFAULT "
    "EBADTYPE EJUKEBOX EIOCBQUEUED";
static const char *error_names[LINUX_ERRORS]; /* by error number */

static void list_from(char *words, size_t number) {
    for (; words != NULL; number++) {
        const char *name = strsep(&words, " ");

        error_names[number] = *name == '-' ? NULL : name;
    }
}

/* Runs before main(), while there is only one thread. */
__attribute__((constructor)) static void list_errors(void) {
    list_from(first_errors, 1);
    list_from(kernel_errors, 512);
}

/* Alternative names of errors. */
static const struct {
    const char *name;
    int64_t number;
} other_errors[] = {{"EWOULDBLOCK", 11}, {"EDEADLOCK", 35}, {"ENOTSUP", 95}, {"EREFUSED", 111}};

const char *linux_error_name(int64_t number) {
    return number > 0 && number < LINUX_ERRORS ? error_names[number] : NULL;
}

int64_t linux_error_number(struct word name) {
    for (int64_t i = 1; i < LINUX_ERRORS; i++) {
        const char *known = linux_error_name(i);

        if (known != NULL && word_is(name, known)) {
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
