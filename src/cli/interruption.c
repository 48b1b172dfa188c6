#include "cli/interruption.h"

static volatile sig_atomic_t interrupted;
static const struct database *volatile watched; /* NULL, or open */

static void interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
    if (watched != NULL) {
        database_interrupt(watched);
    }
}

void interruption_catch(struct session *session) {
    struct sigaction action = {.sa_handler = interrupt};

    session->patience.interrupted = &interrupted;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

const volatile sig_atomic_t *interruption_flag(void) {
    return &interrupted;
}

void interruption_watch(const struct database *database) {
    watched = database;
}
