#include "strace_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/file.h"
#include "base/words.h"
#include "syscalls.h"

/* Values of flags and commands in Linux, as strace -X raw prints them. */
enum {
    RAW_WRITE = 1,
    RAW_READ_AND_WRITE = 2,
    RAW_CREATE = 0100,
    RAW_APPEND = 02000,
    RAW_EXCLUSIVE = 0200,
    RAW_TRUNCATE = 01000,
    RAW_DSYNC = 010000,       /* O_DSYNC, which O_SYNC includes */
    RAW_NAMELESS = 020000000, /* the bit of O_TMPFILE that is not O_DIRECTORY */
    RAW_EMPTY_PATH = 0x1000,  /* AT_EMPTY_PATH */
    RAW_EXCHANGE = 2,         /* RENAME_EXCHANGE */
    RAW_PROT_WRITE = 2,
    RAW_SHARED = 1,       /* MAP_SHARED */
    RAW_ANONYMOUS = 0x20, /* MAP_ANONYMOUS */
    RAW_REMOVE = 9,       /* MADV_REMOVE */
    RAW_MS_SYNC = 4,
    RAW_RWF_DSYNC = 2,
    RAW_RWF_SYNC = 4,
    RAW_CLOSE_ON_EXEC = 02000000,
    RAW_CLOSE_RANGE_CLOSE_ON_EXEC = 4,
    RAW_FILES = 0x400, /* CLONE_FILES */
    RAW_DIRECTORIES =
        0x200 | 0x20000 | 0x10000000, /* CLONE_FS; CLONE_NEWNS and CLONE_NEWUSER imply it */
    RAW_DUP = 0,
    RAW_SET_FLAGS_OF_DESCRIPTOR = 2, /* F_SETFD */
    RAW_SET_FLAGS = 4,               /* F_SETFL */
    RAW_DUP_CLOSE_ON_EXEC = 1030,
    RAW_MARK = 0x5451, /* FIOCLEX */
    RAW_UNMARK = 0x5450,
};

/* Limits of the bytes and the offset of a transfer; larger values are implausible. */
#define BYTES_LIMIT  (INT64_C(1) << 40)
#define OFFSET_LIMIT (INT64_C(1) << 62)

/* Old strace on 32-bit ARM printed offsets shifted left by SHIFT bits. */
#define SHIFT 32
#define SMALL (1 << 16)

/* --- removed paths ---------------------------------------------------------------------------- */

/* Finds the counter of a path's removals; NULL: never removed. `*hash`: hash of its components.
 * `*times`: number of removals of the path and of all directories above it. */
static struct path_change *find_change(struct strace_files *files, const struct text *path,
                                       uint64_t *hash, int64_t *times) {
    struct path_change *change = NULL;
    struct word rest, part;

    text_clear(&files->normal);
    text_append(&files->normal, path->bytes, path->length);
    path_normalise(&files->normal);
    rest = (struct word){files->normal.bytes, files->normal.length};
    *hash = *times = 0;
    while (rest.length > 0) {
        const char *slash = memchr(rest.bytes + 1, '/', rest.length - 1);

        part = slash == NULL ? rest : word_between(rest.bytes, slash);
        word_skip(&rest, part.length);
        *hash = seeded_hash_number(*hash) + seeded_hash(part.bytes, part.length);
        HASH_FIND(hh, files->changes, hash, sizeof *hash, change);
        *times += change == NULL ? 0 : change->times;
    }
    return change;
}

/* Returns how often a path or a directory above it was removed. */
static int64_t removals_of(struct strace_files *files, const struct text *path) {
    uint64_t hash;
    int64_t times;

    if (files->changes == NULL || path->length == 0) {
        return 0;
    }
    find_change(files, path, &hash, &times);
    return times < CALL_GENERATION_MOST ? times : CALL_GENERATION_MOST;
}

/* Returns how often `files->path` was removed, as bits of a call's flags. Calls on one path with
 * different bits are calls on different files. */
static uint32_t removals_of_path(struct strace_files *files) {
    int64_t times = files->unplaced ? CALL_GENERATION_UNPLACED : removals_of(files, &files->path);

    return (uint32_t)times << CALL_GENERATION_SHIFT;
}

/* Counts a removal of `files->path`: from now on, it leads to another file or to none. */
static void mark_path_changed(struct strace_files *files) {
    struct path_change *change;
    uint64_t hash;
    int64_t times;

    if (files->path.length == 0 || files->unplaced) {
        return;
    }
    change = find_change(files, &files->path, &hash, &times);
    if (change == NULL && HASH_COUNT(files->changes) < STRACE_CHANGES) {
        HASH_NEW(files->changes, path, hash, change);
    }
    if (change != NULL) {
        change->times += change->times < CALL_GENERATION_MOST;
    }
}

/* --- names of files --------------------------------------------------------------------------- */

/* Appends the directory in which a path starts to `path`; nothing if it is unknown. `directory` is
 * the index of the argument with the directory's descriptor. */
static void append_directory(struct strace_files *files, const struct strace_syscall *syscall,
                             int directory, struct text *path) {
    const struct text *cwd = &syscall->thread->cwd->path;
    const struct open_file *file;
    struct word name;
    int64_t descriptor = STRACE_CWD;

    if (directory >= 0 &&
        !strace_descriptor(strace_argument(syscall, directory), &descriptor, &name)) {
        files->unplaced = true;
        return;
    }
    if (directory >= 0 && name.length > 0) {
        syscalls_unquote(name, path);
        if (descriptor == STRACE_CWD) {
            strace_threads_set_cwd(syscall->thread, (struct word){path->bytes, path->length});
            syscall->thread->cwd->removals = removals_of(files, path);
        }
        return;
    }
    if (descriptor == STRACE_CWD) {
        text_append(path, cwd->bytes, cwd->length);
        files->unplaced =
            syscall->thread->cwd->lost || removals_of(files, cwd) > syscall->thread->cwd->removals;
        return;
    }
    file = descriptors_find(files->descriptors, syscall->thread->number, descriptor);
    if (file != NULL && file->object != 0) {
        name = strace_directories_find(&files->directories, file->object);
        text_append(path, name.bytes, name.length);
    }
    files->unplaced = name.length == 0 ||
                      file->flags >> CALL_GENERATION_SHIFT == CALL_GENERATION_UNPLACED ||
                      removals_of(files, path) > file->flags >> CALL_GENERATION_SHIFT;
}

