#include "output/flame_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/hash.h"
#include "base/resource.h"
#include "base/saturate.h"
#include "output/html.h"
#include "output/plot.h"

/* Default sizes in pixels: width of the picture, margin, and fonts. A font size given by the user
 * is scaled by USUAL_FONT / GIVEN_FONT. */
enum { WIDTH = 1200, MARGIN = 10, USUAL_FONT = 12, GIVEN_FONT = 14, LEAST_FONT = 8 };

/* Limit of bytes of a name in a tooltip; the middle of longer names is cut out. */
enum { NAME_LENGTH = 240 };

/* Limit of # lines printed below the picture; the SVG's description has all of them. */
enum { MOST_NOTES = 12 };

struct frame {
    size_t name; /* position of the function's name in `names`, NUL-terminated */
    size_t level;
    int64_t self;    /* self time of the frame, from its row */
    int64_t total;   /* time with all callees, if the rows are of a call tree; else 0 */
    int64_t callees; /* sum of the widths of the frames on top of this one (its callees) */
    int64_t calls;   /* number of calls; -1: unknown */
    double start;    /* left edge, in units of time as for widths */
};

/* Times and number of calls of a frame in both call trees that are compared. */
struct pair {
    enum { IN_BOTH, IN_A, IN_B } in;
    double totals[2], calls[2], ratio; /* in trees a and b; NAN: the frame is not in that tree */
    const char *sign; /* shown before the name: "+ " if tree b has more time than a, "− " if less,
                         else "" */
};

/* Columns of a report that compares two call trees. */
enum { CALLS_A, CALLS_B, TOTAL_A, TOTAL_B, RATIO, STATUS, VERDICT, PAIR_COLUMNS };

static const char *const pair_names[PAIR_COLUMNS] = {"calls_a", "calls_b", "total_a", "total_b",
                                                     "ratio",   "status",  "verdict"};

struct flame_graph {
    struct text names;
    struct text body;                 /* SVG of the results drawn so far */
    struct text title, notes, report; /* escaped by text_append_escaped(), but not yet for XML;
                                         `notes` consists of lines */
    struct text temp;

    struct frame *frames; /* owned; frames of the current result, callers before callees */
    size_t count, capacity;
    struct pair *pairs; /* owned; one for each frame, if two trees are compared */
    size_t pair_capacity;
    size_t *open; /* owned; indices of the last frame and of its callers, by depth */
    size_t depth, open_capacity;
    size_t depth_column, name_column, self_column, total_column, calls_column;
    bool has_calls, has_total, inverted;
    size_t pair_columns[PAIR_COLUMNS];
    bool is_pair; /* true: two call trees are compared in one picture */

    double bottom;            /* lower edge of the last drawn result */
    double width, font, line; /* in pixels: width of the picture, font size, height of a frame */
    size_t results, drawn_results;
};

/* --- reading the rows of a call tree ---------------------------------------------------------- */

static void begin_flame(struct printer *printer, const struct result *result) {
    struct flame_graph *graph = printer->state;
    size_t column;

    if (graph->results++ == 0) {
        const char *title = printer->options.title;

        graph->font = USUAL_FONT;
        graph->width = WIDTH;
        if (printer->options.look != NULL && printer->options.look->width > 0) {
            graph->width = printer->options.look->width;
        }
        if (printer->options.look != NULL && printer->options.look->font_size > 0) {
            /* Font sizes for print are in points: 3 points are 4 pixels. */
            graph->font *= printer->options.look->font_size *
                           (printer->options.look->points_wide > 0 ? 4 / 3.0 : 1) / GIVEN_FONT;
        }
        graph->line = 1.5 * graph->font;
        graph->bottom = 3 * graph->font;
        text_append_escaped(&graph->title, title != NULL ? title : result->title,
                            strlen(title != NULL ? title : result->title));
        text_append_escaped(&graph->report, result->report, strlen(result->report));
    }
    graph->count = 0;
    graph->depth = 0;
    text_clear(&graph->names);
    graph->has_calls = result_find_column(result, "calls", &graph->calls_column);
    graph->inverted = result_find_column(result, "self_share", &column);
    graph->has_total = result_find_column(result, "total_share", &column) &&
                       result_find_column(result, "total", &graph->total_column);
    graph->is_pair = true;
    for (size_t i = 0; i < PAIR_COLUMNS; i++) {
        graph->is_pair &= result_find_column(result, pair_names[i], &graph->pair_columns[i]);
    }
    printer_append_remarks(&graph->notes, result, "");
    if (!result_find_column(result, "depth", &graph->depth_column) ||
        !result_find_column(result, "name", &graph->name_column) ||
        !result_find_column(result, "self", &graph->self_column)) {
        printer_set_no_picture_error(printer, result,
                                     ": a flame graph needs the columns depth, name and self");
    }
}

