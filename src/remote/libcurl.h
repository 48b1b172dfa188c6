/* libcurl, loaded when it is first needed: with what it needs in turn it would double the time in
 * which every command starts, and few speak to a server. */
#ifndef TRACETOOL_REMOTE_LIBCURL_H
#define TRACETOOL_REMOTE_LIBCURL_H

#include <curl/curl.h>

#include "base/error.h"

/* Its functions, called as libcurl(3) tells, without curl_ in front. */
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

/* Loads it, once; NULL with `error` set when it is not there. By one thread. */
const struct libcurl *libcurl_load(struct error *error);

#endif
