#include "cli/picture.h"

#include <string.h>

#include "base/file.h"
#include "output/flame_graph.h"
#include "report/print.h"

/* Reads the options for a picture's appearance. Those for size and font override --for. */
static bool read_plot_style(const struct arguments *arguments, struct plot_look *look,
                            struct error *error) {
    if (arguments->given[OPTION_FOR]) {
        plot_look_set_purpose(
            look, (enum plot_purpose)arguments_choice(arguments, OPTION_FOR, PLOT_FOR_SCREEN));
    }
    if (arguments->given[OPTION_OVERLAY] && arguments->given[OPTION_PANELS]) {
        return error_usage(error, "give either --overlay or --panels, not both");
    }
    look->layout = arguments->given[OPTION_OVERLAY]  ? PLOT_OVERLAY
                   : arguments->given[OPTION_PANELS] ? PLOT_PANELS
                                                     : PLOT_AS_USUAL;
    look->log_x = arguments->given[OPTION_LOGX];
    look->no_title = arguments->given[OPTION_NO_TITLE];
    look->no_notes = arguments->given[OPTION_NO_NOTES];
    look->has_caption = arguments->given[OPTION_CAPTION];
    look->is_mono = arguments->given[OPTION_MONO];
    return (!arguments->given[OPTION_SIZE] ||
            plot_read_size(look, arguments->values[OPTION_SIZE], error)) &&
           (!arguments->given[OPTION_FONT] ||
            plot_read_font(look, arguments->values[OPTION_FONT], error));
}

static void picture_append_command(const struct arguments *arguments, struct text *out) {
    struct text line = {0};

    text_append_string(&line, "tracetool");
    for (int i = 1; i < arguments->argc; i++) {
        text_append_char(&line, ' ');
        text_append_word(&line, arguments->argv[i]);
    }
    text_append_escaped(out, text_string(&line), line.length);
    text_free(&line);
}

static bool has_script(const struct picture *picture) {
    return picture->order.script != NULL || picture->order.data != NULL;
}

/* Checks that the output files of a picture are different. */
static bool check_files(const struct picture *picture, struct error *error) {
    const char *const files[] = {picture->output, picture->order.script, picture->order.data,
                                 picture->caption};

    if (has_script(picture) && strcmp(picture->output, "-") == 0) {
        return error_usage(error, "--script and --data need a picture in a file: -o FILE");
    }
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < i; j++) {
            if (files[i] != NULL && files[j] != NULL && strcmp(files[i], files[j]) == 0 &&
                !file_is_special(files[i]) && strcmp(files[i], "-") != 0) {
                return error_usage(error, "%s: two files have the same name", files[i]);
            }
        }
    }
    return true;
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
    picture_append_command(arguments, &picture->command);
    picture->order = (struct plot_script_order){
        .script = arguments->values[OPTION_SCRIPT],
        .data = arguments->values[OPTION_DATA],
        .picture = picture->output,
        .command = text_string(&picture->command),
    };
    picture->printer.hashes = has_script(picture);
    return check_files(picture, error) && read_plot_style(arguments, &picture->look, error);
}

void picture_free(struct picture *picture) {
    text_free(&picture->notes);
    text_free(&picture->command);
}

/* Returns whether a picture's path means the format SVG. */
static bool plot_is_svg(const char *path) {
    enum picture_kind kind;

    return plot_kind_of(path, &kind) && kind == PICTURE_SVG;
}

const struct printer_style *picture_begin(struct picture *picture, bool is_flame_graph,
                                          struct plot *plot, struct error *error) {
    enum picture_kind kind;
    bool own = is_flame_graph && plot_is_svg(picture->output);

    if (own && has_script(picture)) {
        error_usage(error,
                    "%s: a flame graph as SVG is not drawn by gnuplot, so there is no --script and "
                    "--data; write -o FILE.pdf or FILE.png to get them",
                    picture->output);
        return NULL;
    }
    if (plot_kind_of(picture->output, &kind) && kind == PICTURE_TEX) {
        picture->look.is_tex = true;
        if (has_script(picture)) {
            error_usage(error,
                        "%s: --script and --data are not possible with .tex: gnuplot alone would "
                        "pass the texts to TeX unescaped",
                        picture->output);
            return NULL;
        }
    }
    if (!plot_begin(plot, picture->output, own, &picture->look, &picture->printer, error)) {
        return NULL;
    }
    if (has_script(picture) &&
        !plot_script_begin(&picture->script, plot, &picture->order, &picture->look, error)) {
        plot_end(plot, true, &picture->notes, error);
        return NULL;
    }
    return own ? &printer_style_flame_graph : printer_style_find("gnuplot");
}

/* Writes title and notes of the picture to its caption file. */
static bool write_caption(const struct picture *picture, struct error *error) {
    struct atomic_file file;
    bool done = atomic_file_open(&file, picture->caption, error);

    if (done) {
        fputs(text_string(&picture->notes), file.file);
        done = atomic_file_commit(&file, error);
    }
    atomic_file_close(&file);
    return done;
}

bool picture_end(struct picture *picture, struct plot *plot, bool done, struct error *error) {
    plot_script_end(&picture->script, plot);
    done = plot_end(plot, !done, &picture->notes, error);
    return plot_script_close(&picture->script, done, error) &&
           (picture->caption == NULL || write_caption(picture, error));
}
