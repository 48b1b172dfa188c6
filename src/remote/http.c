#include "remote/http.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- loading libcurl -------------------------------------------------------------------------- */

/* libcurl is loaded at its first use. Linking it with all libraries it needs would double the start
 * time of every command, though few commands use a server. */

/* Functions of libcurl, without curl_ before their names. */
struct libcurl {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *curl);
    CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *curl);
    CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *line);
    void (*slist_free_all)(struct curl_slist *list);
};

/* File name of the library, as in programs that are linked with libcurl. */
#define LIBRARY "libcurl.so.4"

#define FUNCTION(name)                                                                             \
    { "curl_" #name, offsetof(struct libcurl, name) }

static const struct {
    const char *name;
    size_t place;
} functions[] = {
    FUNCTION(global_init),   FUNCTION(easy_init),    FUNCTION(easy_cleanup),
    FUNCTION(easy_setopt),   FUNCTION(easy_perform), FUNCTION(easy_getinfo),
    FUNCTION(easy_strerror), FUNCTION(slist_append), FUNCTION(slist_free_all),
};

/* Loads the library once. Returns NULL with `error` set if it is missing. Not thread-safe. */
static const struct libcurl *load_libcurl(struct error *error) {
    static struct libcurl loaded;
    void *library = loaded.global_init == NULL ? dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL) : NULL;
    struct libcurl found;

    if (loaded.global_init != NULL) {
        return &loaded;
    }
    for (size_t i = 0; library != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);

        if (function == NULL) {
            dlclose(library);
            library = NULL;
        } else {
            memcpy((char *)&found + functions[i].place, &function, sizeof function);
        }
    }
    if (library == NULL || found.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        error_set(error, "a store is accessed with libcurl, and " LIBRARY
                         " cannot be loaded: install libcurl4");
        return NULL;
    }
    loaded = found;
    return &loaded;
}

/* --- receiving answers ------------------------------------------------------------------------ */

struct http {
    const struct libcurl *library;     /* borrowed */
    CURL *curl;                        /* owned */
    struct curl_slist *packed_headers; /* owned; the first header is only for compressed bodies */
    char problem[CURL_ERROR_SIZE];     /* libcurl's message about the last failure */
    struct text *answer;               /* borrowed; destination of the current request's answer */
    size_t most, header_bytes;
    bool too_long;
    bool failed; /* true: libcurl rejected an option */
};

/* Called by libcurl with a part of the answer. If the answer exceeds its limit, returns an error,
 * so that libcurl ends the request. */
static size_t append_answer(char *bytes, size_t size, size_t count, void *context) {
    struct http *http = context;
    size_t length = size * count;

    if (length > http->most - http->answer->length) {
        http->too_long = true;
        return CURL_WRITEFUNC_ERROR;
    }
    text_append(http->answer, bytes, length);
    return length;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    struct http *http = context;

    http->header_bytes += size * count;
    http->too_long |= http->header_bytes > HTTP_MOST_HEADERS;
    return http->too_long ? CURL_WRITEFUNC_ERROR : size * count;
}

/* --- setting options of libcurl --------------------------------------------------------------- */

/* Sets a numeric option; sets `failed` if libcurl rejects it. */
static void http_set_number(struct http *http, CURLoption option, long value) {
    http->failed |= http->library->easy_setopt(http->curl, option, value) != CURLE_OK;
}

static void set_pointer(struct http *http, CURLoption option, const void *value) {
    http->failed |= http->library->easy_setopt(http->curl, option, value) != CURLE_OK;
}

static void set_function(struct http *http, CURLoption option,
                         size_t (*function)(char *, size_t, size_t, void *)) {
    http->failed |= http->library->easy_setopt(http->curl, option, function) != CURLE_OK;
}

/* Makes the headers. Disables "Expect: 100-continue", since it delays requests by a second if the
 * server does not support it. The first header is for compressed bodies only. */
static void make_headers(struct http *http) {
    static const char *const lines[] = {"Content-Encoding: gzip",
                                        "Expect:", "Content-Type: application/octet-stream"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct curl_slist *longer = http->library->slist_append(http->packed_headers, lines[i]);

        http->failed |= longer == NULL;
        http->packed_headers = longer == NULL ? http->packed_headers : longer;
    }
}

