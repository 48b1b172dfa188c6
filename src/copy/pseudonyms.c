#include "copy/pseudonyms.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/file.h"
#include "base/words.h"
#include "input/word.h"

enum {
    KEY_SIZE = 32,
    CODE_LENGTH = 12, /* characters of a pseudonym */
    MOST_EXTENSION = 16,
    MOST_FLAG = 47,
};

/* What an SQL function is given. */
struct pseudonym_function {
    const struct pseudonyms *pseudonyms;
    enum pseudonym_role role;
};

struct pseudonyms {
    struct hmac_sha256_ctx keyed; /* copied for each text */
    struct pseudonym_function functions[PSEUDONYM_ROLES];
};

/* What tells texts of one kind from the same of another, before each text. Strings in arguments and
 * names in remarks are paths. */
static const char tags[PSEUDONYM_ROLES] = {
    [PSEUDONYM_PATH] = 'f',   [PSEUDONYM_PROCESS] = 'p', [PSEUDONYM_TRACE] = 't',
    [PSEUDONYM_DEVICE] = 'd', [PSEUDONYM_USER] = 'u',    [PSEUDONYM_STUDY] = 's',
    [PSEUDONYM_WORDS] = 'w',  [PSEUDONYM_HASH] = 'h',    [PSEUDONYM_UUID] = 'i',
};
static const char number_tag = 'n', code_tag = 'c';

/* Extensions that stay, in any case: each is had by files of very many people. */
static const char extensions[] =
    "db db3 sqlite sqlite3 realm ldb mdb journal wal shm jpg jpeg png gif bmp webp heic svg tif "
    "tiff ico mp3 mp4 m4a m4v mov avi mkv wav ogg flac aac amr mid 3gp thumb thumbdata3 thumbdata4 "
    "so dex apk odex vdex oat art jar class elf exe dll bin ko o a py pyc sh js css html htm xml "
    "json yaml yml toml txt md csv tsv pdf doc docx xls xlsx ppt pptx odt rtf dat data cache "
    "localstorage local locals tmp temp bak old log lock pid conf cfg ini prop properties pb "
    "zip gz xz zst bz2 tar rar 7z iso img part c h cpp rs go java ttf otf woff woff2 ics vcf eml "
    "uio ufls um umd po mo crc idx key pem crt";

/* Behind the name of a database of SQLite. */
static const char *const companions[] = {"-journal", "-wal", "-shm"};

/* Words before :[ of what is no file. */
static const char no_files[] =
    "pipe socket anon_inode TCP TCPv6 UDP UDPv6 UDPLITE UDPLITEv6 RAW RAWv6 NETLINK UNIX "
    "UNIX-STREAM UNIX-DGRAM UNIX-SEQPACKET PACKET SCTP SCTPv6 ICMP";

/* Names of what is no file, as importers write them. */
static const char nameless[] = "pipe socket memfd mqueue";

/* Kinds of names that are words of a format. */
static const char spared[] =
    "trap action lifespan suspend sqlite error syscall android_fs ext4 f2fs jbd2 unit measure";

/* --- one name -----------------------------------------------------------------------------------
 */

static void digest(const struct pseudonyms *pseudonyms, char tag, const char *bytes, size_t length,
                   uint8_t result[SHA256_DIGEST_SIZE]) {
    struct hmac_sha256_ctx context = pseudonyms->keyed;

    hmac_sha256_update(&context, 1, (const uint8_t *)&tag);
    hmac_sha256_update(&context, length, (const uint8_t *)bytes);
    hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, result);
}

/* The first is a letter, so that nobody takes it for a number: 4 bits, and 5 of each other one. */
static void append_code(const struct pseudonyms *pseudonyms, char tag, struct word name,
                        struct text *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    uint8_t result[SHA256_DIGEST_SIZE];
    char code[CODE_LENGTH];
    uint64_t bits;

    if (name.length == 0) {
        return;
    }
    digest(pseudonyms, tag, name.bytes, name.length, result);
    memcpy(&bits, result, sizeof bits);
    bits = le64toh(bits);
    code[0] = letters[bits & 15];
    bits >>= 4;
    for (size_t i = 1; i < CODE_LENGTH; i++, bits >>= 5) {
        code[i] = letters[bits & 31];
    }
    text_append(out, code, sizeof code);
}

static int64_t make_number(const struct pseudonyms *pseudonyms, char tag, int64_t number) {
    uint8_t result[SHA256_DIGEST_SIZE];
    char digits[32];
    uint32_t bits;
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number);

    digest(pseudonyms, tag, digits, (size_t)length, result);
    memcpy(&bits, result, sizeof bits);
    bits = le32toh(bits) >> 1;
    return bits == 0 ? 1 : bits;
}

