#include "dwtrace_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "dwtrace_settings.h"
#include "input/bytes.h"

/* --- parsing the header and records of dwTrace logs; dwtrace.c describes the format ----------- */

/* Format control of a parameter: the number that says how to show it. A value follows the controls
 * UNFORMATTED, and DWTRACE_KNOWN_CONTROLS or higher. In a STRUCT, a control of
 * DWTRACE_KNOWN_CONTROLS or higher selects a structure of the configuration; for other types its
 * meaning is unknown. */
enum dwtrace_control { DWTRACE_UNFORMATTED, DWTRACE_NULLPTR, DWTRACE_NOTALIGNED };

/* A parsed parameter of a call; pointers refer to the bytes of the list. */
struct dwtrace_parameter {
    unsigned type, control;
    const uint8_t *value;
    size_t size; /* bytes of the value; 0: no value */
};

enum flags { HAS_TIMESTAMP = 1, HAS_PARAMETERS = 2, HAS_LENGTH = 4, TIMESTAMP_64 = 8, FLAGS = 15 };

const char dwtrace_bad_type[] = "unknown record type";
const char dwtrace_bad_length[] = "length differs from the record's contents";
const char dwtrace_bad_parameter[] = "unknown parameter type";
const char dwtrace_bad_control[] = "unknown format control of a parameter";
const char dwtrace_data_overrun[] = "data cut short by the end of the file, or of a wrong size";
const char dwtrace_truncated[] = "cut short by the end of the file";
const char dwtrace_bad_wrap[] = "wrap record points past the end of the file";

/* --- header of a file ------------------------------------------------------------------------- */

static bool is_swapped(const uint8_t *bytes) {
    return memcmp(bytes, "RTWD", DWTRACE_MAGIC_SIZE) == 0;
}

bool dwtrace_is_magic(const uint8_t *bytes, size_t length) {
    return length >= DWTRACE_MAGIC_SIZE &&
           (is_swapped(bytes) || memcmp(bytes, "DWTR", DWTRACE_MAGIC_SIZE) == 0);
}

bool dwtrace_parse_header(const uint8_t *bytes, const struct dwtrace_settings *settings,
                          struct dwtrace_layout *layout) {
    unsigned flags;

    *layout = (struct dwtrace_layout){
        .big_endian = settings->byte_order == DWTRACE_BY_MAGIC
                          ? is_swapped(bytes)
                          : settings->byte_order == DWTRACE_BIG_ENDIAN,
        .header_size = (unsigned)settings->header_size,
        .most_parameters = DWTRACE_MOST_PARAMETERS,
        .settings = settings,
    };
    flags = bytes_u16(bytes + 6, layout->big_endian);
    layout->version = bytes_u16(bytes + 4, layout->big_endian);
    layout->unknown_flags = flags & ~(unsigned)FLAGS;
    layout->parameters = flags & HAS_PARAMETERS;
    layout->lengths = flags & HAS_LENGTH;
    layout->timestamp_size = !(flags & HAS_TIMESTAMP) ? 0 : flags & TIMESTAMP_64 ? 8 : 4;
    if (settings->timestamp_bits >= 0) {
        layout->timestamp_size = (unsigned)settings->timestamp_bits / 8;
    }
    layout->process = bytes_u32(bytes + 8, layout->big_endian);
    layout->maximum = bytes_u32(bytes + 12, layout->big_endian);
    return dwtrace_is_magic(bytes, DWTRACE_HEADER_SIZE);
}

/* --- lists of parameters ---------------------------------------------------------------------- */

static const struct dwtrace_structure *find_structure(const struct dwtrace_layout *layout,
                                                      unsigned type, unsigned control) {
    return layout->settings == NULL || type != DWTRACE_STRUCT
               ? NULL
               : dwtrace_structure(layout->settings, control);
}

/* Returns how many bytes of the log a value has, by its type and format control. */
static size_t value_size(const struct dwtrace_layout *layout, unsigned type, unsigned control) {
    const struct dwtrace_structure *structure;

    if (control == DWTRACE_NULLPTR || control == DWTRACE_NOTALIGNED) {
        return 0;
    }
    structure = find_structure(layout, type, control);
    return structure == NULL ? dwtrace_type_size(type) : structure->size;
}

