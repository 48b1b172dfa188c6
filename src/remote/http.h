/* Sends HTTP requests to a server with libcurl, one at a time. Always verifies certificates. Does
 * not follow redirects or decompress answers. Limits the size and time of answers. */
#ifndef TRACETOOL_REMOTE_HTTP_H
#define TRACETOOL_REMOTE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Timeouts in seconds: for connecting, and without a byte sent or received. */
#define HTTP_CONNECT_SECONDS 10
#define HTTP_SILENT_SECONDS  300

/* Limit of the bytes of all headers of an answer. */
#define HTTP_MOST_HEADERS (64 * 1024)

/* How to connect to a server. */
struct http_options {
    bool secure;    /* true: only https; false: only http */
    bool direct;    /* true: ignore proxies of the environment, since the server is this machine */
    const char *ca; /* file of trusted certificates; NULL: those of the system */
    const char *user; /* NULL: user and password are those of the host in ~/.netrc, if any */
    const char *password;
};

struct http;

/* Prepares a connection; copies the strings of `options`. Returns NULL with `error` on failure. */
struct http *http_open(const struct http_options *options, struct error *error);

/* Closes a connection; NULL is allowed. */
void http_close(struct http *http);

/* Result of an HTTP request. */
struct http_outcome {
    bool answered; /* true: a complete answer was received, and `status` is set */
    bool too_long; /* true: the answer exceeded `most` bytes, or its headers HTTP_MOST_HEADERS */
    bool worth_retrying; /* true: a network failure, so a repeated request may succeed */
    long status;
    bool is_html;     /* true: the answer's Content-Type is text/html */
    char reason[256]; /* reason in words if there is no answer */
};

/* Body of a request. */
struct http_body {
    const void *bytes;
    size_t length;
    bool gzip; /* true: compressed by gzip (pack.h) */
};

/* Sends a body to `url` (POST). Stores up to `most` bytes of the answer in `answer`. */
struct http_outcome http_post(struct http *http, const char *url, const struct http_body *body,
                              size_t most, struct text *answer);

/* Appends bytes with URL escapes, as the value of a parameter. */
void http_append_escaped(struct text *url, const char *bytes, size_t length);

#endif