/* Returns the id of a name in table object. Objects that are not files have no file type. */
static uint32_t strace_files_object_of(struct strace_files *files, const char *name, size_t length,
                                       bool is_file) {
    return import_object(files->import,
                         &(struct object_entry){
                             .device = EVENT_NONE,
                             .name = name,
                             .length = length,
                             .type = is_file ? file_types_find(&files->types, name, length) : NULL,
                         });
}

/* Returns the id in table object of the file in an annotation printed by -y. */
static uint32_t object_of_annotation(struct strace_files *files, struct word inside) {
    text_clear(&files->path);
    syscalls_unquote(inside, &files->path);
    return strace_files_object_of(files, files->path.bytes, files->path.length,
                                  files->path.length > 0 && files->path.bytes[0] == '/');
}

/* Returns the id of an open file in table object, and stores its name as that of a possible
 * directory. Most names occurred before: for these, a cache saves both steps. */
static uint32_t object_of_open(struct strace_files *files, struct word inside) {
    struct lookup_cache_key key = {{files->directories.forgotten}, inside.bytes, inside.length};
    bool known;
    struct lookup_cache_entry *entry = lookup_cache_find(&files->objects, &key, &known);

    if (!known) {
        entry->values[0] = object_of_annotation(files, inside);
        strace_directories_store(&files->directories, entry->values[0],
                                 (struct word){files->path.bytes, files->path.length});
    }
    return entry->values[0];
}

/* Consumes the text before the path of a socket, as in {sa_family=AF_UNIX, sun_path="/run/log"}. An
 * abstract address has an @ before the quotation mark; the @ is appended to `path`. */
static void cut_address(struct word *rest, struct text *path) {
    if (word_begins(*rest, "{") && word_cut_first(rest, "sun_path=", NULL) &&
        word_begins(*rest, "@")) {
        text_append_char(path, '@');
        word_skip(rest, 1);
    }
}

/* Decodes a quoted path into `files->inside`. Returns false if there is none. */
static bool unquote_path(struct strace_files *files, struct word rest) {
    struct word inside;
    bool has_nul;

    text_clear(&files->inside);
    if (!word_begins(rest, "\"") || !syscalls_cut_quoted(&rest, &inside, &has_nul) || has_nul ||
        inside.length == 0 || inside.length > (size_t)4 * STRACE_PATH) {
        return false;
    }
    syscalls_unquote(inside, &files->inside);
    return true;
}

/* Sets `files->path` to the full path of a call; empty if it is unknown. The arguments with indexes
 * `place` and `directory` have the path and the descriptor of its directory. */
static void find_path_at(struct strace_files *files, const struct strace_syscall *syscall,
                         int place, int directory) {
    struct word rest = strace_argument(syscall, place);
    const struct text *root = &syscall->thread->cwd->root;
    struct text *path = &files->path;
    bool is_abstract;

    files->unplaced = false;
    text_clear(path);
    cut_address(&rest, path);
    is_abstract = path->length > 0;
    if (!unquote_path(files, rest)) {
        text_clear(path);
        return;
    }
    if (!is_abstract && *text_string(&files->inside) == '/') {
        text_append(path, root->bytes, root->length);
    } else if (!is_abstract && files->inside.length > 0) {
        append_directory(files, syscall, directory, path);
        if (path->length > 0 && path->bytes[path->length - 1] != '/') {
            text_append_char(path, '/');
        }
    }
    text_append(path, files->inside.bytes, files->inside.length);
    /* If chroot has set a root directory, `..` in a path cannot lead above it. */
    if (!is_abstract && root->length > 0 && path->length > root->length &&
        memcmp(path->bytes, root->bytes, root->length) == 0 && path->bytes[root->length] == '/') {
        text_clear(&files->inside);
        text_append(&files->inside, path->bytes + root->length, path->length - root->length);
        path_normalise(&files->inside);
        path->length = root->length;
        text_append(path, files->inside.bytes, files->inside.length);
    }
}

static void find_path(struct strace_files *files, const struct strace_syscall *syscall) {
    find_path_at(files, syscall, syscall->call->path, syscall->call->directory);
}

void strace_files_find_second(struct strace_files *files, struct strace_syscall *syscall) {
    const struct strace_call *call = syscall->call;
    struct text *path = &files->path;

    if (call->effect == EFFECT_RENAME || call->effect == EFFECT_LINK) {
        find_path_at(files, syscall, call->more,
                     call->directory >= 0 ? call->more - 1 : STRACE_NO_ARGUMENT);
    } else if (call->effect == EFFECT_SYMLINK) {
        find_path(files, syscall);
        while (path->length > 0 && path->bytes[path->length - 1] != '/') {
            path->length--;
        }
        if (!unquote_path(files, strace_argument(syscall, call->more)) ||
            *files->inside.bytes == '/') {
            text_clear(path);
        }
        text_append(path, files->inside.bytes, files->inside.length);
    } else {
        return;
    }
    if (path->length > 0 && !files->unplaced) {
        text_clear(&files->inside);
        text_append_string(&files->inside, *path->bytes == '/' ? "" : "./");
        text_append(&files->inside, path->bytes, path->length);
        syscall->source =
            strace_files_object_of(files, files->inside.bytes, files->inside.length, false);
    }
}

/* --- mappings of files into memory ------------------------------------------------------------ */

/* Maximum mappings that are searched for one that overlaps an address range. */
#define MAPPINGS_SEARCHED 4096

/* Returns the process's mapping that begins at `address`; NULL if there is none. */
static struct mapping *find_mapping(const struct strace_files *files,
                                    const struct strace_syscall *syscall, int64_t address) {
    struct mapping_key key = {syscall->thread->process, address};
    struct mapping *mapping = NULL;

    if (files->mappings != NULL) {
        HASH_FIND(hh, files->mappings, &key, sizeof key, mapping);
    }
    return mapping;
}

/* Returns a mapping that overlaps an address range. Sets `*others` if a mapping of another file
 * overlaps the range, too. */
static struct mapping *find_mapping_around(const struct strace_files *files,
                                           const struct strace_syscall *syscall, int64_t address,
                                           int64_t length, bool *others) {
    struct mapping *mapping = NULL, *next = files->mappings;

    for (int i = 0; next != NULL && i < MAPPINGS_SEARCHED; i++) {
        uint64_t before = (uint64_t)address - (uint64_t)next->key.address;

        if (next->key.process == syscall->thread->process &&
            (before < (uint64_t)next->length || -before < (uint64_t)length)) {
            *others |= mapping != NULL && mapping->object != next->object;
            mapping = next;
        }
        next = next->hh.next;
    }
    return mapping != NULL ? mapping : find_mapping(files, syscall, address);
}