/* Parses the parameter at offset `*at` of a list of `available` bytes, and moves `*at` past it.
 * Returns NULL, or why the parameter is bad. */
static const char *dwtrace_parse_parameter(const struct dwtrace_layout *layout,
                                           const uint8_t *bytes, size_t available,
                                           const char *overrun, size_t *at,
                                           struct dwtrace_parameter *parameter) {
    if (available - *at < 2) {
        return overrun;
    }
    *parameter = (struct dwtrace_parameter){.type = bytes[*at], .control = bytes[*at + 1]};
    *at += 2;
    if (parameter->type == 0 || parameter->type >= DWTRACE_TYPES) {
        return dwtrace_bad_parameter;
    }
    if (parameter->control < DWTRACE_KNOWN_CONTROLS || !layout->stored) {
        parameter->size = value_size(layout, parameter->type, parameter->control);
    } else if (available - *at < 2) {
        return overrun;
    } else {
        parameter->size = bytes_u16_little(bytes + *at);
        *at += 2;
    }
    if (parameter->control >= DWTRACE_KNOWN_CONTROLS && layout->only_known &&
        find_structure(layout, parameter->type, parameter->control) == NULL) {
        return dwtrace_bad_control;
    }
    if (available - *at < parameter->size) {
        return overrun;
    }
    parameter->value = bytes + *at;
    *at += parameter->size;
    return NULL;
}

/* Parses a list of parameters in at most `available` (one or more) bytes, and describes it in
 * `record`. Returns NULL, or why the list is bad: `overrun` if it goes beyond the bytes. */
static const char *dwtrace_parse_list(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                      size_t available, const char *overrun,
                                      struct dwtrace_record *record) {
    size_t at = 1;

    record->bytes = bytes;
    record->parameters = bytes[0];
    record->size = 0;
    record->as_stored = layout->stored || !layout->big_endian;
    if (record->parameters > layout->most_parameters) {
        return dwtrace_bad_parameter;
    }
    for (unsigned i = 0; i < record->parameters; i++) {
        struct dwtrace_parameter parameter;
        const char *damage =
            dwtrace_parse_parameter(layout, bytes, available, overrun, &at, &parameter);

        if (damage != NULL) {
            return damage;
        }
        record->size += (uint32_t)parameter.size;
        record->as_stored &= layout->stored || parameter.control < DWTRACE_KNOWN_CONTROLS;
    }
    record->bytes_length = (uint32_t)at;
    return NULL;
}

/* Converts a number from the log's byte order to little-endian. */
static void normalise_number(const struct dwtrace_layout *layout, const uint8_t *number,
                             size_t size, uint8_t *normal) {
    for (size_t byte = 0; byte < size; byte++) {
        normal[byte] = number[layout->big_endian ? size - 1 - byte : byte];
    }
}

/* Converts a parameter's value to little-endian: a number, or each field of a configured structure.
 * Copies other values unchanged. */
static void normalise_value(const struct dwtrace_layout *layout,
                            const struct dwtrace_parameter *parameter, uint8_t *normal) {
    const struct dwtrace_structure *structure =
        find_structure(layout, parameter->type, parameter->control);
    size_t at = 0;

    if (parameter->size == 0) {
        return;
    }
    if (parameter->control < DWTRACE_KNOWN_CONTROLS) {
        normalise_number(layout, parameter->value, parameter->size, normal);
        return;
    }
    memcpy(normal, parameter->value, parameter->size);
    for (size_t i = 0; structure != NULL && i < structure->field_count; i++) {
        size_t size = dwtrace_type_size(structure->fields[i].type);

        normalise_number(layout, parameter->value + at, size, normal + at);
        at += size;
    }
}

size_t dwtrace_normalise_list(const struct dwtrace_layout *layout,
                              const struct dwtrace_record *record, uint8_t *list) {
    size_t from = 1, to = 1;

    list[0] = record->bytes[0];
    for (unsigned i = 0; i < record->parameters; i++) {
        struct dwtrace_parameter parameter;

        dwtrace_parse_parameter(layout, record->bytes, record->bytes_length, "", &from, &parameter);
        list[to++] = (uint8_t)parameter.type;
        list[to++] = (uint8_t)parameter.control;
        if (parameter.control >= DWTRACE_KNOWN_CONTROLS) {
            list[to++] = (uint8_t)parameter.size;
            list[to++] = (uint8_t)(parameter.size >> 8);
        }
        normalise_value(layout, &parameter, list + to);
        to += parameter.size;
    }
    return to;
}

