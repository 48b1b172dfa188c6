#include "strace_files.h"

#include "syscalls.h"

/* Flags as -X raw prints them. */
enum {
    RAW_WRITE = 1,
    RAW_READ_AND_WRITE = 2,
    RAW_CREATE = 0100,
    RAW_APPEND = 02000,
    RAW_CLOSE_ON_EXEC = 02000000,
    RAW_CLOSE_RANGE_CLOSE_ON_EXEC = 4,
    RAW_FILES = 0x400, /* CLONE_FILES */
    RAW_DUP = 0,
    RAW_SET_FLAGS_OF_DESCRIPTOR = 2, /* F_SETFD */
    RAW_SET_FLAGS = 4,               /* F_SETFL */
    RAW_DUP_CLOSE_ON_EXEC = 1030,
    RAW_MARK = 0x5451, /* FIOCLEX */
    RAW_UNMARK = 0x5450,
};

/* Limits of what is believed: bytes of a transfer, and its place in a file. */
#define BYTES_LIMIT  (INT64_C(1) << 40)
#define OFFSET_LIMIT (INT64_C(1) << 62)

/* Offsets of old logs of 32-bit ARM stand so many bits too high. */
#define SHIFT 32
#define SMALL (1 << 16)

/* --- names -------------------------------------------------------------------------------------
 */

/* Where the paths of a call begin, appended to `path`; nothing when that is not known. */
static void append_folder(struct strace_files *files, const struct strace_deed *deed,
                          struct text *path) {
    const struct text *directory = &deed->thread->directory->path;
    const struct strace_folder *folder = NULL;
    const struct open_file *file;
    struct word name;
    int64_t descriptor = STRACE_DIRECTORY;

    if (deed->call->folder >= 0 &&
        !strace_descriptor(strace_argument(deed, deed->call->folder), &descriptor, &name)) {
        return;
    }
    if (deed->call->folder >= 0 && name.length > 0) {
        syscalls_unquote(name, path);
        if (descriptor == STRACE_DIRECTORY) {
            strace_threads_directory(deed->thread, (struct word){path->bytes, path->length});
        }
        return;
    }
    if (descriptor == STRACE_DIRECTORY) {
        text_append(path, directory->bytes, directory->length);
        return;
    }
    file = descriptors_find(files->descriptors, deed->thread->number, descriptor);
    if (file != NULL && file->object != 0) {
        folder = strace_folders_find(&files->folders, file->object);
    }
    if (folder != NULL) {
        text_append(path, folder->name, folder->length);
    }
}

/* The object of a file of that name; of what is no file, without a type. 0: stop. */
static uint32_t object_of(struct import *import, struct strace_files *files, const char *name,
                          size_t length, bool is_file) {
    return import_object(import,
                         &(struct object_entry){
                             .device = EVENT_NONE,
                             .name = name,
                             .length = length,
                             .type = is_file ? file_types_find(&files->types, name, length) : NULL,
                         });
}

/* The object of what -y prints. */
static bool object_of_annotation(struct import *import, struct strace_files *files,
                                 struct word inside, uint32_t *object, struct error *error) {
    text_clear(&files->path);
    syscalls_unquote(inside, &files->path);
    *object = object_of(import, files, files->path.bytes, files->path.length,
                        files->path.length > 0 && files->path.bytes[0] == '/');
    return *object != 0;
}

/* Cuts off what stands before the path of a socket, as in {sa_family=AF_UNIX, sun_path="/run/log"}.
 * An abstract address has an @ before its quotes, which goes into `path`. */
static void cut_address(struct word *rest, struct text *path) {
    static const char before[] = "sun_path=";
    const char *found = word_begins(*rest, "{")
                            ? memmem(rest->bytes, rest->length, before, sizeof before - 1)
                            : NULL;

    if (found == NULL) {
        return;
    }
    word_skip(rest, (size_t)(found - rest->bytes) + sizeof before - 1);
    if (word_begins(*rest, "@")) {
        text_append_char(path, '@');
        word_skip(rest, 1);
    }
}

