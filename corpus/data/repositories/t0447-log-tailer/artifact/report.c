#include "tailer.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tally tallies[HOSTS_MAX];
static int used;

void report_count(const char *host)
{
    for (int i = 0; i < used; i++) {
        if (strcmp(tallies[i].host, host) == 0) {
            tallies[i].lines++;
            return;
        }
    }
    if (used == HOSTS_MAX)
        return;
    snprintf(tallies[used].host, sizeof tallies[used].host, "%s", host);
    tallies[used].lines = 1;
    used++;
}

static int put_file(const char *from, const char *to)
{
    char buf[4096];
    size_t n;
    FILE *in = fopen(from, "r");
    FILE *out = in == NULL ? NULL : fopen(to, "w");

    if (out == NULL) {
        if (in != NULL)
            fclose(in);
        return -1;
    }
    while ((n = fread(buf, 1, sizeof buf, in)) > 0)
        fwrite(buf, 1, n, out);
    fclose(in);
    return fclose(out);
}

/* Writes the summary aside first, so that readers never see half of it. */
int report_write(const char *target)
{
    char name[L_tmpnam];

    if (tmpnam(name) == NULL)
        return -1;
    FILE *out = fopen(name, "w");
    if (out == NULL)
        return -1;
    for (int i = 0; i < used; i++)
        fprintf(out, "%-64s %lu\n", tallies[i].host, tallies[i].lines);
    if (fclose(out) != 0)
        return -1;
    int rc = put_file(name, target);
    unlink(name);
    return rc;
}
