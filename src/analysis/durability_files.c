#include "analysis/durability_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/file.h"
#include "model/linux.h"

/* Returns whether a name is not on a disk: in memory or kernel file systems, or not a path. */
static bool is_out(const char *path, bool typed) {
    static const char *const begins[] = {"/dev/", "/proc/", "/sys/", "/run/", "/memfd:", "/SYSV"};

    if (strncmp(path, "/run/media/", strlen("/run/media/")) == 0) {
        return false; /* disks mounted by users */
    }
    if (!typed && *path != '/' && strncmp(path, "./", 2) != 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(path, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return false;
}

struct place *durability_place(struct durability_state *state, uint32_t object) {
    struct place *place = NULL;

    HASH_FIND(hh, state->places, &object, sizeof object, place);
    if (place == NULL) {
        if (HASH_COUNT(state->places) == PLACES_MOST) {
            HASH_FREE(state->places);
        }
        place = xcalloc(1, sizeof *place);
        place->object = object;
        place->answers = UINT32_MAX;
        HASH_ADD(hh, state->places, object, sizeof place->object, place);
    }
    return place;
}

bool durability_read_name(struct durability_state *state, uint32_t object, bool *typed) {
    struct analysis_context *context = state->context;
    bool row = false;

    text_clear(&state->path);
    if (state->find_name == NULL) {
        state->find_name = database_prepare(
            context->database, "SELECT name, type FROM main.object WHERE id = ?1", &context->error);
    }
    if (state->find_name == NULL) {
        return false;
    }
    sqlite3_bind_int64(state->find_name, 1, object);
    if (database_step(context->database, state->find_name, &row, &context->error) && row) {
        const char *name = (const char *)sqlite3_column_text(state->find_name, 0);

        *typed = sqlite3_column_type(state->find_name, 1) != SQLITE_NULL;
        text_append_string(&state->path, name == NULL ? "" : name);
    }
    sqlite3_reset(state->find_name);
    return state->path.length > 0;
}

struct name_node *durability_node(struct durability_state *state, uint32_t object, bool make) {
    struct name_node *node;
    struct place *place;
    bool typed = false;

    if (object == 0 || id_bits_has(&state->out, object)) {
        return NULL;
    }
    HASH_FIND(hh, state->places, &object, sizeof object, place);
    if (place != NULL && place->node != NULL && place->moves == state->tree.moves) {
        return place->node;
    }
    if (!durability_read_name(state, object, &typed)) {
        return NULL;
    }
    if (is_out(state->path.bytes, typed)) {
        id_bits_set(&state->out, object);
        id_bits_put(&state->sockets, object,
                    wait_of_descriptor(state->path.bytes, typed) == WAIT_PEER);
        return NULL;
    }
    path_normalise(&state->path);
    /* Cached only if something was done, so that memory grows with writes. */
    node = name_tree_find(&state->tree, state->path.bytes, state->path.length, make);
    if (node != NULL) {
        place = durability_place(state, object);
        place->node = node;
        place->moves = state->tree.moves;
    } else if (make && state->counts_early) {
        state->ended = true;
    } else if (make) {
        error_set(&state->context->error,
                  "more than %d files written or names changed: narrow with --from and --to",
                  NAMES_MOST);
    }
    return node;
}

bool durability_finish_file(struct disk_file *file) {
    bool some = file->fresh || file->changed || file->mapped || file->syncing > 0;

    file->fresh = file->changed = false;
    file->mapped = file->mappings > 0 && !file->msynced;
    return some;
}

struct disk_file *durability_settled(const struct durability_state *state, struct disk_file *file) {
    if (file != NULL && file->epoch != state->epoch) {
        durability_finish_file(file);
        file->epoch = state->epoch;
    }
    return file;
}

struct disk_file *durability_new_file(struct durability_state *state) {
    struct disk_file *file = exposure_file(&state->exposure);

    file->epoch = state->epoch;
    return file;
}

struct disk_file *durability_file_at(struct durability_state *state, struct name_node *node) {
    if (node->now == NULL) {
        struct disk_file *file = durability_new_file(state);

        file->names = 1;
        if (node->how == NAME_FOUND) {
            node->now = node->kept = file;
        } else {
            /* It was created again by something outside the log. */
            file->names = 0;
            exposure_set_name(
                &state->exposure, node, file,
                &(struct exposure_call){state->exposure.now, state->exposure.now, false},
                NAME_CREATED);
        }
    }
    return node->now;
}

static uint64_t durability_files_key_of(const struct durability_call *call, uint32_t object) {
    return (uint64_t)object << 32 | call->flags >> CALL_GENERATION_SHIFT;
}

/* Returns the slot of the recent file that may have the key. */
static struct recent_file *durability_files_recent_of(struct durability_state *state,
                                                      uint64_t key) {
    return &state->recent[(key ^ key >> 32) % RECENT_FILES];
}

static void remove_opened(struct durability_state *state, struct opened_file *opened) {
    struct recent_file *recent = durability_files_recent_of(state, opened->key);

    recent->file = recent->key == opened->key ? NULL : recent->file;
    HASH_DEL(state->opened, opened);
    free(opened);
}

static void durability_files_remember(struct durability_state *state, uint64_t key,
                                      struct disk_file *file) {
    struct opened_file *opened = NULL;

    HASH_FIND(hh, state->opened, &key, sizeof key, opened);
    if (opened == NULL) {
        if (HASH_COUNT(state->opened) == OPENED_MOST) {
            struct opened_file *oldest = state->opened;

            remove_opened(state, oldest);
        }
        opened = xcalloc(1, sizeof *opened);
        opened->key = key;
        HASH_ADD(hh, state->opened, key, sizeof opened->key, opened);
    }
    opened->file = file;
    file->key = key;
    *durability_files_recent_of(state, key) = (struct recent_file){key, file};
}

void durability_opened(struct durability_state *state, const struct durability_call *call,
                       struct disk_file *file) {
    durability_files_remember(state, durability_files_key_of(call, call->object), file);
}

/* Returns whether a descriptor belongs to an earlier file of the same path. */
static bool is_behind(const struct disk_file *file, uint64_t key) {
    return file != NULL && file->key >> 32 == key >> 32 && file->key > key;
}

struct disk_file *durability_file(struct durability_state *state,
                                  const struct durability_call *call, uint32_t object, bool make) {
    uint64_t key = durability_files_key_of(call, object);
    struct recent_file *recent = durability_files_recent_of(state, key);
    struct opened_file *opened = NULL;
    struct name_node *node;
    struct disk_file *file;

    if (recent->file != NULL && recent->key == key) {
        return durability_settled(state, recent->file);
    }
    if (state->opened != NULL) {
        HASH_FIND(hh, state->opened, &key, sizeof key, opened);
    }
    if (opened != NULL) {
        *recent = (struct recent_file){key, opened->file};
        return durability_settled(state, opened->file);
    }
    node = durability_node(state, object, make);
    if (node == NULL || (node->now == NULL && !make) || is_behind(node->now, key)) {
        return NULL;
    }
    if (node->now == NULL && node->how == NAME_REMOVED) {
        file = durability_new_file(state); /* a descriptor of a removed file */
    } else {
        file = durability_file_at(state, node);
    }
    if (make) {
        durability_files_remember(state, key, file);
    }
    return durability_settled(state, file);
}

/* --- removed files ---------------------------------------------------------------------------- */

static void mark(struct disk_file *file) {
    if (file != NULL) {
        file->marked = true;
    }
}

void durability_collect(struct durability_state *state) {
    struct opened_file *next;

    if (state->exposure.file_count <= state->collect) {
        return;
    }
    for (struct name_node *node = state->tree.nodes; node != NULL; node = node->hh.next) {
        mark(node->now);
        mark(node->kept);
        mark(node->last);
    }
    for (struct opened_file *opened = state->opened; opened != NULL; opened = next) {
        next = opened->hh.next;
        if (opened->file->names == 0) {
            remove_opened(state, opened);
        } else {
            mark(opened->file);
        }
    }
    early_mark(state);
    exposure_sweep(&state->exposure);
    state->collect = 2 * state->exposure.file_count;
    state->collect = state->collect < FILES_AT_FIRST ? FILES_AT_FIRST : state->collect;
}
