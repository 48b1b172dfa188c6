#include "perfetto_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    THREADS_MOST = 1 << 18,
    INTERNED_MOST = 1 << 17,
    INTERNED_BYTES = 256,
    PACKET_SEQUENCE = 10,
    PACKET_INTERNED = 12,
};

/* A name that packets of a sequence refer to by number. */
struct perfetto_interned {
    struct interned_key {
        uint64_t sequence, kind, number;
    } key;
    size_t length;
    UT_hash_handle hh;
    uint8_t name[];
};

void perfetto_names_copy(char *to, struct wire name) {
    size_t length = (size_t)(name.end - name.at);

    memset(to, 0, PERFETTO_COMM);
    if (length > 0) {
        memcpy(to, name.at, length < PERFETTO_COMM ? length : PERFETTO_COMM - 1);
    }
}

static void tell_thread(struct perfetto_names *names, uint64_t number, uint64_t pid,
                        struct wire name) {
    struct perfetto_thread *thread;
    int64_t tid = (int64_t)(number & INT32_MAX);

    HASH_FIND(hh, names->threads, &tid, sizeof tid, thread);
    if (thread == NULL && HASH_COUNT(names->threads) < THREADS_MOST) {
        thread = xcalloc(1, sizeof *thread);
        thread->tid = tid;
        HASH_ADD(hh, names->threads, tid, sizeof tid, thread);
    }
    if (thread != NULL) {
        thread->pid = (int64_t)(pid & INT32_MAX);
        perfetto_names_copy(thread->name, name);
    }
}

/* Reads a process. A command line of one word may be its name; of kernel threads it is. */
static void read_process(struct perfetto_names *names, struct wire process) {
    enum { ID = 1, WORD = 3 };
    struct wire_field field;
    struct wire name = {0};
    uint64_t pid = 0;
    int words = 0;

    while (wire_next(&process, &field)) {
        if (field.number == ID) {
            pid = field.value;
        } else if (field.number == WORD) {
            words++;
            name = field.bytes;
        }
    }
    if (words != 1 || name.end - name.at >= PERFETTO_COMM ||
        (name.at < name.end && *name.at == '/')) {
        name = (struct wire){0};
    }
    tell_thread(names, pid, pid, name);
}

void perfetto_names_tree(struct perfetto_names *names, struct wire message) {
    enum { PROCESS = 1, THREAD, TID = 1, NAME, PID };
    struct wire_field field;

    while (wire_next(&message, &field)) {
        if (field.number == PROCESS) {
            read_process(names, field.bytes);
        } else if (field.number == THREAD) {
            tell_thread(names, wire_find(field.bytes, TID).value, wire_find(field.bytes, PID).value,
                        wire_find(field.bytes, NAME).bytes);
        }
    }
}

bool perfetto_names_track(struct perfetto_names *names, struct wire message) {
    enum { THREAD = 4, PID = 1, TID, NAME = 5 };
    struct wire thread = wire_find(message, THREAD).bytes;

    if (thread.at == thread.end) {
        return false;
    }
    tell_thread(names, wire_find(thread, TID).value, wire_find(thread, PID).value,
                wire_find(thread, NAME).bytes);
    return true;
}

static void intern(struct perfetto_names *names, uint64_t kind, struct wire message) {
    enum { NUMBER = 1, NAME };
    const struct interned_key key = {names->sequence, kind, wire_find(message, NUMBER).value};
    struct wire name = wire_find(message, NAME).bytes;
    size_t length = (size_t)(name.end - name.at);
    struct perfetto_interned *interned;

    HASH_FIND(hh, names->interned, &key, sizeof key, interned);
    if (interned != NULL) {
        HASH_DEL(names->interned, interned);
        free(interned);
    }
    if (HASH_COUNT(names->interned) < INTERNED_MOST && length > 0) {
        length = length < INTERNED_BYTES ? length : INTERNED_BYTES;
        interned = xcalloc(1, sizeof *interned + length);
        interned->key = key;
        interned->length = length;
        memcpy(interned->name, name.at, length);
        HASH_ADD(hh, names->interned, key, sizeof key, interned);
    }
}

void perfetto_names_packet(struct perfetto_names *names, struct wire packet) {
    struct wire interned = wire_find(packet, PACKET_INTERNED).bytes;
    struct wire_field field;

    names->sequence = wire_find(packet, PACKET_SEQUENCE).value;
    while (wire_next(&interned, &field)) {
        if (field.number == PERFETTO_EVENT || field.number == PERFETTO_FUNCTION) {
            intern(names, field.number, field.bytes);
        }
    }
}

const struct perfetto_thread *perfetto_names_thread(const struct perfetto_names *names,
                                                    int64_t tid) {
    const struct perfetto_thread *thread;

    HASH_FIND(hh, names->threads, &tid, sizeof tid, thread);
    return thread;
}

struct wire perfetto_names_find(const struct perfetto_names *names, enum perfetto_name_kind kind,
                                uint64_t number) {
    const struct interned_key key = {names->sequence, kind, number};
    const struct perfetto_interned *found;

    HASH_FIND(hh, names->interned, &key, sizeof key, found);
    return found != NULL ? wire_of(found->name, found->length) : (struct wire){0};
}

void perfetto_names_free(struct perfetto_names *names) {
    HASH_FREE(names->threads);
    HASH_FREE(names->interned);
}