int64_t pseudonyms_number(const struct pseudonyms *pseudonyms, int64_t number) {
    return make_number(pseudonyms, number_tag, number);
}

int64_t pseudonyms_code(const struct pseudonyms *pseudonyms, int64_t code) {
    return make_number(pseudonyms, code_tag, code);
}

static void append_hash(const struct pseudonyms *pseudonyms, struct word name, struct text *out) {
    uint8_t result[SHA256_DIGEST_SIZE];

    digest(pseudonyms, tags[PSEUDONYM_HASH], name.bytes, name.length, result);
    text_append_hex(out, result, 16);
}

static void append_uuid(const struct pseudonyms *pseudonyms, struct word name, struct text *out) {
    static const size_t groups[] = {4, 2, 2, 2, 6};
    uint8_t result[SHA256_DIGEST_SIZE];
    size_t at = 0;

    digest(pseudonyms, tags[PSEUDONYM_UUID], name.bytes, name.length, result);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; at += groups[i++]) {
        text_append_string(out, i == 0 ? "" : "-");
        text_append_hex(out, result + at, groups[i]);
    }
}

bool pseudonyms_spare(const char *kind) {
    return kind != NULL && word_in(spared, kind);
}

/* --- paths --------------------------------------------------------------------------------------
 */

static bool is_listed(const char *list, struct word word) {
    char name[MOST_EXTENSION + 1];

    if (word.length == 0 || word.length > MOST_EXTENSION ||
        memchr(word.bytes, '\0', word.length) != NULL ||
        memchr(word.bytes, ' ', word.length) != NULL) {
        return false;
    }
    memcpy(name, word.bytes, word.length);
    name[word.length] = '\0';
    return word_in(list, name);
}

