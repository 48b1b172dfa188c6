#include "cli/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { USUAL_COLUMNS = 80, USUAL_ROWS = 24 };

struct terminal_size terminal_size(int descriptor) {
    struct winsize size = {0};

    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
        size = (struct winsize){0};
    }
    return (struct terminal_size){
        .columns = size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS,
        .rows = size.ws_row > 0 ? size.ws_row : USUAL_ROWS,
    };
}

bool terminal_is_able(void) {
    const char *kind = getenv("TERM");

    return kind != NULL && *kind != '\0' && strcmp(kind, "dumb") != 0;
}

bool terminal_welcomes_color(void) {
    const char *no_color = getenv("NO_COLOR");

    return terminal_is_able() && (no_color == NULL || *no_color == '\0');
}

enum bar_kind terminal_bars(void) {
    if (!terminal_is_able()) {
        return BAR_NONE;
    }
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? BAR_BLOCKS : BAR_ASCII;
}
