/* Pseudonyms of paths: part by part, with what tells what kind of file it is. */
#include <string.h>

#include "copy/pseudonym_parts.h"

enum { MOST_EXTENSION = 16 };

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

static bool is_extension(struct word word) {
    char name[MOST_EXTENSION];

    for (size_t i = 0; i < word.length && i < MOST_EXTENSION; i++) {
        char byte = word.bytes[i];

        name[i] = (char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
    }
    return word.length <= MOST_EXTENSION &&
           word_listed((struct word){name, word.length}, extensions);
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
    const char tag = PSEUDONYM_PATH_TAG;
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

        pseudonym_append_name(pseudonyms, tag, stem, out);
        text_append_char(out, '.');
        if (is_extension(extension)) {
            text_append(out, extension.bytes, extension.length);
        } else {
            pseudonym_append_name(pseudonyms, tag, extension, out);
        }
    } else {
        pseudonym_append_name(pseudonyms, tag, part, out);
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
    if (word_listed(type, no_files)) {
        text_append(out, type.bytes, type.length);
    } else {
        pseudonym_append_name(pseudonyms, PSEUDONYM_PATH_TAG, type, out);
    }
    text_append_string(out, ":[");
    word_skip(&name, type.length + 2);
    closed = word_ends(name, "]");
    name.length -= closed;
    pseudonym_append_name(pseudonyms, PSEUDONYM_PATH_TAG, name, out);
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

void pseudonym_append_path(const struct pseudonyms *pseudonyms, struct word path,
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