static bool strace_files_number_at(const struct strace_syscall *syscall, int place,
                                   int64_t *number) {
    struct word rest;

    return strace_number(strace_argument(syscall, place), number, &rest) && rest.length == 0;
}

/* Applies mmap(address, length, protection, flags, descriptor, offset) = address. */
static void apply_mmap(struct strace_files *files, struct strace_syscall *syscall) {
    struct word flags = strace_argument(syscall, 3);
    struct mapping *mapping;
    int64_t length;

    files->mapped += syscall->object != 0;
    if (!syscall->result->known || syscall->result->error.length > 0 ||
        !strace_has_flag(flags, "MAP_SHARED", RAW_SHARED) ||
        strace_has_flag(flags, "MAP_ANON", RAW_ANONYMOUS) ||
        !strace_files_number_at(syscall, 1, &length)) {
        return;
    }
    if (strace_has_flag(strace_argument(syscall, 2), "PROT_WRITE", RAW_PROT_WRITE)) {
        syscall->flags |= CALL_FLAG_WRITABLE;
    }
    if (syscall->object == 0) {
        return;
    }
    mapping = find_mapping(files, syscall, syscall->result->value);
    if (mapping == NULL && HASH_COUNT(files->mappings) < STRACE_MAPPINGS) {
        HASH_NEW(files->mappings, key,
                 ((struct mapping_key){syscall->thread->process, syscall->result->value}), mapping);
    }
    if (mapping != NULL) {
        mapping->length = length;
        mapping->object = syscall->object;
        mapping->flags = syscall->flags & ~(uint32_t)CALL_FLAG_DURABLE;
    }
}

/* Returns whether the call succeeded: its result is a number of at least 0. */
static bool strace_is_good(const struct strace_syscall *syscall) {
    return syscall->result->known && syscall->result->value >= 0;
}

/* Returns whether an argument is a given command, printed by name or by number. */
static bool strace_is_command(struct word argument, const char *name, int64_t number) {
    struct word rest;
    int64_t found;

    return strace_number(argument, &found, &rest) && word_trim(rest).length == 0
               ? found == number
               : word_has(argument, name) && (word_is(argument, name) || word_has(argument, "/*"));
}

/* Applies mprotect(address, length, protection), msync(address, length, flags), munmap(address,
 * length), mremap(…), madvise(address, length, advice): MADV_REMOVE makes a hole in the file. */
static void apply_mprotect(struct strace_files *files, struct strace_syscall *syscall) {
    struct word what = strace_argument(syscall, syscall->call->more);
    struct mapping *mapping;
    int64_t address, length;
    const bool is_msync = word_is(syscall->name, "msync");  /* a failed msync may lose data */
    const bool removes = word_is(syscall->name, "madvise"); /* makes a hole in the file */
    const bool unmaps = word_is(syscall->name, "munmap");
    const bool moves = word_is(syscall->name, "mremap");
    const bool part = removes || moves || word_is(syscall->name, "mprotect");
    bool others = false;

    if ((!strace_is_good(syscall) && !is_msync && !moves) || files->mappings == NULL ||
        (removes && !strace_is_command(what, "MADV_REMOVE", RAW_REMOVE)) ||
        !strace_files_number_at(syscall, 0, &address) ||
        !strace_files_number_at(syscall, 1, &length)) {
        return;
    }
    mapping = part ? find_mapping_around(files, syscall, address, length, &others)
                   : find_mapping(files, syscall, address);
    if (mapping == NULL) {
        return;
    }
    syscall->source = mapping->object;
    syscall->flags = mapping->flags;
    /* The file stays mapped if the mapping moves, or if children have it, too: sets no file. */
    if (moves || (unmaps && files->heirs > 0)) {
        syscall->source = syscall->flags = 0;
    }
    if (moves || (unmaps && length >= mapping->length)) {
        HASH_DEL(files->mappings, mapping);
        free(mapping);
    } else if (is_msync) {
        syscall->flags &= ~(uint32_t)CALL_FLAG_WRITABLE;
        if (strace_has_flag(what, "MS_SYNC", RAW_MS_SYNC) && length >= mapping->length) {
            syscall->flags |= CALL_FLAG_DURABLE;
        }
    } else if (removes) {
        syscall->source = others ? 0 : mapping->object; /* 0: the range is of several files */
        syscall->flags |= CALL_FLAG_WRITABLE;
    } else if ((others || (mapping->flags & CALL_FLAG_WRITABLE) == 0) &&
               strace_has_flag(what, "PROT_WRITE", RAW_PROT_WRITE)) {
        syscall->source = others ? 0 : mapping->object;
        mapping->flags |= CALL_FLAG_WRITABLE;
        syscall->flags |= CALL_FLAG_WRITABLE;
    } else {
        syscall->source = syscall->flags = 0;
    }
}

/* --- paths of calls --------------------------------------------------------------------------- */

static void find_path_argument(struct strace_files *files, struct strace_syscall *syscall) {
    find_path(files, syscall);
    if (files->path.length > 0) {
        /* The address of a socket that begins with @ (abstract) is not the path of a file. */
        bool is_file = syscall->call->descriptor < 0 || files->path.bytes[0] != '@';

        syscall->object =
            strace_files_object_of(files, files->path.bytes, files->path.length, is_file);
        syscall->flags |=
            files->unplaced ? (uint32_t)CALL_GENERATION_UNPLACED << CALL_GENERATION_SHIFT : 0;
    }
}

/* Returns the open file of the descriptor in argument `place`; NULL if it is unknown. */
static struct open_file *open_file_of_argument(const struct strace_files *files,
                                               const struct strace_syscall *syscall, int place) {
    int64_t descriptor;
    struct word name;

    return strace_descriptor(strace_argument(syscall, place), &descriptor, &name)
               ? descriptors_find(files->descriptors, syscall->thread->number, descriptor)
               : NULL;
}

/* --- files of descriptors --------------------------------------------------------------------- */

/* Finds the file of the descriptor in argument `place`, as id in table object; 0: unknown. Returns
 * false if the argument is no descriptor. If no call in the log opened it, its -y annotation names
 * the file, which was open before the log began. If the annotation changes later, the log lacks a
 * call that opened the descriptor again. */
