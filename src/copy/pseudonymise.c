#include "copy/pseudonymise.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "copy/transfer.h"
#include "base/file.h"
#include "base/words.h"
#include "model/event.h"
#include "model/linux.h"
#include "model/thread.h"
#include "base/memory.h"

/* Pseudonyms, which replace names of logs in a copy. They keep only properties that research needs.
 *
 * The same key gives the same pseudonyms. Without the key, names cannot be found by trying. A
 * pseudonym is the HMAC-SHA-256 of the name, cut to 59 bits and written as 12 letters and digits,
 * the first a letter. For a million names, the probability that any two get the same pseudonym is
 * below 1 in 1,000,000. */

/* Bytes of a key; characters of a pseudonym; limit of characters of an extension. */
enum { KEY_SIZE = 32, CODE_LENGTH = 12, MOST_EXTENSION = 16 };

/* Argument of an SQL function: the pseudonyms, and the kind of text that it replaces. */
struct pseudonym_function {
    const struct pseudonyms *pseudonyms;
    enum pseudonym_role role;
};

struct pseudonyms {
    struct hmac_sha256_ctx keyed; /* HMAC with the key; copied for each text */
    struct pseudonym_function functions[PSEUDONYM_ROLES];
};

/* Letter that is hashed before a text, so that equal texts of different kinds get different
 * pseudonyms. */
static const char tags[PSEUDONYM_ROLES] = {
    [PSEUDONYM_PATH] = 'f',   [PSEUDONYM_PROCESS] = 'p', [PSEUDONYM_TRACE] = 't',
    [PSEUDONYM_DEVICE] = 'd', [PSEUDONYM_USER] = 'u',    [PSEUDONYM_STUDY] = 's',
    [PSEUDONYM_WORDS] = 'w',  [PSEUDONYM_TEST] = 'w',    [PSEUDONYM_HASH] = 'h',
    [PSEUDONYM_UUID] = 'i',
};
static const char number_tag = 'n', code_tag = 'c';

/* Kinds of names (name.kind) that are words of a format and are not replaced. System calls and
 * errors are written in logs, so only existing ones are not replaced. */
static const char spared[] = "trap action lifespan suspend sqlite error syscall android_fs ext4 "
                             "f2fs jbd2 mpi unit measure " STATE_NAME_KIND " " PROCESSOR_NAME_KIND;

/* --- replacing a name by its pseudonym -------------------------------------------------------- */

static void keyed_digest(const struct pseudonyms *pseudonyms, char tag, const char *bytes,
                         size_t length, uint8_t result[SHA256_DIGEST_SIZE]) {
    struct hmac_sha256_ctx context = pseudonyms->keyed;

    hmac_sha256_update(&context, 1, (const uint8_t *)&tag);
    hmac_sha256_update(&context, length, (const uint8_t *)bytes);
    hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, result);
}

/* Appends the pseudonym of a name. Its first character is a letter (4 bits), so that it is no
 * number; each other character has 5 bits. */
static void pseudonyms_append_name(const struct pseudonyms *pseudonyms, char tag, struct word name,
                                   struct text *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    uint8_t result[SHA256_DIGEST_SIZE];
    char code[CODE_LENGTH];
    uint64_t bits;

    if (name.length == 0) {
        return;
    }
    keyed_digest(pseudonyms, tag, name.bytes, name.length, result);
    memcpy(&bits, result, sizeof bits);
    bits = le64toh(bits);
    code[0] = letters[bits & 15];
    bits >>= 4;
    for (size_t i = 1; i < CODE_LENGTH; i++, bits >>= 5) {
        code[i] = letters[bits & 31];
    }
    text_append(out, code, sizeof code);
}

/* Returns a number from 1 to 2^31 - 1 that replaces an identifying number: an application's ID
 * (number_tag), or the code of a function or component (code_tag). */
static int64_t make_number(const struct pseudonyms *pseudonyms, char tag, int64_t number) {
    uint8_t result[SHA256_DIGEST_SIZE];
    char digits[32];
    uint32_t bits;
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number);

    keyed_digest(pseudonyms, tag, digits, (size_t)length, result);
    memcpy(&bits, result, sizeof bits);
    bits = le32toh(bits) >> 1;
    return bits == 0 ? 1 : bits;
}