/* --- one record ------------------------------------------------------------------------------- */

static const char *parse_data(const struct dwtrace_layout *layout, const uint8_t *bytes,
                              size_t available, const char *overrun,
                              struct dwtrace_record *record) {
    if (available < 2) {
        return overrun;
    }
    record->bytes = bytes + 2;
    record->size = record->bytes_length = bytes_u16(bytes, layout->big_endian);
    return record->size <= available - 2 ? NULL : overrun;
}

/* Parses a record from its function number on, in at most `available` bytes. Returns NULL, with the
 * number of bytes used in `*taken`, or why the record is bad. */
static const char *dwtrace_record_parse_body(const struct dwtrace_layout *layout,
                                             const uint8_t *bytes, size_t available,
                                             const char *overrun, struct dwtrace_record *record,
                                             size_t *taken) {
    size_t at = 8 + layout->timestamp_size;
    const char *damage;

    if (available < at + (record->type == DWTRACE_EXIT ? 4 : 0)) {
        return overrun;
    }
    record->function = bytes_u32(bytes, layout->big_endian);
    record->thread = bytes_u32(bytes + 4, layout->big_endian);
    record->timestamp = layout->timestamp_size == 0  ? 0
                        : layout->timestamp_size < 8 ? bytes_u32(bytes + 8, layout->big_endian)
                                                     : bytes_u64(bytes + 8, layout->big_endian);
    if (record->type == DWTRACE_EXIT) {
        record->code = (int32_t)bytes_u32(bytes + at, layout->big_endian);
        at += 4;
    }
    if (record->type == DWTRACE_DATA) {
        damage = parse_data(layout, bytes + at, available - at, overrun, record);
        *taken = at + 2 + record->bytes_length;
        return damage;
    }
    *taken = at;
    if (!layout->parameters) {
        return NULL;
    }
    if (available == at) {
        return overrun;
    }
    damage = dwtrace_parse_list(layout, bytes + at, available - at, overrun, record);
    *taken = at + record->bytes_length;
    return damage;
}

/* Parses a record that states its length; the contents must have exactly that length. */
static const char *parse_measured(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                  size_t available, struct dwtrace_record *record) {
    const char *damage;
    size_t taken;

    if (available < 3) {
        return dwtrace_truncated;
    }
    record->length = bytes_u16(bytes + 1, layout->big_endian);
    if (record->length < 3) {
        return dwtrace_bad_length;
    }
    if (record->type == DWTRACE_WRAP) {
        return record->length <= available ? NULL : dwtrace_bad_wrap;
    }
    if (record->length <= available) {
        damage = dwtrace_record_parse_body(layout, bytes + 3, record->length - 3,
                                           dwtrace_bad_length, record, &taken);
    } else {
        damage = dwtrace_record_parse_body(layout, bytes + 3, available - 3, dwtrace_truncated,
                                           record, &taken);
    }
    return damage == NULL && taken != record->length - 3 ? dwtrace_bad_length : damage;
}

const char *dwtrace_parse_record(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                 size_t available, struct dwtrace_record *record) {
    const char *damage;
    size_t taken;

    *record = (struct dwtrace_record){.type = (enum dwtrace_type)bytes[0]};
    if (bytes[0] < DWTRACE_ENTRY || bytes[0] > (layout->lengths ? DWTRACE_WRAP : DWTRACE_DATA)) {
        return dwtrace_bad_type;
    }
    if (layout->lengths) {
        return parse_measured(layout, bytes, available, record);
    }
    damage = dwtrace_record_parse_body(layout, bytes + 1, available - 1, dwtrace_truncated, record,
                                       &taken);
    if (damage == NULL) {
        record->length = 1 + taken;
    }
    /* If a data record extends beyond the file, its size is more often damaged than the file
     * truncated. */
    return damage == dwtrace_truncated && record->bytes != NULL && record->type == DWTRACE_DATA
               ? dwtrace_data_overrun
               : damage;
}