static bool use_descriptor(struct strace_files *files, const struct strace_syscall *syscall,
                           int place, uint32_t *object, uint32_t *flags) {
    const struct word argument = strace_argument(syscall, place);
    const struct open_file *file;
    int64_t descriptor;
    struct word name;

    *object = *flags = 0;
    if (!strace_descriptor(argument, &descriptor, &name) || descriptor < 0) {
        return false;
    }
    file = descriptors_find(files->descriptors, syscall->thread->number, descriptor);
    *object = file == NULL ? 0 : file->object;
    *flags = file == NULL ? 0 : file->flags;
    if (name.length == 0 || (*object != 0 && !file->annotated)) {
        return true;
    }
    *object = object_of_open(files, name);
    if (file == NULL || (file->annotated && file->object != *object)) {
        text_clear(&files->path);
        if (files->changes != NULL) {
            syscalls_unquote(name, &files->path);
        }
        files->unplaced = false;
        *flags = word_ends(argument, "(deleted)") || word_ends(argument, " (deleted)>")
                     ? (uint32_t)CALL_GENERATION_NAMELESS << CALL_GENERATION_SHIFT
                     : removals_of_path(files);
        descriptors_open(files->descriptors, syscall->thread->number, descriptor,
                         (struct open_file){*object, EVENT_NONE, false, true, *flags}, false);
    }
    return true;
}

/* Closes a descriptor when the call begins: Linux releases it even if the call fails. */
static void close_descriptor(struct strace_files *files, const struct strace_syscall *syscall) {
    int64_t descriptor;
    struct word name;

    if (strace_descriptor(strace_argument(syscall, 0), &descriptor, &name)) {
        descriptors_close(files->descriptors, syscall->thread->number, descriptor);
    }
}

bool strace_files_are_of_descriptor(const struct strace_syscall *syscall) {
    /* System calls with flags. The index is the number of arguments from the path to the flags. */
    static const char *const names[] = {"", "statx",
                                        "faccessat2 fchmodat2 fstatat64 newfstatat utimensat",
                                        "execveat fchownat name_to_handle_at"};
    const int at = syscall->call->path, directory = syscall->call->directory;
    const struct word path = strace_argument(syscall, at);
    int64_t descriptor = -1, flags;
    struct word rest;
    char name[32];

    if (directory < 0 || at < 0 || path.length == 0) {
        return false;
    }
    if (*path.bytes == '"' && !word_is(path, "\"\"")) {
        return false;
    }
    for (int i = 1; i < 4; i++) {
        if (word_has(strace_argument(syscall, at + i), "AT_EMPTY_PATH")) {
            return true;
        }
    }
    strace_descriptor(strace_argument(syscall, directory), &descriptor, &rest);
    snprintf(name, sizeof name, "%.*s", (int)syscall->name.length, syscall->name.bytes);
    for (int i = 1; i < 4 && descriptor >= 0; i++) {
        if (word_in(names[i], name) &&
            strace_number(strace_argument(syscall, at + i), &flags, &rest) &&
            (flags & RAW_EMPTY_PATH) != 0) {
            return true;
        }
    }
    return word_is(path, "NULL") || word_is(path, "0");
}

void strace_files_find(struct strace_files *files, struct strace_syscall *syscall) {
    const struct strace_call *call = syscall->call;

    syscall->object = syscall->flags = 0;
    if (call->effect == EFFECT_OPEN && syscall->result != NULL &&
        syscall->result->file.length > 0) {
        find_path(files, syscall); /* only the directory is needed: the result names the file */
        return;
    }
    if (call->path >= 0) {
        find_path_argument(files, syscall);
    }
    /* Without a path, calls such as utimensat(3, NULL, …) are on the file of the descriptor. */
    if (syscall->object == 0 && (call->descriptor >= 0 || call->directory >= 0)) {
        int place = call->descriptor >= 0 ? call->descriptor : call->directory;

        if (use_descriptor(files, syscall, place, &syscall->object, &syscall->flags) &&
            call->descriptor >= 0) {
            files->on_descriptors++;
            files->without_file += syscall->object == 0;
        }
        syscall->flags |= strace_files_are_of_descriptor(syscall) ? CALL_FLAG_NAMELESS : 0;
    }
    if (call->effect == EFFECT_CLOSE) {
        close_descriptor(files, syscall);
    }
}

/* --- descriptors that calls open -------------------------------------------------------------- */

static uint32_t flags_of_open(const struct strace_syscall *syscall) {
    static const struct {
        const char *name;
        int64_t bit;
        uint32_t flag;
    } known[] = {
        {"O_CREAT", RAW_CREATE, CALL_FLAG_CREATES},
        {"O_EXCL", RAW_EXCLUSIVE, CALL_FLAG_EXCLUSIVE},
        {"O_TRUNC", RAW_TRUNCATE, CALL_FLAG_TRUNCATES},
        {"O_WRONLY", RAW_WRITE, CALL_FLAG_WRITABLE},
        {"O_RDWR", RAW_READ_AND_WRITE, CALL_FLAG_WRITABLE},
        {"O_TMPFILE", RAW_NAMELESS, CALL_FLAG_NAMELESS},
        {"O_DSYNC", RAW_DSYNC, CALL_FLAG_DURABLE},
        {"O_SYNC", RAW_DSYNC, CALL_FLAG_DURABLE},
    };
    struct word flags = strace_argument(syscall, syscall->call->more);
    uint32_t found = word_is(syscall->name, "creat")
                         ? CALL_FLAG_CREATES | CALL_FLAG_TRUNCATES | CALL_FLAG_WRITABLE
                         : 0;

    for (size_t i = 0; flags.length > 0 && i < sizeof known / sizeof known[0]; i++) {
        found |= strace_has_flag(flags, known[i].name, known[i].bit) ? known[i].flag : 0;
    }
    return found;
}

/* Sets the file of a new descriptor: that of its -y annotation, otherwise that of the path
 * argument. */