static size_t flame_graph_add_name(struct text *names, const char *sign,
                                   const struct value *value) {
    size_t begin = names->length;
    size_t length = value->type == VALUE_TEXT ? value->length : 0;

    text_append_string(names, sign);
    if (length > NAME_LENGTH) {
        text_append_escaped(names, value->bytes, NAME_LENGTH / 3);
        text_append_string(names, "…");
        text_append_escaped(names, value->bytes + length - NAME_LENGTH / 3, NAME_LENGTH / 3);
    } else {
        text_append_escaped(names, length == 0 ? "(none)" : value->bytes, length == 0 ? 6 : length);
    }
    text_append(names, "", 1);
    return begin;
}

/* Returns the width of a frame: its self time and the widths of its callees; or its total, if that
 * is larger because a filter omitted callees. In an inverted tree, self time includes the frames on
 * top, unless recursion makes their sum larger. */
static int64_t flame_graph_width_of(const struct flame_graph *graph, const struct frame *frame) {
    int64_t width = frame->callees;

    if (!graph->inverted) {
        add_saturated(&width, frame->self);
        return frame->total > width ? frame->total : width;
    }
    return frame->self > width ? frame->self : width;
}

/* Closes open frames at `depth` and deeper: adds their widths, now complete, to their callers. */
static void flame_graph_close(struct flame_graph *graph, size_t depth) {
    for (; graph->depth > depth; graph->depth--) {
        const struct frame *frame = &graph->frames[graph->open[graph->depth - 1]];

        if (graph->depth > 1) {
            add_saturated(&graph->frames[graph->open[graph->depth - 2]].callees,
                          flame_graph_width_of(graph, frame));
        }
    }
}

static int64_t flame_graph_count_in(const struct value *value) {
    return value->type == VALUE_INTEGER && value->integer > 0 ? value->integer : 0;
}

static bool flame_graph_is_word(const struct value *value, const char *word) {
    return value->type == VALUE_TEXT && value->length == strlen(word) &&
           memcmp(value->bytes, word, value->length) == 0;
}

/* Totals with a ratio this close to 1 are drawn as equal: the default of compare --noise. */
#define PAIR_NOISE 0.02

/* Reads a row's times and numbers of calls in both call trees. */
static struct pair read_pair(const struct flame_graph *graph, const struct value *values) {
    const size_t *columns = graph->pair_columns;
    const struct value *status = &values[columns[STATUS]], *verdict = &values[columns[VERDICT]];
    struct pair pair = {
        .in = flame_graph_is_word(status, "a")   ? IN_A
              : flame_graph_is_word(status, "b") ? IN_B
                                                 : IN_BOTH,
        .totals = {value_number(&values[columns[TOTAL_A]]),
                   value_number(&values[columns[TOTAL_B]])},
        .calls = {value_number(&values[columns[CALLS_A]]), value_number(&values[columns[CALLS_B]])},
        .ratio = value_number(&values[columns[RATIO]]),
    };
    bool same;

    /* The sign shows any difference, also one that is not statistically significant. */
    same = flame_graph_is_word(verdict, "same") || fabs(pair.ratio - 1) <= PAIR_NOISE;
    pair.sign = pair.in == IN_B || (pair.in == IN_BOTH && !same && pair.ratio > 1)   ? "+ "
                : pair.in == IN_A || (pair.in == IN_BOTH && !same && pair.ratio < 1) ? "− "
                                                                                     : "";
    return pair;
}

