#include "input/trace_dat.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"

#define LIBRARY "libtracecmd.so.1"

enum { BUFFERS_MOST = 256 };

/* Exit statuses of the printing process; they differ from those of sanitizers. */
enum { PRINTED, NO_LIBRARY = 50, UNREADABLE, BROKEN };

/* --- libtracecmd and libtraceevent ------------------------------------------------------------ */

/* Copies of declarations of libtracecmd and libtraceevent (binary interface, version 1), so that
 * the program can be built without their headers. */

/* the library's struct tep_record */
struct record {
    unsigned long long time, offset; /* time in nanoseconds; byte offset in the file */
    long long missed;                /* number of events lost before the record; -1: unknown */
    int record_size, size;
    void *data;
    int cpu;
    /* further members are not used */
};

/* the library's struct trace_seq */
struct sequence {
    char *text;
    unsigned size, length, read;
    int failed;
};

enum { WITHOUT_PLUGINS = 1, LOG_NOTHING = 0, PRINT_PID = 1, PRINT_TIME, PRINT_CPU };

/* Called for each record; `index`: number of the CPU, counted over all buffers. */
typedef int visit_record(void *handle, struct record *record, int index, void *context);

struct libtracecmd {
    void *(*open_fd)(int descriptor, int flags);
    void *(*tep)(void *handle);
    int (*buffers)(void *handle);
    void *(*buffer)(void *handle, int index);
    int (*text)(void *handle, char **buffer, size_t *size);
    int (*iterate)(void **handles, int count, visit_record *visit, void *context);
    void (*set_loglevel)(int level);
    void (*print)(void *tep, struct sequence *sequence, struct record *record, const char *format,
                  ...);
    void (*sequence_init)(struct sequence *sequence);
    void (*sequence_reset)(struct sequence *sequence);
};

static const struct {
    const char *name;
    size_t place;
} functions[] = {
    {"tracecmd_open_fd", offsetof(struct libtracecmd, open_fd)},
    {"tracecmd_get_tep", offsetof(struct libtracecmd, tep)},
    {"tracecmd_buffer_instances", offsetof(struct libtracecmd, buffers)},
    {"tracecmd_buffer_instance_handle", offsetof(struct libtracecmd, buffer)},
    {"tracecmd_latency_data_read", offsetof(struct libtracecmd, text)},
    {"tracecmd_iterate_events_multi", offsetof(struct libtracecmd, iterate)},
    {"tracecmd_set_loglevel", offsetof(struct libtracecmd, set_loglevel)},
    {"tep_print_event", offsetof(struct libtracecmd, print)},
    {"trace_seq_init", offsetof(struct libtracecmd, sequence_init)},
    {"trace_seq_reset", offsetof(struct libtracecmd, sequence_reset)},
};

/* Loads libtracecmd and finds its functions; also those of libtraceevent, with which it is linked.
 */
static bool trace_dat_load(struct libtracecmd *found) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    for (size_t i = 0; library != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);

        if (function == NULL) {
            return false;
        }
        memcpy((char *)found + functions[i].place, &function, sizeof function);
    }
    return library != NULL;
}

/* --- the process that prints ------------------------------------------------------------------ */

struct printing {
    struct libtracecmd library;
    struct sequence sequence;
    FILE *output;
};

/* Prints an event. "%9d" prints its time to the nanosecond, as seconds with nine decimals. */
static int print_record(void *handle, struct record *record, int index, void *context) {
    struct printing *printing = context;
    const struct libtracecmd *library = &printing->library;
    struct sequence *line = &printing->sequence;

    if (record->missed > 0) {
        fprintf(printing->output, "CPU:%d [%lld EVENTS DROPPED]\n", record->cpu, record->missed);
    } else if (record->missed < 0) {
        fprintf(printing->output, "CPU:%d [EVENTS DROPPED]\n", record->cpu);
    }
    library->sequence_reset(line);
    library->print(library->tep(handle), line, record, "%16s-%-5d [%03d] %s %9d: %s: %s", "COMM",
                   PRINT_PID, PRINT_CPU, "LATENCY", PRINT_TIME, "NAME", "INFO");
    while (line->length > 0 && line->text[line->length - 1] == '\n') {
        line->length--;
    }
    fwrite(line->text, 1, line->length, printing->output);
    fputc('\n', printing->output);
    return line->failed != 0 || ferror(printing->output) ? -1 : 0;
}