static void apply_open(struct strace_files *files, struct strace_syscall *syscall) {
    const uint32_t lasting = CALL_FLAG_DURABLE | CALL_GENERATION_NAMELESS << CALL_GENERATION_SHIFT;
    struct word flags = strace_argument(syscall, syscall->call->more), name = syscall->result->file,
                path = strace_argument(syscall, syscall->call->path);
    /* The file may be a directory if it is opened only for reading: O_DIRECTORY is rarely given. */
    bool directory = flags.length > 0 && !strace_has_flag(flags, "O_WRONLY", RAW_WRITE) &&
                     !strace_has_flag(flags, "O_RDWR", RAW_READ_AND_WRITE) &&
                     !strace_has_flag(flags, "O_CREAT", RAW_CREATE);

    files->opens++;
    files->unplaced =
        name.length == 0 && syscall->flags >> CALL_GENERATION_SHIFT == CALL_GENERATION_UNPLACED;
    if (name.length > 0) {
        syscall->object = object_of_annotation(files, name);
    } else if (directory) {
        find_path(files, syscall);
    }
    if (directory) {
        strace_directories_store(&files->directories, syscall->object,
                                 (struct word){files->path.bytes, files->path.length});
    }
    if (name.length == 0 && !directory && files->changes != NULL) {
        find_path(files, syscall);
    }
    /* A path such as /proc/self/fd/3 leads to the file of a descriptor: it is unknown how often
     * that file's own path was removed. */
    files->unplaced |=
        name.length == 0 &&
        (word_begins(path, "\"/dev/fd/") || word_begins(path, "\"/dev/std") ||
         (word_begins(path, "\"/proc/") && memmem(path.bytes, path.length, "/fd/", 4) != NULL));
    syscall->flags = removals_of_path(files) | flags_of_open(syscall);
    descriptors_open(files->descriptors, syscall->thread->number, syscall->result->value,
                     (struct open_file){syscall->object, 0,
                                        strace_has_flag(flags, "O_APPEND", RAW_APPEND), false,
                                        syscall->flags & lasting},
                     strace_has_flag(flags, "O_CLOEXEC", RAW_CLOSE_ON_EXEC));
}

/* Returns whether any argument is a flag to close on exec: SOCK_CLOEXEC, MFD_CLOEXEC … */
static bool asks_for_close(const struct strace_syscall *syscall) {
    for (size_t i = 0; i < syscall->argument_count; i++) {
        if (word_has(syscall->arguments[i], "_CLOEXEC")) {
            return true;
        }
    }
    return false;
}

/* Adds a new descriptor of an object without a file position. */
static void make_descriptor(struct strace_files *files, struct strace_syscall *syscall,
                            int64_t descriptor, struct word name) {
    const char *makes = syscall->call->makes;

    syscall->object = name.length > 0 ? object_of_annotation(files, name)
                      : makes != NULL ? strace_files_object_of(files, makes, strlen(makes), false)
                                      : 0;
    descriptors_open(files->descriptors, syscall->thread->number, descriptor,
                     (struct open_file){syscall->object, EVENT_NONE, false, false, 0},
                     asks_for_close(syscall));
}

/* Adds the descriptors of a list like "3, 4" or "3<pipe:[7]>, 4<pipe:[7]>". */
static void make_descriptors(struct strace_files *files, struct strace_syscall *syscall,
                             struct word list, size_t most) {
    struct word ends[STRACE_ARGUMENTS];
    size_t count = strace_split(list, ends);

    for (size_t i = 0; i < count && i < most; i++) {
        int64_t descriptor;
        struct word name;

        if (strace_descriptor(ends[i], &descriptor, &name)) {
            make_descriptor(files, syscall, descriptor, name);
        }
    }
}

static void apply_new_descriptor(struct strace_files *files, struct strace_syscall *syscall) {
    make_descriptor(files, syscall, syscall->result->value, syscall->result->file);
    if (word_has(strace_argument(syscall, syscall->call->more), "IORING_SETUP_SQPOLL")) {
        syscall->flags |= CALL_FLAG_WRITABLE;
        files->unseen++;
    }
}

/* Adds the two descriptors of pipe() or socketpair(), printed as [3, 4]. */
static void apply_descriptor_pair(struct strace_files *files, struct strace_syscall *syscall) {
    struct word inside = strace_argument(syscall, syscall->call->more);

    if (inside.length >= 2 && *inside.bytes == '[') {
        word_skip(&inside, 1);
        inside.length--;
        make_descriptors(files, syscall, inside, 2);
    }
}

static void duplicate_descriptor(struct strace_files *files, const struct strace_syscall *syscall,
                                 bool close_on_exec) {
    int64_t from;
    struct word name;

    if (strace_descriptor(strace_argument(syscall, 0), &from, &name)) {
        descriptors_duplicate(files->descriptors, syscall->thread->number, from,
                              syscall->result->value, close_on_exec);
    }
}

/* Applies dup(), dup2() and dup3(), of which only dup3() has flags. */
static void apply_dup(struct strace_files *files, struct strace_syscall *syscall) {
    duplicate_descriptor(
        files, syscall,
        syscall->call->effect == EFFECT_DUP_TO &&
            strace_has_flag(strace_argument(syscall, 2), "O_CLOEXEC", RAW_CLOSE_ON_EXEC));
}

static void apply_fcntl(struct strace_files *files, struct strace_syscall *syscall) {
    struct word command = strace_argument(syscall, 1), what = strace_argument(syscall, 2), name;
    struct open_file *file;
    int64_t descriptor;

    if (!strace_descriptor(strace_argument(syscall, 0), &descriptor, &name)) {
        return;
    }
    if (strace_is_command(command, "F_DUPFD", RAW_DUP) ||
        strace_is_command(command, "F_DUPFD_CLOEXEC", RAW_DUP_CLOSE_ON_EXEC)) {
        duplicate_descriptor(files, syscall,
                             strace_is_command(command, "F_DUPFD_CLOEXEC", RAW_DUP_CLOSE_ON_EXEC));
    } else if (strace_is_command(command, "F_SETFD", RAW_SET_FLAGS_OF_DESCRIPTOR)) {
        descriptors_close_on_exec(files->descriptors, syscall->thread->number, descriptor,
                                  strace_has_flag(what, "FD_CLOEXEC", 1));
    } else if (strace_is_command(command, "F_SETFL", RAW_SET_FLAGS) &&
               (file = open_file_of_argument(files, syscall, 0)) != NULL) {
        file->append = strace_has_flag(what, "O_APPEND", RAW_APPEND);
    }
}

static void apply_ioctl(struct strace_files *files, struct strace_syscall *syscall) {
    bool marks = strace_is_command(strace_argument(syscall, 1), "FIOCLEX", RAW_MARK);
    int64_t descriptor;
    struct word name;

    if ((marks || strace_is_command(strace_argument(syscall, 1), "FIONCLEX", RAW_UNMARK)) &&
        strace_descriptor(strace_argument(syscall, 0), &descriptor, &name)) {
        descriptors_close_on_exec(files->descriptors, syscall->thread->number, descriptor, marks);
    }
    if (word_has(strace_argument(syscall, 1), "CLONE")) { /* FICLONE, FICLONERANGE */
        syscall->flags |= CALL_FLAG_WRITABLE;
    }
}