static void add_flame_row(struct printer *printer, const struct value *values) {
    struct flame_graph *graph = printer->state;
    const struct value *place = &values[graph->depth_column];
    size_t depth = (size_t)place->integer;
    const char *sign = "";

    if (place->type != VALUE_INTEGER || depth > graph->depth) {
        error_set(&printer->failure, "a flame graph: a depth must be at most one more than in the "
                                     "row before, and 0 in the first row");
        return;
    }
    if (graph->count == FLAME_GRAPH_ROWS) {
        error_set(&printer->failure,
                  "a flame graph has at most %d paths: choose fewer with filters",
                  FLAME_GRAPH_ROWS);
        return;
    }
    flame_graph_close(graph, depth);
    /* Makes room for one more frame. */
    graph->frames =
        array_grow(graph->frames, graph->count, &graph->capacity, sizeof *graph->frames);
    graph->open = array_grow(graph->open, depth, &graph->open_capacity, sizeof *graph->open);
    if (graph->is_pair) {
        graph->pairs =
            array_grow(graph->pairs, graph->count, &graph->pair_capacity, sizeof *graph->pairs);
    }
    if (graph->is_pair) {
        graph->pairs[graph->count] = read_pair(graph, values);
        sign = graph->pairs[graph->count].sign;
    }
    graph->frames[graph->count] = (struct frame){
        .name = flame_graph_add_name(&graph->names, sign, &values[graph->name_column]),
        .level = depth + 1,
        .self = flame_graph_count_in(&values[graph->self_column]),
        .total = graph->has_total ? flame_graph_count_in(&values[graph->total_column]) : 0,
        .calls = graph->has_calls ? flame_graph_count_in(&values[graph->calls_column]) : -1,
    };
    graph->open[graph->depth++] = graph->count++;
}

static int compare_widths(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a < b) - (a > b);
}

/* Returns the least width of frames that are drawn, so that their number is within the limit.
 * Callers are at least as wide as their callees, so no drawn frame lacks its caller. */
static int64_t flame_graph_least_width(const struct flame_graph *graph, int64_t whole) {
    int64_t *widths = xmalloc((graph->count + 1) * sizeof *widths);
    int64_t least = (int64_t)((double)whole * FLAME_GRAPH_LEAST) + 1;

    for (size_t i = 0; i < graph->count; i++) {
        widths[i] = flame_graph_width_of(graph, &graph->frames[i]);
    }
    qsort(widths, graph->count, sizeof *widths, compare_widths);
    if (graph->count > FLAME_GRAPH_FRAMES && widths[FLAME_GRAPH_FRAMES] >= least) {
        least = widths[FLAME_GRAPH_FRAMES] + 1;
    }
    free(widths);
    return least;
}

/* Sets the left edge of each frame: the right edge of its previous sibling, or for a first child
 * the left edge of its caller. `place`: next free position, by level. */
static void place_frames(struct flame_graph *graph) {
    size_t levels = 2;
    double *place;

    for (size_t i = 0; i < graph->count; i++) {
        levels = graph->frames[i].level + 2 > levels ? graph->frames[i].level + 2 : levels;
    }
    place = xcalloc(levels, sizeof *place);
    for (size_t i = 0; i < graph->count; i++) {
        struct frame *frame = &graph->frames[i];

        frame->start = place[frame->level];
        place[frame->level] += (double)flame_graph_width_of(graph, frame);
        place[frame->level + 1] = frame->start;
    }
    free(place);
}

/* --- drawing the frames of a call tree -------------------------------------------------------- */

/* Appends the colour of a ratio of totals: 1 is white, 4 and more red, 1/4 and less blue. */
static void flame_graph_append_change(struct text *out, double ratio) {
    static const unsigned more[] = {226, 74, 51}, less[] = {67, 147, 195};
    double doublings = ratio > 0 ? log2(ratio) : ratio == 0 ? -2 : 2;
    double part = fmin(fabs(doublings), 2) / 2;
    const unsigned *to = doublings > 0 ? more : less;

    text_append_char(out, '#');
    for (int i = 0; i < 3; i++) {
        text_append_format(out, "%02x", (unsigned)(255 - part * (255 - to[i]) + 0.5));
    }
}

/* Returns the number of bytes of a character. Sets `*letters` to its width, in letters of average
 * width: 2 for wide ones such as Chinese. */
static size_t letter_size(const char *at, size_t left, double *letters) {
    uint32_t code_point = 0;
    size_t size = utf8_sequence(at, left, &code_point);

    *letters = code_point >= 0x1100 ? 2 : *at != '\0' && strchr("MW@%", *at) != NULL ? 1.7 : 1;
    return size > 0 ? size : 1;
}

