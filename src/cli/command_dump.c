/* tracetool dump. */
#include "cli/command.h"
#include "cli/selection_options.h"
#include "report/dump.h"

bool command_dump(struct session *session, struct error *error) {
    struct report_option options[OPTION_COUNT];
    struct printer_options printer_options = session_printer_options(session);
    const struct printer_style *style = NULL;
    struct report_request request;
    struct database database;
    bool done;

    if (session->arguments->given[OPTION_FORMAT] &&
        (style = session_style(session, error)) == NULL) {
        return false;
    }
    if (!selection_options(session, options, &request, error) ||
        !session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    done = dump_run(&database, &session->config, &request, style, session->output, &printer_options,
                    error);
    return session_close(session, &database, done, error);
}