static void do_close_range(struct strace_files *files, struct strace_syscall *syscall) {
    struct word flags = strace_argument(syscall, 2), rest;
    int64_t first, last;

    if (!strace_number(strace_argument(syscall, 0), &first, &rest) ||
        !strace_number(strace_argument(syscall, 1), &last, &rest)) {
        return;
    }
    if (strace_has_flag(flags, "CLOSE_RANGE_UNSHARE", 2)) {
        descriptors_unshare(files->descriptors, syscall->thread->number);
    }
    descriptors_close_range(
        files->descriptors, syscall->thread->number, first, last < 0 ? INT64_MAX : last,
        strace_has_flag(flags, "CLOSE_RANGE_CLOEXEC", RAW_CLOSE_RANGE_CLOSE_ON_EXEC));
}

/* Adds descriptors of recvmsg(): cmsg_type=SCM_RIGHTS, cmsg_data=[7, 8]. The result is `size`. */
static void apply_received_descriptors(struct strace_files *files, struct strace_syscall *syscall) {
    struct word rest = strace_argument(syscall, 1), list;
    uint32_t object = syscall->object;

    syscall->size = syscall->result->value;
    if (word_is(syscall->name, "recvmsg") &&
        word_cut_first(&rest, "cmsg_type=SCM_RIGHTS, cmsg_data=[", NULL) &&
        word_cut_first(&rest, "]", &list)) {
        make_descriptors(files, syscall, list, STRACE_ARGUMENTS);
        syscall->object = object;
    }
}

/* --- offsets and bytes of reads, writes and copies -------------------------------------------- */

/* Parses an offset printed as 8, "[8]" or "[8] => [16]". Returns false if there is none (NULL). */
static bool strace_files_offset_of(struct word argument, int64_t *offset) {
    struct word rest;

    if (word_begins(argument, "[")) {
        word_skip(&argument, 1);
    }
    return strace_number(argument, offset, &rest) &&
           (rest.length == 0 || *rest.bytes == ']' || *rest.bytes == ' ');
}

/* Corrects offsets printed by old strace on 32-bit ARM. For pread and pwrite only, it printed the
 * offset shifted left by 32 bits, with 0 or the content of a register in the low half. The first
 * offset other than 0 decides: it was shifted if its low half is 0 or not small. A later offset
 * below 2^32 shows that offsets were not shifted after all. */
static int64_t correct_offset_of_arm(struct strace_files *files, struct word name, int64_t offset) {
    if (offset == 0 || offset == -1) {
        return offset;
    }
    if (!files->has_offsets) {
        int64_t low = offset & UINT32_MAX;

        files->has_offsets = true;
        files->shifts = offset >> SHIFT != 0 && (low == 0 || low >= SMALL) &&
                        (word_is(name, "pread") || word_is(name, "pwrite"));
    }
    if (files->shifts && offset >> SHIFT == 0) {
        files->shifts = false;
        files->shift_ended = true;
    }
    if (!files->shifts) {
        return offset;
    }
    files->shifted++;
    return offset >> SHIFT;
}

/* Returns the offset of a read or write at a descriptor's file position, and advances that. */
static int64_t move_position(struct strace_files *files, const struct strace_syscall *syscall,
                             int place, uint32_t object, bool writes) {
    int64_t position, bytes = syscall->result->value;
    struct open_file *file = open_file_of_argument(files, syscall, place);

    /* If the descriptor was closed and opened again, it may refer to another file now. */
    if (file == NULL || file->object != object || file->position == EVENT_NONE) {
        return EVENT_NONE;
    }
    if ((writes && file->append) || bytes > BYTES_LIMIT || file->position > OFFSET_LIMIT - bytes) {
        file->position = EVENT_NONE;
        return EVENT_NONE;
    }
    position = file->position;
    file->position += bytes;
    return position;
}

static void apply_transfer(struct strace_files *files, struct strace_syscall *syscall) {
    bool writes = syscall->call->effect == EFFECT_WRITE;
    int64_t offset;

    files->reads += !writes;
    if (writes && word_is(syscall->name, "pwritev2") && syscall->argument_count > 4) {
        /* In ftrace's logs the offset is two arguments, so the flags are found from the end. */
        struct word flags = strace_argument(syscall, (int)syscall->argument_count - 1);

        if (strace_has_flag(flags, "RWF_DSYNC", RAW_RWF_DSYNC) ||
            strace_has_flag(flags, "RWF_SYNC", RAW_RWF_SYNC)) {
            syscall->flags |= CALL_FLAG_DURABLE;
        }
    }
    if (syscall->call->more >= (int)syscall->argument_count) {
        /* The offset is missing: of a line that is too long, the middle is not read. */
        syscall->size = strace_is_good(syscall) ? syscall->result->value : EVENT_NONE;
        return;
    }
    if (syscall->call->more >= 0 &&
        strace_files_offset_of(strace_argument(syscall, syscall->call->more), &offset)) {
        offset = correct_offset_of_arm(files, syscall->name, offset);
        if (offset != -1) {
            syscall->address = offset < 0 ? EVENT_NONE : offset;
            syscall->size = strace_is_good(syscall) ? syscall->result->value : EVENT_NONE;
            return;
        }
    }
    if (strace_is_good(syscall)) {
        syscall->size = syscall->result->value;
        syscall->address =
            move_position(files, syscall, syscall->call->descriptor, syscall->object, writes);
    }
}

/* Returns whether an argument points to an offset in the caller's memory, "[8] => [16]". If only
 * its address is printed, `*offset` is EVENT_NONE: unknown. */
static bool offset_in_memory(const struct strace_syscall *syscall, int place, int64_t *offset) {
    struct word argument = strace_argument(syscall, place);

    if (argument.length == 0 || word_is(argument, "NULL") || word_is(argument, "0")) {
        return false;
    }
    if (*argument.bytes != '[' || !strace_files_offset_of(argument, offset)) {
        *offset = EVENT_NONE;
    }
    return true;
}

/* Returns the offset of a copy: that in argument `offset`; if there is none, the descriptor's file
 * position, which is then advanced. */
