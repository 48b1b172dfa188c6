/* Address of a store of traces: URL of a ClickHouse server, and name of a database on it. */
#ifndef TRACETOOL_REMOTE_ADDRESS_H
#define TRACETOOL_REMOTE_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

/* Limit of bytes of a database's name, which has only letters, digits and _, and no digit at the
 * beginning. */
#define REMOTE_MOST_NAME 64

struct remote_address {
    bool secure;    /* true: https; false: http */
    bool loopback;  /* true: the server is this machine: localhost, 127.0.0.0/8 or [::1] */
    char *server;   /* owned; https://HOST:PORT/, the URL for requests */
    char *database; /* owned */
    char *shown;    /* owned; whole address, for messages */
};

/* Returns whether a text is the address of a store (http:// or https://), not a file name. */
bool remote_is_address(const char *text);

/* Parses http[s]://HOST[:PORT]/DATABASE; default ports are 8443 for https and 8123 for http.
 * Returns false with the error set for anything else: user and password (which `ps` would show),
 * parameters, fragments. Messages never repeat a rejected text. Failures leave nothing to free. */
bool remote_address_parse(struct remote_address *address, const char *url, struct error *error);

/* Frees an address, which may be zeroed. */
void remote_address_free(struct remote_address *address);

/* Returns whether the text is a valid name of a database, table or cluster. */
bool remote_is_name(const char *name);

#endif
