/* Sends HTTP requests to a server, one at a time, with libcurl. Certificates are always verified.
 * Redirects are not followed, and answers are not decompressed. Size and time of answers are
 * limited. */
#ifndef TRACETOOL_REMOTE_HTTP_H
#define TRACETOOL_REMOTE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Timeouts in seconds: for connecting, and without any byte sent or received. */
#define HTTP_CONNECT_SECONDS 10
#define HTTP_SILENT_SECONDS  300

/* Limit of the bytes of all headers of an answer. */
#define HTTP_MOST_HEADERS (64 * 1024)

/* How to connect to a server. */
struct http_options {
    bool secure;      /* true: only https; false: only http */
    bool direct;      /* true: no proxies of the environment, since the server is this machine */
    const char *ca;   /* file of trusted certificates; NULL: those of the system */
    const char *user; /* NULL: user and password of the host in ~/.netrc, if it is there */
    const char *password;
};

struct http;

/* Prepares a connection; copies the strings of `options`. Returns NULL and sets `error` on
 * failure. */
struct http *http_open(const struct http_options *options, struct error *error);

/* Closes a connection; NULL is allowed. */
void http_close(struct http *http);

/* Result of an HTTP request. */
struct http_outcome {
    bool answered;       /* true: there is an answer, complete, with `status` */
    bool too_long;       /* true: the answer is longer than `most`, or its headers are too long */
    bool worth_retrying; /* true: the network failed, so the request may succeed next time */
    long status;
    bool is_html;     /* true: the answer's Content-Type is text/html */
    char reason[256]; /* why there is no answer, in words */
};

/* Body of a request. */
struct http_body {
    const void *bytes;
    size_t length;
    bool gzip; /* true: compressed by gzip (pack.h) */
};

/* Sends a body to `url` (POST), and writes up to `most` bytes of the answer to `answer`. */
struct http_outcome http_post(struct http *http, const char *url, const struct http_body *body,
                              size_t most, struct text *answer);

/* Appends bytes as value of a parameter in a URL, escaped. */
void http_append_escaped(struct text *url, const char *bytes, size_t length);

#endif
