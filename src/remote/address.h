/* Address of a store of traces: the URL of a ClickHouse server, and the name of a database
 * there. */
#ifndef TRACETOOL_REMOTE_ADDRESS_H
#define TRACETOOL_REMOTE_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

/* Limit of bytes of a database's name. A name consists of letters, digits and _, and does not begin
 * with a digit. */
#define REMOTE_MOST_NAME 64

struct remote_address {
    bool secure;    /* https */
    bool loopback;  /* true: the server is this machine: localhost, 127.0.0.0/8 or [::1] */
    char *server;   /* owned; https://HOST:PORT/, the URL for requests */
    char *database; /* owned */
    char *shown;    /* owned; the whole address, as messages show it */
};

/* Returns whether a text is the address of a store, not a file name. */
bool remote_is_address(const char *text);

/* Parses http[s]://HOST[:PORT]/DATABASE; default ports are 8443 for https and 8123 for http.
 * Refuses anything else: user and password (which the list of processes would show), parameters,
 * fragments. Messages never repeat a refused text. Nothing needs freeing on failure. */
bool remote_address_parse(struct remote_address *address, const char *url, struct error *error);

/* Frees an address; a zeroed one is allowed. */
void remote_address_free(struct remote_address *address);

/* Returns whether the text can be the name of a database, table or cluster. */
bool remote_is_name(const char *name);

#endif
