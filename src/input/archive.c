#include "input/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum {
    NAMES = 3,         /* maximum number of the archive's files that an error message names */
    PIECE = 64 * 1024, /* number of bytes of a file that are read at once */
};

struct archive_file {
    struct archive *archive;
    unpack_source *source;
    void *context;
    size_t files;        /* number of files of the archive found so far */
    bool inside, failed; /* inside: bytes of the archive's first file are being read; failed:
                            reading has failed */
    struct text names, message;
};

/* Returns a libarchive reader that only accepts the formats in which logs are packed. Each further
 * format would add code that untrusted files can attack. */
static struct archive *new_archive(bool raw) {
    struct archive *archive = archive_read_new();

    if (archive == NULL) {
        out_of_memory();
    }
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_tar(archive);
    archive_read_support_format_zip(archive);
    if (raw) {
        archive_read_support_format_raw(archive);
    }
    return archive;
}

/* --- format of an archive --------------------------------------------------------------------- */

static bool archive_begins(const uint8_t *bytes, size_t length, const char *magic, size_t size) {
    return length >= size && memcmp(bytes, magic, size) == 0;
}

static bool archive_is_packed(const uint8_t *bytes, size_t length) {
    return archive_begins(bytes, length, "BZh", 3) ||
           archive_begins(bytes, length, "\x1F\x8B", 2) ||
           archive_begins(bytes, length,
                          "\xFD"
                          "7zXZ",
                          5) ||
           archive_begins(bytes, length, "\x28\xB5\x2F\xFD", 4);
}