/* The name that a path of the call stands for, in `files->path`; empty: none can be made out. */
static void find_path(struct strace_files *files, const struct strace_deed *deed) {
    struct word rest = strace_argument(deed, deed->call->path), inside;
    struct text *path = &files->path;
    bool has_nul, is_abstract;

    text_clear(path);
    text_clear(&files->inside);
    cut_address(&rest, path);
    is_abstract = path->length > 0;
    if (!word_begins(rest, "\"") || !syscalls_cut_quoted(&rest, &inside, &has_nul) || has_nul ||
        inside.length == 0 || inside.length > (size_t)4 * STRACE_PATH) {
        text_clear(path);
        return;
    }
    syscalls_unquote(inside, &files->inside);
    if (!is_abstract && files->inside.length > 0 && files->inside.bytes[0] != '/') {
        append_folder(files, deed, path);
        if (path->length > 0 && path->bytes[path->length - 1] != '/') {
            text_append_char(path, '/');
        }
    }
    text_append(path, files->inside.bytes, files->inside.length);
}

static bool look_for_path(struct import *import, struct strace_files *files,
                          struct strace_deed *deed, struct error *error) {
    find_path(files, deed);
    if (files->path.length > 0) {
        /* An abstract address of a socket is no file. */
        bool is_file = deed->call->descriptor < 0 || files->path.bytes[0] != '@';

        deed->object = object_of(import, files, files->path.bytes, files->path.length, is_file);
    }
    return files->path.length == 0 || deed->object != 0;
}

/* --- descriptors that are used -----------------------------------------------------------------
 */

static bool open_descriptor(struct strace_files *files, const struct strace_deed *deed,
                            int64_t descriptor, struct open_file file, bool close_on_exec,
                            struct error *error) {
    return descriptors_open(files->descriptors, deed->thread->number, descriptor, file,
                            close_on_exec) ||
           error_no_memory(error);
}

/* The object behind a descriptor. One that no call of the log has opened is by what -y says of it
 * now: it was open before the log began, and where that changes it was opened anew by a call that
 * the log does not have. */
static bool use_descriptor(struct import *import, struct strace_files *files,
                           const struct strace_deed *deed, int place, uint32_t *object,
                           struct error *error) {
    const struct open_file *file;
    int64_t descriptor;
    struct word name;

    *object = 0;
    if (!strace_descriptor(strace_argument(deed, place), &descriptor, &name) || descriptor < 0) {
        return true;
    }
    file = descriptors_find(files->descriptors, deed->thread->number, descriptor);
    *object = file == NULL ? 0 : file->object;
    if (name.length == 0 || (*object != 0 && !file->annotated)) {
        return true;
    }
    if (!object_of_annotation(import, files, name, object, error) ||
        !strace_folders_keep(&files->folders, *object,
                             (struct word){files->path.bytes, files->path.length}, error)) {
        return false;
    }
    if (file != NULL && (!file->annotated || file->object == *object)) {
        return true;
    }
    return open_descriptor(files, deed, descriptor,
                           (struct open_file){*object, EVENT_NONE, false, true}, false, error);
}

/* A close has let go of its descriptor when it begins, whatever comes of it. */
static void close_descriptor(struct strace_files *files, const struct strace_deed *deed) {
    int64_t descriptor;
    struct word name;

    if (strace_descriptor(strace_argument(deed, 0), &descriptor, &name)) {
        descriptors_close(files->descriptors, deed->thread->number, descriptor);
    }
}

bool strace_files_look(struct import *import, struct strace_files *files, struct strace_deed *deed,
                       struct error *error) {
    const struct strace_call *call = deed->call;
    int64_t descriptor;
    struct word name;

    deed->object = 0;
    if (call->path >= 0 && !look_for_path(import, files, deed, error)) {
        return false;
    }
    /* utimensat(3, NULL, …), newfstatat(3, "", …): the descriptor's own file. */
    if (deed->object == 0 && (call->descriptor >= 0 || call->folder >= 0)) {
        int place = call->descriptor >= 0 ? call->descriptor : call->folder;

        if (!use_descriptor(import, files, deed, place, &deed->object, error)) {
            return false;
        }
        if (call->descriptor >= 0 &&
            strace_descriptor(strace_argument(deed, place), &descriptor, &name) &&
            descriptor >= 0) {
            files->on_descriptors++;
            files->without_file += deed->object == 0;
        }
    }
    if (call->effect == EFFECT_CLOSE) {
        close_descriptor(files, deed);
    }
    return true;
}

