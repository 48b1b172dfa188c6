/* tracetool map: finds the files that own the blocks of a trace, by an image of the file system. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/recount.h"
#include "cli/command.h"
#include "cli/map_image.h"
#include "cli/selection_options.h"
#include "model/partition.h"
#include "select/notes.h"

#define SECTOR 512

/* Fills the request for an image from its path, --partition and --offset. Returns false with
 * `error` set if they are invalid. */
static bool image_request(const struct session *session, const char *path,
                          struct image_request *request, struct error *error) {
    const char *offset = session->arguments->values[OPTION_OFFSET];

    *request = (struct image_request){
        .path = path,
        .partition = session->arguments->values[OPTION_PARTITION],
        .offset = PLACE_NOT_GIVEN,
        .without_journal = session->arguments->given[OPTION_NO_JOURNAL],
    };
    if (offset == NULL) {
        return true;
    }
    if (request->partition != NULL) {
        return error_usage(error, "--offset and --partition both say where the file system is");
    }
    if (strspn(offset, "0123456789") != strlen(offset) || *offset == '\0' || strlen(offset) > 18) {
        return error_usage(error, "--offset needs a number of bytes, not '%s'", offset);
    }
    request->offset = strtoull(offset, NULL, 10);
    return request->offset % SECTOR == 0 ||
           error_usage(error,
                       "--offset needs a multiple of %d bytes, as all file systems begin with "
                       "a sector, not '%s'",
                       SECTOR, offset);
}

/* Sets `*after` to the image taken after the trace, and `*before` to the earlier one or NULL. */
static bool choose_images(const struct arguments *arguments, const char **after,
                          const char **before, struct error *error) {
    const struct option_list *images = &arguments->lists[OPTION_IMAGE],
                             *whens = &arguments->lists[OPTION_WHEN];

    *after = *before = NULL;
    for (size_t i = 0; i < images->count; i++) {
        const char *when = i < whens->count ? whens->values[i] : NULL;
        const char **image = when != NULL && strcmp(when, "before") == 0 ? before : after;

        if (*image != NULL) {
            return error_usage(error,
                               "only one image may be from after the trace: which one, %s or %s? "
                               "Put --when before after the other",
                               *image, images->values[i]);
        }
        *image = images->values[i];
    }
    return *after != NULL || error_usage(error, "an image from before the trace only confirms "
                                                "files: also give an image from after the trace");
}

/* Returns whether an image is later than another of the same file system: by the total of bytes
 * ever written, or else by the clock. */
static bool file_map_is_later(const struct file_map *map, const struct file_map *other) {
    /* bytes ever written are preferred to times, since unset clocks may run backwards */
    if (map->amount != 0 && other->amount != 0 && map->amount != other->amount) {
        return map->amount > other->amount;
    }
    return other->written != 0 && map->written > other->written;
}

/* Checks that one image was taken before the other. Images of the same time prove nothing. */
static bool check_order(const char *path, const struct map_image *image, struct error *error) {
    const char *after = image->request.image;
    bool same;

    if (file_map_is_later(&image->before, &image->map)) {
        return error_usage(error,
                           "%s was written later than %s: put --when before after the image "
                           "that is older",
                           path, after);
    }
    return image_bytes_are_same(path, after, &same, error) &&
           (!same || error_usage(error,
                                 "%s has the same content as %s, so it is not from before the "
                                 "trace: give an older image, or none",
                                 path, after));
}

/* Reads the earlier image. Its journal is not read, since that ends before the trace begins. */
static bool read_before(const struct session *session, const char *path, struct map_image *image,
                        struct error *error) {
    struct image_request request;

    if (!image_request(session, path, &request, error)) {
        return false;
    }
    request.of_device = true;
    request.without_journal = true;
    if (!image_read(&request, &image->before, error)) {
        return false;
    }
    if (memcmp(image->before.uuid, image->map.uuid, sizeof image->map.uuid) != 0 ||
        image->before.block_size != image->map.block_size) {
        return error_set(error, "%s and %s are images of different file systems", path,
                         image->request.image);
    }
    return check_order(path, image, error);
}

bool map_image_open(const struct session *session, const char *device, struct map_image *image,
                    struct error *error) {
    const struct arguments *arguments = session->arguments;
    const struct option_list *journals = &arguments->lists[OPTION_JOURNAL];
    struct image_request request;

    *image = (struct map_image){.request = {
                                    .device = EVENT_NONE,
                                    .replace = arguments->given[OPTION_REPLACE],
                                    .journals = (int64_t)journals->count,
                                }};
    if (journals->count > 0 && arguments->given[OPTION_NO_JOURNAL]) {
        return error_usage(error, "--journal and --no-journal exclude each other");
    }
    if (!choose_images(arguments, &image->request.image, &image->request.before, error) ||
        !image_request(session, image->request.image, &request, error) ||
        !selection_parse_device(device, &image->request.device, error)) {
        return false;
    }
    request.of_device = true;
    request.journals = (const char *const *)journals->values;
    request.journal_count = journals->count;
    if (!image_read(&request, &image->map, error)) {
        return false;
    }
    /* An offset given by the user is a position on the device, whatever the image contains. */
    image->request.offset = request.offset != PLACE_NOT_GIVEN ? request.offset : image->map.offset;
    image->request.by_remaps = request.offset == PLACE_NOT_GIVEN && image->map.offset == 0;
    return image->request.before == NULL ||
           read_before(session, image->request.before, image, error);
}

