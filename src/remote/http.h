/* HTTP requests to a server, one at a time, with libcurl. Certificates are always verified.
 * Redirects are not followed, and nothing is decompressed. Answers are limited in size and time. */
#ifndef TRACETOOL_REMOTE_HTTP_H
#define TRACETOOL_REMOTE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Timeouts in seconds: to connect, and without any byte sent or received. */
#define HTTP_CONNECT_SECONDS 10
#define HTTP_SILENT_SECONDS  300

/* Limit in bytes of all headers of an answer. */
#define HTTP_MOST_HEADERS (64 * 1024)

/* Connection options. */
struct http_options {
    bool secure;      /* use only https; else only http */
    bool direct;      /* bypass proxies of the environment: the server is this machine */
    const char *ca;   /* file of trusted certificates; NULL: the system's */
    const char *user; /* NULL: the host's entry in ~/.netrc, if any */
    const char *password;
};

struct http;

/* Opens a connection. Strings of `options` are copied. NULL with `error` set on failure. */
struct http *http_open(const struct http_options *options, struct error *error);

/* Closes the connection; NULL is allowed. */
void http_close(struct http *http);

/* Result of a request. */
struct http_outcome {
    bool answered;       /* the answer is complete: see `status` */
    bool too_long;       /* the answer exceeds `most`, or its headers exceed their limit */
    bool worth_retrying; /* true: there is no answer because the network failed */
    long status;
    bool is_html;     /* the Content-Type is text/html */
    char reason[256]; /* reason for a missing answer */
};

/* Body of a request. */
struct http_body {
    const void *bytes;
    size_t length;
    bool gzip; /* compressed by gzip (pack.h) */
};

/* Sends the body to `url` (POST) and stores up to `most` bytes of the answer in `answer`. */
struct http_outcome http_post(struct http *http, const char *url, const struct http_body *body,
                              size_t most, struct text *answer);

/* Appends the bytes, URL-encoded as the value of a parameter. */
void http_append_escaped(struct text *url, const char *bytes, size_t length);

#endif