/* --- descriptors that are made -----------------------------------------------------------------
 */

/* A folder is opened for reading alone, mostly without saying that it is one. */
static bool may_be_folder(struct word flags) {
    return flags.length > 0 && !strace_has_flag(flags, "O_WRONLY", RAW_WRITE) &&
           !strace_has_flag(flags, "O_RDWR", RAW_READ_AND_WRITE) &&
           !strace_has_flag(flags, "O_CREAT", RAW_CREATE);
}

/* What the result leads to: by what -y says of it, else the object that the call has. */
static bool do_open(struct import *import, struct strace_files *files, struct strace_deed *deed,
                    struct error *error) {
    struct word flags = strace_argument(deed, deed->call->more), name = deed->result->file;
    bool folder = may_be_folder(flags);

    files->opens++;
    if (name.length > 0 && !object_of_annotation(import, files, name, &deed->object, error)) {
        return false;
    }
    if (folder && name.length == 0) {
        find_path(files, deed);
    }
    if (folder &&
        !strace_folders_keep(&files->folders, deed->object,
                             (struct word){files->path.bytes, files->path.length}, error)) {
        return false;
    }
    return open_descriptor(
        files, deed, deed->result->value,
        (struct open_file){deed->object, 0, strace_has_flag(flags, "O_APPEND", RAW_APPEND), false},
        strace_has_flag(flags, "O_CLOEXEC", RAW_CLOSE_ON_EXEC), error);
}

/* Whether any argument asks for a descriptor that is closed by an execve: SOCK_CLOEXEC,
 * EPOLL_CLOEXEC, MFD_CLOEXEC … */
static bool asks_for_close(const struct strace_deed *deed) {
    for (size_t i = 0; i < deed->argument_count; i++) {
        if (strace_has(deed->arguments[i], "_CLOEXEC")) {
            return true;
        }
    }
    return false;
}

/* A descriptor that has no position. */
static bool make_descriptor(struct import *import, struct strace_files *files,
                            struct strace_deed *deed, int64_t descriptor, struct word name,
                            struct error *error) {
    const char *makes = deed->call->makes;
    uint32_t object = 0;

    if (name.length > 0) {
        if (!object_of_annotation(import, files, name, &object, error)) {
            return false;
        }
    } else if (makes != NULL &&
               (object = object_of(import, files, makes, strlen(makes), false)) == 0) {
        return false;
    }
    deed->object = object;
    return open_descriptor(files, deed, descriptor,
                           (struct open_file){object, EVENT_NONE, false, false},
                           asks_for_close(deed), error);
}

/* [3, 4], [3<pipe:[7]>, 4<pipe:[7]>] */
static bool do_pair(struct import *import, struct strace_files *files, struct strace_deed *deed,
                    struct error *error) {
    struct word inside = strace_argument(deed, deed->call->more), ends[STRACE_ARGUMENTS];
    size_t count;

    if (inside.length < 2 || *inside.bytes != '[') {
        return true;
    }
    word_skip(&inside, 1);
    inside.length--;
    count = strace_split(inside, ends);
    for (size_t i = 0; i < count && i < 2; i++) {
        int64_t descriptor;
        struct word name;

        if (strace_descriptor(ends[i], &descriptor, &name) &&
            !make_descriptor(import, files, deed, descriptor, name, error)) {
            return false;
        }
    }
    return true;
}

static bool duplicate(struct strace_files *files, const struct strace_deed *deed,
                      bool close_on_exec, struct error *error) {
    int64_t from;
    struct word name;

    return !strace_descriptor(strace_argument(deed, 0), &from, &name) ||
           descriptors_duplicate(files->descriptors, deed->thread->number, from,
                                 deed->result->value, close_on_exec) ||
           error_no_memory(error);
}