static bool is_extension(struct word word) {
    char name[MOST_EXTENSION];

    for (size_t i = 0; i < word.length && i < MOST_EXTENSION; i++) {
        char byte = word.bytes[i];

        name[i] = (char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
    }
    return word.length <= MOST_EXTENSION && is_listed(extensions, (struct word){name, word.length});
}

/* How many bytes at the end are -journal, -wal and -shm, behind something. */
static size_t companion_length(struct word name) {
    size_t before = name.length;

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

/* One part of a path. */
static void append_part(const struct pseudonyms *pseudonyms, struct word part, struct text *out) {
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

        append_code(pseudonyms, tag, stem, out);
        text_append_char(out, '.');
        if (is_extension(extension)) {
            text_append(out, extension.bytes, extension.length);
        } else {
            append_code(pseudonyms, tag, extension, out);
        }
    } else {
        append_code(pseudonyms, tag, part, out);
    }
    text_append(out, part.bytes + part.length, companion);
}

/* A device's name: reports tell Binder's from others by its end. */
static void append_device_part(const struct pseudonyms *pseudonyms, struct word part,
                               struct text *out) {
    static const char binder[] = "binder";
    bool is_binder = word_ends(part, binder);

    part.length -= is_binder ? strlen(binder) : 0;
    append_part(pseudonyms, part, out);
    text_append_string(out, is_binder ? binder : "");
}

/* TYPE:[what]. False: it is nothing such. */
static bool append_no_file(const struct pseudonyms *pseudonyms, struct word name,
                           struct text *out) {
    const char *bracket =
        name.length == 0 || *name.bytes == '/' ? NULL : memmem(name.bytes, name.length, ":[", 2);
    struct word type = {name.bytes, bracket == NULL ? 0 : (size_t)(bracket - name.bytes)};
    bool closed;

    if (bracket == NULL) {
        return false;
    }
    if (is_listed(no_files, type)) {
        text_append(out, type.bytes, type.length);
    } else {
        append_code(pseudonyms, tags[PSEUDONYM_PATH], type, out);
    }
    text_append_string(out, ":[");
    word_skip(&name, type.length + 2);
    closed = word_ends(name, "]");
    name.length -= closed;
    append_code(pseudonyms, tags[PSEUDONYM_PATH], name, out);
    text_append_string(out, closed ? "]" : "");
    return true;
}

static void append_parts(const struct pseudonyms *pseudonyms, struct word path, struct text *out) {
    static const char memory[] = "/memfd:";
    bool of_devices = word_begins(path, "/dev/") || word_begins(path, "dev/");

    if (word_begins(path, memory)) {
        text_append_string(out, memory);
        word_skip(&path, strlen(memory));
    }
    while (path.length > 0) {
        const char *slash = memchr(path.bytes, '/', path.length);
        struct word part = {path.bytes, slash == NULL ? path.length : (size_t)(slash - path.bytes)};

        if (of_devices && part.length == 3 && memcmp(part.bytes, "dev", 3) == 0) {
            text_append_string(out, "dev");
        } else if (of_devices) {
            append_device_part(pseudonyms, part, out);
        } else {
            append_part(pseudonyms, part, out);
        }
        word_skip(&path, part.length);
        if (slash != NULL) {
            text_append_char(out, '/');
            word_skip(&path, 1);
        }
    }
}

static void append_path(const struct pseudonyms *pseudonyms, struct word path, struct text *out) {
    static const char deleted[] = " (deleted)";
    bool is_deleted = word_ends(path, deleted);

    path.length -= is_deleted ? strlen(deleted) : 0;
    if (is_listed(nameless, path)) {
        text_append(out, path.bytes, path.length);
    } else if (!append_no_file(pseudonyms, path, out)) {
        append_parts(pseudonyms, path, out);
    }
    text_append_string(out, is_deleted ? deleted : "");
}

/* --- words of code ------------------------------------------------------------------------------
 */

static bool is_word_byte(char byte) {
    return word_is_digit(byte) || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
           byte == '_' || (unsigned char)byte >= 0x80;
}

static bool is_number(struct word word) {
    for (size_t i = 0; i < word.length; i++) {
        if (!word_is_digit(word.bytes[i])) {
            return false;
        }
    }
    return true;
}

static void append_words(const struct pseudonyms *pseudonyms, struct word rest, struct text *out) {
    while (rest.length > 0) {
        struct word word = {rest.bytes, 0};

        while (word.length < rest.length && is_word_byte(word.bytes[word.length])) {
            word.length++;
        }
        if (word.length == 0) {
            word.length = 1;
            text_append_char(out, *word.bytes);
        } else if ((word.length == 1 && (unsigned char)*word.bytes < 0x80) ||
                   (word.length <= 3 && is_number(word))) {
            text_append(out, word.bytes, word.length);
        } else {
            append_code(pseudonyms, tags[PSEUDONYM_WORDS], word, out);
        }
        word_skip(&rest, word.length);
    }
}

/* --- arguments ----------------------------------------------------------------------------------
 */

/* Cuts off a string behind its first quotation mark, up to the last one, or to the end. */
static void append_string(const struct pseudonyms *pseudonyms, struct word *rest,
                          struct text *out) {
    struct word string = {rest->bytes + 1, 0};

    word_skip(rest, 1);
    while (string.length < rest->length && string.bytes[string.length] != '"') {
        string.length += string.bytes[string.length] == '\\' ? 2 : 1;
    }
    if (string.length > rest->length) {
        string.length = rest->length;
    }
    text_append_char(out, '"');
    append_path(pseudonyms, string, out);
    word_skip(rest, string.length);
    if (rest->length > 0) {
        text_append_char(out, '"');
        word_skip(rest, 1);
    }
}

/* What may follow the > of a descriptor. */
static bool is_behind_target(struct word rest) {
    return rest.length == 0 || strchr(",)]}=", *rest.bytes) != NULL || word_begins(rest, " =") ||
           word_begins(rest, " /*") || word_begins(rest, "(deleted)");
}

/* Cuts off what a descriptor stands for, in <>; a name may hold a > itself. */
static void append_target(const struct pseudonyms *pseudonyms, struct word *rest,
                          struct text *out) {
    struct word name = {rest->bytes + 1, 0};

    word_skip(rest, 1);
    text_append_char(out, '<');
    if (rest->length > 0 && *rest->bytes == '<') { /* 1<<12 */
        word_skip(rest, 1);
        text_append_char(out, '<');
        return;
    }
    while (name.length < rest->length &&
           !(name.bytes[name.length] == '>' &&
             is_behind_target(
                 (struct word){name.bytes + name.length + 1, rest->length - name.length - 1}))) {
        name.length++;
    }
    append_path(pseudonyms, name, out);
    word_skip(rest, name.length);
    if (rest->length > 0) {
        text_append_char(out, '>');
        word_skip(rest, 1);
    }
}

/* Whether all of a token are such bytes, and at least one is. */
static bool consists_of(struct word token, const char *bytes) {
    for (size_t i = 0; i < token.length; i++) {
        if (token.bytes[i] == '\0' || strchr(bytes, token.bytes[i]) == NULL) {
            return false;
        }
    }
    return token.length > 0;
}

#define DIGITS   "0123456789"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define SMALL    "abcdefghijklmnopqrstuvwxyz_"

/* Whether it is a hexadecimal number and no word, as "face" may be. */
static bool is_hex(struct word token) {
    uint64_t number;

    return word_hex(token, UINT64_MAX, &number) &&
           (token.length <= 2 || !consists_of(token, CAPITALS SMALL));
}

/* What flags and constants of the kernel begin with, and those that stand alone. */
static const char *const flag_prefixes[] = {
    "ADDR_",    "ADJ_",    "AF_",     "ARCH_",   "ARPHRD_",  "AT_",     "BPF_", "BTPROTO_",
    "CAP_",     "CLD_",    "CLOCK_",  "CLONE_",  "CMSG_",    "DT_",     "EFD_", "EPOLL_",
    "EPOLL",    "ETH_P_",  "F_",      "FALLOC_", "FAN_",     "FD_",     "FIO",  "FS_",
    "FUTEX_",   "GRND_",   "IN_",     "IOCB_",   "IORING_",  "IOPRIO_", "IP_",  "IPC_",
    "IPPROTO_", "IPV6_",   "ITIMER_", "KEYCTL_", "LOCK_",    "MADV_",   "MAP_", "MCL_",
    "MFD_",     "MREMAP_", "MS_",     "MSG_",    "NETLINK_", "NLM_",    "O_",   "P_",
    "PF_",      "POSIX_",  "PR_",     "PRIO_",   "PROT_",    "PTRACE_", "R_",   "RENAME_",
    "RLIM_",    "RLIMIT_", "RTM_",    "RUSAGE_", "RWF_",     "S_",      "SA_",  "SCHED_",
    "SECCOMP_", "SEEK_",   "SFD_",    "SHUT_",   "SI_",      "SIOC",    "SO_",  "SOCK_",
    "SOL_",     "SPLICE_", "SS_",     "ST_",     "STATX_",   "SYNC_",   "TCP_", "TFD_",
    "TIMER_",   "UDP_",    "UTIME_",  "W_",      "XATTR_",
};
static const char flags[] = "NULL TCGETS TCSETS TCSETSW TCSETSF TIOCGPGRP TIOCSPGRP TIOCGWINSZ "
                            "TIOCSWINSZ POLLIN POLLPRI POLLOUT POLLERR POLLHUP POLLNVAL POLLRDNORM "
                            "POLLRDBAND POLLWRNORM POLLRDHUP WNOHANG WUNTRACED WCONTINUED SIGRTMIN "
                            "SIGRTMAX SIG_BLOCK SIG_UNBLOCK SIG_SETMASK SIG_DFL SIG_IGN";

/* ENOENT, SIGCHLD, and what restarts a call. */
static bool is_error_or_signal(const char *name) {
    for (int number = 1; number < 134; number++) {
        const char *error = strerrorname_np(number), *sig = sigabbrev_np(number);

        if ((error != NULL && strcmp(error, name) == 0) ||
            (sig != NULL && strncmp(name, "SIG", 3) == 0 && strcmp(sig, name + 3) == 0)) {
            return true;
        }
    }
    return strncmp(name, "ERESTART", 8) == 0;
}

/* Any other word of capitals may be a name. */
static bool is_flag(struct word token) {
    char name[MOST_FLAG + 1];

    if (token.length > MOST_FLAG || !consists_of(token, DIGITS CAPITALS)) {
        return false;
    }
    for (size_t i = 0; i < sizeof flag_prefixes / sizeof flag_prefixes[0]; i++) {
        if (word_begins(token, flag_prefixes[i]) && token.length > strlen(flag_prefixes[i])) {
            return true;
        }
    }
    memcpy(name, token.bytes, token.length);
    name[token.length] = '\0';
    return word_in(flags, name) || is_error_or_signal(name);
}

/* Whether a token is a number, a flag, or the name of a field or of a function, by what follows. */
static bool is_plain_token(struct word token, char next) {
    return is_hex(token) || consists_of(token, DIGITS "-.") || is_flag(token) ||
           consists_of(token, ".-*/%#") ||
           (consists_of(token, DIGITS SMALL) && (next == '=' || next == ':' || next == '('));
}

/* How many bytes of a hardware address begin the text: six or more pairs of hexadecimal digits. */
static size_t hardware_length(struct word text) {
    size_t pairs = 0, at = 0;

    while (at + 2 <= text.length && isxdigit((unsigned char)text.bytes[at]) &&
           isxdigit((unsigned char)text.bytes[at + 1])) {
        pairs++;
        at += 2;
        if (at + 2 >= text.length || (text.bytes[at] != ':' && text.bytes[at] != '-')) {
            break;
        }
        at++;
    }
    return pairs >= 6 ? at : 0;
}

/* Whether a field holds the address of a machine. */
static bool is_address_field(struct word token, char next) {
    return next == '=' && !word_is(token, "si_addr") &&
           (word_ends(token, "_addr") || word_ends(token, "bdaddr") || word_ends(token, "hwaddr") ||
            word_is(token, "sa_data"));
}

/* Cuts off = and the address, in brackets or up to the next field; strings are left. */
static void append_address(const struct pseudonyms *pseudonyms, struct word *rest,
                           struct text *out) {
    struct word value = {rest->bytes + 1, 0};
    bool listed;

    text_append_char(out, '=');
    word_skip(rest, 1);
    listed = rest->length > 0 && *rest->bytes == '[';
    while (value.length < rest->length &&
           strchr(listed ? "]}\"" : ",)]} \"", value.bytes[value.length]) == NULL) {
        value.length++;
    }
    if ((value.length < rest->length && value.bytes[value.length] == '"') ||
        word_begins(value, "{")) {
        return;
    }
    if (listed) {
        text_append_char(out, '[');
        value.bytes++;
        value.length--;
        word_skip(rest, 1);
    }
    append_code(pseudonyms, tags[PSEUDONYM_PATH], value, out);
    word_skip(rest, value.length);
}

static bool is_token_byte(char byte) {
    return is_word_byte(byte) || (byte != '\0' && strchr("/.-*%#$\\", byte) != NULL);
}

static void append_arguments(const struct pseudonyms *pseudonyms, struct word rest,
                             struct text *out) {
    while (rest.length > 0) {
        struct word token = {rest.bytes, 0};

        if (*rest.bytes == '"') {
            append_string(pseudonyms, &rest, out);
            continue;
        }
        if (*rest.bytes == '<') {
            append_target(pseudonyms, &rest, out);
            continue;
        }
        while (token.length < rest.length && is_token_byte(token.bytes[token.length])) {
            token.length++;
        }
        if (token.length == 0) {
            text_append_char(out, *rest.bytes);
            word_skip(&rest, 1);
            continue;
        }
        if (hardware_length(rest) > 0) {
            token.length = hardware_length(rest);
            append_code(pseudonyms, tags[PSEUDONYM_PATH], token, out);
            word_skip(&rest, token.length);
            continue;
        }
        word_skip(&rest, token.length);
        if (is_address_field(token, rest.length > 0 ? *rest.bytes : '\0')) {
            text_append(out, token.bytes, token.length);
            append_address(pseudonyms, &rest, out);
        } else if (is_plain_token(token, rest.length > 0 ? *rest.bytes : '\0')) {
            text_append(out, token.bytes, token.length);
        } else {
            append_path(pseudonyms, token, out);
        }
    }
}

/* --- remarks ------------------------------------------------------------------------------------
 */

/* What importers say behind the name of a file that begins a remark. */
static const char *const behind_name[] = {
    ": passed over: ",
    " lies beside the files of this trace",
    ": its round is not a number",
    " is of round ",
    ": the flags 0x",
    " stopped at its maximum size",
    ": its start is not a date",
};

/* Behind these a list of names follows. */
static const char *const before_names[] = {
    " files of CPUs are missing: ",
    "devices have names, numbered as major numbers: ",
    "no line is of the device ",
};

/* The last place of a string in a text; NULL: it is not there. */
static const char *find_last(struct word text, const char *string) {
    size_t length = strlen(string);

    for (size_t at = text.length; at >= length; at--) {
        if (memcmp(text.bytes + at - length, string, length) == 0) {
            return text.bytes + at - length;
        }
    }
    return NULL;
}

/* All words of what importers and the import say (tests/copies.sh looks that none is missing): any
 * other word of a remark may be a name. */
static const char remark_words[] =
    "*end --device --record-size --start -T -d -f -r -y 2^32 2^40 2^62 32-bit ARM CPU CPU's "
    "CPUs I/O I/Os a above acts addresses after all alone an and announced another any are "
    "around as at back be before began begin beginning begins begun belongs below beside "
    "between bits blk blkparse block block_bio_complete both buffer but by bytes call called "
    "callers calls came chooses clock complete completed completion completions content count "
    "counted counter counts damaged data-file-overflow=true database date day descriptor "
    "descriptors device devices does duration durations each earlier empty end ended entry "
    "event events exit exits far file files fired first flags followed follows for forgotten "
    "format from functions give given goes guessed had has have header high how if in interrupt "
    "into io_uring is issue issued it its kept kernel's key known laid last latency layers "
    "leads left less libaio lie lies line lines list lists log lost major many mapped matching "
    "maximum may memory methods microseconds missing moment more most moves name names "
    "nanosecond no none not num-method-calls number numbered numbers of offsets old oldest on "
    "once one only open opens or order origin other out over overflowed overwritten own padded "
    "part parts passed place points positions printed probe probes processes processor put "
    "reaches read reads record recordings records regarded remarks requests reset resolution "
    "response result right round rounding s same say says second section sector seeks session's "
    "several share should since size sizes so sort sorted stand start still stood stopped "
    "strace such switched system system's tell tells than that the their them then there these "
    "they this those thread threads time times to told too took trace tracer tracing "
    "tracing_thresh units up wall was were what when where which while whole whose with within "
    "without wrapped write writes written wrong x86-64 …";

enum { MOST_REMARK_WORD = 31 };

static bool is_remark_word(struct word word) {
    char name[MOST_REMARK_WORD + 1];
    uint64_t number;

    if (word_is(word, "…") || consists_of(word, DIGITS "-.") ||
        (word_begins(word, "0x") && word_hex(word, UINT64_MAX, &number))) {
        return true;
    }
    if (word.length > MOST_REMARK_WORD || memchr(word.bytes, '\0', word.length) != NULL) {
        return false;
    }
    memcpy(name, word.bytes, word.length);
    name[word.length] = '\0';
    return word_in(remark_words, name);
}

/* What is none of the names below: words of the program stay. */
static void append_said(const struct pseudonyms *pseudonyms, struct word rest, struct text *out) {
    static const char between[] = " \t\n,;:()";

    while (rest.length > 0) {
        struct word word = {rest.bytes, 0};

        while (word.length < rest.length && (word.bytes[word.length] == '\0' ||
                                             strchr(between, word.bytes[word.length]) == NULL)) {
            word.length++;
        }
        if (word.length == 0) {
            word.length = 1;
            text_append_char(out, *word.bytes);
        } else if (is_remark_word(word)) {
            text_append(out, word.bytes, word.length);
        } else {
            append_path(pseudonyms, word, out);
        }
        word_skip(&rest, word.length);
    }
}

/* Names by comma, each with " is 3" behind it or not. */
static void append_names(const struct pseudonyms *pseudonyms, struct word rest, struct text *out) {
    while (rest.length > 0) {
        const char *comma = memmem(rest.bytes, rest.length, ", ", 2);
        struct word item = {rest.bytes, comma == NULL ? rest.length : (size_t)(comma - rest.bytes)};
        const char *is = find_last(item, " is ");
        struct word name = {item.bytes, is == NULL ? item.length : (size_t)(is - item.bytes)};

        if (word_is(name, "…")) {
            text_append(out, name.bytes, name.length);
        } else {
            append_path(pseudonyms, name, out);
        }
        append_said(pseudonyms, (struct word){name.bytes + name.length, item.length - name.length},
                    out);
        text_append_string(out, comma == NULL ? "" : ", ");
        word_skip(&rest, item.length + (comma == NULL ? 0 : 2));
    }
}

/* NAME: passed over: its content is that of NAME. */
static bool append_named_first(const struct pseudonyms *pseudonyms, struct word remark,
                               struct text *out) {
    static const char content[] = ": passed over: its content is that of ";

    for (size_t i = 0; i < sizeof behind_name / sizeof behind_name[0]; i++) {
        const char *behind = find_last(remark, behind_name[i]);
        struct word name = {remark.bytes, behind == NULL ? 0 : (size_t)(behind - remark.bytes)};

        if (behind == NULL) {
            continue;
        }
        append_path(pseudonyms, name, out);
        word_skip(&remark, name.length);
        if (word_begins(remark, content)) {
            text_append_string(out, content);
            word_skip(&remark, strlen(content));
            append_path(pseudonyms, remark, out);
        } else {
            append_said(pseudonyms, remark, out);
        }
        return true;
    }
    return false;
}

/* event 17 of NAME: its time, … */
static bool append_event_of(const struct pseudonyms *pseudonyms, struct word remark,
                            struct text *out) {
    const char *of = memmem(remark.bytes, remark.length, " of ", 4);
    const char *behind = find_last(remark, ": its time, ");
    struct word name;

    if (!word_begins(remark, "event ") || of == NULL || behind == NULL || behind < of + 4) {
        return false;
    }
    name = (struct word){of + 4, (size_t)(behind - of - 4)};
    append_said(pseudonyms, (struct word){remark.bytes, (size_t)(name.bytes - remark.bytes)}, out);
    append_path(pseudonyms, name, out);
    append_said(pseudonyms, (struct word){behind, remark.length - (size_t)(behind - remark.bytes)},
                out);
    return true;
}

static bool append_named_last(const struct pseudonyms *pseudonyms, struct word remark,
                              struct text *out) {
    for (size_t i = 0; i < sizeof before_names / sizeof before_names[0]; i++) {
        const char *at =
            memmem(remark.bytes, remark.length, before_names[i], strlen(before_names[i]));

        if (at != NULL) {
            size_t length = (size_t)(at - remark.bytes) + strlen(before_names[i]);

            append_said(pseudonyms, (struct word){remark.bytes, length}, out);
            word_skip(&remark, length);
            append_names(pseudonyms, remark, out);
            return true;
        }
    }
    return false;
}

static void append_remark(const struct pseudonyms *pseudonyms, struct word remark,
                          struct text *out) {
    if (!append_named_first(pseudonyms, remark, out) && !append_event_of(pseudonyms, remark, out) &&
        !append_named_last(pseudonyms, remark, out)) {
        append_said(pseudonyms, remark, out);
    }
}

/* --- all of them --------------------------------------------------------------------------------
 */

void pseudonyms_append(const struct pseudonyms *pseudonyms, enum pseudonym_role role,
                       const char *bytes, size_t length, struct text *out) {
    const struct word text = {bytes, length};

    if (length == 0) {
        return;
    }
    switch (role) {
    case PSEUDONYM_PATH:
        append_path(pseudonyms, text, out);
        break;
    case PSEUDONYM_WORDS:
        append_words(pseudonyms, text, out);
        break;
    case PSEUDONYM_ARGUMENTS:
        append_arguments(pseudonyms, text, out);
        break;
    case PSEUDONYM_REMARK:
        append_remark(pseudonyms, text, out);
        break;
    case PSEUDONYM_HASH:
        append_hash(pseudonyms, text, out);
        break;
    case PSEUDONYM_UUID:
        append_uuid(pseudonyms, text, out);
        break;
    default:
        append_code(pseudonyms, tags[role], text, out);
        break;
    }
}

/* --- the key ------------------------------------------------------------------------------------
 */

static bool make_key(uint8_t key[KEY_SIZE], struct error *error) {
    return getrandom(key, KEY_SIZE, 0) == KEY_SIZE ||
           error_set(error, "cannot make a key: %s", strerror(errno));
}

static bool cannot_use(const char *path, const char *what, struct error *error) {
    return error_set(error, "%s: cannot %s the key: %s", path, what, file_cause(errno));
}

static bool read_key(const char *path, uint8_t key[KEY_SIZE], struct error *error) {
    FILE *file = file_open_stream(path);
    char line[2 * KEY_SIZE + 3];
    size_t length, count = 0;

    if (file == NULL) {
        return cannot_use(path, "read", error);
    }
    length = fread(line, 1, sizeof line, file);
    fclose(file);
    if (length == 2 * KEY_SIZE + 1 && line[length - 1] == '\n') {
        length--;
    }
    return (length == 2 * KEY_SIZE &&
            word_hex_bytes((struct word){line, length}, KEY_SIZE, key, &count)) ||
           error_set(error,
                     "%s: is no key of tracetool: 64 hexadecimal digits are; name a file that is "
                     "not there, and one is made",
                     path);
}

/* `descriptor` is closed. */
static bool write_key(int descriptor, const uint8_t key[KEY_SIZE], struct error *error) {
    struct text line = {0};
    bool done;

    text_append_hex(&line, key, KEY_SIZE);
    text_append_char(&line, '\n');
    done = !line.failed || error_no_memory(error);
    if (done && (write(descriptor, line.bytes, line.length) != (ssize_t)line.length ||
                 fsync(descriptor) != 0)) {
        done = error_set(error, "%s", strerror(errno));
    }
    if (line.bytes != NULL) {
        explicit_bzero(line.bytes, line.length);
    }
    text_free(&line);
    close(descriptor);
    return done;
}

/* Of a file that is not there one is made; two programs that try at once agree on one. */
static bool load_key(const char *path, uint8_t key[KEY_SIZE], struct error *error) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (descriptor < 0) {
        return errno == EEXIST ? read_key(path, key, error) : cannot_use(path, "make", error);
    }
    if (make_key(key, error) ? !write_key(descriptor, key, error) : (close(descriptor), true)) {
        unlink(path);
        return error_context(error, "%s: cannot make the key", path);
    }
    return true;
}

