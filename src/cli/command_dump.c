/* tracetool dump. */
#include "cli/command.h"
#include "cli/selection_options.h"
#include "report/dump.h"

bool command_dump(struct session *session, struct error *error) {
    struct report_option options[OPTION_MOST];
    struct printer_options printer_options = session_printer_options(session);
    const struct printer_style *style = NULL;
    struct report_request request;
    struct workspace workspace;
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
    session_tell_trust(session);
    done = workspace_open(&workspace, &database, &session->config, NULL, error) &&
           dump_run(&workspace, &request, style, session->output, &printer_options, error);
    workspace_close(&workspace);
    return session_close(session, &database, done, error);
}
