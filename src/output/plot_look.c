#include "output/plot_look.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
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

/* --- texts in the LaTeX file of gnuplot ------------------------------------------------------- */

/* If the text at `*at` begins with `word`, skips the word and returns true. */
static bool skip_word(const char **at, const char *word) {
    const size_t length = strlen(word);
    const bool is_there = strncmp(*at, word, length) == 0;

    *at += is_there ? length : 0;
    return is_there;
}

/* Skips digits, signs, points and commas, as in gnuplot's coordinates. Returns how many. */
static size_t skip_numbers(const char **at) {
    const size_t length = strspn(*at, "-0123456789.,");

    *at += length;
    return length;
}

/* Appends text of gnuplot's file, escaped for LaTeX; first restores [ and { (PLOT_TEX_PRIVATE). */
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

/* Copies a line such as \put(X,Y){\makebox(0,0)[l]{\strut{}WORDS}}%, or
 * \put(X,Y){\rotatebox{90}{…}}%, with its text WORDS escaped. Returns false for other lines. */
static bool plot_tex_process_words(struct text *out, const char *line) {
    const char *at = line, *end;
    bool is_turned;

    if (!skip_word(&at, "\\put(") || skip_numbers(&at) == 0 || !skip_word(&at, "){")) {
        return false;
    }
    is_turned = skip_word(&at, "\\rotatebox{");
    if ((is_turned && (skip_numbers(&at) == 0 || !skip_word(&at, "}{"))) ||
        !skip_word(&at, "\\makebox(0,0)")) {
        return false;
    }
    if (skip_word(&at, "[")) {
        at += strspn(at, "lrtb");
        if (!skip_word(&at, "]")) {
            return false;
        }
    }
    if (!skip_word(&at, "{\\strut{}")) {
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

/* --- the files of a picture for LaTeX --------------------------------------------------------- */

static int open_part(const char *folder, const char *name, struct error *error) {
    char *path = xasprintf("%s/%s", folder, name);
    const int file = file_open(path, O_RDWR);

    if (file < 0) {
        error_set(error, "gnuplot wrote no picture");
    }
    free(path);
    return file;
}

/* Reads the texts from gnuplot's file; ignores its size, which is that of the last plot only. */
static bool plot_tex_read_words(const char *folder, struct text *words, struct error *error) {
    const int file = open_part(folder, PLOT_TEX_PICTURE, error);
    FILE *stream = file < 0 ? NULL : fdopen(file, "r");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    if (stream == NULL) {
        file_close(file);
        return error_set(error, "gnuplot wrote no picture");
    }
    while ((length = getline(&line, &size, stream)) > 0) {
        line[length - (line[length - 1] == '\n')] = '\0';
        plot_tex_process_words(words, line + strspn(line, " "));
    }
    free(line);
    fclose(stream);
    return words->length > 0 || error_set(error, "gnuplot's LaTeX output has an unknown form");
}

static bool write_tex(const struct plot_tex *tex, const char *base, const struct text *words,
                      const char *notes, int file, struct error *error) {
    struct text out = {0};
    bool done;

    /* Writes the title and # lines as comments. */
    for (const char *line = notes; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        text_append_format(&out, "%% %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
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
    struct atomic_file placed = {0};
    bool done = file >= 0 && picture_annotate(file, PICTURE_PDF, 0, notes, error) &&
                atomic_file_open(&placed, path, error);

    if (done) {
        done = plot_tex_copy_all(file, placed.file) ||
               error_set(error, "%s: cannot write: %s", path, strerror(errno));
    }
    done = done && atomic_file_commit(&placed, error);
    atomic_file_close(&placed);
    free(path);
    file_close(file);
    return done;
}

bool plot_tex_convert(const struct plot_tex *tex, const char *folder, const char *path,
                      const char *notes, int file, struct error *error) {
    struct text words = {0};
    char *base = xstrndup(path, strlen(path) - strlen(".tex"));
    bool done = plot_tex_read_words(folder, &words, error) &&
                write_tex(tex, base, &words, notes, file, error) &&
                place_graphics(folder, base, notes, error);

    text_free(&words);
    free(base);
    return done;
}

/* Returns what to write for a character in LaTeX; NULL: the character itself. `"` is a command in
 * some languages; after the end of a table's row, `[` and `*` would begin an option. */
static const char *latex_replacement_of(uint32_t character) {
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
        const char *sign = latex_replacement_of(character);

        if (sign != NULL) {
            text_append_string(out, sign);
        } else if (character <= LAST_LATIN_LETTER) {
            text_append(out, plain + at, size);
        } else {
            text_append_format(out, "{[}U+%04" PRIX32 "{]}", character);
        }
        /* Separates two equal characters that LaTeX would join, such as -- to a dash. */
        if (at + 1 < length && plain[at + 1] == plain[at] && strchr("-,'", plain[at]) != NULL) {
            text_append_string(out, "{}");
        }
        at += size > 0 ? size : 1;
    }
}

#define POINTS_IN_PIXEL (72.0 / 96)

/* Terminals (output drivers) of gnuplot. In a PDF, a pixel is 1/96 inch, as in SVG. */
struct terminal {
    const char *ending;
    enum picture_kind kind;
    const char *name, *size; /* `size`: default size, as `set terminal` takes it */
    double font_size;        /* default font size in points */
    double scale;            /* factor that this terminal applies to font sizes */
    bool is_paper;           /* true: sizes are given to gnuplot in inches */
    const char *more;
};

static const struct terminal terminals[] = {
    {".png", PICTURE_PNG, "pngcairo", "1200,800", 14, 1, false, ""},
    {".svg", PICTURE_SVG, "svg", "900,600", 14, 1, false, " background \"white\""},
    {".pdf", PICTURE_PDF, "pdfcairo", "18cm,12cm", 11, 0.5, true, ""},
    {".eps", PICTURE_EPS, "epscairo", "18cm,12cm", 11, 0.5, true, ""},
    {".tex", PICTURE_TEX, "cairolatex pdf", "18cm,12cm", 8, POINTS_IN_PIXEL, true, ""},
};

enum { TERMINALS = sizeof terminals / sizeof terminals[0] };

bool plot_kind_of(const char *path, enum picture_kind *kind) {
    size_t length = strlen(path);

    for (size_t i = 0; i < TERMINALS; i++) {
        size_t ending = strlen(terminals[i].ending);

        if (length > ending && strcmp(path + length - ending, terminals[i].ending) == 0) {
            *kind = terminals[i].kind;
            return true;
        }
    }
    return false;
}

/* Least and largest size of a picture: in characters for the terminal, in pixels for files. */
enum { LEAST_SIZE = 20, LEAST_FILE_SIZE = 100, MOST_SIZE = 10000 };

/* Default font size for print, and the least readable font size, both in points. */
#define PRINT_FONT    8.0
#define LEAST_LETTERS 6.0

enum { PRINT_DOTS = 300 }; /* dots per inch of a PNG for print */

static void set_print_size(struct plot_look *look, double points_wide, double points_high) {
    look->points_wide = points_wide;
    look->points_high = points_high;
    look->width = (int)lround(points_wide / POINTS_IN_PIXEL);
    look->height = (int)lround(points_high / POINTS_IN_PIXEL);
}

void plot_look_set_purpose(struct plot_look *look, enum plot_purpose purpose) {
    static const struct {
        double width, height; /* size of the picture in mm */
        double font_size;
    } sizes[] = {
        [PLOT_FOR_COLUMN] = {85, 64, PRINT_FONT},
        [PLOT_FOR_PAGE] = {178, 110, PRINT_FONT},
        [PLOT_FOR_SLIDE] = {254, 142.875, 14},
    };

    if (purpose != PLOT_FOR_SCREEN) {
        set_print_size(look, sizes[purpose].width / 25.4 * 72, sizes[purpose].height / 25.4 * 72);
        look->font_size = sizes[purpose].font_size;
    }
}

/* --- parsing the user's sizes and fonts of pictures ------------------------------------------- */

static const struct unit {
    const char name[3];
    double points;
} units[] = {
    {"px", POINTS_IN_PIXEL}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}, {"in", 72}, {"pt", 1},
};

/* Parses a number without sign or exponent, and the unit after it; sets `*unit` to NULL if there is
 * none. */
static bool plot_look_read_length(const char **at, double *number, const struct unit **unit) {
    size_t digits = strspn(*at, "0123456789.");
    char *end;

    *unit = NULL;
    if (digits == 0 || digits > 12 || **at == '.') {
        return false;
    }
    *number = strtod(*at, &end);
    if (end != *at + digits) {
        return false;
    }
    *at = end;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strncmp(end, units[i].name, 2) == 0) {
            *unit = &units[i];
            *at = end + 2;
        }
    }
    return true;
}

