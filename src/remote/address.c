#include "remote/address.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/memory.h"

#define SECURE "https://"
#define PLAIN  "http://"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

enum { MOST_HOST = 253, MOST_PORT = 65535, PORT_DIGITS = 5 };

bool remote_is_address(const char *text) {
    return strncasecmp(text, SECURE, strlen(SECURE)) == 0 ||
           strncasecmp(text, PLAIN, strlen(PLAIN)) == 0;
}

bool remote_is_name(const char *name) {
    size_t length = strspn(name, LETTERS DIGITS "_");

    return length > 0 && length <= REMOTE_MOST_NAME && name[length] == '\0' &&
           strchr(DIGITS, name[0]) == NULL;
}

/* Parts of a URL without http:// or https://; they point into the parsed text. */
struct parts {
    const char *host;
    size_t host_length; /* length of the host in bytes, with the brackets of an IPv6 address */
    unsigned port;      /* 0: the URL has no port */
    const char *database;
};

static bool address_refuse(struct error *error) {
    return error_usage(error,
                       "a store is named as https://HOST:PORT/DATABASE; HOST is a name or an "
                       "address, DATABASE a word of letters, digits and _");
}

/* Returns whether the text is a host name or address, without characters with a meaning in URLs. */
static bool is_host(const char *host, size_t length) {
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        char inner[INET6_ADDRSTRLEN + 1] = "";
        unsigned char bytes[16];

        return length - 2 < sizeof inner &&
               inet_pton(AF_INET6, memcpy(inner, host + 1, length - 2), bytes) == 1;
    }
    return length > 0 && length <= MOST_HOST && host[0] != '-' && host[0] != '.' &&
           strspn(host, LETTERS DIGITS ".-") >= length;
}

static bool is_loopback(const char *host, size_t length) {
    char name[MOST_HOST + 1] = "";
    unsigned char bytes[4];

    memcpy(name, host, length);
    return strcasecmp(name, "localhost") == 0 || strcmp(name, "[::1]") == 0 ||
           (inet_pton(AF_INET, name, bytes) == 1 && bytes[0] == 127);
}

static bool split_address(const char *rest, struct parts *parts, struct error *error) {
    const char *slash = strchr(rest, '/'), *port;

    if (strchr(rest, '@') != NULL) {
        return error_usage(error, "user and password do not belong into a URL, where others see "
                                  "them: set TRACETOOL_STORE_USER and TRACETOOL_STORE_PASSWORD, or "
                                  "write them into ~/.netrc");
    }
    if (slash == NULL || !remote_is_name(slash + 1)) {
        return address_refuse(error);
    }
    *parts = (struct parts){.host = rest, .database = slash + 1};
    parts->host_length = *rest == '[' ? strcspn(rest, "]/") + 1 : strcspn(rest, ":/");
    port = rest + parts->host_length;
    if (port > slash || !is_host(rest, parts->host_length)) {
        return address_refuse(error);
    }
    if (*port == ':') {
        size_t digits = strspn(port + 1, DIGITS);

        parts->port = digits == 0 || digits > PORT_DIGITS ? 0 : (unsigned)atoi(port + 1);
        return (port + 1 + digits == slash && parts->port > 0 && parts->port <= MOST_PORT) ||
               address_refuse(error);
    }
    return port == slash || address_refuse(error);
}

bool remote_address_parse(struct remote_address *address, const char *url, struct error *error) {
    struct text server = {0}, shown = {0};
    bool secure = strncasecmp(url, SECURE, strlen(SECURE)) == 0;
    struct parts parts = {0};

    *address = (struct remote_address){.secure = secure};
    if (!remote_is_address(url)) {
        return address_refuse(error);
    }
    if (!split_address(url + strlen(secure ? SECURE : PLAIN), &parts, error)) {
        return false;
    }
    address->loopback = is_loopback(parts.host, parts.host_length);
    text_append_format(&server, "%s%.*s:%u/", secure ? SECURE : PLAIN, (int)parts.host_length,
                       parts.host,
                       parts.port != 0 ? parts.port
                       : secure        ? 8443
                                       : 8123);
    text_append_format(&shown, "%s%s", text_string(&server), parts.database);
    address->database = xstrdup(parts.database);
    address->server = server.bytes;
    address->shown = shown.bytes;
    return true;
}

void remote_address_free(struct remote_address *address) {
    free(address->server);
    free(address->database);
    free(address->shown);
    *address = (struct remote_address){0};
}
