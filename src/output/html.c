#include "output/html.h"

#include <stdint.h>
#include <string.h>

#include "base/resource.h"

/* Escapes text for SVG and other XML. */

static void xml_append_character(struct text *out, const char *bytes, size_t size,
                                 uint32_t code_point) {
    /* Escapes characters that XML forbids, and controls that change the direction of text. */
    if (code_point == 0xFFFE || code_point == 0xFFFF ||
        (code_point >= 0x202A && code_point <= 0x202E) ||
        (code_point >= 0x2066 && code_point <= 0x2069)) {
        text_append_format(out, "\\u%04x", (unsigned)code_point);
        return;
    }
    switch (code_point) {
    case '&':
        text_append_string(out, "&amp;");
        break;
    case '<':
        text_append_string(out, "&lt;");
        break;
    case '>':
        text_append_string(out, "&gt;");
        break;
    default:
        text_append(out, bytes, size);
    }
}

void xml_append(struct text *out, const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t code_point = 0;
        size_t size = utf8_sequence(bytes + at, length - at, &code_point);

        if (size == 0) {
            size = 1;
            code_point = (unsigned char)bytes[at];
        }
        xml_append_character(out, bytes + at, size, code_point);
        at += size;
    }
}

static void html_append_character(struct text *out, const char *bytes, size_t size,
                                  uint32_t code_point) {
    const bool is_space = code_point == '\n' || code_point == '\t';

    if (size == 0 || (code_point < 0x20 && !is_space) ||
        (code_point >= 0x7F && code_point < 0xA0)) {
        text_append_string(out, "\xEF\xBF\xBD");
    } else if (code_point == '"') {
        text_append_string(out, "&quot;");
    } else if (code_point == '\'') {
        text_append_string(out, "&#39;");
    } else {
        xml_append(out, bytes, size);
    }
}

void html_append_text(struct text *out, const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t code_point = 0;
        size_t size = utf8_sequence(bytes + at, length - at, &code_point);

        html_append_character(out, bytes + at, size, code_point);
        at += size > 0 ? size : 1;
    }
}

void html_append(struct text *out, const char *bytes, size_t length) {
    struct text plain = {0};

    text_append_escaped(&plain, bytes, length);
    html_append_text(out, text_string(&plain), plain.length);
    text_free(&plain);
}

void html_append_string(struct text *out, const char *string) {
    html_append(out, string, strlen(string));
}

static const char *find_web_resource(const char *name) {
    return resource_find(web_resources, name);
}

static void html_append_digest(struct text *out, const char *name) {
    const char *digest = find_web_resource(name);

    /* Appends the digest without the newline at the end of its file. */
    text_append_string(out, "'sha256-");
    text_append(out, digest, strcspn(digest, "\n"));
    text_append_string(out, "'");
}

void html_append_head(struct text *out, const struct html_head *head) {
    text_append_string(out,
                       "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    /* Tells the browser to load and run nothing, in case untrusted text gets into the document
     * unescaped. The rule frame-ancestors is omitted, since browsers ignore it in a <meta>. */
    text_append_string(out, "<meta http-equiv=\"Content-Security-Policy\" content=\""
                            "default-src 'none'; ");
    if (head->has_script) {
        text_append_string(out, "script-src ");
        html_append_digest(out, "script-digest");
        text_append_string(out, "; ");
    }
    text_append_string(out, "style-src ");
    if (head->css != NULL) {
        text_append_string(out, "'unsafe-inline'");
    } else {
        html_append_digest(out, "style-digest");
    }
    text_append_string(out, "; img-src data:; base-uri 'none'; form-action 'none'\">\n");
    text_append_string(out,
                       "<meta name=\"referrer\" content=\"no-referrer\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>");
    html_append_string(out, head->title);
    text_append_string(out, "</title>\n<style>");
    text_append_string(out, head->css != NULL ? head->css : find_web_resource("style"));
    text_append_string(out, "</style>\n</head>\n<body>\n");
}

void html_append_foot(struct text *out, bool has_script) {
    if (has_script) {
        text_append_string(out, "<script>");
        text_append_string(out, find_web_resource("script"));
        text_append_string(out, "</script>\n");
    }
    text_append_string(out, "</body>\n</html>\n");
}