/* Appends a pseudonym of 32 hexadecimal digits, like a hash; `groups`: like a UUID. */
static void pseudonyms_append_digest(const struct pseudonyms *pseudonyms, char tag,
                                     struct word name, bool groups, struct text *out) {
    uint8_t result[SHA256_DIGEST_SIZE];

    keyed_digest(pseudonyms, tag, name.bytes, name.length, result);
    for (size_t i = 0; i < 16; i++) {
        text_append_string(out, groups && i >= 4 && i <= 10 && i % 2 == 0 ? "-" : "");
        text_append_hex(out, &result[i], 1);
    }
}

/* Returns whether names of this kind are words of a format, such as system calls, so that their
 * numbers are not replaced. False if `kind` is NULL. */
static bool pseudonyms_spare(const char *kind) {
    return kind != NULL && word_in(spared, kind);
}

/* Returns whether a name is an error such as ENOENT, or ERRNO_4000, the importers' name for an
 * unknown error. */
static bool is_error(struct word name) {
    int64_t number;

    return linux_error_number(name) != EVENT_NONE ||
           (word_accept(&name, "ERRNO_") && word_number(name, INT32_MAX, &number));
}

/* Returns whether a name is not replaced. Since logs and databases may contain any text, only
 * existing system calls, errors and states are not replaced. */
static bool pseudonyms_spare_name(const char *kind, struct word name) {
    if (kind != NULL && strcmp(kind, "counter") == 0) {
        return word_is(name, "cpu_frequency"); /* the report cpu reads it */
    }
    if (!pseudonyms_spare(kind)) {
        return false;
    }
    if (strcmp(kind, "syscall") == 0 || strcmp(kind, "mpi") == 0) {
        return linux_call_is_known(name);
    }
    if (strcmp(kind, STATE_NAME_KIND) == 0) {
        return word_among(name, thread_state_words, THREAD_STATES) != NULL;
    }
    if (strcmp(kind, PROCESSOR_NAME_KIND) == 0) {
        return word_is(name, PROCESSOR_IDLE);
    }
    return strcmp(kind, "error") != 0 || is_error(name);
}

/* --- replacing the names in a path ------------------------------------------------------------ */

/* File extensions that are not replaced, because they are very common. */
static const char extensions[] =
    "db db3 sqlite sqlite3 realm ldb mdb journal wal shm jpg jpeg png gif bmp webp heic svg tif "
    "tiff ico mp3 mp4 m4a m4v mov avi mkv wav ogg flac aac amr mid 3gp thumb thumbdata3 thumbdata4 "
    "so dex apk odex vdex oat art jar class elf exe dll bin ko o a py pyc sh js css html htm xml "
    "json yaml yml toml txt md csv tsv pdf doc docx xls xlsx ppt pptx odt rtf dat data cache "
    "localstorage local locals tmp temp bak old log lock pid conf cfg ini prop properties pb "
    "zip gz xz zst bz2 tar rar 7z iso img part c h cpp rs go java ttf otf woff woff2 ics vcf eml "
    "uio ufls um umd po mo crc idx key pem crt";

/* Suffixes of SQLite's other files of a database. */
static const char *const companions[] = {"-journal", "-wal", "-shm"};

/* Words before :[ in names of objects that are not files. */
static const char no_files[] =
    "pipe socket anon_inode TCP TCPv6 UDP UDPv6 UDPLITE UDPLITEv6 RAW RAWv6 NETLINK UNIX "
    "UNIX-STREAM UNIX-DGRAM UNIX-SEQPACKET PACKET SCTP SCTPv6 ICMP";

/* Importers' names for objects that are not files, and the folder that MobiGen's logs name for all
 * files that MobiGen did not know. */
static const char nameless[] = "pipe socket memfd mqueue /data/data";

static bool is_extension(struct word word) {
    char name[MOST_EXTENSION];

    for (size_t i = 0; i < word.length && i < MOST_EXTENSION; i++) {
        char byte = word.bytes[i];

        name[i] = (char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
    }
    return word.length <= MOST_EXTENSION &&
           word_listed((struct word){name, word.length}, extensions);
}

/* Returns the length of the suffixes -journal, -wal and -shm at the end of a name, or that of a
 * super-journal: -mj and 9 hexadecimal digits. */
static size_t companion_length(struct word name) {
    enum { SUPER_JOURNAL = 12 };
    const char *end = name.bytes + name.length;
    size_t before = name.length;

    bool super = before > SUPER_JOURNAL && memcmp(end - SUPER_JOURNAL, "-mj", 3) == 0;

    for (int i = 1; super && i <= 9; i++) {
        super = memchr("0123456789ABCDEF", end[-i], 16) != NULL;
    }
    if (super) {
        return SUPER_JOURNAL;
    }
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < sizeof companions / sizeof companions[0] && !found; i++) {
            size_t length = strlen(companions[i]);

            found =
                before > length && memcmp(name.bytes + before - length, companions[i], length) == 0;
            before -= found ? length : 0;
        }
    }
    return name.length - before;
}

