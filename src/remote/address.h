/* Where a store is: the URL of a ClickHouse server and the database there. */
#ifndef TRACETOOL_REMOTE_ADDRESS_H
#define TRACETOOL_REMOTE_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

/* Bytes of a database's name, which is a word of letters, digits and _ that no digit begins. */
#define REMOTE_MOST_NAME 64

struct remote_address {
    bool secure;    /* https */
    bool loopback;  /* this machine: localhost, 127.0.0.0/8 or [::1] */
    char *server;   /* owned; https://HOST:PORT/, as requests take it */
    char *database; /* owned */
    char *shown;    /* owned; the whole, as messages name it */
};

/* Whether a text is meant as a store's address rather than as the name of a file. */
bool remote_is_address(const char *text);

/* Takes http[s]://HOST[:PORT]/DATABASE apart; the ports are 8443 and 8123 where none is named.
 * Anything more is refused: a user or password (which would be seen in the list of processes),
 * parameters, fragments. No refused text is repeated in the message. On failure nothing needs
 * freeing. */
bool remote_address_parse(struct remote_address *address, const char *url, struct error *error);

/* It may be zeroed. */
void remote_address_free(struct remote_address *address);

/* Whether it is a name that a database, table or cluster may have here. */
bool remote_is_name(const char *name);

#endif