static bool do_fcntl(struct strace_files *files, const struct strace_deed *deed,
                     struct error *error) {
    struct word command = strace_argument(deed, 1), what = strace_argument(deed, 2), name;
    struct open_file *file;
    int64_t descriptor;

    if (!strace_descriptor(strace_argument(deed, 0), &descriptor, &name)) {
        return true;
    }
    if (strace_is_command(command, "F_DUPFD", RAW_DUP) ||
        strace_is_command(command, "F_DUPFD_CLOEXEC", RAW_DUP_CLOSE_ON_EXEC)) {
        return duplicate(files, deed,
                         strace_is_command(command, "F_DUPFD_CLOEXEC", RAW_DUP_CLOSE_ON_EXEC),
                         error);
    }
    if (strace_is_command(command, "F_SETFD", RAW_SET_FLAGS_OF_DESCRIPTOR)) {
        descriptors_close_on_exec(files->descriptors, deed->thread->number, descriptor,
                                  strace_has_flag(what, "FD_CLOEXEC", 1));
    } else if (strace_is_command(command, "F_SETFL", RAW_SET_FLAGS) &&
               (file = descriptors_find(files->descriptors, deed->thread->number, descriptor)) !=
                   NULL) {
        file->append = strace_has_flag(what, "O_APPEND", RAW_APPEND);
    }
    return true;
}

static void do_ioctl(struct strace_files *files, const struct strace_deed *deed) {
    bool marks = strace_is_command(strace_argument(deed, 1), "FIOCLEX", RAW_MARK);
    int64_t descriptor;
    struct word name;

    if ((marks || strace_is_command(strace_argument(deed, 1), "FIONCLEX", RAW_UNMARK)) &&
        strace_descriptor(strace_argument(deed, 0), &descriptor, &name)) {
        descriptors_close_on_exec(files->descriptors, deed->thread->number, descriptor, marks);
    }
}

static bool do_close_range(struct strace_files *files, const struct strace_deed *deed,
                           struct error *error) {
    struct word flags = strace_argument(deed, 2), rest;
    int64_t first, last;

    if (!strace_number(strace_argument(deed, 0), &first, &rest) ||
        !strace_number(strace_argument(deed, 1), &last, &rest)) {
        return true;
    }
    if (strace_has_flag(flags, "CLOSE_RANGE_UNSHARE", 2) &&
        !descriptors_unshare(files->descriptors, deed->thread->number)) {
        return error_no_memory(error);
    }
    descriptors_close_range(
        files->descriptors, deed->thread->number, first, last < 0 ? INT64_MAX : last,
        strace_has_flag(flags, "CLOSE_RANGE_CLOEXEC", RAW_CLOSE_RANGE_CLOSE_ON_EXEC));
    return true;
}

/* Descriptors that came in a message: cmsg_type=SCM_RIGHTS, cmsg_data=[7, 8] */
static bool receive_descriptors(struct import *import, struct strace_files *files,
                                struct strace_deed *deed, struct error *error) {
    static const char data[] = "cmsg_type=SCM_RIGHTS, cmsg_data=[";
    struct word text = strace_argument(deed, 1), ends[STRACE_ARGUMENTS];
    const char *found = memmem(text.bytes, text.length, data, sizeof data - 1);
    const char *close;
    uint32_t object = deed->object;
    size_t count;

    if (found == NULL || !word_is(deed->name, "recvmsg")) {
        return true;
    }
    found += sizeof data - 1;
    text.length -= (size_t)(found - text.bytes);
    close = memchr(found, ']', text.length);
    count = close == NULL ? 0 : strace_split(word_between(found, close), ends);
    for (size_t i = 0; i < count; i++) {
        int64_t descriptor;
        struct word name;

        if (strace_descriptor(ends[i], &descriptor, &name) &&
            !make_descriptor(import, files, deed, descriptor, name, error)) {
            return false;
        }
    }
    deed->object = object;
    return true;
}

/* --- transfers ---------------------------------------------------------------------------------
 */

/* The offset of an argument, "[8] => [16]" and "[8]" included. False: there is none (NULL). */
static bool offset_of(struct word argument, int64_t *offset) {
    struct word rest;

    if (word_begins(argument, "[")) {
        word_skip(&argument, 1);
    }
    return strace_number(argument, offset, &rest) &&
           (rest.length == 0 || *rest.bytes == ']' || *rest.bytes == ' ');
}