struct pseudonyms *pseudonyms_open(const char *path, struct error *error) {
    struct pseudonyms *pseudonyms = calloc(1, sizeof *pseudonyms);
    uint8_t key[KEY_SIZE];

    if (pseudonyms == NULL) {
        error_no_memory(error);
        return NULL;
    }
    if (!(path == NULL ? make_key(key, error) : load_key(path, key, error))) {
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

/* --- in SQL -------------------------------------------------------------------------------------
 */

static const char *const function_names[PSEUDONYM_ROLES] = {
    [PSEUDONYM_PATH] = "pseudonym_path",     [PSEUDONYM_PROCESS] = "pseudonym_process",
    [PSEUDONYM_TRACE] = "pseudonym_trace",   [PSEUDONYM_DEVICE] = "pseudonym_device",
    [PSEUDONYM_USER] = "pseudonym_user",     [PSEUDONYM_STUDY] = "pseudonym_study",
    [PSEUDONYM_WORDS] = "pseudonym_words",   [PSEUDONYM_ARGUMENTS] = "pseudonym_arguments",
    [PSEUDONYM_REMARK] = "pseudonym_remark", [PSEUDONYM_HASH] = "pseudonym_hash",
    [PSEUDONYM_UUID] = "pseudonym_uuid",
};

static void give_text(sqlite3_context *context, const struct text *text, bool blob) {
    if (text->failed) {
        sqlite3_result_error_nomem(context);
    } else if (blob) {
        sqlite3_result_blob64(context, text_string(text), text->length, SQLITE_TRANSIENT);
    } else {
        sqlite3_result_text64(context, text_string(text), text->length, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    }
}

static void give_pseudonym(sqlite3_context *context, enum pseudonym_role role,
                           const struct pseudonyms *pseudonyms, sqlite3_value *value) {
    const int type = sqlite3_value_type(value);
    struct text text = {0};
    const char *bytes =
        type == SQLITE_BLOB ? sqlite3_value_blob(value) : (const char *)sqlite3_value_text(value);

    if (type == SQLITE_NULL) {
        return;
    }
    pseudonyms_append(pseudonyms, role, bytes, (size_t)sqlite3_value_bytes(value), &text);
    give_text(context, &text, type == SQLITE_BLOB);
    text_free(&text);
}

static void pseudonym(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    (void)count;
    give_pseudonym(context, function->role, function->pseudonyms, values[0]);
}

/* pseudonym_operation(kind, text) */
static void pseudonym_of_operation(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    (void)count;
    if (pseudonyms_spare((const char *)sqlite3_value_text(values[0]))) {
        sqlite3_result_value(context, values[1]);
    } else {
        give_pseudonym(context, function->role, function->pseudonyms, values[1]);
    }
}

static void pseudonym_of_number(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    (void)count;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int64(
            context, pseudonyms_number(function->pseudonyms, sqlite3_value_int64(values[0])));
    }
}

/* pseudonym_code(kind, code) */
static void pseudonym_of_code(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct pseudonym_function *function = sqlite3_user_data(context);

    (void)count;
    if (pseudonyms_spare((const char *)sqlite3_value_text(values[0]))) {
        sqlite3_result_value(context, values[1]);
    } else if (sqlite3_value_type(values[1]) != SQLITE_NULL) {
        sqlite3_result_int64(context,
                             pseudonyms_code(function->pseudonyms, sqlite3_value_int64(values[1])));
    }
}

bool pseudonyms_register(struct pseudonyms *pseudonyms, sqlite3 *handle) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    struct pseudonym_function *words = &pseudonyms->functions[PSEUDONYM_WORDS];
    bool done = true;

    for (unsigned i = 0; done && i < PSEUDONYM_ROLES; i++) {
        pseudonyms->functions[i] = (struct pseudonym_function){pseudonyms, (enum pseudonym_role)i};
        done =
            sqlite3_create_function(handle, function_names[i], 1, flags, &pseudonyms->functions[i],
                                    pseudonym, NULL, NULL) == SQLITE_OK;
    }
    return done &&
           sqlite3_create_function(handle, "pseudonym_operation", 2, flags, words,
                                   pseudonym_of_operation, NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(handle, "pseudonym_code", 2, flags, words, pseudonym_of_code,
                                   NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(handle, "pseudonym_number", 1, flags, words, pseudonym_of_number,
                                   NULL, NULL) == SQLITE_OK;
}