static double letter_width(const struct flame_graph *graph) {
    return 0.6 * graph->font;
}

/* Appends as much of `text` as fits into `width` pixels, followed by … if it was cut. Appends
 * nothing if too little fits. */
static void append_fitting(const struct flame_graph *graph, struct text *out, const char *text,
                           double width) {
    const double room = (width - 6) / letter_width(graph);
    const size_t length = strlen(text);
    double used = 0, letters;
    size_t end = 0, at;

    for (at = 0; at < length; used += letters) {
        size_t size = letter_size(text + at, length - at, &letters);

        if (used + letters > room) {
            break;
        }
        at += size;
        end = used + letters + 1 <= room ? at : end;
    }
    if (at == length && room >= 3) {
        xml_append(out, text, length);
    } else if (room >= 3) {
        xml_append(out, text, end);
        text_append_string(out, "…");
    }
}

static void flame_graph_append_time(struct printer *printer, struct text *out, int64_t time) {
    struct flame_graph *graph = printer->state;
    const struct column column = {"self", "ns", COLUMN_DURATION};
    const struct value value = value_integer(time);

    text_clear(&graph->temp);
    printer_append_human(&graph->temp, &value, &column, printer->result->clock_unit);
    xml_append(out, text_string(&graph->temp), graph->temp.length);
}

/* Appends a frame's time, share and calls to its tooltip, in a picture of a single call tree. */
static void append_single(struct printer *printer, const struct frame *frame, int64_t width,
                          int64_t whole) {
    struct flame_graph *graph = printer->state;

    flame_graph_append_time(printer, &graph->body, width);
    text_append_format(&graph->body, ", %.2f %%", 100 * (double)width / (double)whole);
    if (!graph->inverted && frame->level > 0) {
        text_append_string(&graph->body, "; itself ");
        flame_graph_append_time(printer, &graph->body, frame->self);
    }
    if (frame->calls >= 0) {
        text_append_format(&graph->body, "; %lld call%s", (long long)frame->calls,
                           frame->calls == 1 ? "" : "s");
    }
}

/* Appends the tooltip of a frame: name, time, calls. */
static void append_frame_title(struct printer *printer, const struct frame *frame,
                               const struct pair *pair, int64_t width, int64_t whole) {
    struct flame_graph *graph = printer->state;
    const char *name = text_string(&graph->names) + frame->name;

    text_append_string(&graph->body, "<title>");
    xml_append(&graph->body, name, strlen(name));
    text_append_char(&graph->body, '\n');
    if (pair != NULL) {
        /* Appends the times and calls of both trees. */
        struct text *body = &((struct flame_graph *)printer->state)->body;

        for (int i = 0; i < 2; i++) {
            text_append_string(body, i == 0 ? "a: " : "; b: ");
            if (pair->in == (i == 0 ? IN_B : IN_A)) {
                text_append_string(body, "none");
                continue;
            }
            flame_graph_append_time(printer, body, (int64_t)fmin(pair->totals[i], 9e18));
            text_append_format(body, " in %.6g call%s", pair->calls[i],
                               pair->calls[i] == 1 ? "" : "s");
        }
        if (pair->in == IN_BOTH && !isnan(pair->ratio)) {
            text_append_format(body, "; b / a: %.4g", pair->ratio);
        }
    } else if (!graph->is_pair) {
        append_single(printer, frame, width, whole);
    }
    text_append_string(&graph->body, "</title>");
}

/* Draws stripes (a thick dashed line) over a frame that is in only one of two trees. */
static void append_stripes(const struct flame_graph *graph, struct text *out, double x, double y,
                           double width, const struct pair *pair) {
    double height = graph->line - 1, middle = y + height / 2;

    text_append_format(out,
                       "<line x1=\"%.3f\" y1=\"%.1f\" x2=\"%.3f\" y2=\"%.1f\" stroke=\"%s\""
                       " stroke-width=\"%.1f\" stroke-dasharray=\"2 6\"/>",
                       x, middle, x + width, middle, pair->in == IN_A ? "#92c5de" : "#f4a582",
                       height);
}

