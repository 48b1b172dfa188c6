/* tracetool map: which file was it? */
#include <inttypes.h>
#include <string.h>

#include "cli/command.h"
#include "cli/map_image.h"
#include "select/notes.h"

static const struct column list_columns[] = {
    {"start", "", COLUMN_NUMBER}, {"blocks", "", COLUMN_INTEGER}, {"class", "", COLUMN_TEXT},
    {"inode", "", COLUMN_NUMBER}, {"path", "", COLUMN_TEXT},
};

#define LIST_COLUMNS (sizeof list_columns / sizeof list_columns[0])

static bool print_extent(struct printer *printer, const struct file_map *map,
                         const struct map_extent *extent, struct text *path, struct error *error) {
    const char *class = block_class_name(extent->class);
    struct value values[LIST_COLUMNS] = {
        {.type = VALUE_INTEGER, .integer = (int64_t)extent->start},
        {.type = VALUE_INTEGER, .integer = extent->length},
        {.type = VALUE_TEXT, .bytes = class, .length = strlen(class)},
    };

    if (extent->file != 0) {
        text_clear(path);
        file_map_path(map, extent->file, path);
        values[3] =
            (struct value){.type = VALUE_INTEGER, .integer = map->files.items[extent->file].inode};
        values[4] =
            (struct value){.type = VALUE_TEXT, .bytes = path->bytes, .length = path->length};
    }
    return printer_row(printer, values, error);
}

static void describe(const struct file_map *map, struct notes *notes) {
    char uuid[FILE_MAP_UUID];

    file_map_uuid(map, uuid);
    notes_append(notes,
                 "file system %s of %" PRIu64 " blocks of %u bytes, from byte %" PRIu64
                 " of the image",
                 uuid, map->blocks, (unsigned)map->block_size, map->offset);
    if (map->disputed > 0) {
        notes_append(notes, "%" PRIu64 " blocks have several owners: the first by inode has them",
                     map->disputed);
    }
    if (map->has_fast_commits) {
        notes_append(notes, "fast commits after its last transaction are not read: blocks that "
                            "they give to files may be free here");
    }
    if (map->unreadable > 0) {
        notes_append(notes,
                     "%" PRIu64 " inodes or directories are damaged: what they own is missing",
                     map->unreadable);
    }
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

    describe(map, &notes);
    result.remarks = (const char *const *)notes.lines;
    result.remark_count = notes.count;
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
    bool done = map_image_request(session, path, &request, error) &&
                image_read(&request, &map, error) &&
                session_print(session, false, print_map, &map, error);

    file_map_free(&map);
    return done;
}

static bool map_one(struct session *session, struct error *error) {
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
                   : error_set_status(error, EXIT_USAGE, "--list IMAGE stands alone");
    }
    if (path == NULL || session->arguments->word_count == 0) {
        return error_set_status(error, EXIT_USAGE, "map needs TRACE --image FILE, or --list IMAGE");
    }
    return map_one(session, error);
}
