// Swift cannot call functions with variable arguments: each kind of option has its own inline function.
#pragma once
#include <curl/curl.h>
#include <stdint.h>

static inline CURLcode ccurl_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_text(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_size(CURL *h, CURLoption o, int64_t v) { return curl_easy_setopt(h, o, (curl_off_t)v); }
static inline CURLcode ccurl_set_list(CURL *h, CURLoption o, struct curl_slist *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode ccurl_set_writer(CURL *h, CURLoption o, size_t (*f)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(h, o, f);
}
static inline CURLcode ccurl_set_progress(
    CURL *h, int (*f)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
    return curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, f);
}
static inline CURLcode ccurl_set_debug(CURL *h, int (*f)(CURL *, curl_infotype, char *, size_t, void *)) {
    return curl_easy_setopt(h, CURLOPT_DEBUGFUNCTION, f);
}
/// 0 where libcurl does not know.
static inline long ccurl_info_long(CURL *h, CURLINFO i) {
    long value = 0;
    curl_easy_getinfo(h, i, &value);
    return value;
}
static inline int64_t ccurl_info_size(CURL *h, CURLINFO i) {
    curl_off_t value = 0;
    curl_easy_getinfo(h, i, &value);
    return value;
}
/// NULL where libcurl does not know; valid until the next exchange.
static inline const char *ccurl_info_text(CURL *h, CURLINFO i) {
    char *value = NULL;
    curl_easy_getinfo(h, i, &value);
    return value;
}
static inline long ccurl_status(CURL *h) {
    long status = 0;
    curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
