#include "output/bar.h"

#include <math.h>
#include <stdbool.h>

enum { EIGHTHS = 8 };

static void bar_append_blocks(struct text *out, size_t eighths) {
    /* From one eighth, U+258F, to a whole, U+2588. */
    static const char *const blocks[EIGHTHS] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

    for (; eighths >= EIGHTHS; eighths -= EIGHTHS) {
        text_append_string(out, blocks[EIGHTHS - 1]);
    }
    text_append_string(out, eighths > 0 ? blocks[eighths - 1] : "");
}

void bar_append(struct text *out, enum bar_kind kind, double per_cent, size_t width) {
    double part = per_cent > 100 ? 1 : per_cent / 100;
    size_t columns, eighths;

    if (kind == BAR_NONE || !(part > 0)) { /* NaN is not either */
        return;
    }
    columns = (size_t)lround(part * (double)width);
    eighths = (size_t)lround(part * (double)(width * EIGHTHS));
    if (kind == BAR_BLOCKS) {
        bar_append_blocks(out, eighths > 0 ? eighths : 1);
        return;
    }
    for (; columns > 0; columns--) {
        text_append_char(out, '#');
    }
}