/* Formatters: programs of the user that format parameter values (`formatters:`).
 *
 * For each value of a type in a dump, the program of that type runs, without a shell. Its arguments
 * are the name of the type and the value as the dump shows it. Its standard output is shown after
 * the value. FORMATTER_TIME and FORMATTER_OUTPUT limit it. Outputs are cached, so the program
 * rarely runs again for an equal value. */

#define FORMATTER_TIME   1000 /* maximum milliseconds of a program's run */
#define FORMATTER_OUTPUT 4096 /* maximum bytes of a program's output */
#define FORMATTER_TRIES  3    /* after so many failures, a program is not run any more */

enum { REMEMBERED = 4096 };

/* --- formatters: in the configuration --------------------------------------------------------- */

struct programs {
    const char *paths[DWTRACE_TYPES]; /* by type, absolute path of its program; NULL: none */
    size_t count;
};

static bool read_program(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct programs *programs = context;
    const char *name = yaml_string(key, "the type of a parameter", error);
    unsigned type = 1;

    if (name == NULL) {
        return false;
    }
    while (type < DWTRACE_TRUE && strcmp(dwtrace_type_names[type], name) != 0) {
        type++;
    }
    if (type == DWTRACE_TRUE) {
        return yaml_unknown_key(
            key, "UINT8, INT8, BOOL, UINT16, INT16, UINT32, INT32, POINTER, STRUCT", error);
    }
    programs->paths[type] = yaml_copy(value, "a formatter", error);
    if (programs->paths[type] == NULL) {
        return false;
    }
    programs->count++;
    return programs->paths[type][0] == '/' ||
           yaml_error(value, error,
                      "a formatter must be an absolute path of a program, such as "
                      "/usr/local/bin/show-pointer");
}

const struct config_section dwtrace_formatters_section = {
    .name = "formatters",
    .help = "Programs that explain parameters of dwTrace logs, by type",
    .size = sizeof(struct programs),
    .defaults = &(const struct programs){.count = 0},
    .type = YAML_PAIRS,
    .read = read_program,
    .names_file = true,
};

/* --- running a program ------------------------------------------------------------------------ */

/* A formatter program that is running. */
struct question {
    pid_t process;
    int answer; /* pipe from the program's standard output */
    struct timespec deadline;
};

/* Returns the milliseconds until the deadline of a run; 0 after it. */
static int milliseconds_to_deadline(const struct question *question) {
    struct timespec now;
    int64_t left;

    clock_gettime(CLOCK_MONOTONIC, &now);
    left = (int64_t)(question->deadline.tv_sec - now.tv_sec) * 1000 +
           (question->deadline.tv_nsec - now.tv_nsec) / 1000000;
    return left < 0 ? 0 : (int)left;
}

/* Runs in the child process after fork(), so it calls only async-signal-safe functions. Creates a
 * process group, so that all descendants of the program can be killed. */
static void exec_formatter_program(char *const *arguments, int answer, pid_t parent) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    setpgid(0, 0);
    if (nothing >= 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
        dup2(nothing, STDIN_FILENO) >= 0 && dup2(answer, STDOUT_FILENO) >= 0 &&
        dup2(nothing, STDERR_FILENO) >= 0) {
        signal(SIGPIPE, SIG_DFL);
        execv(arguments[0], arguments);
    }
    _exit(127);
}

static bool dwtrace_dump_ask(const char *program, const char *type, const char *value,
                             struct question *question) {
    char *arguments[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)type,
                         (char *)(uintptr_t)value, NULL};
    const pid_t parent = getpid();
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &question->deadline);
    question->deadline.tv_sec += FORMATTER_TIME / 1000;
    question->process = fork();
    if (question->process == 0) {
        exec_formatter_program(arguments, ends[1], parent);
    }
    close(ends[1]);
    question->answer = ends[0];
    if (question->process < 0) {
        close(ends[0]);
        return false;
    }
    /* Both parent and child set the group, so that it is set whichever of them runs first. */
    setpgid(question->process, question->process);
    return true;
}

