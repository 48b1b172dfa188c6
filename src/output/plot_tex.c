#include "output/plot_tex.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/placed_file.h"
#include "base/text.h"
#include "output/picture.h"

#define PICTURE_PDF_FILE "picture.pdf"

const char *const plot_tex_files[] = {PLOT_TEX_MEASURED, "measured.pdf", PLOT_TEX_PICTURE,
                                      PICTURE_PDF_FILE, NULL};

bool plot_tex_check(const char *path, struct error *error) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/";

    if (path[strspn(path, plain)] != '\0') {
        return error_usage(error,
                           "%s: TeX reads the half of a .tex picture by its name, so that has "
                           "letters, digits and . _ - + / alone",
                           path);
    }
    return !file_is_special(path) ||
           error_usage(error, "%s: a .tex picture is two files, and this is a device", path);
}

/* Returns the path without its extension; owned by the caller. */
static char *base_of(const char *path) {
    return xstrndup(path, strlen(path) - strlen(".tex"));
}

/* --- lines of gnuplot's file ------------------------------------------------------------------ */

/* Skips `word` if it comes next. */
static bool skip(const char **at, const char *word) {
    const size_t length = strlen(word);
    const bool is_there = strncmp(*at, word, length) == 0;

    *at += is_there ? length : 0;
    return is_there;
}

/* Skips numbers written by gnuplot. */
static size_t skip_numbers(const char **at) {
    const size_t length = strspn(*at, "-0123456789.,");

    *at += length;
    return length;
}

/* Appends text by latex_append(), with private use characters converted back. */
static void plot_tex_append_words(struct text *out, const char *words, size_t length) {
    struct text plain = {0};

    for (size_t i = 0; i < length;) {
        uint32_t character = 0;
        const size_t size = utf8_sequence(words + i, length - i, &character);

        if (character > PLOT_TEX_PRIVATE && character < PLOT_TEX_PRIVATE + 0x80) {
            text_append_char(&plain, (char)(character - PLOT_TEX_PRIVATE));
        } else {
            text_append(&plain, words + i, size > 0 ? size : 1);
        }
        i += size > 0 ? size : 1;
    }
    latex_append(out, text_string(&plain), plain.length);
    text_free(&plain);
}

/* Parses \put(X,Y){\makebox(0,0)[l]{\strut{}WORDS}}% or, rotated, \put(X,Y){\rotatebox{90}{…}}%.
 * False for other lines. */
static bool plot_tex_take_words(struct text *out, const char *line) {
    const char *at = line, *end;
    bool is_turned;

    if (!skip(&at, "\\put(") || skip_numbers(&at) == 0 || !skip(&at, "){")) {
        return false;
    }
    is_turned = skip(&at, "\\rotatebox{");
    if ((is_turned && (skip_numbers(&at) == 0 || !skip(&at, "}{"))) ||
        !skip(&at, "\\makebox(0,0)")) {
        return false;
    }
    if (skip(&at, "[")) {
        at += strspn(at, "lrtb");
        if (!skip(&at, "]")) {
            return false;
        }
    }
    if (!skip(&at, "{\\strut{}")) {
        return false;
    }
    end = line + strlen(line) - (is_turned ? strlen("}}}%") : strlen("}}%"));
    if (end < at || strcmp(end, is_turned ? "}}}%" : "}}%") != 0) {
        return false;
    }
    text_append(out, line, (size_t)(at - line));
    plot_tex_append_words(out, at, (size_t)(end - at));
    text_append_format(out, "%s\n", end);
    return true;
}

/* --- files ------------------------------------------------------------------------------------ */

static int open_part(const char *folder, const char *name, struct error *error) {
    char *path = xasprintf("%s/%s", folder, name);
    const int file = file_open(path, O_RDWR);

    if (file < 0) {
        error_set(error, "gnuplot wrote no picture");
    }
    free(path);
    return file;
}