static void append_box(const struct flame_graph *graph, struct text *out, double x, double y,
                       double width, const char *name, const struct pair *pair,
                       const char *colour) {
    text_append_format(out, "<rect x=\"%.3f\" y=\"%.1f\" width=\"%.3f\" height=\"%.1f\" fill=\"", x,
                       y, width, graph->line - 1);
    if (colour != NULL) {
        text_append_string(out, colour);
    } else if (pair != NULL) {
        if (pair->in != IN_BOTH) {
            text_append_string(out, pair->in == IN_A ? "#d1e5f0" : "#fddbc7");
        } else if (pair->sign[0] == '\0') {
            text_append_string(out, "#ffffff\" stroke=\"#c8c8c8");
        } else {
            flame_graph_append_change(out, pair->ratio);
        }
    } else {
        uint64_t mix = XXH3_64bits(name, strlen(name));

        /* Derives a warm, light colour, as a background of black text, from a hash of the name. */
        text_append_format(out, "#%02x%02x%02x", 225 + (unsigned)(mix % 31),
                           135 + (unsigned)(mix / 31 % 100), 60 + (unsigned)(mix / 3100 % 60));
    }
    text_append_string(out, "\"/>");
    if (pair != NULL && pair->in != IN_BOTH) {
        append_stripes(graph, out, x, y, width, pair);
    }
    if ((width - 6) / letter_width(graph) >= 3) {
        text_append_format(out, "<text x=\"%.3f\" y=\"%.1f\">", x + 3,
                           y + 0.72 * (graph->line - 1));
        append_fitting(graph, out, name, width);
        text_append_string(out, "</text>");
    }
    text_append_string(out, "</g>\n");
}

/* How one result is drawn. whole: total width of the root frames; least: least width of a frame
 * that is drawn; both in units of time. levels: number of drawn levels. narrow, deep: numbers of
 * frames not drawn because they are too narrow, or beyond FLAME_GRAPH_LEVELS. */
struct panel {
    int64_t whole, least;
    size_t levels, narrow, deep;
    double scale; /* pixels per unit of time */
};

static bool flame_graph_is_drawn(const struct flame_graph *graph, const struct panel *panel,
                                 const struct frame *frame) {
    return frame->level <= FLAME_GRAPH_LEVELS && flame_graph_width_of(graph, frame) >= panel->least;
}

static struct panel measure_panel(struct flame_graph *graph) {
    struct panel panel = {.levels = 0};

    for (size_t i = 0; i < graph->count; i++) {
        if (graph->frames[i].level == 1) {
            add_saturated(&panel.whole, flame_graph_width_of(graph, &graph->frames[i]));
        }
    }
    panel.least = flame_graph_least_width(graph, panel.whole);
    place_frames(graph);
    panel.scale = (graph->width - 2 * MARGIN) / (double)panel.whole;
    for (size_t i = 0; i < graph->count; i++) {
        const struct frame *frame = &graph->frames[i];

        if (flame_graph_is_drawn(graph, &panel, frame)) {
            panel.levels = frame->level > panel.levels ? frame->level : panel.levels;
        } else if (frame->level > FLAME_GRAPH_LEVELS &&
                   flame_graph_width_of(graph, frame) >= panel.least) {
            panel.deep++;
        } else if (flame_graph_width_of(graph, frame) > 0) {
            panel.narrow++;
        }
    }
    return panel;
}

static void append_panel_title(struct printer *printer) {
    struct flame_graph *graph = printer->state;
    const struct result *result = printer->result;
    struct text *out = &graph->temp;

    text_clear(out);
    for (int i = 0; result->compared != NULL && i < 2; i++) {
        text_append_string(out, i == 0 ? "a: " : "; b: ");
        text_append_escaped(out, result->compared[i], strlen(result->compared[i]));
    }
    for (size_t i = 0; result->compared == NULL && result->group == NULL && i < result->trace_count;
         i++) {
        text_append_string(out, i > 0 ? ", " : "");
        text_append_escaped(out, result->traces[i].name, strlen(result->traces[i].name));
    }
    if (result->group != NULL) {
        const char *group = result->group[0] == '\0' ? "no label" : result->group;

        text_append_escaped(out, group, strlen(group));
    }
    text_append_format(&graph->body, "<text x=\"%d\" y=\"%.1f\">", MARGIN,
                       graph->bottom + graph->font);
    append_fitting(graph, &graph->body, text_string(out), graph->width - 2 * MARGIN);
    text_append_string(&graph->body, "</text>\n");
    graph->bottom += graph->line;
}