static void set_security(struct http *http, const struct http_options *options) {
    set_pointer(http, CURLOPT_PROTOCOLS_STR, options->secure ? "https" : "http");
    http_set_number(http, CURLOPT_SSL_VERIFYPEER, 1);
    http_set_number(http, CURLOPT_SSL_VERIFYHOST, 2);
    if (options->ca != NULL) {
        set_pointer(http, CURLOPT_CAINFO, options->ca);
    }
    if (options->direct) {
        set_pointer(http, CURLOPT_NOPROXY, "*");
    }
    http_set_number(http, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    if (options->user == NULL) {
        http_set_number(http, CURLOPT_NETRC, CURL_NETRC_OPTIONAL);
    } else {
        set_pointer(http, CURLOPT_USERNAME, options->user);
        set_pointer(http, CURLOPT_PASSWORD, options->password == NULL ? "" : options->password);
    }
}

/* --- sending requests ------------------------------------------------------------------------- */

struct http *http_open(const struct http_options *options, struct error *error) {
    const struct libcurl *library = load_libcurl(error);
    struct http *http;

    if (library == NULL) {
        return NULL;
    }
    http = xcalloc(1, sizeof *http);
    http->library = library;
    http->curl = library->easy_init();
    http->failed = http->curl == NULL;
    if (!http->failed) {
        make_headers(http);
        http_set_number(http, CURLOPT_NOSIGNAL, 1);
        http_set_number(http, CURLOPT_FOLLOWLOCATION, 0);
        http_set_number(http, CURLOPT_CONNECTTIMEOUT, HTTP_CONNECT_SECONDS);
        http_set_number(http, CURLOPT_LOW_SPEED_LIMIT, 1);
        http_set_number(http, CURLOPT_LOW_SPEED_TIME, HTTP_SILENT_SECONDS);
        set_pointer(http, CURLOPT_ERRORBUFFER, http->problem);
        set_function(http, CURLOPT_WRITEFUNCTION, append_answer);
        set_pointer(http, CURLOPT_WRITEDATA, http);
        set_function(http, CURLOPT_HEADERFUNCTION, take_header);
        set_pointer(http, CURLOPT_HEADERDATA, http);
        set_security(http, options);
    }
    if (http->failed) {
        error_set(error, "libcurl lacks an option that tracetool needs");
        http_close(http);
        return NULL;
    }
    return http;
}

void http_close(struct http *http) {
    if (http != NULL) {
        http->library->easy_cleanup(http->curl);
        http->library->slist_free_all(http->packed_headers);
        free(http);
    }
}

static struct http_outcome http_outcome_of(struct http *http, CURLcode code) {
    struct http_outcome outcome = {
        .answered = code == CURLE_OK,
        .too_long = http->too_long,
        /* Failures of the network, after which a repeated request may succeed. */
        .worth_retrying = code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT ||
                          code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR ||
                          code == CURLE_GOT_NOTHING || code == CURLE_PARTIAL_FILE ||
                          code == CURLE_COULDNT_RESOLVE_HOST,
    };
    const char *type = NULL;

    http->library->easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &outcome.status);
    if (http->library->easy_getinfo(http->curl, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK &&
        type != NULL) {
        outcome.is_html = strncmp(type, "text/html", strlen("text/html")) == 0;
    }
    snprintf(outcome.reason, sizeof outcome.reason, "%s",
             http->problem[0] != '\0' ? http->problem : http->library->easy_strerror(code));
    return outcome;
}

struct http_outcome http_post(struct http *http, const char *url, const struct http_body *body,
                              size_t most, struct text *answer) {
    curl_off_t size = (curl_off_t)body->length;
    CURLcode code = CURLE_OUT_OF_MEMORY;

    text_clear(answer);
    http->answer = answer;
    http->most = most;
    http->header_bytes = 0;
    http->too_long = false;
    http->problem[0] = '\0';
    set_pointer(http, CURLOPT_URL, url);
    set_pointer(http, CURLOPT_HTTPHEADER,
                body->gzip ? http->packed_headers : http->packed_headers->next);
    set_pointer(http, CURLOPT_POSTFIELDS, body->bytes);
    http->failed |=
        http->library->easy_setopt(http->curl, CURLOPT_POSTFIELDSIZE_LARGE, size) != CURLE_OK;
    if (!http->failed) {
        code = http->library->easy_perform(http->curl);
    }
    return http_outcome_of(http, code);
}

void http_append_escaped(struct text *url, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                     (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || byte == '.';

        text_append_format(url, plain ? "%c" : "%%%02X", byte);
    }
}