/* Appends the pseudonym of a component of a path. */
static void pseudonyms_append_part(const struct pseudonyms *pseudonyms, struct word part,
                                   struct text *out) {
    const char tag = tags[PSEUDONYM_PATH];
    size_t companion;
    const char *dot;

    if (word_is(part, ".") || word_is(part, "..")) {
        text_append(out, part.bytes, part.length);
        return;
    }
    if (part.length > 1 && *part.bytes == '.') {
        text_append_char(out, '.');
        word_skip(&part, 1);
    }
    companion = companion_length(part);
    part.length -= companion;
    dot = memrchr(part.bytes, '.', part.length);
    if (dot != NULL && dot > part.bytes) {
        struct word stem = {part.bytes, (size_t)(dot - part.bytes)};
        struct word extension = {dot + 1, part.length - stem.length - 1};

        pseudonyms_append_name(pseudonyms, tag, stem, out);
        text_append_char(out, '.');
        if (is_extension(extension)) {
            text_append(out, extension.bytes, extension.length);
        } else {
            pseudonyms_append_name(pseudonyms, tag, extension, out);
        }
    } else {
        pseudonyms_append_name(pseudonyms, tag, part, out);
    }
    text_append(out, part.bytes + part.length, companion);
}

/* Appends TYPE:[id] for an object that is not a file. Returns false for any other text. */
static bool append_no_file(const struct pseudonyms *pseudonyms, struct word name,
                           struct text *out) {
    const char *bracket =
        name.length == 0 || *name.bytes == '/' ? NULL : memmem(name.bytes, name.length, ":[", 2);
    struct word type = {name.bytes, bracket == NULL ? 0 : (size_t)(bracket - name.bytes)};
    bool closed;

    if (bracket == NULL) {
        return false;
    }
    if (word_listed(type, no_files)) {
        text_append(out, type.bytes, type.length);
    } else {
        pseudonyms_append_name(pseudonyms, tags[PSEUDONYM_PATH], type, out);
    }
    text_append_string(out, ":[");
    word_skip(&name, type.length + 2);
    closed = word_ends(name, "]");
    name.length -= closed;
    pseudonyms_append_name(pseudonyms, tags[PSEUDONYM_PATH], name, out);
    text_append_string(out, closed ? "]" : "");
    return true;
}

static void append_parts(const struct pseudonyms *pseudonyms, struct word path, struct text *out) {
    /* Not replaced: by these prefixes, reports recognise that an object is not a file on a disk. */
    static const char *const known[] = {"/memfd:",     "/proc/", "/sys/",
                                        "/run/media/", "/run/",  "/SYSV"};
    bool of_devices = word_begins(path, "/dev/") || word_begins(path, "dev/");

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (word_begins(path, known[i])) {
            text_append_string(out, known[i]);
            word_skip(&path, strlen(known[i]));
        }
    }
    while (path.length > 0) {
        const char *slash = memchr(path.bytes, '/', path.length);
        struct word part = {path.bytes, slash == NULL ? path.length : (size_t)(slash - path.bytes)};

        bool is_dev = of_devices && word_is(part, "dev");
        bool is_binder = of_devices && word_ends(part, "binder");

        word_skip(&path, part.length);
        part.length -= is_binder ? strlen("binder") : 0; /* reports need the suffix "binder" */
        if (is_dev) {
            text_append_string(out, "dev");
        } else {
            pseudonyms_append_part(pseudonyms, part, out);
        }
        text_append_string(out, is_binder ? "binder" : "");
        if (slash != NULL) {
            text_append_char(out, '/');
            word_skip(&path, 1);
        }
    }
}

static void pseudonyms_append_path(const struct pseudonyms *pseudonyms, struct word path,
                                   struct text *out) {
    static const char deleted[] = " (deleted)";
    bool is_deleted = word_ends(path, deleted);

    path.length -= is_deleted ? strlen(deleted) : 0;
    if (word_listed(path, nameless)) {
        text_append(out, path.bytes, path.length);
    } else if (!append_no_file(pseudonyms, path, out)) {
        append_parts(pseudonyms, path, out);
    }
    text_append_string(out, is_deleted ? deleted : "");
}

