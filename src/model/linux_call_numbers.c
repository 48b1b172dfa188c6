#include "model/linux_call_numbers.h"

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