static bool is_length(double pixels) {
    return pixels >= LEAST_SIZE && pixels <= MOST_SIZE;
}

static bool read_size(struct plot_look *look, const char *at) {
    const struct unit *wide, *high;
    double width, height;
    bool is_print;

    if (!plot_look_read_length(&at, &width, &wide) || *at++ != 'x' ||
        !plot_look_read_length(&at, &height, &high) || *at != '\0') {
        return false;
    }
    wide = wide == NULL ? high : wide; /* 85x60mm: the unit is that of the height */
    high = high == NULL ? wide : high; /* 85mmx60: the unit is that of the width */
    is_print = wide != NULL && (wide != units || (high != NULL && high != units));
    width *= wide == NULL ? POINTS_IN_PIXEL : wide->points;
    height *= high == NULL ? POINTS_IN_PIXEL : high->points;
    set_print_size(look, width, height);
    if (!is_length(width / POINTS_IN_PIXEL) || !is_length(height / POINTS_IN_PIXEL)) {
        return false;
    }
    if (!is_print) {
        look->points_wide = look->points_high = 0;
        return width / POINTS_IN_PIXEL == look->width && height / POINTS_IN_PIXEL == look->height;
    }
    look->font_size = look->font_size > 0 ? look->font_size : PRINT_FONT;
    return true;
}

