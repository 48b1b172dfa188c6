/* `process_names:` applications of processes, and `kernel_threads:` what is none, both by patterns.
 */
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "config/section.h"

/* Threads of Linux's kernel do I/O for others; `[*]` is how ps writes one. */
static const char *const kernel_threads[] = {
    "[*]",          "bdi-default",  "btrfs-*",    "cpuhp/*",    "dm_bufio*",   "dmcrypt*",
    "ext4-*",       "f2fs_*",       "flush-*",    "irq/*",      "jbd2/*",      "kauditd",
    "kblockd*",     "kcompactd*",   "kcryptd*",   "kdevtmpfs",  "kdmflush*",   "khubd",
    "khugepaged",   "kintegrityd*", "kjournald*", "ksmd",       "ksoftirqd/*", "kswapd*",
    "kthreadd",     "kworker/*",    "loop0",      "loop1",      "loop2",       "loop3",
    "loop4",        "loop5",        "loop6",      "loop7",      "md?_*",       "md??_*",
    "md???_*",      "migration/*",  "mmcqd/*",    "oom_reaper", "pdflush*",    "rcu_*",
    "rcuob/*",      "rcuop/*",      "rcuos/*",    "scsi_eh_*",  "swapper*",    "sync_supers",
    "usb-storage*", "watchdog/*",   "watchdogd",  "writeback",  "xfs-*",       "xfsaild/*",
    "yaffs-bg-*",
};

/* A `*` of the pattern is any bytes, a `?` any one. Goes back to the last `*` only, so it takes no
 * longer than the product of the lengths. */
static bool fits(const char *pattern, const char *name, size_t length) {
    const char *star = NULL;
    size_t at = 0, star_at = 0;

    while (at < length) {
        if (*pattern == '*') {
            star = pattern++;
            star_at = at;
        } else if (*pattern == '?' || (*pattern != '\0' && *pattern == name[at])) {
            pattern++;
            at++;
        } else if (star != NULL) {
            pattern = star + 1;
            at = ++star_at;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

static bool read_process_name(void *context, struct yaml_value key, struct yaml_value value,
                              struct error *error) {
    struct config *config = context;
    struct config_process_name *names =
        config_grow(config->process_names, config->process_name_count, sizeof names[0]);
    struct config_process_name *name;

    config->process_names = names;
    name = &names[config->process_name_count];
    *name = (struct config_process_name){.pattern = yaml_copy(key, "a process", error)};
    if (name->pattern == NULL) {
        return false;
    }
    name->name = yaml_copy(value, "the application of a process", error);
    if (name->name == NULL) {
        free(name->pattern);
        return false;
    }
    config->process_name_count++;
    return true;
}

static bool read_process_names(void *context, struct yaml_value key, struct yaml_value value,
                               struct error *error) {
    (void)key;
    return yaml_each_pair(value, "process_names", read_process_name, context, error);
}

static bool read_kernel_thread(void *context, struct yaml_value key, struct yaml_value value,
                               struct error *error) {
    struct config *config = context;
    char **threads =
        config_grow(config->kernel_threads, config->kernel_thread_count, sizeof threads[0]);

    (void)key;
    config->kernel_threads = threads;
    threads[config->kernel_thread_count] = yaml_copy(value, "a kernel thread", error);
    if (threads[config->kernel_thread_count] == NULL) {
        return false;
    }
    config->kernel_thread_count++;
    return true;
}

static bool read_kernel_threads(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config *config = context;

    (void)key;
    config->has_kernel_threads = true;
    return yaml_each_item(value, "kernel_threads", read_kernel_thread, config, error);
}

const char *config_process_application(const struct config *config, const char *process,
                                       size_t length) {
    const char *const *threads =
        config->has_kernel_threads ? (const char *const *)config->kernel_threads : kernel_threads;
    size_t count = config->has_kernel_threads ? config->kernel_thread_count
                                              : sizeof kernel_threads / sizeof kernel_threads[0];

    for (size_t i = 0; i < config->process_name_count; i++) {
        if (fits(config->process_names[i].pattern, process, length)) {
            return config->process_names[i].name;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (fits(threads[i], process, length)) {
            return NULL;
        }
    }
    return process;
}

static void free_process_names(void *context) {
    struct config *config = context;

    for (size_t i = 0; i < config->process_name_count; i++) {
        free(config->process_names[i].pattern);
        free(config->process_names[i].name);
    }
    free(config->process_names);
}

static void free_kernel_threads(void *context) {
    struct config *config = context;

    for (size_t i = 0; i < config->kernel_thread_count; i++) {
        free(config->kernel_threads[i]);
    }
    free(config->kernel_threads);
}

const struct config_section config_process_names_section = {
    .name = "process_names",
    .help = "Applications of processes, for process --by application",
    .read = read_process_names,
    .free = free_process_names,
};

const struct config_section config_kernel_threads_section = {
    .name = "kernel_threads",
    .help = "Processes that are no application",
    .read = read_kernel_threads,
    .free = free_kernel_threads,
};