static bool archive_holds_tar(const uint8_t *bytes, size_t length) {
    struct archive *archive = new_archive(false);
    struct archive_entry *entry;
    int status = archive_read_open_memory(archive, bytes, length);
    bool tar;

    status = status == ARCHIVE_OK ? archive_read_next_header(archive, &entry) : status;
    /* libarchive also reports a tar, without files, for a file of zero bytes. */
    tar = (status == ARCHIVE_OK || status == ARCHIVE_WARN) &&
          (archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
    archive_read_free(archive);
    return tar;
}

const char *archive_format_of(const uint8_t *bytes, size_t length) {
    if (archive_begins(bytes, length, "PK\3\4", 4) || archive_begins(bytes, length, "PK\5\6", 4)) {
        return "zip";
    }
    if ((length > 262 && memcmp(bytes + 257, "ustar", 5) == 0) ||
        (archive_is_packed(bytes, length) && archive_holds_tar(bytes, length))) {
        return "tar";
    }
    return archive_begins(bytes, length, "BZh", 3) ? "bzip2" : NULL;
}

/* --- reading the only file -------------------------------------------------------------------- */

static la_ssize_t supply_archive_bytes(struct archive *archive, void *context, const void **bytes) {
    struct archive_file *file = context;
    const uint8_t *got;
    int64_t count = file->source(file->context, &got);

    if (count < 0) {
        archive_set_error(archive, EIO, "cannot read");
    }
    *bytes = got;
    return (la_ssize_t)count;
}

struct archive_file *archive_file_open(unpack_source *source, void *context) {
    struct archive_file *file = xcalloc(1, sizeof *file);

    file->archive = new_archive(true);
    file->source = source;
    file->context = context;
    return file;
}

void archive_file_close(struct archive_file *file) {
    archive_read_free(file->archive);
    text_free(&file->names);
    text_free(&file->message);
    free(file);
}

static int64_t archive_fail(struct archive_file *file, const char *message) {
    text_append_string(&file->message, message);
    file->failed = true;
    return -1;
}

static int64_t fail_by_library(struct archive_file *file) {
    const char *why = archive_error_string(file->archive);

    return archive_fail(file, why == NULL ? "damaged" : why);
}

/* Whether an archive's entry may be a log: no directory, no link, none of the files "._…" of macOS.
 */
static bool archive_is_file(struct archive_entry *entry, const char *name) {
    const char *slash = strrchr(name, '/');

    return archive_entry_hardlink(entry) == NULL &&
           (archive_entry_filetype(entry) == AE_IFREG || archive_entry_filetype(entry) == 0) &&
           strncmp(slash == NULL ? name : slash + 1, "._", 2) != 0;
}

/* Steps to the next file; ARCHIVE_EOF after the last one. `*name` is valid until the next step. */
static int next_archive_file(struct archive *archive, const char **name) {
    struct archive_entry *entry;
    int status;

    while ((status = archive_read_next_header(archive, &entry)) == ARCHIVE_OK ||
           status == ARCHIVE_WARN) {
        *name = archive_entry_pathname(entry);
        /* If the name is not representable in the locale, takes it in UTF-8. */
        *name = *name == NULL ? archive_entry_pathname_utf8(entry) : *name;
        *name = *name == NULL ? "?" : *name;
        if (archive_is_file(entry, *name)) {
            return ARCHIVE_OK;
        }
    }
    return status;
}

/* Steps to the archive's next file, and adds its name to `names`. */
static int next_listed_archive_file(struct archive_file *file) {
    const char *name;
    int status = next_archive_file(file->archive, &name);

    if (status == ARCHIVE_OK && file->files++ < NAMES) {
        text_append_format(&file->names, "%s%s", file->files == 1 ? "" : ", ", name);
    }
    return status;
}

static int64_t refuse_several(struct archive_file *file) {
    struct text list = {0};

    while (next_listed_archive_file(file) == ARCHIVE_OK) {
    }
    text_append_format(&list,
                       "it holds %zu files (%s%s); to read several, give the archive as a file",
                       file->files, text_string(&file->names), file->files > NAMES ? ", …" : "");
    archive_fail(file, text_string(&list));
    text_free(&list);
    return -1;
}

/* Opens the archive at the first read, and steps to its first file. */
static int64_t archive_enter(struct archive_file *file) {
    int status;

    if (archive_read_open(file->archive, file, NULL, supply_archive_bytes, NULL) != ARCHIVE_OK) {
        return fail_by_library(file);
    }
    status = next_listed_archive_file(file);
    if (status == ARCHIVE_EOF) {
        return archive_fail(file, "it holds no file");
    }
    file->inside = status == ARCHIVE_OK;
    return file->inside ? 0 : fail_by_library(file);
}

int64_t archive_file_read(struct archive_file *file, void *buffer, size_t capacity) {
    la_ssize_t got;
    int status;

    if (file->failed || (file->files == 0 && archive_enter(file) < 0)) {
        return -1;
    }
    if (!file->inside) {
        return 0;
    }
    got = archive_read_data(file->archive, buffer, capacity);
    if (got < 0) {
        return fail_by_library(file);
    }
    if (got > 0) {
        return got;
    }
    file->inside = false;
    status = next_listed_archive_file(file);
    return status == ARCHIVE_EOF  ? 0
           : status == ARCHIVE_OK ? refuse_several(file)
                                  : fail_by_library(file);
}

const char *archive_file_message(const struct archive_file *file) {
    return text_string(&file->message);
}

/* --- reading all files ------------------------------------------------------------------------ */

static bool set_archive_read_error(struct archive *archive, struct error *error) {
    const char *why = archive_error_string(archive);

    return error_set(error, "%s", why == NULL ? "damaged" : why);
}

static bool archive_read_entry(struct archive *archive, const struct archive_sink *sink,
                               struct error *error) {
    char *buffer = xmalloc(PIECE);
    la_ssize_t got;
    bool done = true;

    while (done && (got = archive_read_data(archive, buffer, PIECE)) != 0) {
        done = got < 0 ? set_archive_read_error(archive, error)
                       : sink->bytes(sink->context, buffer, (size_t)got, error);
    }
    free(buffer);
    return done;
}

/* Skips a file: seeks in an uncompressed tar; otherwise unpacks it to the sink, which counts the
 * bytes, so that decompression bombs are found here, too. */
static bool skip_entry(struct archive *archive, const struct archive_sink *sink) {
    struct error ignored = {0};

    return (archive_filter_code(archive, 0) == ARCHIVE_FILTER_NONE &&
            (archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR) ||
           archive_read_entry(archive, sink, &ignored);
}

bool archive_holds_several(int descriptor, const struct archive_sink *sink) {
    struct archive *archive = new_archive(false);
    const char *name;
    bool several = archive_read_open_fd(archive, descriptor, PIECE) == ARCHIVE_OK &&
                   next_archive_file(archive, &name) == ARCHIVE_OK && skip_entry(archive, sink) &&
                   next_archive_file(archive, &name) == ARCHIVE_OK;

    archive_read_free(archive);
    return several;
}

bool archive_read_all(int descriptor, const struct archive_sink *sink, struct error *error) {
    struct archive *archive = new_archive(false);
    int status = archive_read_open_fd(archive, descriptor, PIECE);
    const char *name;
    bool done = status == ARCHIVE_OK;

    while (done && (status = next_archive_file(archive, &name)) == ARCHIVE_OK) {
        done = sink->name(sink->context, name, error) && archive_read_entry(archive, sink, error);
    }
    done = status == ARCHIVE_OK || status == ARCHIVE_EOF ? done
                                                         : set_archive_read_error(archive, error);
    archive_read_free(archive);
    return done;
}