/* --- replacing names of functions ------------------------------------------------------------- */

/* Returns whether a byte is a letter, a digit, _ or part of a non-ASCII character. */
static bool pseudonyms_is_name_byte(char byte) {
    return word_is_digit(byte) || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
           byte == '_' || (unsigned char)byte >= 0x80;
}

static bool pseudonyms_is_number(struct word word) {
    for (size_t i = 0; i < word.length; i++) {
        if (!word_is_digit(word.bytes[i])) {
            return false;
        }
    }
    return true;
}

/* Removes from `rest`, which is not empty, the bytes of its first name, or one other byte, and
 * returns them. */
static struct word pseudonyms_cut_name(struct word *rest) {
    struct word name = {rest->bytes, 0};

    while (name.length < rest->length && pseudonyms_is_name_byte(name.bytes[name.length])) {
        name.length++;
    }
    name.length += name.length == 0;
    word_skip(rest, name.length);
    return name;
}

static void pseudonyms_append_words(const struct pseudonyms *pseudonyms, struct word rest,
                                    struct text *out) {
    while (rest.length > 0) {
        struct word word = pseudonyms_cut_name(&rest);

        if ((word.length == 1 && (unsigned char)*word.bytes < 0x80) ||
            (word.length <= 3 && pseudonyms_is_number(word))) {
            text_append(out, word.bytes, word.length);
        } else {
            pseudonyms_append_name(pseudonyms, tags[PSEUDONYM_WORDS], word, out);
        }
    }
}

/* Returns whether a word is a number, also with the sign of its unit, as in [1K, 2K). */
static bool is_number_of_unit(struct word word) {
    if (word.length > 1 && strchr("KMGTPE", word.bytes[word.length - 1]) != NULL) {
        word.length--;
    }
    return pseudonyms_is_number(word);
}

/* Appends what a measured value is of: for counts, a call, a range or a key, such as `bash, 12`.
 * Numbers and system calls that exist are not replaced. */
static void pseudonyms_append_test(const struct pseudonyms *pseudonyms, struct word rest,
                                   struct text *out) {
    while (rest.length > 0) {
        struct word word = pseudonyms_cut_name(&rest);

        if (is_number_of_unit(word) || linux_call_is_known(word)) {
            text_append(out, word.bytes, word.length);
        } else {
            pseudonyms_append_words(pseudonyms, word, out);
        }
    }
}

/* Appends the pseudonym of a process or thread. `CPU 3`, a processor with counters, stays. */
static void pseudonyms_append_process(const struct pseudonyms *pseudonyms, struct word name,
                                      struct text *out) {
    struct word number = name;

    if (word_accept(&number, "CPU ") && number.length > 0 && pseudonyms_is_number(number)) {
        text_append(out, name.bytes, name.length);
    } else {
        pseudonyms_append_name(pseudonyms, tags[PSEUDONYM_PROCESS], name, out);
    }
}

/* --- reading and making the secret key -------------------------------------------------------- */

static bool pseudonyms_make_key(uint8_t key[KEY_SIZE], struct error *error) {
    return getrandom(key, KEY_SIZE, 0) == KEY_SIZE ||
           error_set(error, "cannot make a key: %s", strerror(errno));
}

static bool refuse_key(const char *path, const char *what, struct error *error) {
    return error_set(error, "%s: cannot %s the key: %s", path, what, file_strerror(errno));
}

static bool pseudonyms_read_key(const char *path, uint8_t key[KEY_SIZE], struct error *error) {
    FILE *file = file_open_stream(path);
    char line[2 * KEY_SIZE + 3];
    size_t length, count = 0;

    if (file == NULL) {
        return refuse_key(path, "read", error);
    }
    length = fread(line, 1, sizeof line, file);
    fclose(file);
    if (length == 2 * KEY_SIZE + 1 && line[length - 1] == '\n') {
        length--;
    }
    return (length == 2 * KEY_SIZE &&
            word_hex_bytes((struct word){line, length}, KEY_SIZE, key, &count)) ||
           error_set(error,
                     "%s: not a key of tracetool (64 hexadecimal digits); give the name of a new "
                     "file to make one",
                     path);
}

