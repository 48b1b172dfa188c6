#include "output/picture.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"
#include "output/html.h"

/* The picture's title, and its description: the # lines of its report. */
struct notes {
    const char *title, *description;
    size_t title_length, description_length;
    int dots; /* resolution in dots per inch that is stored in a PNG; 0: none */
};

static struct notes picture_split(const char *notes, int dots) {
    const size_t first = strcspn(notes, "\n");
    const char *rest = notes + first + (notes[first] == '\n');
    size_t length = strlen(rest);

    return (struct notes){
        .title = notes,
        .dots = dots,
        .title_length = first,
        .description = rest,
        .description_length = length - (length > 0 && rest[length - 1] == '\n'),
    };
}

/* Bytes of a PNG's signature and first chunk, IHDR; new chunks are inserted after them. */
enum { PNG_HEADER = 33 };

static void picture_append_number(struct text *out, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        text_append_char(out, (char)(number >> shift & 0xFF));
    }
}

static void append_chunk(struct text *out, const char *name, const struct text *content) {
    size_t start;

    picture_append_number(out, (uint32_t)content->length);
    start = out->length;
    text_append_string(out, name);
    text_append(out, content->bytes, content->length);
    picture_append_number(
        out, (uint32_t)crc32(0, (const Bytef *)out->bytes + start, (uInt)(out->length - start)));
}

/* Appends an iTXt chunk: keyword, NUL, "uncompressed" (two bytes), no language, text. */
static void picture_append_words(struct text *out, const char *keyword, const char *bytes,
                                 size_t length) {
    struct text content = {0};

    text_append_string(&content, keyword);
    text_append(&content, "\0\0\0\0\0", 5);
    text_append(&content, bytes, length);
    append_chunk(out, "iTXt", &content);
    text_free(&content);
}

static void annotate_png(const struct text *picture, const struct notes *notes, struct text *out) {
    if (picture->length < PNG_HEADER || memcmp(picture->bytes, "\x89PNG\r\n\x1a\n", 8) != 0) {
        return;
    }
    text_append(out, picture->bytes, PNG_HEADER);
    if (notes->dots > 0) {
        /* A pHYs chunk: dots per metre, horizontally and vertically, and the unit metre. */
        const uint32_t in_metre = (uint32_t)(notes->dots / 0.0254 + 0.5);
        struct text content = {0};

        picture_append_number(&content, in_metre);
        picture_append_number(&content, in_metre);
        text_append_char(&content, 1);
        append_chunk(out, "pHYs", &content);
        text_free(&content);
    }
    picture_append_words(out, "Title", notes->title, notes->title_length);
    picture_append_words(out, "Description", notes->description, notes->description_length);
    text_append(out, picture->bytes + PNG_HEADER, picture->length - PNG_HEADER);
}

/* Returns the content of an XML element that gnuplot wrote, and sets `*end` to its end tag; NULL:
 * there is no such element. */
static const char *find_element(const char *from, const char *begin_tag, const char *end_tag,
                                const char **end) {
    const char *start = from == NULL ? NULL : strstr(from, begin_tag);

    *end = start == NULL ? NULL : strstr(start, end_tag);
    return *end == NULL ? NULL : start + strlen(begin_tag);
}

static void annotate_svg(const struct text *picture, const struct notes *notes, struct text *out) {
    const char *title_end, *description_end;
    const char *title = find_element(text_string(picture), "<title>", "</title>", &title_end);
    const char *description = find_element(title_end, "<desc>", "</desc>", &description_end);

    if (title == NULL || description == NULL) {
        return;
    }
    text_append(out, picture->bytes, (size_t)(title - picture->bytes));
    xml_append(out, notes->title, notes->title_length);
    text_append(out, title_end, (size_t)(description - title_end));
    xml_append(out, notes->description, notes->description_length);
    text_append(out, description_end, picture->length - (size_t)(description_end - picture->bytes));
}

/* Appends a string for a PDF: UTF-16 with a byte order mark, as hexadecimal digits, so that no byte
 * has a special meaning. */
static void append_pdf_string(struct text *out, const char *bytes, size_t length) {
    text_append_string(out, "<FEFF");
    for (size_t i = 0, size; i < length; i += size) {
        uint32_t code = '?';

        size = utf8_sequence(bytes + i, length - i, &code);
        size = size == 0 ? 1 : size;
        if (code >= 0x10000) {
            text_append_format(out, "%04X%04X", (unsigned)(0xD800 + ((code - 0x10000) >> 10)),
                               (unsigned)(0xDC00 + ((code - 0x10000) & 0x3FF)));
        } else {
            text_append_format(out, "%04X", (unsigned)code);
        }
    }
    text_append_string(out, ">");
}