/* Reads only the texts of gnuplot's file: the size in it is that of the last plot. */
static bool plot_tex_read_words(const char *folder, struct text *words, struct error *error) {
    const int file = open_part(folder, PLOT_TEX_PICTURE, error);
    FILE *stream = file < 0 ? NULL : fdopen(file, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    if (stream == NULL) {
        if (file >= 0) {
            close(file);
        }
        return error_set(error, "gnuplot wrote no picture");
    }
    while ((length = getline(&line, &size, stream)) > 0) {
        line[length - (line[length - 1] == '\n')] = '\0';
        plot_tex_take_words(words, line + strspn(line, " "));
    }
    free(line);
    fclose(stream);
    return words->length > 0 ||
           error_set(error, "gnuplot's picture for LaTeX is not as this version reads it");
}

/* Writes the notes as comments, one line each. */
static void plot_tex_append_notes(struct text *out, const char *notes) {
    for (const char *line = notes; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        text_append_format(out, "%% %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static bool write_tex(const struct plot_tex *tex, const char *base, const struct text *words,
                      const char *notes, int file, struct error *error) {
    struct text out = {0};
    bool done;

    plot_tex_append_notes(&out, notes);
    text_append_format(&out,
                       "%% needs \\usepackage{graphicx}\n"
                       "\\begingroup\\fontsize{%g}{%g}\\selectfont\n"
                       "\\setlength{\\unitlength}{0.05bp}%%\n"
                       "\\begin{picture}(%.0f,%.0f)%%\n"
                       "\\put(0,0){\\includegraphics[width=%gbp,height=%gbp]{%s-inc}}%%\n"
                       "%s\\end{picture}%%\n\\endgroup\n",
                       tex->font_size, 1.2 * tex->font_size, 20 * tex->wide, 20 * tex->high,
                       tex->wide, tex->high, base, text_string(words));
    done = file_write_all(file, text_string(&out), out.length) ||
           error_set(error, "cannot write the picture: %s", strerror(errno));
    text_free(&out);
    return done;
}

static bool plot_tex_copy_all(int from, FILE *to) {
    char buffer[65536];
    ssize_t got = -1;

    if (lseek(from, 0, SEEK_SET) == 0) {
        while ((got = read(from, buffer, sizeof buffer)) > 0 &&
               fwrite(buffer, 1, (size_t)got, to) == (size_t)got) {
        }
    }
    return got == 0;
}

static bool place_graphics(const char *folder, const char *base, const char *notes,
                           struct error *error) {
    const int file = open_part(folder, PICTURE_PDF_FILE, error);
    char *path = xasprintf("%s-inc.pdf", base);
    struct placed_file placed = {0};
    bool done = file >= 0 && picture_annotate(file, PICTURE_PDF, 0, notes, error) &&
                placed_file_open(&placed, path, error);

    if (done) {
        done = plot_tex_copy_all(file, placed.file) ||
               error_set(error, "%s: cannot write: %s", path, strerror(errno));
    }
    done = done && placed_file_commit(&placed, error);
    placed_file_close(&placed);
    free(path);
    if (file >= 0) {
        close(file);
    }
    return done;
}

bool plot_tex_convert(const struct plot_tex *tex, const char *folder, const char *path,
                      const char *notes, int file, struct error *error) {
    struct text words = {0};
    char *base = base_of(path);
    bool done = plot_tex_read_words(folder, &words, error) &&
                write_tex(tex, base, &words, notes, file, error) &&
                place_graphics(folder, base, notes, error);

    text_free(&words);
    free(base);
    return done;
}

/* Returns the replacement of a character; NULL: itself. `"` is a command in some languages; `[` and
 * `*` are options after the end of a row. */
static const char *sign_of(uint32_t character) {
    static const struct {
        uint32_t character;
        const char *sign;
    } signs[] = {
        {'\\', "\\textbackslash{}"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'$', "\\$"},
        {'&', "\\&"},
        {'#', "\\#"},
        {'%', "\\%"},
        {'_', "\\_"},
        {'^', "\\textasciicircum{}"},
        {'~', "\\textasciitilde{}"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'|', "\\textbar{}"},
        {'"', "\\char34{}"},
        {'`', "\\textasciigrave{}"},
        {'[', "{[}"},
        {']', "{]}"},
        {'*', "{*}"},
        {0xa0, "~"},
        {0xad, "\\-"},
        {0xb5, "\\ensuremath{\\mu}"},
        {0xd7, "\\ensuremath{\\times}"},
        {0x2013, "\\textendash{}"},
        {0x2014, "\\textemdash{}"},
        {0x2026, "\\dots{}"},
        {0x3bc, "\\ensuremath{\\mu}"},
    };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (signs[i].character == character) {
            return signs[i].sign;
        }
    }
    return NULL;
}

#define LAST_LATIN_LETTER 0x17f

void latex_append(struct text *out, const char *plain, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t character = 0;
        size_t size = utf8_sequence(plain + at, length - at, &character);
        const char *sign = sign_of(character);

        if (sign != NULL) {
            text_append_string(out, sign);
        } else if (character <= LAST_LATIN_LETTER) {
            text_append(out, plain + at, size);
        } else {
            text_append_format(out, "{[}U+%04" PRIX32 "{]}", character);
        }
        /* Two of these form another character. */
        if (at + 1 < length && plain[at + 1] == plain[at] && strchr("-,'", plain[at]) != NULL) {
            text_append_string(out, "{}");
        }
        at += size > 0 ? size : 1;
    }
}
