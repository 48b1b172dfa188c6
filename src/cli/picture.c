#include "cli/picture.h"

#include <string.h>

#include "base/placed_file.h"
#include "output/flame_graph.h"

/* A size of one's own takes the place of what --for says, and so does a font. */
static bool read_look(const struct arguments *arguments, struct plot_look *look,
                      struct error *error) {
    if (arguments->given[OPTION_FOR]) {
        plot_look_for(look,
                      (enum plot_purpose)arguments_choice(arguments, OPTION_FOR, PLOT_FOR_SCREEN));
    }
    look->no_title = arguments->given[OPTION_NO_TITLE];
    look->no_notes = arguments->given[OPTION_NO_NOTES];
    look->is_mono = arguments->given[OPTION_MONO];
    return (!arguments->given[OPTION_SIZE] ||
            plot_read_size(look, arguments->values[OPTION_SIZE], error)) &&
           (!arguments->given[OPTION_FONT] ||
            plot_read_font(look, arguments->values[OPTION_FONT], error));
}

bool picture_read(struct picture *picture, const struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *output = arguments->values[OPTION_OUTPUT];

    *picture = (struct picture){
        .output = output == NULL ? "-" : output,
        .caption = arguments->values[OPTION_CAPTION],
        .printer = session_printer_options(session),
    };
    picture->printer.one_picture = strcmp(picture->output, "-") != 0;
    picture->printer.is_picture = true;
    picture->printer.title = arguments->values[OPTION_TITLE];
    picture->printer.notes = &picture->notes;
    picture->printer.look = &picture->look;
    return read_look(arguments, &picture->look, error);
}

void picture_free(struct picture *picture) {
    text_free(&picture->notes);
}

const struct printer_style *picture_begin(const struct picture *picture, bool is_flame_graph,
                                          struct plot *plot, struct error *error) {
    bool own = is_flame_graph && plot_is_svg(picture->output);

    return !plot_begin(plot, picture->output, own, &picture->look, &picture->printer, error) ? NULL
           : own ? &printer_style_flame_graph
                 : printer_style_find("gnuplot");
}

/* Title and notes, for who says in the text what the picture shows. */
static bool write_caption(const struct picture *picture, struct error *error) {
    struct placed_file file;
    bool done;

    if (!placed_file_open(&file, picture->caption, error)) {
        return false;
    }
    fputs(text_string(&picture->notes), file.file);
    done = placed_file_commit(&file, error);
    placed_file_close(&file);
    return done;
}

bool picture_end(const struct picture *picture, struct plot *plot, bool done, struct error *error) {
    return plot_end(plot, !done, text_string(&picture->notes), error) &&
           (picture->caption == NULL || write_caption(picture, error));
}