static void draw_panel(struct printer *printer, const struct panel *panel) {
    struct flame_graph *graph = printer->state;
    const double bottom = graph->bottom + (double)panel->levels * graph->line;
    const struct frame all = {.name = graph->names.length, .calls = -1, .self = 0};

    text_append(&graph->names, "all", sizeof "all");
    text_append_format(&graph->body, "<g class=\"flame%s\">\n<g class=\"frame\">",
                       graph->is_pair ? " pair" : "");
    append_frame_title(printer, &all, NULL, panel->whole, panel->whole);
    append_box(graph, &graph->body, MARGIN, bottom, graph->width - 2 * MARGIN, "all", NULL,
               "#d8d8d8");
    for (size_t i = 0; i < graph->count; i++) {
        const struct frame *frame = &graph->frames[i];
        const struct pair *pair = graph->is_pair ? &graph->pairs[i] : NULL;
        int64_t width = flame_graph_width_of(graph, frame);

        if (flame_graph_is_drawn(graph, panel, frame)) {
            text_append_string(&graph->body, "<g class=\"frame\">");
            append_frame_title(printer, frame, pair, width, panel->whole);
            append_box(graph, &graph->body, MARGIN + frame->start * panel->scale,
                       bottom - (double)frame->level * graph->line, (double)width * panel->scale,
                       text_string(&graph->names) + frame->name, pair, NULL);
        }
    }
    text_append_string(&graph->body, "</g>\n");
    graph->bottom = bottom + 1.5 * graph->line;
}

static void end_flame(struct printer *printer) {
    struct flame_graph *graph = printer->state;
    struct panel panel;

    flame_graph_close(graph, 0);
    if (graph->results > FLAME_GRAPH_PANELS) {
        return;
    }
    panel = measure_panel(graph);
    append_panel_title(printer);
    if (panel.whole > 0) {
        graph->drawn_results++;
        /* Adds a line with the number of frames that are too narrow to draw. */
        if (panel.narrow > 0) {
            text_append_format(&graph->notes,
                               "left out of the picture: %zu path%s narrower than %.3g %%\n",
                               panel.narrow, panel.narrow == 1 ? "" : "s",
                               100 * (double)panel.least / (double)panel.whole);
        }
        if (panel.deep > 0) {
            text_append_format(&graph->notes, "left out of the picture: %zu paths deeper than %d\n",
                               panel.deep, FLAME_GRAPH_LEVELS);
        }
        draw_panel(printer, &panel);
    } else {
        text_append_format(&graph->body, "<text x=\"%d\" y=\"%.1f\">no data</text>\n", MARGIN,
                           graph->bottom + graph->font);
        graph->bottom += graph->line;
    }
}

/* --- putting the drawn call trees into one SVG ------------------------------------------------ */

static void flame_graph_append_notes(struct flame_graph *graph, struct text *out) {
    const char *end;
    size_t lines = 0;

    graph->bottom += 0.3 * graph->line;
    text_append_format(out, "<g fill=\"#505050\" font-size=\"%.3g\">\n",
                       fmin(fmax(0.85 * graph->font, LEAST_FONT), graph->font));
    for (char *line = graph->notes.bytes; line != NULL && (end = strchr(line, '\n')) != NULL;
         line = (char *)end + 1) {
        if (++lines > MOST_NOTES) {
            break;
        }
        line[end - line] = '\0';
        text_append_format(out, "<text x=\"%d\" y=\"%.1f\">", MARGIN, graph->bottom);
        append_fitting(graph, out, line, graph->width);
        text_append_string(out, "</text>\n");
        line[end - line] = '\n';
        graph->bottom += graph->line;
    }
    text_append_string(out, "</g>\n");
}

/* Appends elements that only the script shows: search, name of the frame at the mouse, buttons. */
static void append_zoom_controls(const struct flame_graph *graph, struct text *out) {
    const double y = 1.6 * graph->font, right = graph->width - MARGIN;

    text_append_format(
        out,
        "<text class=\"reset\" x=\"%d\" y=\"%.1f\" display=\"none\">Reset zoom</text>\n"
        "<text class=\"search\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\""
        " display=\"none\">Search</text>\n"
        "<text class=\"matched\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\"></text>\n"
        "<text class=\"details\" x=\"%d\" y=\"%.1f\"></text>\n",
        MARGIN, y, right, y, right, graph->bottom, MARGIN, graph->bottom);
}

