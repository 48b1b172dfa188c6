/* Address of a store: the URL of a ClickHouse server and the name of a database there. */
#ifndef TRACETOOL_REMOTE_ADDRESS_H
#define TRACETOOL_REMOTE_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

/* Limit of a database name's length in bytes. The name consists of letters, digits and _, and does
 * not begin with a digit. */
#define REMOTE_MOST_NAME 64

struct remote_address {
    bool secure;    /* https */
    bool loopback;  /* this machine: localhost, 127.0.0.0/8 or [::1] */
    char *server;   /* owned; https://HOST:PORT/, the URL for requests */
    char *database; /* owned */
    char *shown;    /* owned; the whole address, for messages */
};

/* Returns whether a text is a store's address rather than a file name. */
bool remote_is_address(const char *text);

/* Parses http[s]://HOST[:PORT]/DATABASE; the default ports are 8443 and 8123. Anything more is
 * rejected: a user or password (which the process list would show), parameters, fragments.
 * Messages never repeat a rejected text. On failure nothing needs freeing. */
bool remote_address_parse(struct remote_address *address, const char *url, struct error *error);

/* Frees an address; it may be zeroed. */
void remote_address_free(struct remote_address *address);

/* Returns whether the text is a valid name of a database, table or cluster. */
bool remote_is_name(const char *name);

#endif
