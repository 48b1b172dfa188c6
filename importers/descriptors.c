#include "descriptors.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

/* A slot of a table: 0 is closed, else the position of the open file and 1, with the mark. */
#define CLOSE_ON_EXEC UINT32_C(0x80000000)

/* Shared by the processes that lead to it. */
struct table {
    size_t users;
    uint32_t *slots; /* owned */
    size_t count;
};

struct process {
    UT_hash_handle hh;
    int64_t number;
    struct table *table; /* one of its users */
};

struct counted_file {
    struct open_file file;
    uint32_t
        users; /* slots; 0: free, and `file.object` is the position of the next free one and 1 */
};

struct descriptors {
    struct process *processes;  /* owned */
    struct process *last;       /* the one that was looked for last; NULL: none */
    struct counted_file *files; /* owned; fewer than slots */
    size_t file_count, file_capacity;
    uint32_t free_file; /* position and 1; 0: none */
    size_t slots;       /* of all tables */
    int64_t lost;
};

struct descriptors *descriptors_new(void) {
    return calloc(1, sizeof(struct descriptors));
}

int64_t descriptors_lost(const struct descriptors *descriptors) {
    return descriptors->lost;
}

/* --- open files ------------------------------------------------------------------------------- */

static struct counted_file *file_of(struct descriptors *descriptors, uint32_t slot) {
    return &descriptors->files[(slot & ~CLOSE_ON_EXEC) - 1];
}

/* A slot that leads to the new file; 0 when out of memory. There are at most as many as slots. */
static uint32_t add_file(struct descriptors *descriptors, struct open_file file) {
    uint32_t slot = descriptors->free_file;

    if (slot != 0) {
        descriptors->free_file = file_of(descriptors, slot)->file.object;
    } else {
        struct counted_file *files = array_grow(descriptors->files, descriptors->file_count,
                                                &descriptors->file_capacity, sizeof *files);

        if (files == NULL) {
            return 0;
        }
        descriptors->files = files;
        slot = (uint32_t)++descriptors->file_count;
    }
    *file_of(descriptors, slot) = (struct counted_file){file, 1};
    return slot;
}