/* Writes a key as hexadecimal digits, and closes `descriptor`. */
static bool write_key(int descriptor, const uint8_t key[KEY_SIZE], struct error *error) {
    struct text line = {0};
    bool done;

    text_append_hex(&line, key, KEY_SIZE);
    text_append_char(&line, '\n');
    done = (write(descriptor, line.bytes, line.length) == (ssize_t)line.length &&
            fsync(descriptor) == 0) ||
           error_set(error, "%s", strerror(errno));
    explicit_bzero(line.bytes, line.length);
    text_free(&line);
    close(descriptor);
    return done;
}

/* Reads the key from a file; if it does not exist, creates it with a new key. Two programs that do
 * so at the same time get the same key. */
static bool load_key(const char *path, uint8_t key[KEY_SIZE], struct error *error) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (descriptor < 0) {
        return errno == EEXIST ? pseudonyms_read_key(path, key, error)
                               : refuse_key(path, "make", error);
    }
    if (pseudonyms_make_key(key, error) ? !write_key(descriptor, key, error)
                                        : (close(descriptor), true)) {
        unlink(path);
        return error_context(error, "%s: cannot create the key of the pseudonyms", path);
    }
    return true;
}

/* --- replacing a text of any kind ------------------------------------------------------------- */

void pseudonyms_append(const struct pseudonyms *pseudonyms, enum pseudonym_role role,
                       const char *bytes, size_t length, struct text *out) {
    const struct word text = {bytes, length};

    if (length == 0) {
        return;
    }
    switch (role) {
    case PSEUDONYM_PATH:
        pseudonyms_append_path(pseudonyms, text, out);
        break;
    case PSEUDONYM_WORDS:
        pseudonyms_append_words(pseudonyms, text, out);
        break;
    case PSEUDONYM_PROCESS:
        pseudonyms_append_process(pseudonyms, text, out);
        break;
    case PSEUDONYM_TEST:
        pseudonyms_append_test(pseudonyms, text, out);
        break;
    case PSEUDONYM_HASH:
        pseudonyms_append_digest(pseudonyms, tags[role], text, false, out);
        break;
    case PSEUDONYM_UUID:
        pseudonyms_append_digest(pseudonyms, tags[role], text, true, out);
        break;
    default:
        pseudonyms_append_name(pseudonyms, tags[role], text, out);
        break;
    }
}

struct pseudonyms *pseudonyms_open(const char *path, struct error *error) {
    struct pseudonyms *pseudonyms = xcalloc(1, sizeof *pseudonyms);
    uint8_t key[KEY_SIZE];

    if (!(path == NULL ? pseudonyms_make_key(key, error) : load_key(path, key, error))) {
        free(pseudonyms);
        return NULL;
    }
    hmac_sha256_set_key(&pseudonyms->keyed, KEY_SIZE, key);
    explicit_bzero(key, sizeof key);
    return pseudonyms;
}

void pseudonyms_close(struct pseudonyms *pseudonyms) {
    if (pseudonyms != NULL) {
        explicit_bzero(pseudonyms, sizeof *pseudonyms);
        free(pseudonyms);
    }
}

/* --- SQL functions that return pseudonyms ----------------------------------------------------- */

static const char *const function_names[PSEUDONYM_ROLES] = {
    [PSEUDONYM_PATH] = "pseudonym_path",   [PSEUDONYM_PROCESS] = "pseudonym_process",
    [PSEUDONYM_TRACE] = "pseudonym_trace", [PSEUDONYM_DEVICE] = "pseudonym_device",
    [PSEUDONYM_USER] = "pseudonym_user",   [PSEUDONYM_STUDY] = "pseudonym_study",
    [PSEUDONYM_WORDS] = "pseudonym_words", [PSEUDONYM_TEST] = "pseudonym_test",
    [PSEUDONYM_HASH] = "pseudonym_hash",   [PSEUDONYM_UUID] = "pseudonym_uuid",
};