/* Returns the last trailer (the dictionary at the end) of a PDF. */
static const char *find_trailer(const struct text *picture) {
    static const char word[] = "trailer";
    const size_t length = strlen(word);

    for (size_t i = picture->length; i >= length; i--) {
        if (memcmp(picture->bytes + i - length, word, length) == 0) {
            return picture->bytes + i - length;
        }
    }
    return NULL;
}

/* Returns the number after a name such as /Size in a PDF's trailer; -1 if the name is missing. */
static long trailer_number(const char *trailer, const char *name) {
    const char *at = strstr(trailer, name);
    char *end;
    long number = at == NULL ? -1 : strtol(at + strlen(name), &end, 10);

    return at == NULL || end == at + strlen(name) || number < 0 ? -1 : number;
}

/* Appends title and subject to a PDF as an incremental update, which leaves all earlier bytes as
 * they are. Appends nothing if the PDF has no trailer in plain text (newer versions may compress
 * it). */
static void annotate_pdf(const struct text *picture, const struct notes *notes, struct text *out) {
    const char *trailer = find_trailer(picture);
    long size, root, table;
    size_t place, new_table;

    if (trailer == NULL) {
        return;
    }
    size = trailer_number(trailer, "/Size");
    root = trailer_number(trailer, "/Root");
    table = trailer_number(trailer, "startxref");
    if (size < 0 || root < 0 || table < 0) {
        return;
    }
    text_append(out, picture->bytes, picture->length);
    place = out->length;
    text_append_format(out, "%ld 0 obj\n<< /Title ", size);
    append_pdf_string(out, notes->title, notes->title_length);
    text_append_string(out, "\n   /Subject ");
    append_pdf_string(out, notes->description, notes->description_length);
    text_append_string(out, "\n   /Creator (tracetool)\n>>\nendobj\n");
    new_table = out->length;
    text_append_format(out,
                       "xref\n%ld 1\n%010zu 00000 n \ntrailer\n<< /Size %ld\n   /Root %ld 0 R\n"
                       "   /Info %ld 0 R\n   /Prev %ld\n>>\nstartxref\n%zu\n%%%%EOF\n",
                       size, place, size + 1, root, size, table, new_table);
}

static bool picture_read_all(int file, struct text *picture, struct error *error) {
    struct stat status;
    ssize_t got = 1;

    if (fstat(file, &status) != 0) {
        return error_set(error, "cannot read the drawn picture: %s", strerror(errno));
    }
    text_reserve(picture, (size_t)status.st_size + 1);
    while (got > 0 && picture->length < (size_t)status.st_size) {
        got = pread(file, picture->bytes + picture->length,
                    (size_t)status.st_size - picture->length, (off_t)picture->length);
        picture->length += got > 0 ? (size_t)got : 0;
    }
    picture->bytes[picture->length] = '\0';
    return got >= 0 || error_set(error, "cannot read the drawn picture: %s", strerror(errno));
}

static bool write_all(int file, const struct text *picture, struct error *error) {
    size_t done = 0;

    while (done < picture->length) {
        ssize_t written = pwrite(file, picture->bytes + done, picture->length - done, (off_t)done);

        if (written < 0) {
            return error_set(error, "cannot write the picture: %s", strerror(errno));
        }
        done += (size_t)written;
    }
    return true;
}

bool picture_annotate(int file, enum picture_kind kind, int dots, const char *notes,
                      struct error *error) {
    static void (*const annotate[])(const struct text *picture, const struct notes *notes,
                                    struct text *out) = {
        [PICTURE_PNG] = annotate_png, [PICTURE_SVG] = annotate_svg, [PICTURE_PDF] = annotate_pdf,
        [PICTURE_EPS] = NULL,         [PICTURE_TEX] = NULL,
    };
    const struct notes parts = picture_split(notes, dots);
    struct text picture = {0}, annotated = {0};
    bool done = annotate[kind] == NULL || picture_read_all(file, &picture, error);

    if (done && annotate[kind] != NULL) {
        annotate[kind](&picture, &parts, &annotated);
        done = write_all(file, &annotated, error);
    }
    text_free(&picture);
    text_free(&annotated);
    return done;
}
