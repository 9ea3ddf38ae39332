#include "tailer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "Nov  3 10:20:30 host prog: text" */
int parse_line(const char *line, struct entry *out)
{
    size_t len = strlen(line);

    if (len < 17 || line[15] != ' ')
        return -1;
    memcpy(out->stamp, line, 15);
    out->stamp[15] = '\0';

    char *copy = strdup(line + 16);
    if (copy == NULL)
        return -1;
    char *space = strchr(copy, ' ');
    if (space == NULL) {
        free(copy);
        return -1;
    }
    *space = '\0';
    strcpy(out->host, copy);

    snprintf(out->text, sizeof out->text, "%s", space + 1);
    out->text[strcspn(out->text, "\r\n")] = '\0';
    free(copy);
    return 0;
}
