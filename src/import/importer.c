#include "import/importer.h"

#include <string.h>

#include "base/words.h"
#include "import/context.h"

bool stream_next_line(struct stream *stream, struct stream_record *record) {
    const char *line;
    enum reader_line kind = reader_line(stream->reader, &line, &record->length, &record->offset);

    if (kind == READER_END) {
        return false;
    }
    record->bytes = kind == READER_LINE ? (const uint8_t *)line : NULL;
    record->size = reader_offset(stream->reader) - record->offset;
    return true;
}

/* --- finding importers by name ---------------------------------------------------------------- */

const struct importer *importer_at(const struct config *config, size_t index) {
    size_t count = 0;

    while (importers[count] != NULL) {
        if (count == index) {
            return importers[count];
        }
        count++;
    }
    return importer_declared(config, index - count);
}

const struct importer *importer_find(const struct config *config, const char *name) {
    const struct importer *importer;

    for (size_t i = 0; (importer = importer_at(config, i)) != NULL; i++) {
        if (strcmp(importer->name, name) == 0) {
            return importer;
        }
    }
    return NULL;
}

const struct importer *importer_choose(const struct config *config, const char *typed,
                                       struct error *error) {
    struct word_list names = {0};
    const struct importer *importer;
    const char *chosen;

    for (size_t i = 0; (importer = importer_at(config, i)) != NULL; i++) {
        word_list_add(&names, importer->name);
    }
    chosen = word_list_choose(&names, "input format", typed, NULL, error);
    word_list_free(&names);
    return chosen == NULL ? NULL : importer_find(config, chosen);
}

const void *import_declaration(const struct import *import) {
    return import->run->importer->declaration;
}
