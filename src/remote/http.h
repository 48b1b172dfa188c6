/* Requests to a server over HTTP, one at a time, by libcurl. Certificates are always verified;
 * redirects are not followed, nothing is unpacked, and an answer has a bound, in size and in time.
 */
#ifndef TRACETOOL_REMOTE_HTTP_H
#define TRACETOOL_REMOTE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Seconds until a connection must be there, and in which at least a byte must come or go. */
#define HTTP_CONNECT_SECONDS 10
#define HTTP_SILENT_SECONDS  300

/* Bytes of all headers of an answer. */
#define HTTP_MOST_HEADERS (64 * 1024)

/* How a server is spoken to. */
struct http_options {
    bool secure;      /* https and nothing else; else http and nothing else */
    bool direct;      /* past proxies that the environment names: it is this machine */
    const char *ca;   /* file of certificates that are trusted instead of the system's; NULL */
    const char *user; /* NULL: what ~/.netrc says of the host, if anything */
    const char *password;
};

struct http;

/* Strings of `options` need not last. NULL with `error` set on failure. */
struct http *http_open(const struct http_options *options, struct error *error);

/* It may be NULL. */
void http_close(struct http *http);

/* What came of a request. */
struct http_outcome {
    bool answered;       /* there is a whole answer: `status` */
    bool too_long;       /* it went beyond `most`, or its headers beyond their bound */
    bool worth_retrying; /* no answer, by a failure of the network */
    long status;
    bool is_html;     /* that is what it says of itself */
    char reason[256]; /* why there is no answer */
};

/* What is sent. */
struct http_body {
    const void *bytes;
    size_t length;
    bool gzip; /* packed by it (pack.h) */
};

/* Sends the body to `url` (POST) and puts up to `most` bytes of what comes back into `answer`. */
struct http_outcome http_post(struct http *http, const char *url, const struct http_body *body,
                              size_t most, struct text *answer);

/* Appends the bytes so that they can be the value of a parameter of a URL. */
void http_append_escaped(struct text *url, const char *bytes, size_t length);

#endif