void map_image_free(struct map_image *image) {
    file_map_free(&image->map);
    file_map_free(&image->before);
}

/* Prints where on the device the file system begins, if the log tells. */
static void print_file_system_offset(const struct session *session, const char *trace,
                                     const struct mapping_counts *counts) {
    if (counts->above == EVENT_NONE) {
        return;
    }
    if (counts->place == EVENT_NONE) {
        session_print_line(session,
                           "%s: by the remaps in the log, %d:%d lies on %d:%d in several pieces",
                           trace, device_major(counts->above), device_minor(counts->above),
                           device_major(counts->below), device_minor(counts->below));
    } else {
        session_print_line(
            session, "%s: by the remaps in its log, %d:%d begins at byte %lld of %d:%d", trace,
            device_major(counts->above), device_minor(counts->above), (long long)counts->place,
            device_major(counts->below), device_minor(counts->below));
    }
}

/* Prints for how many blocks the log itself names the files. */
static void print_files_of_log(const struct session *session, const char *trace,
                               const struct mapping_counts *counts) {
    if (counts->by_log > 0) {
        session_print_line(session,
                           "%s: %lld of these are certain because of allocation events in the log",
                           trace, (long long)counts->by_log);
    }
    if (counts->log_left_out) {
        session_print_line(session,
                           "%s: the log has too many allocation events, so they were ignored: "
                           "files come from the image and the journal only",
                           trace);
    }
    if (counts->unused != EVENT_NONE) {
        session_print_line(
            session,
            "%s: the allocation events of the log were ignored: they are of %d:%d, but the I/Os "
            "are of another device, whose place there is unknown without remaps",
            trace, device_major(counts->unused), device_minor(counts->unused));
    }
}

/* Prints what shows that the image is of another place, file system or time than the trace. */
static void print_wrong_place(const struct session *session, const char *trace,
                              const struct map_image *image, const struct mapping_counts *counts,
                              int64_t mapped) {
    if (counts->outside > 0) {
        const char *what_to_do = counts->outside <= mapped ? ""
                                 : image->map.offset > 0
                                     ? "; for a log of the partition alone, give an image of it"
                                     : "; --offset says where on the device it begins";

        session_print_line(session, "%s: %lld I/O%s outside the file system%s", trace,
                           (long long)counts->outside, counts->outside == 1 ? " is" : "s are",
                           what_to_do);
    }
    if (image->map.transaction_count > 0 && counts->transactions == 0) {
        session_print_line(session,
                           "%s: no transaction in the journal of %s is in the trace: the image is "
                           "of another file system or older than the trace, or later writes "
                           "replaced the journal",
                           trace, image->request.image);
    }
}

static void print_mapping_counts(const struct session *session, const char *trace,
                                 const struct map_image *image,
                                 const struct mapping_counts *counts) {
    const int64_t *ios = counts->ios;
    int64_t proven = ios[IO_EVIDENCE_IMAGE] + ios[IO_EVIDENCE_BOTH_IMAGES],
            journal = ios[IO_EVIDENCE_JOURNAL] + ios[IO_EVIDENCE_JOURNAL_OVER_IMAGE],
            likely = ios[IO_EVIDENCE_LIKELY_IMAGE] + ios[IO_EVIDENCE_LIKELY_JOURNAL];

    session_print_line(
        session, "%s: %lld I/O%s mapped for certain, %lld by the journal, %lld likely, %lld not",
        trace, (long long)proven, proven == 1 ? "" : "s", (long long)journal, (long long)likely,
        (long long)ios[IO_EVIDENCE_NONE]);
    print_files_of_log(session, trace, counts);
    if (image->map.unused_journals > 0) {
        session_print_line(session,
                           "%s: %u copies of the journal were not used: others have all their "
                           "transactions, or transactions up to the next copy are missing",
                           trace, (unsigned)image->map.unused_journals);
    }
    if (image->map.has_fast_commits) {
        session_print_line(session,
                           "%s: ext4 fast commits after the last transaction of %s are not read: "
                           "blocks that they allocate may show as free",
                           trace, image->request.image);
    }
    if (image->map.has_other_journal) {
        session_print_line(session,
                           "%s: the journal of %s is on another device, so it is not read: files "
                           "are only likely",
                           trace, image->request.image);
    }
    if (counts->several > 0) {
        session_print_line(session,
                           "%s: %lld of these are on several files; each counts for the file with "
                           "most of its blocks; its bytes are divided among its files",
                           trace, (long long)counts->several);
    }
    if (counts->too_large > 0) {
        session_print_line(
            session, "%s: %lld I/O%s larger than %d blocks: %s files were not looked up", trace,
            (long long)counts->too_large, counts->too_large == 1 ? " is" : "s are", MAPPING_BLOCKS,
            counts->too_large == 1 ? "its" : "their");
    }
    print_wrong_place(session, trace, image, counts, proven + journal + likely);
}