static void sql_pseudonym(sqlite3_context *context, enum pseudonym_role role,
                          const struct pseudonyms *pseudonyms, sqlite3_value *value) {
    const int type = sqlite3_value_type(value);
    struct text text = {0};
    const char *bytes =
        type == SQLITE_BLOB ? sqlite3_value_blob(value) : (const char *)sqlite3_value_text(value);

    if (type == SQLITE_NULL) {
        return;
    }
    pseudonyms_append(pseudonyms, role, bytes, (size_t)sqlite3_value_bytes(value), &text);
    if (type == SQLITE_BLOB) {
        sqlite3_result_blob64(context, text_string(&text), text.length, SQLITE_TRANSIENT);
    } else {
        sqlite3_result_text64(context, text_string(&text), text.length, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    }
    text_free(&text);
}

static void sql_pseudonym_of_value(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    sql_pseudonym(context, function->role, function->pseudonyms, values[0]);
}

/* SQL function pseudonym_operation(kind, text): pseudonym of the text, unless
 * pseudonyms_spare_name(). */
static void pseudonym_of_operation(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    const char *kind = (const char *)sqlite3_value_text(values[0]);
    struct word name = {(const char *)sqlite3_value_text(values[1]), 0};

    name.length = (size_t)sqlite3_value_bytes(values[1]);
    if (name.bytes != NULL && pseudonyms_spare_name(kind, name)) {
        sqlite3_result_value(context, values[1]);
    } else {
        sql_pseudonym(context, function->role, function->pseudonyms, values[1]);
    }
}

static void pseudonym_of_number(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int64(
            context, make_number(function->pseudonyms, number_tag, sqlite3_value_int64(values[0])));
    }
}

/* SQL function pseudonym_code(kind, code): replacement of the code, unless pseudonyms_spare(). */
static void pseudonym_of_code(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    if (pseudonyms_spare((const char *)sqlite3_value_text(values[0]))) {
        sqlite3_result_value(context, values[1]);
    } else if (sqlite3_value_type(values[1]) != SQLITE_NULL) {
        sqlite3_result_int64(
            context, make_number(function->pseudonyms, code_tag, sqlite3_value_int64(values[1])));
    }
}

/* Remarks without names that reports, contracts and comparisons read, so that these give the same
 * answer for a copy. Numbers, blanks and signs of numbers do not matter. */
static const char *const kept_remarks[] = {
    "completions on devices",
    "I/Os on devices",
    "device lies over : of completions on are of requests of a device above, and count there; "
    "--device includes them",
    "device lies over and both complete: the same I/O counts on each; --device chooses one",
    "assumed: time in ns; a format in tracetool.yaml declares others (tracetool help formats)",
    "assumed: time in s, size in bytes, addresses in sectors of 512 bytes; a format in "
    "tracetool.yaml declares others (tracetool help formats)",
    "assumed: time in s, size in bytes, addresses in sectors of 512 bytes, SCSI codes in decimal; "
    "a format in tracetool.yaml declares others (tracetool help formats)",
    "request has no response time",
    "requests have no response time",
    "files of the folder are one trace; for a trace of each, name the files instead of the folder",
    "the log lasts days, which is long for strace: the numbers before its calls may not be times",
    "no durations; record with: strace -f -ttt -T -y -o LOG PROGRAM",
    "no durations, except of calls that another thread interrupted; record with: strace -f -ttt -T "
    "-y -o LOG PROGRAM",
    "no durations: the log has no ends of calls; record with: trace-cmd record -e syscalls PROGRAM "
    "(sys_enter and sys_exit)",
    "calls were left out, exit_group at least: strace -e, or another filter",
    "call has a result that strace injected: the kernel did not carry it out",
    "calls have results that strace injected: the kernel did not carry them out",
    "call of io_uring or libaio: what it reads and writes is not in the log",
    "calls of io_uring or libaio: what they read and write is not in the log",
    "calls of new process or thread are not in the log: strace -f follows them; positions in files "
    "that they share may be wrong",
    "calls of new processes or threads are not in the log: strace -f follows them; positions in "
    "files that they share may be wrong",
    "event was lost while tracing",
    "events were lost while tracing",
    "event was overwritten in the kernel's buffer before the log was read",
    "events were overwritten in the kernel's buffer before the log was read",
    "the log overflowed: its end is lost (data-file-overflow=true)",
    "the log is a ring buffer that wrapped: its beginning is lost",
    "the device was reset: time between a session's last call and the reset is not known and "
    "counts as",
    "opens of paths that MobiGen did not know, such as /data/data, each of which may be many files",
};

/* Returns whether two texts are equal except for numbers. */
static bool equal_without_numbers(const char *a, const char *b) {
    static const char ignored[] = "0123456789:(),. …";

    for (;; a++, b++) {
        a += strspn(a, ignored);
        b += strspn(b, ignored);
        if (*a != *b || *a == '\0') {
            return *a == *b;
        }
    }
}