/* Reads a program's output up to its end; stops after FORMATTER_OUTPUT + 1 bytes, which are too
 * many. Returns false after the deadline or an error. */
static bool read_answer(const struct question *question, char *answer, size_t *length) {
    struct pollfd waiting = {.fd = question->answer, .events = POLLIN};

    for (*length = 0; *length <= FORMATTER_OUTPUT;) {
        int ready = poll(&waiting, 1, milliseconds_to_deadline(question));
        ssize_t got;

        if (ready == 0) {
            return false;
        }
        got = ready < 0 ? -1
                        : read(question->answer, answer + *length, FORMATTER_OUTPUT + 1 - *length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        *length += (size_t)got;
    }
    return true;
}

/* Waits for a program until its deadline, then kills its process group. Returns its exit status. */
static int end_program(const struct question *question) {
    const struct timespec moment = {0, 1000000};
    siginfo_t ended = {0};
    int status = -1;

    while (waitid(P_PID, (id_t)question->process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0 && milliseconds_to_deadline(question) > 0) {
        nanosleep(&moment, NULL);
    }
    /* The formatter's pid is still its own: waitpid() was not called. */
    kill(-question->process, SIGKILL);
    while (waitpid(question->process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* Runs a program to get its output for a value. Returns NULL, or an error message. */
static const char *get_formatter_answer(const char *program, const char *type, const char *value,
                                        char *answer, size_t *length) {
    struct question question;
    bool whole;
    int status;

    if (!dwtrace_dump_ask(program, type, value, &question)) {
        return "cannot be started";
    }
    whole = read_answer(&question, answer, length);
    close(question.answer);
    if (!whole || *length > FORMATTER_OUTPUT) {
        kill(-question.process, SIGKILL);
    }
    status = end_program(&question);
    return !whole                       ? "no answer within a second"
           : *length > FORMATTER_OUTPUT ? "an answer of more than 4096 bytes"
           : status != 0                ? "failed"
                                        : NULL;
}

/* --- cache of programs' outputs --------------------------------------------------------------- */

struct answer {
    char *value; /* value that the program was run for, owned; NULL: an unused slot */
    unsigned type;
    char *shown; /* owned; output of the program, or why it has none */
};

struct formatters {
    const struct programs *programs;
    unsigned failures[DWTRACE_TYPES];
    char buffer[FORMATTER_OUTPUT + 1];
    struct answer answers[REMEMBERED];
};

static struct formatters *formatters_open(const struct config *config) {
    const struct programs *programs = config_value(config, &dwtrace_formatters_section);
    struct formatters *formatters;

    if (programs->count == 0) {
        return NULL;
    }
    formatters = xcalloc(1, sizeof *formatters);
    formatters->programs = programs;
    return formatters;
}

static void formatters_close(struct formatters *formatters) {
    for (size_t i = 0; formatters != NULL && i < REMEMBERED; i++) {
        free(formatters->answers[i].value);
        free(formatters->answers[i].shown);
    }
    free(formatters);
}

static struct answer *find_answer(struct formatters *formatters, unsigned type, const char *value) {
    uint32_t hash = type;

    for (const char *at = value; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * UINT32_C(16777619);
    }
    return &formatters->answers[hash % REMEMBERED];
}

/* Appends a program's output for a value, or why it failed. */
static void append_answer(struct formatters *formatters, unsigned type, const char *value,
                          struct text *shown) {
    size_t length = 0;
    const char *failure =
        get_formatter_answer(formatters->programs->paths[type], dwtrace_type_names[type], value,
                             formatters->buffer, &length);

    text_append_string(shown, " {");
    if (failure != NULL) {
        text_append_format(shown, "formatter: %s", failure);
        if (++formatters->failures[type] == FORMATTER_TRIES) {
            text_append_string(shown, ", not called any more");
        }
    } else {
        while (length > 0 && formatters->buffer[length - 1] == '\n') {
            length--;
        }
        text_append_escaped(shown, formatters->buffer, length);
    }
    text_append_char(shown, '}');
}

/* Runs a program for a value and stores its output in the cache slot. */
static const char *replace_formatter_answer(struct formatters *formatters, struct answer *answer,
                                            unsigned type, const char *value) {
    struct text shown = {0};

    free(answer->value);
    free(answer->shown);
    *answer = (struct answer){.type = type};
    append_answer(formatters, type, value, &shown);
    answer->value = xstrdup(value);
    answer->shown = xstrdup(text_string(&shown));
    text_free(&shown);
    return answer->shown;
}

/* Appends the output of the program for a type, escaped, as ` {output}`, after the value that
 * begins at `begin` in the text. Appends an error message if the program failed, and nothing if the
 * type has no program. `formatters` may be NULL. */
static void formatters_append(struct formatters *formatters, unsigned type, size_t begin,
                              struct text *out) {
    struct answer *answer;
    const char *value, *shown;

    if (formatters == NULL || formatters->programs->paths[type] == NULL) {
        return;
    }
    value = text_string(out) + begin;
    answer = find_answer(formatters, type, value);
    if (answer->value != NULL && answer->type == type && strcmp(answer->value, value) == 0) {
        shown = answer->shown;
    } else if (formatters->failures[type] >= FORMATTER_TRIES) {
        return;
    } else {
        shown = replace_formatter_answer(formatters, answer, type, value);
    }
    text_append_string(out, shown);
}

/* --- showing parameters and data -------------------------------------------------------------- */

static void dwtrace_dump_append_number(unsigned type, const uint8_t *bytes, size_t size,
                                       struct text *out) {
    bool is_signed = type == DWTRACE_INT8 || type == DWTRACE_INT16 || type == DWTRACE_INT32;
    uint32_t number = 0;

    for (size_t i = 0; i < size; i++) {
        number |= (uint32_t)bytes[i] << 8 * i;
    }
    if (type == DWTRACE_POINTER || type == DWTRACE_STRUCT) {
        text_append_format(out, "0x%x", (unsigned)number);
    } else if (is_signed && size > 0 && number >> (8 * size - 1) != 0) {
        text_append_integer(out, (int64_t)number - (INT64_C(1) << 8 * size));
    } else {
        text_append_integer(out, number);
    }
}

/* Appends a structure as text, such as `STRUCT Point {x=1, y=-2}`. */
static void append_structure(const struct dwtrace_structure *structure, const uint8_t *value,
                             struct text *out) {
    text_append_string(out, "STRUCT ");
    text_append_escaped(out, structure->name, strlen(structure->name));
    for (size_t i = 0; i < structure->field_count; i++) {
        const struct dwtrace_field *field = &structure->fields[i];
        size_t size = dwtrace_type_size(field->type);

        text_append_string(out, i == 0 ? " {" : ", ");
        text_append_escaped(out, field->name, strlen(field->name));
        text_append_char(out, '=');
        dwtrace_dump_append_number(field->type, value, size, out);
        value += size;
    }
    text_append_char(out, '}');
}

/* Appends a value with a format control that the writer of the log defines. Shows the fields of the
 * structure configured for that control, if its size is the value's; otherwise raw bytes. */
static void append_formatted(const struct dwtrace_settings *settings,
                             const struct dwtrace_parameter *parameter, struct text *out) {
    const struct dwtrace_structure *structure =
        parameter->type == DWTRACE_STRUCT ? dwtrace_structure(settings, parameter->control) : NULL;

    if (structure != NULL && structure->size == parameter->size) {
        append_structure(structure, parameter->value, out);
        return;
    }
    text_append_format(out, "%s format %u", dwtrace_type_names[parameter->type],
                       parameter->control);
    if (parameter->size > 0) {
        text_append_string(out, " hex:");
        text_append_hex(out, parameter->value, parameter->size);
    }
}

/* Settings and programs for showing parameters. */
struct showing {
    const struct dwtrace_settings *settings;
    struct formatters *formatters; /* NULL: none */
};

static void append_parameter(const struct showing *showing,
                             const struct dwtrace_parameter *parameter, struct text *out) {
    size_t begin = out->length + strlen(dwtrace_type_names[parameter->type]) + 1;

    if (parameter->control >= DWTRACE_KNOWN_CONTROLS) {
        append_formatted(showing->settings, parameter, out);
    } else {
        text_append_string(out, dwtrace_type_names[parameter->type]);
        if (parameter->control == DWTRACE_NULLPTR) {
            text_append_string(out, " NULL");
        } else if (parameter->control == DWTRACE_NOTALIGNED) {
            text_append_string(out, " not aligned");
        } else if (parameter->size > 0) {
            text_append_char(out, ' ');
            dwtrace_dump_append_number(parameter->type, parameter->value, parameter->size, out);
        }
    }
    if (parameter->size > 0) {
        formatters_append(showing->formatters, parameter->type, begin, out);
    }
}

/* Appends a list of parameters as stored in the database: the count, then each as
 * dwtrace_normalise_list() writes it. Returns its length in bytes. A database may hold anything, so
 * an invalid parameter is shown as `?` and ends the list. `out` may be NULL. */
static size_t dwtrace_dump_append_list(const struct showing *showing, const uint8_t *bytes,
                                       size_t size, struct text *out) {
    const struct dwtrace_layout layout = {
        .most_parameters = DWTRACE_MOST_PARAMETERS,
        .stored = true,
    };
    struct dwtrace_record list = {0};
    size_t at = 1;
    bool good =
        size > 0 && dwtrace_parse_list(&layout, bytes, size, dwtrace_truncated, &list) == NULL;

    if (out != NULL && list.parameters > 0) {
        text_append_char(out, '(');
        for (unsigned i = 0; good && i < list.parameters; i++) {
            struct dwtrace_parameter parameter;

            /* Not reached: the list was already found to be good. */
            if (dwtrace_parse_parameter(&layout, bytes, size, "", &at, &parameter) != NULL) {
                break;
            }
            text_append(out, ", ", i == 0 ? 0 : 2);
            append_parameter(showing, &parameter, out);
        }
        text_append_string(out, good ? ")" : "?)");
    }
    return good ? list.bytes_length : size;
}

/* Appends bytes as hexadecimal digits in groups of four bytes, then as printable ASCII. */
static void dwtrace_dump_append_data(const uint8_t *bytes, size_t size, struct text *out) {
    text_append_char(out, ' ');
    text_append_integer(out, (int64_t)size);
    text_append_string(out, size == 1 ? " byte" : " bytes");
    for (size_t i = 0; i < size; i += 4) {
        text_append_string(out, i == 0 ? ": " : " ");
        text_append_hex(out, bytes + i, size - i < 4 ? size - i : 4);
    }
    text_append_string(out, size > 0 ? " |" : "");
    for (size_t i = 0; i < size; i++) {
        text_append_char(out, bytes[i] >= 0x20 && bytes[i] < 0x7F ? (char)bytes[i] : '.');
    }
    text_append_string(out, size > 0 ? "|" : "");
}

void dwtrace_dump_span(const struct dump_event *dump, enum dump_moment moment, struct text *out) {
    const uint8_t *bytes = dump->event.arguments;
    const struct showing showing = {
        .settings =
            dump->config == NULL ? dwtrace_section.defaults : dwtrace_settings(dump->config),
        .formatters = dump->state,
    };
    size_t size = bytes == NULL ? 0 : dump->arguments_size, entry;

    if (moment == DUMP_DATA) {
        dwtrace_dump_append_data(bytes, size, out);
        return;
    }
    if (moment == DUMP_ENTRY) {
        dwtrace_dump_append_list(&showing, bytes, size, out);
        return;
    }
    if (dump->event.value != EVENT_NONE) {
        text_append_string(out, " = ");
        text_append_integer(out, dump->event.value);
    }
    /* The parameters of the exit are stored after those of the entry, unless the log lacks the
     * entry. */
    entry = dump->event.flags & SPAN_STRAY_EXIT
                ? 0
                : dwtrace_dump_append_list(&showing, bytes, size, NULL);
    if (entry < size && bytes[entry] > 0) {
        text_append_char(out, ' ');
        dwtrace_dump_append_list(&showing, bytes + entry, size - entry, out);
    }
}

bool dwtrace_begin_dump(const struct config *config, void **state, struct error *error) {
    *state = formatters_open(config);
    return true;
}

void dwtrace_end_dump(void *state) {
    formatters_close(state);
}