static int64_t place_of_copy(struct strace_files *files, const struct strace_syscall *syscall,
                             int descriptor, int offset, uint32_t object, bool writes) {
    int64_t place;

    if (offset >= 0 && offset_in_memory(syscall, offset, &place)) {
        return place < 0 ? EVENT_NONE : place;
    }
    return move_position(files, syscall, descriptor, object, writes);
}

/* Applies a copy between descriptors. The `object` of the call is the file that is written. */
static void apply_file_copy(struct strace_files *files, struct strace_syscall *syscall, int source,
                            int source_offset, int target_offset) {
    int target = syscall->call->descriptor;
    uint32_t ignored;

    use_descriptor(files, syscall, source, &syscall->source, &ignored);
    if (!strace_is_good(syscall)) {
        return;
    }
    syscall->size = syscall->result->value;
    syscall->source_address =
        place_of_copy(files, syscall, source, source_offset, syscall->source, false);
    syscall->address = place_of_copy(files, syscall, target, target_offset, syscall->object, true);
}

static void apply_seek(struct strace_files *files, struct strace_syscall *syscall) {
    int64_t position = syscall->result->value;
    struct open_file *file;

    files->seeks++;
    if (syscall->call->effect == EFFECT_LONG_SEEK &&
        !strace_files_offset_of(strace_argument(syscall, syscall->call->more), &position)) {
        return;
    }
    file = open_file_of_argument(files, syscall, 0);
    if (file != NULL && (file->object != 0 || !file->annotated) && position >= 0) {
        file->position = position;
    }
}

/* --- state of processes ----------------------------------------------------------------------- */

void strace_files_renumber_thread(struct strace_files *files, int64_t from, int64_t to) {
    descriptors_fork(files->descriptors, from, to, true);
    descriptors_end(files->descriptors, from);
}

void strace_files_inherit(struct strace_files *files, struct strace_thread *child) {
    if (files->mappings != NULL && !child->heir) {
        child->heir = true;
        files->heirs++;
    }
}

void strace_files_disinherit(struct strace_files *files, struct strace_thread *child) {
    files->heirs -= child->heir;
    child->heir = false;
}

static void apply_exec(struct strace_files *files, struct strace_syscall *syscall) {
    const struct text *path = &files->path;
    const char *name;
    size_t length;

    find_path(files, syscall);
    if (path->length > 0) {
        name = memrchr(path->bytes, '/', path->length);
        name = name == NULL ? path->bytes : name + 1;
        length = path->length - (size_t)(name - path->bytes);
        length = length < 15 ? length : 15; /* the kernel stores 15 bytes of a command */
        memcpy(syscall->thread->command, name, length);
        syscall->thread->command[length] = '\0';
        syscall->thread->changed = true;
    }
    descriptors_exec(files->descriptors, syscall->thread->number);
    strace_files_disinherit(files, syscall->thread);
}

/* Applies chdir(), fchdir(), getcwd() and chroot(). */
static void change_cwd(struct strace_files *files, struct strace_syscall *syscall) {
    struct word path;

    if (syscall->call->path >= 0) {
        find_path(files, syscall);
        path = (struct word){files->path.bytes, files->path.length};
    } else {
        path = strace_directories_find(&files->directories, syscall->object);
    }
    if (syscall->call->effect == EFFECT_CHROOT && path.length > 0 && path.length <= STRACE_PATH) {
        struct text *root = &syscall->thread->cwd->root;

        path_normalise(&files->path);
        text_clear(root);
        text_append(root, files->path.bytes,
                    files->path.length - (*files->path.bytes == '/' && files->path.length == 1));
        return;
    }
    if (syscall->flags >> CALL_GENERATION_SHIFT == CALL_GENERATION_UNPLACED) {
        path.length = 0;
    } else if (path.length > 0 && *path.bytes != '/') {
        /* The path is relative to the directory in which the process began, which is unknown. */
        text_clear(&files->inside);
        text_append(&files->inside, path.bytes, path.length);
        path_normalise(&files->inside);
        path = (struct word){files->inside.bytes, files->inside.length};
    }
    strace_threads_set_cwd(syscall->thread, path);
    syscall->thread->cwd->removals = syscall->call->path >= 0
                                         ? removals_of(files, &syscall->thread->cwd->path)
                                         : syscall->flags >> CALL_GENERATION_SHIFT;
}

/* --- calls that change names ------------------------------------------------------------------ */

/* Applies a rename, which changes what both paths lead to. `files->path` is the new path. */
static void apply_rename(struct strace_files *files, struct strace_syscall *syscall) {
    if (syscall->call->more >= 3 &&
        strace_has_flag(strace_argument(syscall, 4), "RENAME_EXCHANGE", RAW_EXCHANGE)) {
        syscall->flags |= CALL_FLAG_EXCHANGES;
    }
    mark_path_changed(files);
    find_path(files, syscall);
    mark_path_changed(files);
}

/* Applies a link. If the old path is empty, the new name is for the file of the descriptor: sets
 * CALL_FLAG_NAMELESS. */
static void apply_link(struct strace_files *files, struct strace_syscall *syscall) {
    (void)files;
    if (syscall->call->directory >= 0 &&
        word_is(strace_argument(syscall, syscall->call->path), "\"\"")) {
        syscall->flags |= CALL_FLAG_NAMELESS;
    }
}

/* Sets CALL_FLAG_NOT_EMPTY if a call reports a size: {st_mode=S_IFREG|0644, st_size=8192, ...}. */
static void apply_stat(struct strace_files *files, struct strace_syscall *syscall) {
    struct word says = strace_argument(syscall, syscall->call->more);

    if (word_cut_first(&says, "st_size=", NULL) && word_digits(says) > 0 && *says.bytes != '0') {
        syscall->flags |= CALL_FLAG_NOT_EMPTY;
    }
}

static void apply_unlink(struct strace_files *files, struct strace_syscall *syscall) {
    find_path(files, syscall);
    mark_path_changed(files);
}

static void apply_unshare(struct strace_files *files, struct strace_syscall *syscall) {
    struct word flags = strace_argument(syscall, 0);

    if (strace_has_flag(flags, "CLONE_FILES", RAW_FILES)) {
        descriptors_unshare(files->descriptors, syscall->thread->number);
    }
    if (strace_has_flag(flags, "CLONE_FS", RAW_DIRECTORIES) || word_has(flags, "CLONE_NEWNS") ||
        word_has(flags, "CLONE_NEWUSER")) {
        strace_threads_unshare_cwd(syscall->thread);
    }
}