/* SQL function remark_has_names(text): 0 if the text is in `kept_remarks`, else 1. */
static void remark_has_names(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *text = (const char *)sqlite3_value_text(values[0]);
    const bool whole = text != NULL && strlen(text) == (size_t)sqlite3_value_bytes(values[0]);
    bool found = false;

    for (size_t i = 0; whole && !found && i < sizeof kept_remarks / sizeof kept_remarks[0]; i++) {
        found = equal_without_numbers(text, kept_remarks[i]);
    }
    sqlite3_result_int(context, !found);
}

bool pseudonyms_register(struct pseudonyms *pseudonyms, sqlite3 *handle) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    struct pseudonym_function *words = &pseudonyms->functions[PSEUDONYM_WORDS];
    bool done = true;

    for (unsigned i = 0; done && i < PSEUDONYM_ROLES; i++) {
        pseudonyms->functions[i] = (struct pseudonym_function){pseudonyms, (enum pseudonym_role)i};
        done =
            sqlite3_create_function(handle, function_names[i], 1, flags, &pseudonyms->functions[i],
                                    sql_pseudonym_of_value, NULL, NULL) == SQLITE_OK;
    }
    return done &&
           sqlite3_create_function(handle, "pseudonym_operation", 2, flags, words,
                                   pseudonym_of_operation, NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(handle, "pseudonym_code", 2, flags, words, pseudonym_of_code,
                                   NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(handle, "pseudonym_number", 1, flags, words, pseudonym_of_number,
                                   NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(handle, "remark_has_names", 1, flags, NULL, remark_has_names,
                                   NULL, NULL) == SQLITE_OK;
}

/* Values of SQL parameter ?10 of a trace: what its actors are. */
enum { ARE_PROCESSES, ARE_MODES, ARE_TESTS };
_Static_assert(TRANSFER_OWN == 10, "the parameter is written out below");

/* SQL: the replacement of the name of an actor. Modes of a benchmark are not replaced. */
#define ACTOR(name)                                                                                \
    "CASE ?10 WHEN 0 THEN pseudonym_process(" name ") WHEN 1 THEN " name                           \
    " ELSE pseudonym_test(" name ") END"

/* All text and blob columns of the database, and the SQL that replaces them. Columns that are not
 * replaced have words of the program, of formats or of the user's configuration: kinds, reasons,
 * types of files, partitions. */
static const struct {
    const char *table, *column;
    const char *sql; /* "": the column is copied unchanged */
} texts[] = {
    {"trace", "name", "pseudonym_trace(t.name)"},
    {"trace", "kind", ""},
    {"trace", "format", ""},
    {"trace", "variant", ""},
    {"trace", "device", "pseudonym_device(t.device)"},
    {"trace", "user", "pseudonym_user(t.user)"},
    {"trace", "clock_unit", ""},
    {"trace", "rollups", ""},
    {"trace", "resume", "NULL"}, /* appending to the copy would add real names */
    {"trace", "clocks", ""},
    {"trace", "study", "pseudonym_study(t.study)"},
    {"trace", "log", "pseudonym_trace(t.log)"},
    {"source", "name", "pseudonym_path(t.name)"},
    {"source", "hash", "pseudonym_hash(t.hash)"}, /* a log can be recognised by its hash */
    {"source", "packing", ""},
    {"event", "arguments", "NULL"},
    {"event_column", "field", ""},
    {"event_column", "data", ""}, /* only numbers */
    {"name", "kind", ""},
    {"name", "text", "pseudonym_operation(t.kind, t.text)"},
    {"actor", "name", ACTOR("t.name")},
    {"object", "name", "pseudonym_path(t.name)"},
    {"object", "type", ""},
    {"map", "image", "pseudonym_path(t.image)"},
    {"map", "uuid", "pseudonym_uuid(t.uuid)"},
    {"map", "before", "pseudonym_path(t.before)"},
    {"allocation", "what", ""},
    {"meaning", "column", ""},
    {"meaning", "kind", ""},
    {"meaning", "what", ""},
    {"meaning", "unit", ""},
    {"partition", "name", ""},
    {"ledger", "outcome", ""},
    {"ledger", "reason", ""},
    {"probe", "resolution", ""},
    {"probe", "origin", ""},
    {"rollup_block", "partition", ""},
    {"rollup_block", "file_type", ""},
    {"rollup_process", "process", ACTOR("t.process")},
};

/* SQL for an application's number, which identifies the application even without its name. */
static const char code_of_actor[] = "pseudonym_number(t.code)";

/* SQL for a function's number, since symbol files give its name. */
static const char code_of_name[] = "pseudonym_code(t.kind, t.code)";

/* Returns the SQL for a text column of row `t`; "" if it is unchanged; NULL if it is not listed. */
static const char *pseudonymise_column(const char *table, const char *column) {
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(texts[i].table, table) == 0 && strcmp(texts[i].column, column) == 0) {
            return texts[i].sql;
        }
    }
    return NULL;
}

