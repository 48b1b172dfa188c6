/* The Palmist test data: see README.md. */
#include "carriers.h"
#include "damage.h"
#include "expect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    Log (*play)(void);
    void (*check)(const Log *log);
} kinds[] = {
    {"representative", play_representative, check_representative},
    {"pinemark-text", play_pinemark, check_pinemark},
    {"small", play_small, NULL},
    {"reset", play_reset, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds, FULL_SIZE_KINDS = 2 };

static const struct {
    const char *name;
    Carrier carrier;
    const char *suffix;
} carriers[] = {
    {"pdb", PDB, ".pdb"},
    {"raw", RAW, ".raw"},
    {"raw-padded", PADDED, "-padded.raw"},
    {"text", TEXT, ".txt"},
};
enum { CARRIERS = sizeof carriers / sizeof *carriers };

static int usage(void) {
    fputs("usage: generate KIND CARRIER        one log on stdout\n"
          "       generate full DIRECTORY      both full-size logs, every carrier, what to expect\n"
          "       generate expected KIND DIRECTORY\n"
          "       generate samples DIRECTORY   the files that are committed\n"
          "       generate config              demo.yaml on stdout\n"
          "       generate big CALLS           a raw log of that many calls on stdout\n"
          "       generate check               only asserts what the logs promise\n"
          "KIND: representative pinemark-text small reset; CARRIER: pdb raw raw-padded text\n",
          stderr);
    return 2;
}

static void put(const void *bytes, size_t length) {
    if (length && fwrite(bytes, 1, length, stdout) != length) {
        die("stdout: %s", strerror(errno));
    }
}

static int finish_stdout(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        die("stdout: %s", strerror(errno));
    }
    return 0;
}

static size_t find_kind(const char *name) {
    size_t i = 0;
    while (i < KINDS && strcmp(kinds[i].name, name) != 0) {
        i++;
    }
    return i;
}

static Log play(size_t kind) {
    Log log = kinds[kind].play();
    if (kinds[kind].check) {
        kinds[kind].check(&log);
    }
    return log;
}

static int one_log(const char *kind_name, const char *carrier_name) {
    size_t kind = find_kind(kind_name);
    for (size_t i = 0; kind < KINDS && i < CARRIERS; i++) {
        if (strcmp(carriers[i].name, carrier_name) == 0) {
            Log log = play(kind);
            Buffer file = {0};
            write_log(&file, &log, carriers[i].carrier);
            put(file.bytes, file.length);
            buffer_free(&file);
            log_free(&log);
            return finish_stdout();
        }
    }
    return usage();
}

/* DIRECTORY/expected/KIND/ */
static void expect_below(const char *directory, const char *kind, const Log *log) {
    Buffer path = {0};
    buffer_printf(&path, "%s/expected", directory);
    make_directory((const char *)path.bytes);
    path.length = 0;
    buffer_printf(&path, "%s/expected/%s", directory, kind);
    make_directory((const char *)path.bytes);
    write_expectations((const char *)path.bytes, log);
    buffer_free(&path);
}

static int full_size_logs(const char *directory) {
    make_directory(directory);
    for (size_t kind = 0; kind < FULL_SIZE_KINDS; kind++) {
        Log log = play(kind);
        for (size_t i = 0; i < CARRIERS; i++) {
            Buffer file = {0};
            Buffer name = {0};
            write_log(&file, &log, carriers[i].carrier);
            buffer_printf(&name, "%s%s", kinds[kind].name, carriers[i].suffix);
            write_file(directory, (const char *)name.bytes, &file);
            buffer_free(&file);
            buffer_free(&name);
        }
        expect_below(directory, kinds[kind].name, &log);
        log_free(&log);
    }
    return 0;
}

static int expectations(const char *kind_name, const char *directory) {
    size_t kind = find_kind(kind_name);
    Log log;
    if (kind == KINDS) {
        return usage();
    }
    log = play(kind);
    make_directory(directory);
    write_expectations(directory, &log);
    log_free(&log);
    return 0;
}

static int samples(const char *directory) {
    Buffer configuration = {0};
    make_directory(directory);
    write_configuration(&configuration);
    write_file(directory, "demo.yaml", &configuration);
    buffer_free(&configuration);
    write_good_samples(directory);
    write_damaged_samples(directory);
    write_failing_samples(directory);
    for (size_t kind = FULL_SIZE_KINDS; kind < KINDS; kind++) {
        Log log = play(kind);
        expect_below(directory, kinds[kind].name, &log);
        log_free(&log);
    }
    return 0;
}

static int configuration(void) {
    Buffer out = {0};
    write_configuration(&out);
    put(out.bytes, out.length);
    buffer_free(&out);
    return finish_stdout();
}

/* Puts one record of the calls from *next on; each round of the session
 * begins where the one before ended. At 64 kB a record this needs no more
 * memory than the session itself.
 */
static uint64_t put_record(const Log *log, const Buffer *session, size_t *next, uint64_t *base,
                           uint64_t left) {
    static uint8_t record[CONDUIT_RECORD];
    static size_t position;
    size_t used = 2;
    uint64_t count = 0;
    while (count < left) {
        const Call *call = &log->calls[*next];
        size_t length = CALL_HEADER + (size_t)call->size;
        if (used + length > sizeof record) {
            break;
        }
        memcpy(record + used, session->bytes + position, length);
        set_u32(record + used + 2, (uint32_t)(*base + call->tick));
        used += length;
        position += length;
        count++;
        if (++*next == log->count) {
            *base += call->tick - log->calls[0].tick + 100;
            *next = 0;
            position = 0;
        }
    }
    set_u16(record, (unsigned)used);
    put(record, used);
    return count;
}

/* The representative session over and over, as one boot. */
static int big_log(const char *calls) {
    Log log = play(0);
    Buffer session = {0};
    char *end;
    uint64_t left = strtoull(calls, &end, 10);
    uint64_t length = log.calls[log.count - 1].tick + 100;
    uint64_t base = 0;
    size_t next = 0;
    if (*end || *calls < '0' || *calls > '9') {
        log_free(&log);
        return usage();
    }
    require(left / log.count < UINT32_MAX / length - 1,
            "so many calls need more than 32 bits of ticks");
    for (size_t i = 0; i < log.count; i++) {
        append_call(&session, &log, &log.calls[i]);
    }
    while (left) {
        left -= put_record(&log, &session, &next, &base, left);
    }
    buffer_free(&session);
    log_free(&log);
    return finish_stdout();
}

static int check_all(void) {
    for (size_t kind = 0; kind < KINDS; kind++) {
        Log log = play(kind);
        log_free(&log);
    }
    return 0;
}

int main(int count, char **arguments) {
    const char *command = count > 1 ? arguments[1] : "";
    if (count == 2 && strcmp(command, "check") == 0) {
        return check_all();
    }
    if (count == 2 && strcmp(command, "config") == 0) {
        return configuration();
    }
    if (count == 3 && strcmp(command, "full") == 0) {
        return full_size_logs(arguments[2]);
    }
    if (count == 3 && strcmp(command, "samples") == 0) {
        return samples(arguments[2]);
    }
    if (count == 3 && strcmp(command, "big") == 0) {
        return big_log(arguments[2]);
    }
    if (count == 4 && strcmp(command, "expected") == 0) {
        return expectations(arguments[2], arguments[3]);
    }
    return count == 3 ? one_log(command, arguments[2]) : usage();
}