bool plot_read_size(struct plot_look *look, const char *size, struct error *error) {
    return read_size(look, size) ||
           error_usage(
               error,
               "--size must be WIDTHxHEIGHT, each from %d to %d, as 1200x800, or in print, as "
               "85mmx60mm, with mm, cm, in or pt, not '%s'",
               LEAST_SIZE, MOST_SIZE, size);
}

bool plot_read_font(struct plot_look *look, const char *font, struct error *error) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -";
    size_t length = strspn(font, plain);
    const char *rest = font + length;
    char *end;

    if (length < sizeof look->font && font[0] != '-' && (*rest == ',' || *rest == '\0') &&
        font[0] != '\0') {
        memcpy(look->font, font, length);
        look->font[length] = '\0';
        if (*rest == '\0') {
            return true;
        }
        look->font_size = strtod(rest + 1, &end);
        if (strspn(rest + 1, "0123456789.") == strlen(rest + 1) && end != rest + 1 &&
            *end == '\0' && look->font_size >= 4 && look->font_size <= 100) {
            return true;
        }
    }
    return error_usage(error,
                       "--font is NAME, NAME,SIZE or ,SIZE: a name of letters, digits, blanks "
                       "and -, a size from 4 to 100; not '%s'",
                       font);
}

bool plot_look_check(const struct plot_look *look, const char *path, struct error *error) {
    if (strcmp(path, "-") == 0) {
        return look->points_wide == 0 ||
               error_usage(error,
                           "a --size in mm, cm, in or pt needs a picture in a file: -o FILE");
    }
    if (look->width == 0 || (look->width >= LEAST_FILE_SIZE && look->height >= LEAST_FILE_SIZE)) {
        return true;
    }
    return error_usage(error, "%s: --size of a file is at least %dx%d, not %dx%d", path,
                       LEAST_FILE_SIZE, LEAST_FILE_SIZE, look->width, look->height);
}

/* --- writing the commands that set a picture's look ------------------------------------------- */

int plot_look_dots(const struct plot_look *look, enum picture_kind kind) {
    return kind == PICTURE_PNG && look->points_wide > 0 ? PRINT_DOTS : 0;
}

static void set_size(FILE *script, const struct terminal *terminal, const struct plot_look *look) {
    const double dots = look->points_wide > 0 ? PRINT_DOTS : 96;

    if (look->width == 0) {
        fputs(terminal->size, script);
    } else if (terminal->is_paper) {
        const bool in_print = look->points_wide > 0;

        /* Adds 1/100 point, because cairo truncates sizes to whole points. */
        fprintf(script, "%.6fin,%.6fin",
                in_print ? (round(look->points_wide) + 0.01) / 72 : look->width / 96.0,
                in_print ? (round(look->points_high) + 0.01) / 72 : look->height / 96.0);
    } else if (terminal->kind == PICTURE_PNG && look->points_wide > 0) {
        fprintf(script, "%ld,%ld", lround(look->points_wide / 72 * dots),
                lround(look->points_high / 72 * dots));
    } else {
        fprintf(script, "%d,%d", look->width, look->height);
    }
}