static void pseudonymise_append_column(const char *table, const char *column, const char *type,
                                       struct text *sql) {
    if (strcmp(type, "INTEGER") != 0) {
        const char *becomes = pseudonymise_column(table, column);

        if (becomes != NULL) {
            text_append_string(sql, becomes);
        } else {
            /* No such SQL function exists, so copying fails for a column that is not in the list
             * above. */
            text_append_format(sql, "undecided_%s_%s()", table, column);
        }
    } else if (strcmp(table, "actor") == 0 && strcmp(column, "code") == 0) {
        text_append_string(sql, code_of_actor);
    } else if (strcmp(table, "name") == 0 && strcmp(column, "code") == 0) {
        text_append_string(sql, code_of_name);
    }
}

/* Copies the remarks in `kept_remarks`. All others may have names of the log; they are replaced by
 * a remark with their number. */
static bool copy_remarks(struct database *to, int64_t trace, struct error *error) {
    return database_run_bound(to, error,
                              "INSERT INTO main.remark (trace, number, text)"
                              " SELECT trace, number, text FROM source.remark"
                              " WHERE trace = ?1 AND NOT remark_has_names(text)",
                              "i", trace) &&
           database_run_bound(
               to, error,
               "INSERT INTO main.remark (trace, number, text)"
               " SELECT ?1, min(number), printf('%d remark%s of the import left out: "
               "%s may hold names', count(*),"
               " iif(count(*) = 1, '', 's'), iif(count(*) = 1, 'it', 'they'))"
               " FROM source.remark WHERE trace = ?1 AND remark_has_names(text)"
               " HAVING count(*) > 0",
               "i", trace);
}

/* Returns what the actors of a trace are: processes, modes of a benchmark, or what a table has
 * values of, such as the names of counts, or the column `device` of a table of results. */
static int pseudonymise_actors_of(const struct catalog_trace *trace) {
    return trace->kind != TRACE_RESULTS                 ? ARE_PROCESSES
           : word_in("mobibench iozone", trace->format) ? ARE_MODES
                                                        : ARE_TESTS;
}

static bool pseudonymise_copy_traces(struct database *to, const struct catalog_trace *const *traces,
                                     size_t count, struct error *error) {
    const struct transfer_rules rules = {.column = pseudonymise_append_column,
                                         .left_out = "remark argument_pack"};
    struct transfer transfer;
    bool done = transfer_open(&transfer, to, &rules, error);

    for (size_t i = 0; done && i < count; i++) {
        struct transfer_trace trace = {
            .id = traces[i]->id,
            .first_event = traces[i]->first_event,
            .last_event = traces[i]->last_event,
            .own = pseudonymise_actors_of(traces[i]),
        };

        done =
            (transfer_trace(&transfer, &trace, error) && copy_remarks(to, traces[i]->id, error)) ||
            error_context(error, "trace %s", traces[i]->name);
    }
    transfer_close(&transfer);
    return done;
}

bool pseudonymise_open(struct pseudonymise *copy, const struct database *from, const char *place,
                       struct error *error) {
    *copy = (struct pseudonymise){0};
    if (!new_database_open(&copy->made, place, error)) {
        return false;
    }
    if (!transfer_attach(&copy->made.database, from->path, &copy->catalog, error)) {
        new_database_close(&copy->made);
        return false;
    }
    return true;
}

bool pseudonymise_traces(struct pseudonymise *copy, struct pseudonyms *pseudonyms,
                         const struct catalog_trace *const *traces, size_t count,
                         struct error *error) {
    struct database *to = &copy->made.database;

    return (pseudonyms_register(pseudonyms, to->handle) || database_set_error(to, error)) &&
           pseudonymise_copy_traces(to, traces, count, error) && transfer_detach(to, error) &&
           new_database_commit(&copy->made, error);
}

void pseudonymise_close(struct pseudonymise *copy) {
    catalog_free(&copy->catalog);
    new_database_close(&copy->made);
}