bool map_image_apply(struct session *session, struct database *database, struct map_image *image,
                     const char *trace, struct error *error) {
    struct mapping_request request = image->request;
    struct mapping_counts counts;
    struct annotation annotation;
    bool done;

    request.earlier = request.before == NULL ? NULL : &image->before;
    if (!recount_register(database, &session->config, error) ||
        !annotation_open(&annotation, database, &session->config, trace, error)) {
        return false;
    }
    done = map_ios_to_files(&annotation, &request, &image->map, &counts, error) &&
           (session->arguments->given[OPTION_DRY_RUN] || annotation_commit(&annotation, error));
    annotation_close(&annotation);
    if (done) {
        print_file_system_offset(session, trace, &counts);
        print_mapping_counts(session, trace, image, &counts);
    }
    return done;
}

static const struct column list_columns[] = {
    {"start", "", COLUMN_NUMBER}, {"blocks", "", COLUMN_INTEGER}, {"class", "", COLUMN_TEXT},
    {"inode", "", COLUMN_NUMBER}, {"path", "", COLUMN_TEXT},
};

#define LIST_COLUMNS (sizeof list_columns / sizeof list_columns[0])

static bool print_extent(struct printer *printer, const struct file_map *map,
                         const struct map_extent *extent, struct text *path, struct error *error) {
    struct value values[LIST_COLUMNS] = {
        value_integer((int64_t)extent->start),
        value_integer(extent->length),
        value_text(block_class_name(extent->class)),
    };

    if (extent->file != 0) {
        text_clear(path);
        file_map_append_path(map, extent->file, path);
        values[3] = value_integer(map->files.items[extent->file].inode);
        values[4] =
            (struct value){.type = VALUE_TEXT, .bytes = path->bytes, .length = path->length};
    }
    return printer_row(printer, values, error);
}

static void command_map_describe(const struct file_map *map, struct notes *notes) {
    char uuid[FILE_MAP_UUID];

    file_map_uuid(map, uuid);
    notes_append(notes,
                 "file system %s of %" PRIu64 " blocks of %u bytes, from byte %" PRIu64
                 " of the image",
                 uuid, map->blocks, (unsigned)map->block_size, map->offset);
    notes_append_count(notes, (int64_t)map->disputed,
                       "%" PRIu64 " block{ has|s have} several owners: the first by inode has "
                       "{it|them}",
                       map->disputed);
    if (map->has_fast_commits) {
        notes_append(notes, "ext4 fast commits after the journal's last transaction are not read: "
                            "blocks that they allocate may show as free");
    }
    notes_append_count(notes, (int64_t)map->unreadable,
                       "%" PRIu64
                       " {inode or directory is|inodes or directories are} damaged: what "
                       "{it owns|they own} is missing",
                       map->unreadable);
}

static bool print_map(struct printer *printer, void *context, struct error *error) {
    const struct file_map *map = context;
    struct notes notes = {0};
    struct text path = {0};
    struct result result = {
        .report = "map",
        .title = "Blocks and whose they are",
        .clock_unit = "ns",
        .columns = list_columns,
        .column_count = LIST_COLUMNS,
        .cut = "path",
    };
    bool done;

    command_map_describe(map, &notes);
    notes_show(&notes, &result);
    done = printer_begin(printer, &result, error);
    for (size_t i = 0; done && i < map->extents.count; i++) {
        done = print_extent(printer, map, &map->extents.items[i], &path, error);
    }
    done = done && printer_end(printer, error);
    text_free(&path);
    notes_free(&notes);
    return done;
}

static bool list_image(struct session *session, struct error *error) {
    const char *path = session->arguments->values[OPTION_LIST];
    struct image_request request;
    struct file_map map = {0};
    bool done = image_request(session, path, &request, error) &&
                image_read(&request, &map, error) &&
                session_print(session, false, print_map, &map, error);

    file_map_free(&map);
    return done;
}

static bool map_image_to_trace(struct session *session, struct error *error) {
    struct map_image image;
    struct database database;
    bool done = map_image_open(session, session->arguments->values[OPTION_DEVICE], &image, error) &&
                session_open(session, &database, DATABASE_WRITE, error);

    if (done) {
        done = map_image_apply(session, &database, &image, session->arguments->words[0], error);
        done = session_close(session, &database, done, error);
    }
    map_image_free(&image);
    return done;
}

bool command_map(struct session *session, struct error *error) {
    const char *path = session->arguments->values[OPTION_IMAGE];

    if (session->arguments->given[OPTION_LIST]) {
        return path == NULL && session->arguments->word_count == 0
                   ? list_image(session, error)
                   : error_usage(error, "--list IMAGE takes no other arguments");
    }
    if (path == NULL || session->arguments->word_count == 0) {
        return error_usage(error, "map needs TRACE --image FILE, or --list IMAGE");
    }
    return map_image_to_trace(session, error);
}