/* Returns the factor for all fonts that makes the default font as large as requested. So smaller
 * texts of a plot stay smaller. On paper, cairo draws a point 4/3 points large. */
static double font_scale(const struct terminal *terminal, const struct plot_look *look) {
    const double scale = look->font_size / terminal->font_size;

    return look->font_size <= 0    ? terminal->scale
           : terminal->is_paper    ? scale * POINTS_IN_PIXEL
           : look->points_wide > 0 ? scale * PRINT_DOTS / 96
                                   : scale;
}

/* Returns size and font, computed as set_size() and set_font() do for other pictures. */
struct plot_tex plot_look_tex(const struct plot_look *look) {
    const bool in_print = look->points_wide > 0, is_given = look->width > 0;

    return (struct plot_tex){
        .wide = in_print   ? round(look->points_wide)
                : is_given ? look->width * POINTS_IN_PIXEL
                           : 18 / 2.54 * 72,
        .high = in_print   ? round(look->points_high)
                : is_given ? look->height * POINTS_IN_PIXEL
                           : 12 / 2.54 * 72,
        .font_size = look->font_size > 0 ? look->font_size : PRINT_FONT,
    };
}

/* Writes the font option; in LaTeX, only the size, since texts are in the document's font. */
static void set_font(FILE *script, const struct terminal *terminal, const struct plot_look *look) {
    const char *name = look->font[0] == '\0' ? "sans" : look->font;

    if (terminal->kind == PICTURE_TEX) {
        fprintf(script, " font \",%g\" fontscale %g", plot_look_tex(look).font_size,
                terminal->scale);
    } else if (terminal->kind == PICTURE_SVG && look->points_wide > 0) {
        /* gnuplot reserves space for an SVG's texts by the font size only, so the factor is 1. */
        fprintf(script, " font \"%s,%g\" fontscale 1", name, look->font_size / POINTS_IN_PIXEL);
    } else {
        fprintf(script, " font \"%s,%g\" fontscale %g", name, terminal->font_size,
                font_scale(terminal, look));
    }
}

const char *plot_layout_name(const struct plot_look *look) {
    static const char *const names[] = {
        [PLOT_AS_USUAL] = NULL, [PLOT_OVERLAY] = "overlay", [PLOT_PANELS] = "panels"};

    return look == NULL ? NULL : names[look->layout];
}

void plot_set_variables(FILE *script, const struct plot_look *look, double least_part) {
    if (least_part > 0) {
        fprintf(script, "least_part = %g\n", least_part);
    }
    fputs(look->no_title ? "no_title = 1\n" : "", script);
    fputs(look->no_notes ? "no_notes = 1\n" : "", script);
    fputs(look->has_caption ? "has_caption = 1\n" : "", script);
    if (plot_layout_name(look) != NULL) {
        fprintf(script, "layout = \"%s\"\n", plot_layout_name(look));
    }
    fputs(look->log_x ? "wants_log_x = 1\n" : "", script);
    fputs(look->is_mono ? "is_mono = 1\n" : "", script);
}

void plot_set_terminal(FILE *script, enum picture_kind kind, const struct plot_look *look) {
    const struct terminal *terminal = terminals;
    const bool in_print = look->points_wide > 0;

    while (terminal->kind != kind) {
        terminal++;
    }
    fprintf(script, "set terminal %s size ", terminal->name);
    set_size(script, terminal, look);
    set_font(script, terminal, look);
    fputs(terminal->more, script);
    if (plot_look_dots(look, kind) > 0) {
        fprintf(script, " linewidth %g pointscale %g", PRINT_DOTS / 96.0, PRINT_DOTS / 96.0);
    } else if (in_print && kind != PICTURE_SVG) {
        /* Marks have the size of a PNG's; gnuplot's are a third larger. */
        fputs(" pointscale 0.75", script);
    }
    fputc('\n', script);
    if (kind == PICTURE_TEX) {
        fputs("set output '" PLOT_TEX_PICTURE "'\n", script);
    }
    /* In LaTeX all texts have one size, so plots omit texts that would be smaller. */
    plot_set_variables(script, look,
                       in_print && kind != PICTURE_TEX && look->font_size > LEAST_LETTERS
                           ? LEAST_LETTERS / look->font_size
                           : in_print || kind == PICTURE_TEX);
}