/* Copies the text of a latency tracer, which the file has instead of events. The text ends at a
 * NUL, after which version 7 of the library also returns further sections. The library allocates
 * `buffer`. Returns false if the file has no text. */
static bool trace_dat_copy_text(const struct printing *printing, void *handle) {
    char *buffer = NULL;
    size_t size = 0;
    int got = printing->library.text(handle, &buffer, &size);
    bool is_text = got > 0;

    while (got > 0) {
        size_t length = strnlen(buffer, (size_t)got);

        if (fwrite(buffer, 1, length, printing->output) < (size_t)got) {
            break;
        }
        got = printing->library.text(handle, &buffer, &size);
    }
    return is_text;
}

/* Prints the events of all buffers in order of time. */
static int trace_dat_print_all(struct printing *printing, int descriptor) {
    const struct libtracecmd *library = &printing->library;
    void *handles[BUFFERS_MOST] = {library->open_fd(descriptor, WITHOUT_PLUGINS)};
    int count = handles[0] == NULL ? 0 : library->buffers(handles[0]) + 1;

    if (count < 1 || count > BUFFERS_MOST) {
        return UNREADABLE;
    }
    for (int i = 1; i < count; i++) {
        handles[i] = library->buffer(handles[0], i - 1);
        if (handles[i] == NULL) {
            return UNREADABLE;
        }
    }
    return (!trace_dat_copy_text(printing, handles[0]) &&
            library->iterate(handles, count, print_record, printing) != 0) ||
                   fflush(printing->output) != 0
               ? BROKEN
               : PRINTED;
}

/* Main function of the printing process. It must not flush or close the parent's open files. */
__attribute__((noreturn)) static void print_apart(int descriptor, int output) {
    struct printing printing = {.output = fdopen(output, "w")};
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int kept[] = {descriptor, output};

    /* The libraries print warnings to standard output, which must not get into the text. */
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    sandbox_process(kept, 2, TRACE_DAT_MEMORY, TRACE_DAT_SECONDS);
    if (nothing < 0 || printing.output == NULL || !trace_dat_load(&printing.library)) {
        _exit(NO_LIBRARY);
    }
    printing.library.set_loglevel(LOG_NOTHING);
    printing.library.sequence_init(&printing.sequence);
    _exit(trace_dat_print_all(&printing, descriptor));
}

/* --- starting and ending the process ---------------------------------------------------------- */

bool trace_dat_is_magic(const uint8_t *bytes, size_t length) {
    return length >= TRACE_DAT_MAGIC_SIZE &&
           memcmp(bytes, "\x17\x08\x44tracing", TRACE_DAT_MAGIC_SIZE) == 0;
}

int trace_dat_begin(int descriptor, pid_t *process, struct error *error) {
    pid_t child;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_set(error, "cannot make a pipe: %s", strerror(errno));
        return -1;
    }
    child = fork();
    if (child == 0) {
        print_apart(descriptor, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        error_set(error, "cannot start a process: %s", strerror(errno));
        return -1;
    }
    *process = child;
    return ends[0];
}

bool trace_dat_end(pid_t process, struct error *error) {
    int status;

    if (!wait_sandboxed_process(process, &status, error)) {
        return false;
    }
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGXCPU
                   ? error_set(error, "reading it took more than %d s", TRACE_DAT_SECONDS)
                   : error_set(error, "it is damaged beyond reading (its reader failed: %s)",
                               strsignal(WTERMSIG(status)));
    }
    switch (WEXITSTATUS(status)) {
    case PRINTED:
        return true;
    case NO_LIBRARY:
        return error_set(error,
                         "a trace.dat is read by libtracecmd, and " LIBRARY
                         " cannot be loaded: install libtracecmd1, or where trace-cmd is "
                         "installed, pipe `trace-cmd report -t -l` into `tracetool import -`");
    default:
        return error_set(error, "libtracecmd cannot read it%s: it is damaged or cut short",
                         WEXITSTATUS(status) == BROKEN ? " to its end" : "");
    }
}

void trace_dat_stop(pid_t process) {
    struct error ignored = {0};
    int status;

    kill(process, SIGKILL);
    wait_sandboxed_process(process, &status, &ignored);
}