/* --- effects of calls ------------------------------------------------------------------------- */

static void apply_syscall(struct strace_files *files, struct strace_syscall *syscall) {
    /* Functions that apply a call only if its result is at least 0. Calls on mappings are not among
     * them, since an address that they return may be negative. */
    static void (*const good[])(struct strace_files * files, struct strace_syscall * syscall) = {
        [EFFECT_OPEN] = apply_open,
        [EFFECT_NEW] = apply_new_descriptor,
        [EFFECT_PAIR] = apply_descriptor_pair,
        [EFFECT_RECEIVE] = apply_received_descriptors,
        [EFFECT_DUP] = apply_dup,
        [EFFECT_DUP_TO] = apply_dup,
        [EFFECT_FCNTL] = apply_fcntl,
        [EFFECT_CLOSE_RANGE] = do_close_range,
        [EFFECT_EXEC] = apply_exec,
        [EFFECT_UNSHARE] = apply_unshare,
        [EFFECT_CHDIR] = change_cwd,
        [EFFECT_GETCWD] = change_cwd,
        [EFFECT_CHROOT] = change_cwd,
        [EFFECT_IOCTL] = apply_ioctl,
        [EFFECT_SEEK] = apply_seek,
        [EFFECT_LONG_SEEK] = apply_seek,
        [EFFECT_RENAME] = apply_rename,
        [EFFECT_LINK] = apply_link,
        [EFFECT_STAT] = apply_stat,
        [EFFECT_UNLINK] = apply_unlink,
    };
    enum strace_effect effect = syscall->call->effect;

    switch (effect) {
    case EFFECT_READ:
    case EFFECT_WRITE:
        apply_transfer(files, syscall);
        break;
    case EFFECT_SEND_FILE: /* arguments: target descriptor, source descriptor, source offset */
        apply_file_copy(files, syscall, 1, 2, STRACE_NO_ARGUMENT);
        break;
    case EFFECT_COPY: /* arguments: source descriptor and offset, target descriptor and offset */
        apply_file_copy(files, syscall, 0, 1, 3);
        break;
    case EFFECT_TEE: /* arguments: source descriptor, target descriptor */
        apply_file_copy(files, syscall, 0, STRACE_NO_ARGUMENT, STRACE_NO_ARGUMENT);
        break;
    case EFFECT_MAP:
        apply_mmap(files, syscall);
        break;
    case EFFECT_PROTECT:
        apply_mprotect(files, syscall);
        break;
    case EFFECT_UNSEEN:
        files->unseen++;
        break;
    default:
        if (effect < sizeof good / sizeof good[0] && good[effect] != NULL &&
            strace_is_good(syscall)) {
            good[effect](files, syscall);
        }
    }
}

/* Sets sizes and offsets that are implausibly large to EVENT_NONE. */
static void remove_implausible_sizes(struct strace_files *files, struct strace_syscall *syscall) {
    int64_t *const numbers[] = {&syscall->size, &syscall->address, &syscall->source_address};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (*numbers[i] > (i == 0 ? BYTES_LIMIT : OFFSET_LIMIT)) {
            *numbers[i] = EVENT_NONE;
            files->beyond++;
        }
    }
}

void strace_files_apply_call(struct strace_files *files, struct strace_syscall *syscall) {
    syscall->address = syscall->size = syscall->source_address = EVENT_NONE;
    syscall->source = 0;
    strace_files_find_second(files, syscall);
    apply_syscall(files, syscall);
    remove_implausible_sizes(files, syscall);
}

/* --- calls whose start or end is not in the log ----------------------------------------------- */

int64_t strace_files_count_bytes(struct strace_files *files, const struct strace_syscall *syscall) {
    enum strace_effect effect = syscall->call == NULL ? EFFECT_NONE : syscall->call->effect;
    bool transfers = effect == EFFECT_READ || effect == EFFECT_WRITE || effect == EFFECT_RECEIVE ||
                     effect == EFFECT_SEND_FILE || effect == EFFECT_COPY || effect == EFFECT_TEE;
    struct strace_syscall found = {
        .size = transfers && strace_is_good(syscall) ? syscall->result->value : EVENT_NONE,
        .address = EVENT_NONE,
        .source_address = EVENT_NONE,
    };

    remove_implausible_sizes(files, &found);
    return found.size;
}

static void lose_position(struct strace_files *files, const struct strace_syscall *syscall,
                          int place) {
    struct open_file *file = open_file_of_argument(files, syscall, place);

    if (file != NULL) {
        file->position = EVENT_NONE;
    }
}

void strace_files_apply_unfinished_call(struct strace_files *files,
                                        struct strace_syscall *syscall) {
    enum strace_effect effect = syscall->call == NULL ? EFFECT_NONE : syscall->call->effect;
    uint32_t ignored;

    if (syscall->call != NULL) {
        strace_files_find_second(files, syscall);
    }
    if (effect == EFFECT_SEND_FILE || effect == EFFECT_COPY || effect == EFFECT_TEE) {
        use_descriptor(files, syscall, effect == EFFECT_SEND_FILE, &syscall->source, &ignored);
    }
    switch (effect) {
    case EFFECT_READ:
    case EFFECT_WRITE:
        if (syscall->call->more < 0) {
            lose_position(files, syscall, syscall->call->descriptor);
        }
        break;
    case EFFECT_SEEK:
    case EFFECT_LONG_SEEK:
        lose_position(files, syscall, 0);
        break;
    case EFFECT_OPEN:
        syscall->flags |= flags_of_open(syscall);
        break;
    case EFFECT_SEND_FILE:
    case EFFECT_COPY:
        lose_position(files, syscall, effect == EFFECT_SEND_FILE);
        lose_position(files, syscall, syscall->call->descriptor);
        break;
    default:
        break;
    }
}

/* --- begin and end of an import --------------------------------------------------------------- */

void strace_files_begin(struct import *import, struct strace_files *files) {
    files->import = import;
    files->descriptors = descriptors_new();
    import_file_types(import, &files->types);
}

void strace_files_end(struct strace_files *files) {
    HASH_FREE(files->changes);
    HASH_FREE(files->mappings);
    strace_directories_free(&files->directories);
    lookup_cache_free(&files->objects);
    descriptors_free(files->descriptors);
    file_types_free(&files->types);
    text_free(&files->path);
    text_free(&files->inside);
    text_free(&files->normal);
}
