/* Writes the names of Linux's system calls as C, from libseccomp's tables:
 *
 *     linux_calls > build/linux_calls.c
 *
 * src/model/linux.h declares the output. */
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/linux.h"

/* Limit of system call numbers; those of MIPS begin at 4000, 5000 and 6000. */
#define ALL_NUMBERS 7000

/* Processors with their own tables. The first two are those of enum linux_processor. */
static const uint32_t processors[] = {
    [LINUX_X86_64] = SCMP_ARCH_X86_64,
    [LINUX_GENERIC] = SCMP_ARCH_AARCH64,
    SCMP_ARCH_X86,
    SCMP_ARCH_ARM,
    SCMP_ARCH_RISCV64,
    SCMP_ARCH_MIPS,
    SCMP_ARCH_MIPS64,
    SCMP_ARCH_PPC,
    SCMP_ARCH_PPC64LE,
    SCMP_ARCH_S390,
    SCMP_ARCH_S390X,
    SCMP_ARCH_PARISC,
};

/* First system call number that libseccomp 2.5.4 (Debian 12) does not know. From it on, numbers are
 * the same on all processors. */
#define FIRST_NEWER 457
static const char *const newer[] = {
    "statmount",      "listmount",    "lsm_get_self_attr", "lsm_set_self_attr", "lsm_list_modules",
    "mseal",          "setxattrat",   "getxattrat",        "listxattrat",       "removexattrat",
    "open_tree_attr", "file_getattr", "file_setattr",
};

_Static_assert(FIRST_NEWER + sizeof newer / sizeof newer[0] == LINUX_CALL_NUMBERS, "numbers");

static void linux_calls_write_numbers(enum linux_processor processor) {
    printf("    {\n");
    for (int number = 0; number < LINUX_CALL_NUMBERS; number++) {
        char *name = seccomp_syscall_resolve_num_arch(processors[processor], number);

        if (name != NULL || number >= FIRST_NEWER) {
            printf("        [%d] = \"%s\",\n", number,
                   name != NULL ? name : newer[number - FIRST_NEWER]);
        }
        free(name);
    }
    printf("    },\n");
}

/* Returns whether one of the first `count` processors has the system call. */
static bool linux_calls_is_written(const char *name, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int number = seccomp_syscall_resolve_name_arch(processors[i], name);

        if (number >= 0 && number < ALL_NUMBERS) {
            return true;
        }
    }
    return false;
}

/* Writes names that are in the tables of neither of the first two processors. */
static void write_others(void) {
    printf("const char linux_call_other_names[] =\n");
    for (size_t i = LINUX_GENERIC + 1; i < sizeof processors / sizeof processors[0]; i++) {
        for (int number = 0; number < ALL_NUMBERS; number++) {
            char *name = seccomp_syscall_resolve_num_arch(processors[i], number);

            if (name != NULL && !linux_calls_is_written(name, i)) {
                printf("    \"%s \"\n", name);
            }
            free(name);
        }
    }
    printf("    \"\";\n");
}

int main(void) {
    printf("/* Written by src/build/linux_calls.c. */\n"
           "#include \"model/linux.h\"\n\n"
           "const char *const linux_call_names[LINUX_GENERIC + 1][LINUX_CALL_NUMBERS] = {\n");
    linux_calls_write_numbers(LINUX_X86_64);
    linux_calls_write_numbers(LINUX_GENERIC);
    printf("};\n\n");
    write_others();
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