static void release_slot(struct descriptors *descriptors, uint32_t *slot) {
    if (*slot != 0) {
        struct counted_file *file = file_of(descriptors, *slot);

        if (--file->users == 0) {
            file->file.object = descriptors->free_file;
            descriptors->free_file = *slot & ~CLOSE_ON_EXEC;
        }
        *slot = 0;
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static void release_table(struct descriptors *descriptors, struct table *table) {
    if (--table->users > 0) {
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        release_slot(descriptors, &table->slots[i]);
    }
    descriptors->slots -= table->count;
    free(table->slots);
    free(table);
}

/* Whether the descriptor has a slot, made where there is room. `*memory` is false when that is all
 * that is missing. */
static bool make_slot(struct descriptors *descriptors, struct table *table, int64_t descriptor,
                      bool *memory) {
    size_t count = table->count == 0 ? FIRST_SLOTS : table->count;
    uint32_t *slots;

    *memory = true;
    if (descriptor < 0 || descriptor >= DESCRIPTORS_LIMIT) {
        descriptors->lost += descriptor >= DESCRIPTORS_LIMIT;
        return false;
    }
    if ((size_t)descriptor < table->count) {
        return true;
    }
    while (count <= (size_t)descriptor) {
        count *= 2;
    }
    if (descriptors->slots + count - table->count > DESCRIPTORS_ROOM) {
        descriptors->lost++;
        return false;
    }
    slots = realloc(table->slots, count * sizeof *slots);
    if (slots == NULL) {
        *memory = false;
        return false;
    }
    memset(slots + table->count, 0, (count - table->count) * sizeof *slots);
    descriptors->slots += count - table->count;
    table->slots = slots;
    table->count = count;
    return true;
}

/* Copies a table, as far as there is room: else an empty one. NULL when out of memory. */
static struct table *copy_table(struct descriptors *descriptors, const struct table *from) {
    struct table *table = calloc(1, sizeof *table);
    bool memory = true;

    if (table == NULL) {
        return NULL;
    }
    table->users = 1;
    if (from->count > 0 && make_slot(descriptors, table, (int64_t)from->count - 1, &memory)) {
        memcpy(table->slots, from->slots, from->count * sizeof *from->slots);
        for (size_t i = 0; i < table->count; i++) {
            if (table->slots[i] != 0) {
                file_of(descriptors, table->slots[i])->users++;
            }
        }
    }
    if (!memory) {
        release_table(descriptors, table);
        return NULL;
    }
    return table;
}

/* --- processes -------------------------------------------------------------------------------- */

static struct process *find_process(struct descriptors *descriptors, int64_t number) {
    if (descriptors->last == NULL || descriptors->last->number != number) {
        HASH_FIND(hh, descriptors->processes, &number, sizeof number, descriptors->last);
    }
    return descriptors->last;
}

/* A process with a table of which it becomes a user. False when out of memory. */
static bool add_process(struct descriptors *descriptors, int64_t number, struct table *table) {
    struct process *process = calloc(1, sizeof *process);

    if (process == NULL) {
        return false;
    }
    process->number = number;
    process->table = table;
    HASH_ADD(hh, descriptors->processes, number, sizeof process->number, process);
    if (!hash_added(process)) {
        free(process);
        return false;
    }
    return true;
}

/* The process, made with an empty table; NULL when there is no room, or (`*memory`) no memory. */
static struct process *make_process(struct descriptors *descriptors, int64_t number, bool *memory) {
    static const struct table empty = {0, NULL, 0};
    struct process *process = find_process(descriptors, number);
    struct table *table;

    *memory = true;
    if (process != NULL) {
        return process;
    }
    if (HASH_COUNT(descriptors->processes) >= DESCRIPTORS_PROCESSES) {
        descriptors->lost++;
        return NULL;
    }
    table = copy_table(descriptors, &empty);
    if (table == NULL || !add_process(descriptors, number, table)) {
        free(table);
        *memory = false;
        return NULL;
    }
    return find_process(descriptors, number);
}

static void drop_process(struct descriptors *descriptors, struct process *process) {
    HASH_DEL(descriptors->processes, process);
    release_table(descriptors, process->table);
    free(process);
    descriptors->last = NULL;
}

void descriptors_end(struct descriptors *descriptors, int64_t process) {
    struct process *found = find_process(descriptors, process);

    if (found != NULL) {
        drop_process(descriptors, found);
    }
}

void descriptors_clear(struct descriptors *descriptors) {
    while (descriptors->processes != NULL) {
        drop_process(descriptors, descriptors->processes);
    }
}

void descriptors_free(struct descriptors *descriptors) {
    if (descriptors != NULL) {
        descriptors_clear(descriptors);
        free(descriptors->files);
        free(descriptors);
    }
}

bool descriptors_fork(struct descriptors *descriptors, int64_t parent, int64_t child, bool shares) {
    struct process *from;
    struct table *table;
    bool memory;

    if (parent == child) {
        return true;
    }
    descriptors_end(descriptors, child);
    from = make_process(descriptors, parent, &memory);
    if (from == NULL) {
        return memory;
    }
    if (HASH_COUNT(descriptors->processes) >= DESCRIPTORS_PROCESSES) {
        descriptors->lost++;
        return true;
    }
    if (shares) {
        table = from->table;
        table->users++;
    } else {
        table = copy_table(descriptors, from->table);
    }
    if (table == NULL || !add_process(descriptors, child, table)) {
        if (table != NULL) {
            release_table(descriptors, table);
        }
        return false;
    }
    return true;
}

bool descriptors_unshare(struct descriptors *descriptors, int64_t process) {
    struct process *found = find_process(descriptors, process);
    struct table *table;

    if (found == NULL || found->table->users == 1) {
        return true;
    }
    table = copy_table(descriptors, found->table);
    if (table == NULL) {
        return false;
    }
    release_table(descriptors, found->table);
    found->table = table;
    return true;
}

bool descriptors_exec(struct descriptors *descriptors, int64_t process) {
    struct process *found = find_process(descriptors, process);

    if (!descriptors_unshare(descriptors, process)) {
        return false;
    }
    for (size_t i = 0; found != NULL && i < found->table->count; i++) {
        if (found->table->slots[i] & CLOSE_ON_EXEC) {
            release_slot(descriptors, &found->table->slots[i]);
        }
    }
    return true;
}

/* --- descriptors ------------------------------------------------------------------------------ */

/* The slot of a descriptor, NULL when there is none. */
static uint32_t *find_slot(struct descriptors *descriptors, int64_t process, int64_t descriptor) {
    const struct process *found = find_process(descriptors, process);

    return found == NULL || descriptor < 0 || descriptor >= (int64_t)found->table->count
               ? NULL
               : &found->table->slots[descriptor];
}

static void mark(uint32_t *slot, bool close_on_exec) {
    *slot = close_on_exec ? *slot | CLOSE_ON_EXEC : *slot & ~CLOSE_ON_EXEC;
}

bool descriptors_open(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                      struct open_file file, bool close_on_exec) {
    bool memory = true;
    struct process *found = descriptor < 0 ? NULL : make_process(descriptors, process, &memory);
    uint32_t *slot;

    if (found == NULL || !make_slot(descriptors, found->table, descriptor, &memory)) {
        return memory;
    }
    slot = &found->table->slots[descriptor];
    release_slot(descriptors, slot);
    *slot = add_file(descriptors, file);
    if (*slot == 0) {
        return false;
    }
    mark(slot, close_on_exec);
    return true;
}

struct open_file *descriptors_find(struct descriptors *descriptors, int64_t process,
                                   int64_t descriptor) {
    const uint32_t *slot = find_slot(descriptors, process, descriptor);

    return slot == NULL || *slot == 0 ? NULL : &file_of(descriptors, *slot)->file;
}

bool descriptors_duplicate(struct descriptors *descriptors, int64_t process, int64_t from,
                           int64_t to, bool close_on_exec) {
    const uint32_t *slot = find_slot(descriptors, process, from);
    uint32_t file = slot == NULL ? 0 : *slot & ~CLOSE_ON_EXEC;
    struct process *found = find_process(descriptors, process);
    bool memory = true;

    if (from == to) {
        return true;
    }
    if (file == 0) {
        descriptors_close(descriptors, process, to);
        return true;
    }
    if (!make_slot(descriptors, found->table, to, &memory)) {
        return memory;
    }
    file_of(descriptors, file)->users++; /* first: `to` may be the last that leads there */
    release_slot(descriptors, &found->table->slots[to]);
    found->table->slots[to] = file;
    mark(&found->table->slots[to], close_on_exec);
    return true;
}

void descriptors_close(struct descriptors *descriptors, int64_t process, int64_t descriptor) {
    uint32_t *slot = find_slot(descriptors, process, descriptor);

    if (slot != NULL) {
        release_slot(descriptors, slot);
    }
}

void descriptors_close_range(struct descriptors *descriptors, int64_t process, int64_t first,
                             int64_t last, bool only_mark) {
    const struct process *found = find_process(descriptors, process);
    int64_t end = found == NULL ? 0 : (int64_t)found->table->count;

    for (int64_t i = first < 0 ? 0 : first; i < end && i <= last; i++) {
        uint32_t *slot = &found->table->slots[i];

        if (!only_mark) {
            release_slot(descriptors, slot);
        } else if (*slot != 0) {
            mark(slot, true);
        }
    }
}

void descriptors_close_on_exec(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                               bool close_on_exec) {
    uint32_t *slot = find_slot(descriptors, process, descriptor);

    if (slot != NULL && *slot != 0) {
        mark(slot, close_on_exec);
    }
}