/* Appends the description of a picture in its own file; in an HTML page only a label. */
static void append_description(const struct printer *printer, struct text *out) {
    const struct flame_graph *graph = printer->state;

    if (printer->options.is_fragment) {
        text_append_string(out, " role=\"img\" aria-label=\"");
        html_append_text(out, text_string(&graph->title), graph->title.length);
        text_append_string(out, "\">\n");
        return;
    }
    text_append_string(out, ">\n<title>");
    xml_append(out, text_string(&graph->title), graph->title.length);
    text_append_string(out, "</title>\n<desc>");
    xml_append(out, text_string(&graph->notes), graph->notes.length);
    text_append_string(out, "</desc>\n");
}

static void flame_graph_append_head(struct printer *printer, struct text *out, double height) {
    const struct flame_graph *graph = printer->state;
    const struct plot_look *look = printer->options.look;
    const bool is_fragment = printer->options.is_fragment;
    const bool has_size = look != NULL && look->width > 0 && !is_fragment;

    text_append_format(out,
                       "%s<svg%s width=\"%.0f\" height=\"%.0f\""
                       " viewBox=\"0 0 %.0f %.0f\" font-family=\"%s\" font-size=\"%.3g\""
                       " data-letter=\"%.3g\"",
                       is_fragment ? "" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
                       is_fragment ? "" : " xmlns=\"http://www.w3.org/2000/svg\"", graph->width,
                       has_size ? look->height : height, graph->width, height,
                       look != NULL && look->font[0] != '\0' ? look->font : "sans-serif",
                       graph->font, letter_width(graph));
    append_description(printer, out);
    text_append_format(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
    if (is_fragment) {
        return;
    }
    text_append_format(out,
                       "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"%.3g\">",
                       graph->width / 2, 1.8 * graph->font, 1.3 * graph->font);
    append_fitting(graph, out, text_string(&graph->title), 0.75 * graph->width);
    text_append_string(out, "</text>\n");
}

static void write_picture(struct printer *printer) {
    struct flame_graph *graph = printer->state;
    struct text foot = {0};

    if (graph->results > FLAME_GRAPH_PANELS) {
        text_append_format(&graph->notes, "drawn: the first %d of %zu results\n",
                           FLAME_GRAPH_PANELS, graph->results);
    }
    /* Leaves room for the name of the frame under the mouse, which the script shows. */
    append_zoom_controls(graph, &foot);
    graph->bottom += graph->line;
    if (printer->options.is_fragment && printer->options.notes != NULL) {
        text_append_format(printer->options.notes, "%s\n%s", text_string(&graph->title),
                           text_string(&graph->notes));
    } else {
        flame_graph_append_notes(graph, &foot);
    }
    flame_graph_append_head(printer, &printer->out, graph->bottom);
    text_append(&printer->out, graph->body.bytes, graph->body.length);
    text_append(&printer->out, foot.bytes, foot.length);
    if (!printer->options.is_fragment) {
        text_append_string(&printer->out, "<script><![CDATA[\n");
        text_append_string(&printer->out, resource_find(script_resources, "flame-graph"));
        text_append_string(&printer->out, "]]></script>\n");
    }
    text_append_string(&printer->out, "</svg>\n");
    text_free(&foot);
}

static void close_flame(struct printer *printer) {
    struct flame_graph *graph = printer->state;

    if (graph->drawn_results > 0 && printer->result == NULL) {
        write_picture(printer);
    } else if (graph->results > 0 && printer->result == NULL) {
        error_set(&printer->failure, "there is nothing to draw: report %s has no times",
                  text_string(&graph->report));
    }
    free(graph->frames);
    free(graph->pairs);
    free(graph->open);
}

const struct printer_style printer_style_flame_graph = {
    .name = "flame graph",
    .state_size = sizeof(struct flame_graph),
    .texts = 6,
    .begin = begin_flame,
    .row = add_flame_row,
    .end = end_flame,
    .close = close_flame,
};
