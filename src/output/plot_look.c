#include "output/plot_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_IN_PIXEL (72.0 / 96)

/* gnuplot's terminals by file extension. Pixels of a PDF are 1/96 inch, as in SVG. */
struct terminal {
    const char *ending;
    enum picture_kind kind;
    const char *name, *size; /* `size`: default, as in `set terminal` */
    double font_size;        /* default */
    double scale;            /* factor that gnuplot applies to fonts */
    bool is_paper;           /* sizes are in inches, and points are those of print */
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

/* Limits in characters and pixels: smaller files have no room for axes. */
enum { LEAST_SIZE = 20, LEAST_FILE_SIZE = 100, MOST_SIZE = 10000 };

/* Default font size in print, and the smallest readable one. */
#define PRINT_FONT    8.0
#define LEAST_LETTERS 6.0

enum { PRINT_DOTS = 300 }; /* of a PNG, per inch */

static void set_print_size(struct plot_look *look, double points_wide, double points_high) {
    look->points_wide = points_wide;
    look->points_high = points_high;
    look->width = (int)lround(points_wide / POINTS_IN_PIXEL);
    look->height = (int)lround(points_high / POINTS_IN_PIXEL);
}

void plot_look_for(struct plot_look *look, enum plot_purpose purpose) {
    static const struct {
        double width, height; /* mm */
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

/* --- reading ---------------------------------------------------------------------------------- */

static const struct unit {
    const char name[3];
    double points;
} units[] = {
    {"px", POINTS_IN_PIXEL}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}, {"in", 72}, {"pt", 1},
};

/* Parses a number without sign or exponent, and its unit, NULL if there is none. */
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
    wide = wide == NULL ? high : wide; /* 85x60mm … */
    high = high == NULL ? wide : high; /* … or 85mmx60 */
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
           error_usage(error,
                       "--size is WIDTHxHEIGHT, each from %d to %d, as 1200x800, or in print, as "
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
               error_usage(error, "a size in print is of files; -o FILE says which");
    }
    if (look->width == 0 || (look->width >= LEAST_FILE_SIZE && look->height >= LEAST_FILE_SIZE)) {
        return true;
    }
    return error_usage(error, "%s: --size of a file is at least %dx%d, not %dx%d", path,
                       LEAST_FILE_SIZE, LEAST_FILE_SIZE, look->width, look->height);
}

/* --- commands for gnuplot --------------------------------------------------------------------- */

int plot_look_dots(const struct plot_look *look, enum picture_kind kind) {
    return kind == PICTURE_PNG && look->points_wide > 0 ? PRINT_DOTS : 0;
}

static void set_size(FILE *script, const struct terminal *terminal, const struct plot_look *look) {
    const double dots = look->points_wide > 0 ? PRINT_DOTS : 96;

    if (look->width == 0) {
        fputs(terminal->size, script);
    } else if (terminal->is_paper) {
        const bool in_print = look->points_wide > 0;

        /* cairo truncates its floating-point sizes to whole points. */
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

/* Another font size is the default at another scale, so that smaller texts of the plots stay
 * smaller. On paper a point is a point: cairo counts 4/3 for one. */
static double font_scale(const struct terminal *terminal, const struct plot_look *look) {
    const double scale = look->font_size / terminal->font_size;

    return look->font_size <= 0    ? terminal->scale
           : terminal->is_paper    ? scale * POINTS_IN_PIXEL
           : look->points_wide > 0 ? scale * PRINT_DOTS / 96
                                   : scale;
}

/* As in set_size() and set_font(). */
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

/* A picture for LaTeX uses the font of the document. */
static void set_font(FILE *script, const struct terminal *terminal, const struct plot_look *look) {
    const char *name = look->font[0] == '\0' ? "sans" : look->font;

    if (terminal->kind == PICTURE_TEX) {
        fprintf(script, " font \",%g\" fontscale %g", plot_look_tex(look).font_size,
                terminal->scale);
    } else if (terminal->kind == PICTURE_SVG && look->points_wide > 0) {
        /* For an SVG, gnuplot reserves room for the unscaled font. */
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
    }
    fputc('\n', script);
    if (kind == PICTURE_TEX) {
        fputs("set output '" PLOT_TEX_PICTURE "'\n", script);
    }
    /* All texts have the same size in TeX, so smaller ones are disabled. */
    plot_set_variables(script, look,
                       in_print && kind != PICTURE_TEX && look->font_size > LEAST_LETTERS
                           ? LEAST_LETTERS / look->font_size
                           : in_print || kind == PICTURE_TEX);
}
