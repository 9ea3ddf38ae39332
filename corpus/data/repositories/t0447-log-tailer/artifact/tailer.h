#ifndef TAILER_H
#define TAILER_H

#include <stddef.h>

#define HOST_MAX 64
#define TEXT_MAX 1024
#define RULES_MAX 32
#define HOSTS_MAX 128

struct entry {
    char stamp[16];
    char host[HOST_MAX];
    char text[TEXT_MAX];
};

struct rule {
    char needle[128];
    char address[128];
};

struct tally {
    char host[HOST_MAX];
    unsigned long lines;
};

int parse_line(const char *line, struct entry *out);
int rules_load(const char *path, struct rule *rules);
const struct rule *rules_match(const struct rule *rules, int n, const char *text);
int notify(const struct rule *rule, const struct entry *e);
void report_count(const char *host);
int report_write(const char *target);

#endif
