#include "remote/http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct http {
    CURL *curl;                    /* owned */
    struct curl_slist *headers;    /* owned */
    char problem[CURL_ERROR_SIZE]; /* what libcurl says of the last failure */
    struct text *answer;           /* of the request that runs; borrowed */
    size_t most, header_bytes;
    bool too_long;
};

/* Less than all is taken when it is too much, which ends the request. */
static size_t take_answer(char *bytes, size_t size, size_t count, void *context) {
    struct http *http = context;
    size_t length = size * count;

    if (length > http->most - http->answer->length) {
        http->too_long = true;
        return CURL_WRITEFUNC_ERROR;
    }
    text_append(http->answer, bytes, length);
    return http->answer->failed ? CURL_WRITEFUNC_ERROR : length;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    struct http *http = context;

    (void)bytes;
    http->header_bytes += size * count;
    http->too_long |= http->header_bytes > HTTP_MOST_HEADERS;
    return http->too_long ? CURL_WRITEFUNC_ERROR : size * count;
}

/* The lists of headers: "Expect: 100-continue" would cost a second with servers that do not know
 * it. */
static bool set_headers(struct http *http) {
    static const char *const lines[] = {"Expect:", "Content-Type: application/octet-stream"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct curl_slist *longer = curl_slist_append(http->headers, lines[i]);

        if (longer == NULL) {
            return false;
        }
        http->headers = longer;
    }
    return curl_easy_setopt(http->curl, CURLOPT_HTTPHEADER, http->headers) == CURLE_OK;
}

static bool set_user(struct http *http, const struct http_options *options) {
    CURL *curl = http->curl;

    if (curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC) != CURLE_OK) {
        return false;
    }
    if (options->user == NULL) {
        return curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL) == CURLE_OK;
    }
    return curl_easy_setopt(curl, CURLOPT_USERNAME, options->user) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PASSWORD,
                            options->password == NULL ? "" : options->password) == CURLE_OK;
}

static bool set_bounds(struct http *http) {
    CURL *curl = http->curl;

    return curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)HTTP_CONNECT_SECONDS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)HTTP_SILENT_SECONDS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, http->problem) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, http) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HEADERDATA, http) == CURLE_OK;
}

static bool set_security(struct http *http, const struct http_options *options) {
    CURL *curl = http->curl;

    return curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, options->secure ? "https" : "http") ==
               CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
           (options->ca == NULL ||
            curl_easy_setopt(curl, CURLOPT_CAINFO, options->ca) == CURLE_OK) &&
           (!options->direct || curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") == CURLE_OK) &&
           set_user(http, options);
}

struct http *http_open(const struct http_options *options, struct error *error) {
    struct http *http = calloc(1, sizeof *http);

    if (http == NULL) {
        error_no_memory(error);
        return NULL;
    }
    if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
        http->curl = curl_easy_init();
    }
    if (http->curl == NULL || !set_headers(http) || !set_bounds(http) ||
        !set_security(http, options)) {
        error_set(error, "libcurl cannot be used as is needed");
        http_close(http);
        return NULL;
    }
    return http;
}

void http_close(struct http *http) {
    if (http != NULL) {
        curl_easy_cleanup(http->curl);
        curl_slist_free_all(http->headers);
        free(http);
    }
}

/* Whether another try may succeed: the network failed, and not what was asked for. */
static bool is_of_network(CURLcode code) {
    return code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT ||
           code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING ||
           code == CURLE_PARTIAL_FILE || code == CURLE_COULDNT_RESOLVE_HOST;
}

static struct http_outcome outcome_of(struct http *http, CURLcode code) {
    struct http_outcome outcome = {
        .answered = code == CURLE_OK,
        .too_long = http->too_long,
        .worth_retrying = is_of_network(code),
    };
    const char *type = NULL;

    curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &outcome.status);
    if (curl_easy_getinfo(http->curl, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type != NULL) {
        outcome.is_html = strncmp(type, "text/html", strlen("text/html")) == 0;
    }
    snprintf(outcome.reason, sizeof outcome.reason, "%s",
             http->problem[0] != '\0' ? http->problem : curl_easy_strerror(code));
    return outcome;
}

struct http_outcome http_post(struct http *http, const char *url, const void *body, size_t length,
                              size_t most, struct text *answer) {
    CURL *curl = http->curl;
    CURLcode code;

    text_clear(answer);
    http->answer = answer;
    http->most = most;
    http->header_bytes = 0;
    http->too_long = false;
    http->problem[0] = '\0';
    code = curl_easy_setopt(curl, CURLOPT_URL, url);
    if (code == CURLE_OK) {
        code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    }
    if (code == CURLE_OK) {
        code = curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    }
    return outcome_of(http, code == CURLE_OK ? curl_easy_perform(curl) : code);
}

void http_append_escaped(struct text *url, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                     (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || byte == '.';

        text_append_format(url, plain ? "%c" : "%%%02X", byte);
    }
}
