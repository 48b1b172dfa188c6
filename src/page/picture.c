/* A picture of a section: drawn as `plot` would draw it, in the page itself. */
#include "page/part.h"

#include <stdlib.h>
#include <string.h>

#include "output/flame_graph.h"
#include "output/html.h"
#include "output/plot.h"
#include "output/svg_shorten.h"
#include "report/print.h"

/* Of a PNG, in pixels. */
enum { PNG_WIDTH = 1200, PNG_HEIGHT = 800 };

/* A picture in memory; `error` says why there is none. */
static bool draw(struct page *page, const struct page_picture *picture, enum picture_kind kind,
                 struct text *drawn, struct error *error) {
    struct plot_look look = {.width = 0};
    struct printer_options options = {
        .one_picture = true, .is_picture = true, .is_fragment = true, .look = &look};
    const bool own = picture->is_flame_graph && kind == PICTURE_SVG;
    const struct printer_style *style = own ? &printer_style_flame_graph : &printer_style_gnuplot;
    struct plot plot;
    bool done;

    if (kind == PICTURE_PNG) {
        look = (struct plot_look){.width = PNG_WIDTH, .height = PNG_HEIGHT};
    }
    if (!plot_begin_in_memory(&plot, kind, own, &look, error)) {
        return false;
    }
    done = picture->print(page, picture, style, plot.script, &options, error);
    return plot_take(&plot, !done, drawn, error);
}

static void append_image(struct page *page, const struct page_picture *picture,
                         const char *address) {
    text_append_string(&page->out, "<img alt=\"");
    html_append_string(&page->out, picture->title);
    text_append_format(&page->out, "\" src=\"data:image/%s", address);
}

/* The bytes as an address holds them between the quotes of an attribute, in fewer bytes than in
 * base64. */
static void append_address(struct text *out, const struct text *svg) {
    static const struct {
        char character;
        const char *written;
    } escapes[] = {{'"', "'"}, {'#', "%23"}, {'%', "%25"}, {'&', "&amp;"}};

    for (size_t i = 0; i < svg->length; i++) {
        const unsigned char character = (unsigned char)svg->bytes[i];
        size_t escape = 0;

        while (escape < 4 && escapes[escape].character != (char)character) {
            escape++;
        }
        if (escape < 4) {
            text_append_string(out, escapes[escape].written);
        } else {
            text_append_char(out, character < 0x20 ? ' ' : (char)character);
        }
    }
}

/* An image runs no script and loads nothing, whatever is in it: so it stands there as it is drawn,
 * only shorter. */
static void append_svg(struct page *page, const struct page_picture *picture,
                       const struct text *svg) {
    append_image(page, picture, "svg+xml,");
    append_address(&page->out, svg);
    text_append_string(&page->out, "\">");
}

static bool append_png(struct page *page, const struct page_picture *picture, struct error *error) {
    struct text drawn = {0};
    bool done = draw(page, picture, PICTURE_PNG, &drawn, error);

    if (done) {
        append_image(page, picture, "png;base64,");
        text_append_base64(&page->out, drawn.bytes, drawn.length);
        text_append_format(&page->out, "\" width=\"%d\" height=\"%d\">", PNG_WIDTH, PNG_HEIGHT);
    }
    text_free(&drawn);
    return done;
}

/* The program's own flame graph is part of the page, whose script knows it. */
static bool append_drawn(struct page *page, const struct page_picture *picture,
                         struct error *error) {
    struct text drawn = {0}, svg = {0};
    bool done = draw(page, picture, PICTURE_SVG, &drawn, error);

    if (done && !picture->is_flame_graph && !svg_shorten(text_string(&drawn), &svg)) {
        text_append(&svg, drawn.bytes, drawn.length);
    }
    text_escape_directions(&svg);
    if (!done || (picture->is_flame_graph ? drawn.length > PAGE_FLAME : svg.length > PAGE_SVG)) {
        done = done && append_png(page, picture, error);
    } else if (picture->is_flame_graph) {
        text_append(&page->out, drawn.bytes, drawn.length);
    } else {
        append_svg(page, picture, &svg);
    }
    text_free(&drawn);
    text_free(&svg);
    return done;
}

bool page_append_picture(struct page *page, const struct page_picture *picture,
                         struct error *error) {
    struct error why = {0};
    const size_t begin = page->out.length;

    text_append_string(&page->out, "<figure>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" "
                                   "aria-label=\"Picture of ");
    html_append_string(&page->out, picture->name);
    text_append_string(&page->out, "\">\n");
    if (append_drawn(page, picture, &why)) {
        text_append_string(&page->out, "\n</div>\n<figcaption>");
        html_append_string(&page->out, picture->caption);
        text_append_string(&page->out, "</figcaption>\n</figure>\n");
        return true;
    }
    /* A report that cannot be drawn still has its table; one without rows says so there. */
    page->out.length = begin;
    page->out.bytes[begin] = '\0';
    if (why.absent) {
        *error = why;
        return false;
    }
    if (strncmp(why.message, "there is nothing to draw", 24) == 0) {
        return true;
    }
    if (strncmp(why.message, "gnuplot ", 8) == 0) {
        page->why_undrawn = page->undrawn == 0 ? why : page->why_undrawn;
        page->undrawn++;
    }
    text_append_string(&page->out, "<p class=\"remark\">No picture: ");
    html_append_string(&page->out, why.message);
    text_append_string(&page->out, "</p>\n");
    return true;
}

/* --- of a report --------------------------------------------------------------------------------
 */

static bool print_request(struct page *page, const struct page_picture *picture,
                          const struct printer_style *style, FILE *file,
                          const struct printer_options *options, struct error *error) {
    return print_report(page->request->workspace, picture->what, style, file, options, error);
}

bool page_append_report_picture(struct page *page, const struct report_request *given,
                                const struct query *query, const char *caption,
                                struct error *error) {
    struct report_request request = *given;
    const struct page_picture picture = {
        .name = request.report,
        .title = query->title,
        .caption = caption,
        .is_flame_graph =
            query_set_is_flame_graph(page->request->workspace->queries, request.report),
        .print = print_request,
        .what = &request,
    };

    request.picture = true;
    request.say = NULL;
    return query->plot_text == NULL || page_append_picture(page, &picture, error);
}
