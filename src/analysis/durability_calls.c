#include "analysis/durability_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/saturate.h"
#include "base/words.h"
#include "model/linux.h"

/* --- looking up files and names --------------------------------------------------------------- */

/* Returns whether an object is not a file on disk: its path is in a file system in memory or of the
 * kernel, or its name is no path. `typed`: the object has a file type. */
static bool is_out(const char *path, bool typed) {
    static const char *const begins[] = {"/dev/", "/proc/", "/sys/", "/run/", "/memfd:", "/SYSV"};

    if (strncmp(path, "/run/media/", strlen("/run/media/")) == 0) {
        return false; /* directory in which the disks of users are mounted */
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
        HASH_NEW(state->places, object, object, place);
        place->answers = UINT32_MAX;
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

struct name_node *durability_find_name(struct durability_state *state, uint32_t object, bool make) {
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
    /* Creates a node only if a call changes its file, so that memory grows only with writes. */
    node = name_tree_find(&state->tree, state->path.bytes, state->path.length, make);
    if (node != NULL) {
        place = durability_place(state, object);
        place->node = node;
        place->moves = state->tree.moves;
    } else if (make && durability_computes(state, ENDS_AT_LIMITS)) {
        state->ended = true;
    } else if (make) {
        error_set_too_many(
            &state->context->error,
            "more than %d files are written or renamed: give a shorter time with --from and --to",
            NAMES_MOST);
    }
    return node;
}

/* Marks all changes of a file except writes as on disk. Returns whether there were any. */
static bool durability_finish_file(struct disk_file *file) {
    bool some = file->fresh || file->changed || file->mapped || file->syncing > 0;

    file->fresh = file->changed = false;
    file->mapped = file->mappings > 0 && !file->msynced;
    return some;
}

struct disk_file *durability_apply_sync_of_all(const struct durability_state *state,
                                               struct disk_file *file) {
    if (file != NULL && file->epoch != state->epoch) {
        durability_finish_file(file);
        file->epoch = state->epoch;
    }
    return file;
}

/* Adds a file to which no name refers yet. */
static struct disk_file *durability_new_file(struct durability_state *state) {
    struct disk_file *file = exposure_add_file(&state->exposure);

    file->epoch = state->epoch;
    return file;
}

/* Returns the file that a name refers to. If unknown, adds a file that existed before the log. */
static struct disk_file *durability_file_at(struct durability_state *state,
                                            struct name_node *node) {
    if (node->now == NULL) {
        struct disk_file *file = durability_new_file(state);

        file->names = 1;
        if (node->how == NAME_FOUND) {
            node->now = node->kept = file;
        } else {
            /* The log removed this name before. As the name now exists, a program outside the log
             * has created it. */
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
    return (uint64_t)object << 32 | generation_of(call);
}

/* Returns the slot of the cache of recent files for a key. */
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
        HASH_NEW(state->opened, key, key, opened);
    }
    opened->file = file;
    file->key = key;
    *durability_files_recent_of(state, key) = (struct recent_file){key, file};
}

/* Records that the descriptor that an open call returned refers to `file`. */
static void durability_opened(struct durability_state *state, const struct durability_call *call,
                              struct disk_file *file) {
    durability_files_remember(state, durability_files_key_of(call, call->object), file);
}

/* Returns whether `key` (object.id << 32 | generation) is an earlier open of the path of `file`,
 * before the path was removed or replaced. */
static bool is_after(const struct disk_file *file, uint64_t key) {
    return file != NULL && file->key >> 32 == key >> 32 && file->key > key;
}

/* Returns whether the path, or a directory in it, was replaced after the descriptor was opened. */
static bool is_stale(const struct durability_state *state, const struct durability_call *call,
                     struct name_node *node) {
    return name_tree_count_changes(&state->tree, node) > generation_of(call);
}

/* Returns the file of the descriptor that a call uses; `object`: the descriptor's object.id. NULL:
 * not a file on disk, or the file is unknown and `make` is false. */
static struct disk_file *durability_file(struct durability_state *state,
                                         const struct durability_call *call, uint32_t object,
                                         bool make) {
    uint64_t key = durability_files_key_of(call, object);
    struct recent_file *recent = durability_files_recent_of(state, key);
    struct opened_file *opened = NULL;
    struct name_node *node;
    struct disk_file *file;

    if (recent->file != NULL && recent->key == key) {
        return durability_apply_sync_of_all(state, recent->file);
    }
    if (state->opened != NULL) {
        HASH_FIND(hh, state->opened, &key, sizeof key, opened);
    }
    if (opened != NULL) {
        *recent = (struct recent_file){key, opened->file};
        return durability_apply_sync_of_all(state, opened->file);
    }
    node = generation_of(call) == CALL_GENERATION_NAMELESS
               ? NULL
               : durability_find_name(state, object, make);
    if (node != NULL && is_stale(state, call, node)) {
        state->untold += make;
        return NULL;
    }
    node = name_node_follow(node);
    if (node == NULL || (node->now == NULL && !make) || is_after(node->now, key)) {
        return NULL;
    }
    if (node->now == NULL && node->how == NAME_REMOVED) {
        file = durability_new_file(state); /* the call uses a descriptor of a removed file */
    } else {
        file = durability_file_at(state, node);
    }
    if (make) {
        durability_files_remember(state, key, file);
    }
    return durability_apply_sync_of_all(state, file);
}

static void mark_file(struct disk_file *file) {
    if (file != NULL) {
        file->marked = true;
    }
}

/* Frees files without a name once there are many: programs may create and remove any number. */
static void durability_collect(struct durability_state *state) {
    struct opened_file *next;

    if (state->exposure.file_count <= state->collect) {
        return;
    }
    for (struct name_node *node = state->tree.nodes; node != NULL; node = node->hh.next) {
        mark_file(node->now);
        mark_file(node->kept);
        mark_file(node->origin == NULL ? NULL : node->origin_kept);
        mark_file(node->last);
    }
    for (struct opened_file *opened = state->opened; opened != NULL; opened = next) {
        next = opened->hh.next;
        if (opened->file->names == 0) {
            remove_opened(state, opened);
        } else {
            mark_file(opened->file);
        }
    }
    /* Marks all files in use, because exposure_free_unmarked_files() frees all unmarked ones. */
    for (struct thread_writes *thread = state->threads; thread != NULL; thread = thread->hh.next) {
        for (unsigned i = 0; i < thread->count && i < THREAD_FILES; i++) {
            thread->writes[i].file->marked = true;
        }
    }
    for (struct early_answers *early = state->early; early != NULL; early = early->hh.next) {
        for (unsigned i = 0; i < THREAD_FILES; i++) {
            mark_file(early->files[i]);
        }
    }
    exposure_free_unmarked_files(&state->exposure);
    state->collect = 2 * state->exposure.file_count;
    state->collect = state->collect < FILES_AT_FIRST ? FILES_AT_FIRST : state->collect;
}

static const char changes_attributes[] =
    "chmod chown fchmod fchmodat fchown fchownat fremovexattr fsetxattr lchown lsetxattr "
    "removexattr setxattr utime utimes utimensat";

static const char *const names_of[DOES_KINDS] = {
    [DOES_OTHER] = "",
    [DOES_OPEN] = "open open64 openat openat2 creat",
    [DOES_READ] = "read pread pread64 readv preadv preadv2",
    [DOES_STAT] = "fstat fstat64",
    [DOES_WRITE] = "write pwrite pwrite64 writev pwritev pwritev2",
    [DOES_CHANGE_LENGTH] = "ftruncate ftruncate64 fallocate",
    [DOES_TRUNCATE] = "truncate truncate64",
    [DOES_CLONE] = "ioctl madvise",
    [DOES_COPY] = "copy_file_range sendfile sendfile64 splice",
    [DOES_SYNC_FILE] = "fsync fdatasync",
    [DOES_SYNC_MAPPING] = "msync",
    [DOES_SYNC_RANGE] = "sync_file_range sync_file_range2 arm_sync_file_range",
    [DOES_SYNC_SYSTEM] = "syncfs",
    [DOES_SYNC_ALL] = "sync",
    [DOES_MAP] = "mmap mmap2 old_mmap mprotect",
    [DOES_UNMAP] = "munmap",
    [DOES_RENAME] = "rename renameat renameat2",
    [DOES_LINK] = "link linkat",
    [DOES_MAKE] = "mkdir mkdirat mknod mknodat symlink symlinkat",
    [DOES_REMOVE] = "unlink unlinkat rmdir",
    [DOES_ATTRIBUTES] = changes_attributes,
    [DOES_CLOSE] = "close",
    [DOES_UNSEEN] = "io_submit io_uring_enter",
    [DOES_RING] = "io_uring_setup",
    [DOES_RECEIVE] = "recv recvfrom recvmsg recvmmsg",
    [DOES_SEND] = "send sendto sendmsg sendmmsg",
};

enum does durability_effect_of_operation(const char *name) {
    for (int does = DOES_OPEN; does < DOES_KINDS; does++) {
        if (word_in(names_of[does], name)) {
            return (enum does)does;
        }
    }
    return DOES_OTHER;
}

/* --- calls that open, read, write, map or close a file ---------------------------------------- */

static void durability_calls_change(struct durability_state *state,
                                    const struct durability_call *call, struct disk_file *file,
                                    int64_t bytes, bool durable) {
    file->writable = true; /* it was changed, but the log may lack its open */
    exposure_write(&state->exposure, file, &call->sync, bytes, durable);
    if (!durable && call->sync.time < file->fails_until) {
        file_mark_lost(file);
    }
    file->unsure |= !durable && call->sync.time < state->fails_until;
    if (durability_computes(state, COUNTS_EARLY) && !durable) {
        early_note_write(state, call, file);
    }
}

/* Returns whether the error of a failed call may mean that data is lost. */
static bool loses_data(const struct durability_state *state, const struct durability_call *call) {
    int64_t place = call->error - state->least;

    return call->error != 0 && place >= 0 && place < state->does_count && state->does[place] != 0;
}

static void handle_write(struct durability_state *state, const struct durability_call *call) {
    struct disk_file *file;

    /* With O_DSYNC, a write also syncs, so its failure loses data like a failed sync. */
    if ((call->flags & CALL_FLAG_DURABLE) != 0 && loses_data(state, call)) {
        file = durability_file(state, call, call->object, true);
        if (file != NULL) {
            file_mark_lost(file);
        }
    }
    if (!call->endless && (!call->good || call->value == 0)) {
        return;
    }
    if (call->object == 0) {
        state->untold++;
        state->untold_last = call->sync.time;
        add_saturated(&state->untold_bytes, call->good ? call->value : 0);
        return;
    }
    file = durability_file(state, call, call->object, true);
    if (file != NULL) {
        durability_calls_change(state, call, file, call->good ? call->value : 0,
                                call->good && (call->flags & CALL_FLAG_DURABLE) != 0);
    }
}

/* Returns the object.id of a call's file; for a call on a memory mapping, of the mapped file. */
static uint32_t object_of(const struct durability_call *call) {
    return call->object != 0 ? call->object : call->second;
}

/* Returns the file whose content a call changes by path. NULL: not a file on disk. */
static struct disk_file *file_of_path(struct durability_state *state,
                                      const struct durability_call *call) {
    struct name_node *node = name_node_follow(durability_find_name(state, call->object, true));

    return node == NULL ? NULL
                        : durability_apply_sync_of_all(state, durability_file_at(state, node));
}

/* Handles calls that change a file's length or discard some of its content: ftruncate, fallocate,
 * truncate (by path), an ioctl that clones, and madvise with MADV_REMOVE. */
static void handle_length(struct durability_state *state, const struct durability_call *call) {
    bool does = (call->does != DOES_CLONE || (call->flags & CALL_FLAG_WRITABLE) != 0) &&
                (call->good || call->endless);
    struct disk_file *file = !does ? NULL
                             : call->does == DOES_TRUNCATE
                                 ? file_of_path(state, call)
                                 : durability_file(state, call, object_of(call), true);

    state->untold += does && object_of(call) == 0;
    if (file != NULL) {
        durability_calls_change(state, call, file, 0, false);
    }
}

static void handle_evidence(struct durability_state *state, const struct durability_call *call) {
    if (call->good && call->object != 0) {
        id_bits_set(&state->there, call->object);
    }
}

/* Handles a read. If it returns bytes before any write to the file, an open with O_CREAT did not
 * create the file: it existed before. */
static void handle_read(struct durability_state *state, const struct durability_call *call) {
    bool has_bytes =
        call->does == DOES_READ ? call->value > 0 : (call->flags & CALL_FLAG_NOT_EMPTY) != 0;
    struct disk_file *file;

    if (!call->good || !has_bytes || call->object == 0) {
        return;
    }
    file = durability_file(state, call, call->object, false);
    if (file == NULL) {
        id_bits_set(&state->there, call->object);
    } else if (file->maybe_old && file->node->now == file && file->node->how == NAME_CREATED) {
        file->maybe_old = file->fresh = false;
        exposure_store_name(&state->exposure, file->node, file);
    }
}

static void create_file(struct durability_state *state, const struct durability_call *call,
                        struct name_node *node) {
    struct disk_file *file = durability_new_file(state);

    file->fresh = true;
    file->maybe_old = node->how == NAME_FOUND && (call->flags & CALL_FLAG_EXCLUSIVE) == 0;
    file->node = node;
    exposure_set_name(&state->exposure, node, file, &call->sync, NAME_CREATED);
    /* If O_TRUNC emptied an existing file, its old bytes may return after a power cut. */
    if (file->maybe_old && (call->flags & CALL_FLAG_TRUNCATES) != 0 &&
        (call->flags & CALL_FLAG_DURABLE) == 0) {
        durability_calls_change(state, call, file, 0, false);
    }
}

static void durability_calls_handle_open(struct durability_state *state,
                                         const struct durability_call *call) {
    const uint32_t writes = CALL_FLAG_CREATES | CALL_FLAG_TRUNCATES | CALL_FLAG_WRITABLE;
    struct name_node *node;
    bool found;

    if (call->good && call->object != 0) {
        id_bits_set(&state->seen, call->object);
    }
    if ((call->flags & writes) == 0 || (!call->good && !call->endless)) {
        handle_evidence(state, call);
        return;
    }
    if ((call->flags & CALL_FLAG_NAMELESS) != 0 && call->good) {
        durability_opened(state, call, durability_new_file(state));
        return;
    }
    node = name_node_follow(durability_find_name(state, call->object, true));
    if (node == NULL) {
        state->untold +=
            call->object == 0 && (call->flags & (CALL_FLAG_CREATES | CALL_FLAG_TRUNCATES)) != 0;
        return;
    }
    found = node->now != NULL || (call->flags & CALL_FLAG_CREATES) == 0 ||
            (node->how == NAME_FOUND && (call->flags & CALL_FLAG_EXCLUSIVE) == 0 &&
             generation_of(call) == 0 && id_bits_has(&state->there, call->object));
    if (!found) {
        create_file(state, call, node);
    }
    durability_file_at(state, node)->writable |= (call->flags & CALL_FLAG_WRITABLE) != 0;
    if (call->endless) {
        node->unfinished = true;
        return;
    }
    durability_opened(state, call, node->now);
    if (found && (call->flags & CALL_FLAG_TRUNCATES) != 0) {
        file_mark_empty(node->now, call->sync.time);
        durability_calls_change(state, call, node->now, 0, false);
    }
}

/* Handles a failed close. A network file system writes data at close; the error means that data is
 * lost. */
static void handle_close(struct durability_state *state, const struct durability_call *call) {
    struct disk_file *file =
        loses_data(state, call) ? durability_file(state, call, call->object, false) : NULL;

    if (file != NULL && file->last_write != EVENT_NONE) {
        file_mark_lost(file);
    }
    handle_evidence(state, call);
}

static void handle_map(struct durability_state *state, const struct durability_call *call) {
    bool does = (call->flags & CALL_FLAG_WRITABLE) != 0 && call->error == 0;
    struct disk_file *file = does ? durability_file(state, call, object_of(call), true) : NULL;

    state->untold += does && object_of(call) == 0;
    if (file != NULL && call->does == DOES_UNMAP) {
        file->mappings -= file->mappings > 0;
    } else if (file != NULL) {
        file->mappings++;
        file->mapped = file->was_mapped = true;
        file->msynced = file->maybe_old = false;
    }
}

static void handle_attributes(struct durability_state *state, const struct durability_call *call) {
    struct disk_file *file =
        call->good && call->object != 0 ? durability_file(state, call, call->object, false) : NULL;

    if (file != NULL) {
        file->changed = true;
    }
    handle_evidence(state, call);
}

static void durability_calls_handle_unseen(struct durability_state *state,
                                           const struct durability_call *call) {
    state->unseen |= (call->good || call->endless) &&
                     (call->does == DOES_UNSEEN || (call->flags & CALL_FLAG_WRITABLE) != 0);
}

/* --- calls that change names ------------------------------------------------------------------ */

/* If the log lacks the end of a call, marks the names it may have changed, and returns true. */
static bool is_unfinished(const struct durability_call *call, struct name_node *one,
                          struct name_node *other) {
    if (call->endless && one != NULL) {
        one->unfinished = true;
    }
    if (call->endless && other != NULL) {
        other->unfinished = true;
    }
    return call->endless;
}

/* Records that a file was renamed while its data was not on disk. */
static void mark_replaced(struct disk_file *file, const struct durability_call *call) {
    if (file_is_exposed(file)) {
        file->replaced = call->sync.time;
        file->replaced_bytes = file->bytes;
    }
}

static void exchange_names(struct durability_state *state, const struct durability_call *call,
                           struct name_node *one, struct name_node *other) {
    struct disk_file *first = durability_file_at(state, one),
                     *second = durability_file_at(state, other);
    struct name_directory *folder = one->folder;

    mark_replaced(first, call);
    mark_replaced(second, call);
    first->names++; /* keeps the count above 0 while the two names are exchanged */
    exposure_set_name(&state->exposure, one, second, &call->sync, NAME_RENAMED);
    exposure_set_name(&state->exposure, other, first, &call->sync, NAME_RENAMED);
    first->names--;
    one->folder = other->folder;
    other->folder = folder;
    if (one->folder != NULL) {
        one->folder->at = one;
    }
    if (other->folder != NULL) {
        other->folder->at = other;
    }
    state->tree.moves += one->folder != NULL || other->folder != NULL;
}

/* Returns the file to which a rename or link gives a new name. `from`: its old name; NULL: unknown,
 * returns a new unknown file. */
static struct disk_file *source_file_of_name(struct durability_state *state,
                                             struct name_node *from) {
    struct disk_file *file =
        from == NULL ? durability_new_file(state) : durability_file_at(state, from);

    file->unknown |= from == NULL;
    return file;
}

/* Counts a removal or replacement of a path, as importers do (CALL_GENERATION_SHIFT). */
static void count_removal(struct durability_state *state, const struct durability_call *call,
                          struct name_node *node) {
    if (node != NULL && call->good) {
        name_tree_add_change(&state->tree, node);
        state->tree.moves += node->now != NULL && node->now->target != NULL;
    }
}

/* Called before a name is removed. File descriptors that were opened only for reading still refer
 * to its file afterwards, so records the file for each of them. For writable ones,
 * durability_opened() has done so. */
static void remember_readers(struct durability_state *state, const struct durability_call *call,
                             uint32_t object, struct name_node *node) {
    struct opened_file *opened = NULL;
    uint64_t key = (uint64_t)object << 32;

    if (node == NULL || !call->good || !id_bits_has(&state->seen, object)) {
        return;
    }
    key |= (uint32_t)name_tree_count_changes(&state->tree, node);
    HASH_FIND(hh, state->opened, &key, sizeof key, opened);
    node = name_node_follow(node);
    if (opened == NULL && (node->now != NULL || node->how == NAME_FOUND)) {
        durability_files_remember(state, key, durability_file_at(state, node));
    }
}

static void handle_rename(struct durability_state *state, const struct durability_call *call) {
    struct name_node *from, *to;
    struct disk_file *file;

    if (!call->good && !call->endless) {
        return;
    }
    from = durability_find_name(state, call->object, true);
    to = durability_find_name(state, call->second, true);
    remember_readers(state, call, call->object, from);
    remember_readers(state, call, call->second, to);
    count_removal(state, call, from);
    count_removal(state, call, to);
    /* If both names refer to the same file already, rename() succeeds but does nothing. */
    if (is_unfinished(call, from, to) || from == to ||
        (from != NULL && to != NULL && from->now != NULL && from->now == to->now)) {
        return;
    }
    if (from != NULL && to != NULL && (call->flags & CALL_FLAG_EXCHANGES) != 0) {
        exchange_names(state, call, from, to);
        return;
    }
    file = source_file_of_name(state, from);
    mark_replaced(file, call);
    exposure_rename(&state->exposure, from, to, file, &call->sync);
    if (from != NULL && to != NULL) {
        name_tree_move(&state->tree, from, to);
    }
}

static void durability_calls_handle_link(struct durability_state *state,
                                         const struct durability_call *call) {
    struct name_node *from, *to;

    if (!call->good && !call->endless) {
        return;
    }
    from = (call->flags & CALL_FLAG_NAMELESS) != 0
               ? NULL
               : durability_find_name(state, call->object, true);
    to = durability_find_name(state, call->second, true);
    if (is_unfinished(call, NULL, to) || to == NULL) {
        return;
    }
    exposure_set_name(&state->exposure, to, source_file_of_name(state, from), &call->sync,
                      NAME_LINKED);
}

/* Returns the name that a call has changed. NULL: none, or the log lacks the call's end. */
static struct name_node *name_changed_by_call(struct durability_state *state,
                                              const struct durability_call *call) {
    struct name_node *node =
        call->good || call->endless ? durability_find_name(state, call->object, true) : NULL;

    return is_unfinished(call, node, NULL) ? NULL : node;
}

static void handle_make(struct durability_state *state, const struct durability_call *call) {
    struct name_node *node = name_changed_by_call(state, call);

    if (node != NULL) {
        create_file(state, call, node);
        node->now->maybe_old = false;
        node->now->target = durability_find_name(state, call->second, true);
        state->tree.moves += node->now->target != NULL;
    }
}

static void handle_remove(struct durability_state *state, const struct durability_call *call) {
    struct name_node *node = name_changed_by_call(state, call);

    remember_readers(state, call, call->object, node);
    count_removal(state, call, node);
    if (node != NULL) {
        durability_file_at(state, node);
        exposure_set_name(&state->exposure, node, NULL, &call->sync, NAME_REMOVED);
    }
}

/* --- calls that sync -------------------------------------------------------------------------- */

/* Counts a sync of a file or directory (object) by its outcome. */
static void count_sync(struct durability_state *state, const struct durability_call *call,
                       uint32_t object, enum sync_outcome outcome) {
    struct sync_row *row =
        keyed_rows_find(&state->syncs, &(const struct sync_row){object, outcome, 0, 0, 0});

    row->count++;
    if (call->duration >= 0) {
        row->timed++;
        add_saturated(&row->took, call->duration);
    }
}

static void write_sync(struct durability_state *state, const struct durability_call *call,
                       uint32_t object, enum sync_outcome outcome, int64_t bytes, int64_t names) {
    if (durability_computes(state, COUNTS_SYNCS)) {
        count_sync(state, call, object, outcome);
    } else if (durability_computes(state, LISTS_SYNCS)) {
        TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, call->sync.time,
                 call->duration, call->actor, call->operation, object == 0 ? EVENT_NONE : object,
                 bytes > 0 ? bytes : 0, names, outcome);
    }
}

static void lose_names(const struct name_directory *folder) {
    for (size_t i = 0; i < folder->changed_count; i++) {
        folder->changed[i]->settled = INT64_MAX;
    }
}

/* Handles a failed sync. Data that could not be written is lost, because the kernel then marks its
 * pages as clean; names are lost, too, even if the directory is synced later. A failed syncfs does
 * not say whose data is lost: only fsync of each file does, from the error the kernel stores. */
static void fail_sync(struct durability_state *state, const struct durability_call *call,
                      struct disk_file *file, struct name_directory *folder) {
    struct exposure *exposure = &state->exposure;
    bool loses = loses_data(state, call) && call->sync.end <= state->at;

    if (loses && file != NULL) {
        file->fails_until = call->sync.end > file->fails_until ? call->sync.end : file->fails_until;
        if (file->last_write != EVENT_NONE || file->mapped || file->fresh) {
            exposure_sync_failed(exposure, file, call->sync.end);
        }
    }
    if (loses && folder != NULL) {
        lose_names(folder);
    } else if (loses && call->does == DOES_SYNC_SYSTEM) {
        for (size_t i = 0; i < exposure->folder_count; i++) {
            lose_names(exposure->folders[i]);
        }
        for (size_t i = 0; i < exposure->dirty_count; i++) {
            exposure->dirty[i]->unsure |= file_is_exposed(exposure->dirty[i]);
        }
        state->fails_until =
            call->sync.end > state->fails_until ? call->sync.end : state->fails_until;
    }
    write_sync(state, call, object_of(call), call->endless ? OUTCOME_UNKNOWN : OUTCOME_FAILED, 0,
               0);
}

static void handle_sync(struct durability_state *state, const struct durability_call *call) {
    struct disk_file *file =
        call->object == 0 ? NULL : durability_file(state, call, call->object, false);
    struct name_node *node =
        call->object == 0 ? NULL : durability_find_name(state, call->object, false);
    /* true: the descriptor belongs to an earlier directory with the same path */
    bool stale = node != NULL && node->folder != NULL && is_stale(state, call, node);
    int64_t bytes = -1, names = 0;
    bool some = false;

    if (stale) {
        file = NULL;
        node = NULL;
    }
    if (!call->good) {
        fail_sync(state, call, file, node == NULL ? NULL : node->folder);
        return;
    }
    if (file != NULL) {
        bytes = exposure_sync_file(&state->exposure, file, &call->sync);
        some = durability_finish_file(file);
        file->unsure = false;
        file->by_syncfs &= file_is_exposed(file);
        if (state->keeps_name && file->node != NULL && file->node->now == file &&
            file->node->how == NAME_CREATED) {
            names += exposure_sync_name(&state->exposure, file->node, &call->sync);
        }
    }
    if (node != NULL && node->folder != NULL) {
        names += exposure_sync_names(&state->exposure, node->folder, &call->sync);
        node->folder->covered = call->sync.time;
    }
    write_sync(state, call, call->object,
               some || bytes >= 0 || names > 0 ? OUTCOME_DURABLE
               : file != NULL && file->lost    ? OUTCOME_UNKNOWN
               : file != NULL || node != NULL || (id_bits_has(&state->seen, call->object) && !stale)
                   ? OUTCOME_NOTHING
                   : OUTCOME_UNKNOWN,
               bytes, names);
}

static void handle_sync_all(struct durability_state *state, const struct durability_call *call) {
    struct exposure_call sync = call->sync;
    int64_t bytes = -1, names = 0;

    if (!call->good) {
        fail_sync(state, call, NULL, NULL);
        return;
    }
    sync.is_syncfs = call->does == DOES_SYNC_SYSTEM;
    /* A syncfs on a file system without a disk, such as /proc, does not put files on disk: ignores
     * it. */
    if (!sync.is_syncfs || call->object == 0 ||
        durability_find_name(state, call->object, true) != NULL) {
        bytes = exposure_sync_all(&state->exposure, &sync, &names);
    }
    state->epoch += !sync.is_syncfs;
    /* If the log shows no change before the sync, its outcome is unknown: other programs may have
     * written. */
    write_sync(state, call, call->object,
               bytes >= 0 || names > 0 ? OUTCOME_DURABLE : OUTCOME_UNKNOWN, bytes, names);
}

/* Handles msync and sync_file_range. msync writes what was changed through the mapping, and
 * promises nothing for other writes; if the file has several mappings, it is unknown which one was
 * synced. sync_file_range promises nothing. */
static void durability_calls_handle_part(struct durability_state *state,
                                         const struct durability_call *call) {
    bool all = call->does == DOES_SYNC_MAPPING && (call->flags & CALL_FLAG_DURABLE) != 0;
    struct disk_file *file =
        call->second == 0 ? NULL : durability_file(state, call, call->second, false);

    if (!call->good) {
        fail_sync(state, call, file, NULL);
        return;
    }
    if (file != NULL && file->mappings == 1 && all) {
        file->mapped = false;
        file->msynced = true;
    }
    write_sync(state, call, object_of(call), all ? OUTCOME_DURABLE : OUTCOME_RANGE, 0, 0);
}

void durability_apply_call(struct durability_state *state, const struct durability_call *call) {
    static void (*const takes[DOES_KINDS])(struct durability_state *,
                                           const struct durability_call *) = {
        [DOES_OTHER] = handle_evidence,
        [DOES_OPEN] = durability_calls_handle_open,
        [DOES_READ] = handle_read,
        [DOES_STAT] = handle_read,
        [DOES_WRITE] = handle_write,
        [DOES_CHANGE_LENGTH] = handle_length,
        [DOES_TRUNCATE] = handle_length,
        [DOES_CLONE] = handle_length,
        [DOES_COPY] = handle_write,
        [DOES_SYNC_FILE] = handle_sync,
        [DOES_SYNC_MAPPING] = durability_calls_handle_part,
        [DOES_SYNC_RANGE] = durability_calls_handle_part,
        [DOES_SYNC_SYSTEM] = handle_sync_all,
        [DOES_SYNC_ALL] = handle_sync_all,
        [DOES_MAP] = handle_map,
        [DOES_UNMAP] = handle_map,
        [DOES_RENAME] = handle_rename,
        [DOES_LINK] = durability_calls_handle_link,
        [DOES_MAKE] = handle_make,
        [DOES_REMOVE] = handle_remove,
        [DOES_ATTRIBUTES] = handle_attributes,
        [DOES_CLOSE] = handle_close,
        [DOES_UNSEEN] = durability_calls_handle_unseen,
        [DOES_RING] = durability_calls_handle_unseen,
        [DOES_RECEIVE] = handle_evidence,
        [DOES_SEND] = handle_evidence,
    };

    /* Logs of a getname probe (importers/ftrace_syscalls.h) have no paths for calls that change
     * names: the changed files are unknown. */
    if (call->does >= DOES_RENAME && call->does <= DOES_REMOVE && call->good && call->object == 0 &&
        call->second == 0) {
        state->untold++;
    }
    takes[call->does](state, call);
    durability_collect(state);
}