/* Old strace of 32-bit ARM prints an offset 32 bits too high, above 0 or what was in a register.
 * The first offset other than 0 tells: pread and pwrite are called so there alone, and a small
 * number in the low half is an offset's own. One below 2^32 tells that the log is not of that kind.
 */
static int64_t put_right(struct strace_files *files, struct word name, int64_t offset) {
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

/* Bytes at the position of a descriptor, which moves by them. */
static int64_t move_position(struct strace_files *files, const struct strace_deed *deed, int place,
                             uint32_t object, bool writes) {
    int64_t descriptor, position, bytes = deed->result->value;
    struct open_file *file;
    struct word name;

    if (!strace_descriptor(strace_argument(deed, place), &descriptor, &name)) {
        return EVENT_NONE;
    }
    file = descriptors_find(files->descriptors, deed->thread->number, descriptor);
    /* A descriptor that was closed and opened since the call began leads to another file. */
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

static void do_transfer(struct strace_files *files, struct strace_deed *deed) {
    bool writes = deed->call->effect == EFFECT_WRITE;
    int64_t offset;

    files->reads += !writes;
    if (deed->call->more >= (int)deed->argument_count) {
        /* The offset is not to be had: the middle of a long line is missing. */
        deed->size = strace_is_good(deed) ? deed->result->value : EVENT_NONE;
        return;
    }
    if (deed->call->more >= 0 && offset_of(strace_argument(deed, deed->call->more), &offset)) {
        offset = put_right(files, deed->name, offset);
        if (offset != -1) {
            deed->address = offset < 0 ? EVENT_NONE : offset;
            deed->size = strace_is_good(deed) ? deed->result->value : EVENT_NONE;
            return;
        }
    }
    if (strace_is_good(deed)) {
        deed->size = deed->result->value;
        deed->address = move_position(files, deed, deed->call->descriptor, deed->object, writes);
    }
}

/* Whether an argument is an offset that the caller keeps: "[8] => [16]". Where it is printed as an
 * address, only that it is not at a descriptor's position is known: EVENT_NONE. */
static bool offset_in_memory(const struct strace_deed *deed, int place, int64_t *offset) {
    struct word argument = strace_argument(deed, place);

    if (argument.length == 0 || word_is(argument, "NULL") || word_is(argument, "0")) {
        return false;
    }
    if (*argument.bytes != '[' || !offset_of(argument, offset)) {
        *offset = EVENT_NONE;
    }
    return true;
}

/* Where a copy reads or writes, by its argument at `offset` (STRACE_NO_ARGUMENT: it has none) or at
 * the position of the descriptor, which moves. */
static int64_t place_of_copy(struct strace_files *files, const struct strace_deed *deed,
                             int descriptor, int offset, uint32_t object, bool writes) {
    int64_t place;

    if (offset >= 0 && offset_in_memory(deed, offset, &place)) {
        return place < 0 ? EVENT_NONE : place;
    }
    return move_position(files, deed, descriptor, object, writes);
}

/* Bytes go from one descriptor to another; the object of the call is the one that is written. */
static bool do_copy(struct import *import, struct strace_files *files, struct strace_deed *deed,
                    int source, int source_offset, int target_offset, struct error *error) {
    int target = deed->call->descriptor;

    if (!strace_is_good(deed)) {
        return true;
    }
    deed->size = deed->result->value;
    if (!use_descriptor(import, files, deed, source, &deed->source, error)) {
        return false;
    }
    deed->source_address = place_of_copy(files, deed, source, source_offset, deed->source, false);
    deed->address = place_of_copy(files, deed, target, target_offset, deed->object, true);
    return true;
}

static void do_seek(struct strace_files *files, const struct strace_deed *deed) {
    int64_t descriptor, position = deed->result->value;
    struct open_file *file;
    struct word name;

    files->seeks++;
    if (deed->call->effect == EFFECT_LONG_SEEK &&
        !offset_of(strace_argument(deed, deed->call->more), &position)) {
        return;
    }
    if (strace_descriptor(strace_argument(deed, 0), &descriptor, &name) && position >= 0 &&
        (file = descriptors_find(files->descriptors, deed->thread->number, descriptor)) != NULL) {
        file->position = position;
    }
}

/* --- processes ---------------------------------------------------------------------------------
 */

bool strace_files_fork(struct strace_files *files, const struct strace_thread *parent,
                       const struct strace_thread *child, bool shares) {
    return descriptors_fork(files->descriptors, parent->number, child->number, shares);
}

bool strace_files_move(struct strace_files *files, int64_t from, int64_t to) {
    bool done = descriptors_fork(files->descriptors, from, to, true);

    descriptors_end(files->descriptors, from);
    return done;
}

static bool do_exec(struct strace_files *files, const struct strace_deed *deed,
                    struct error *error) {
    const struct text *path = &files->path;
    const char *name;
    size_t length;

    find_path(files, deed);
    if (path->length > 0) {
        name = memrchr(path->bytes, '/', path->length);
        name = name == NULL ? path->bytes : name + 1;
        length = path->length - (size_t)(name - path->bytes);
        length = length < 15 ? length : 15; /* as the kernel cuts it */
        memcpy(deed->thread->command, name, length);
        deed->thread->command[length] = '\0';
        deed->thread->changed = true;
    }
    return descriptors_exec(files->descriptors, deed->thread->number) || error_no_memory(error);
}

/* chdir, fchdir, getcwd */
static bool do_directory(struct strace_files *files, const struct strace_deed *deed,
                         struct error *error) {
    const struct strace_folder *folder = NULL;
    struct word path = {"", 0};

    if (deed->call->path >= 0) {
        find_path(files, deed);
        path = (struct word){files->path.bytes, files->path.length};
    } else {
        folder = strace_folders_find(&files->folders, deed->object);
        if (folder != NULL) {
            path = (struct word){folder->name, folder->length};
        }
    }
    if (path.length == 0 || *path.bytes != '/') {
        path.length = 0;
    }
    strace_threads_directory(deed->thread, path);
    return !deed->thread->directory->path.failed || error_no_memory(error);
}

/* --- what a call has done ----------------------------------------------------------------------
 */

/* Effects of calls that succeeded. */
static bool do_good(struct import *import, struct strace_files *files, struct strace_deed *deed,
                    struct error *error) {
    switch (deed->call->effect) {
    case EFFECT_OPEN:
        return do_open(import, files, deed, error);
    case EFFECT_NEW:
        return make_descriptor(import, files, deed, deed->result->value, deed->result->file, error);
    case EFFECT_PAIR:
        return do_pair(import, files, deed, error);
    case EFFECT_DUP:
        return duplicate(files, deed, false, error);
    case EFFECT_DUP_TO:
        return duplicate(files, deed,
                         strace_has_flag(strace_argument(deed, 2), "O_CLOEXEC", RAW_CLOSE_ON_EXEC),
                         error);
    case EFFECT_FCNTL:
        return do_fcntl(files, deed, error);
    case EFFECT_CLOSE_RANGE:
        return do_close_range(files, deed, error);
    case EFFECT_RECEIVE:
        deed->size = deed->result->value;
        return receive_descriptors(import, files, deed, error);
    case EFFECT_EXEC:
        return do_exec(files, deed, error);
    case EFFECT_UNSHARE:
        return !strace_has_flag(strace_argument(deed, 0), "CLONE_FILES", RAW_FILES) ||
               descriptors_unshare(files->descriptors, deed->thread->number) ||
               error_no_memory(error);
    case EFFECT_DIRECTORY:
    case EFFECT_TELL_DIRECTORY:
        return do_directory(files, deed, error);
    case EFFECT_IOCTL:
        do_ioctl(files, deed);
        return true;
    case EFFECT_SEEK:
    case EFFECT_LONG_SEEK:
        do_seek(files, deed);
        return true;
    default:
        return true;
    }
}

static bool do_call(struct import *import, struct strace_files *files, struct strace_deed *deed,
                    struct error *error) {
    switch (deed->call->effect) {
    case EFFECT_READ:
    case EFFECT_WRITE:
        do_transfer(files, deed);
        return true;
    case EFFECT_SEND_FILE: /* out, in, offset */
        return do_copy(import, files, deed, 1, 2, STRACE_NO_ARGUMENT, error);
    case EFFECT_COPY: /* in, offset, out, offset */
        return do_copy(import, files, deed, 0, 1, 3, error);
    case EFFECT_TEE: /* in, out */
        return do_copy(import, files, deed, 0, STRACE_NO_ARGUMENT, STRACE_NO_ARGUMENT, error);
    case EFFECT_MAP:
        files->mapped += deed->object != 0;
        return true;
    case EFFECT_UNSEEN:
        files->unseen++;
        return true;
    default:
        /* What maps memory returns addresses, some of them below 0. */
        return !strace_is_good(deed) || do_good(import, files, deed, error);
    }
}

/* Leaves out what no transfer has, or no file. */
static void drop_beyond(struct strace_files *files, struct strace_deed *deed) {
    if (deed->size > BYTES_LIMIT) {
        deed->size = EVENT_NONE;
        files->beyond++;
    }
    if (deed->address > OFFSET_LIMIT) {
        deed->address = EVENT_NONE;
        files->beyond++;
    }
    if (deed->source_address > OFFSET_LIMIT) {
        deed->source_address = EVENT_NONE;
        files->beyond++;
    }
}

bool strace_files_do(struct import *import, struct strace_files *files, struct strace_deed *deed,
                     struct error *error) {
    bool done;

    deed->address = deed->size = deed->source_address = EVENT_NONE;
    deed->source = 0;
    done = do_call(import, files, deed, error);
    drop_beyond(files, deed);
    return done;
}

/* --- calls of which a half is missing ----------------------------------------------------------
 */

int64_t strace_files_transferred(struct strace_files *files, const struct strace_deed *deed) {
    enum strace_effect effect = deed->call == NULL ? EFFECT_NONE : deed->call->effect;
    bool transfers = effect == EFFECT_READ || effect == EFFECT_WRITE || effect == EFFECT_RECEIVE ||
                     effect == EFFECT_SEND_FILE || effect == EFFECT_COPY || effect == EFFECT_TEE;
    struct strace_deed found = {
        .size = transfers && strace_is_good(deed) ? deed->result->value : EVENT_NONE,
        .address = EVENT_NONE,
        .source_address = EVENT_NONE,
    };

    drop_beyond(files, &found);
    return found.size;
}

static void lose_position(struct strace_files *files, const struct strace_deed *deed, int place) {
    struct open_file *file;
    int64_t descriptor;
    struct word name;

    if (strace_descriptor(strace_argument(deed, place), &descriptor, &name) &&
        (file = descriptors_find(files->descriptors, deed->thread->number, descriptor)) != NULL) {
        file->position = EVENT_NONE;
    }
}

void strace_files_lose(struct strace_files *files, const struct strace_deed *deed) {
    switch (deed->call == NULL ? EFFECT_NONE : deed->call->effect) {
    case EFFECT_READ:
    case EFFECT_WRITE:
        if (deed->call->more < 0) {
            lose_position(files, deed, deed->call->descriptor);
        }
        break;
    case EFFECT_SEEK:
    case EFFECT_LONG_SEEK:
        lose_position(files, deed, 0);
        break;
    case EFFECT_SEND_FILE:
        lose_position(files, deed, 1);
        break;
    case EFFECT_COPY:
        lose_position(files, deed, 0);
        lose_position(files, deed, deed->call->descriptor);
        break;
    default:
        break;
    }
}

/* --- begin and end -----------------------------------------------------------------------------
 */

bool strace_files_begin(struct import *import, struct strace_files *files, struct error *error) {
    files->descriptors = descriptors_new();
    return (files->descriptors != NULL || error_no_memory(error)) &&
           file_types_init(&files->types, import_config(import), error);
}

void strace_files_end(struct strace_files *files) {
    strace_folders_free(&files->folders);
    descriptors_free(files->descriptors);
    file_types_free(&files->types);
    text_free(&files->path);
    text_free(&files->inside);
}
