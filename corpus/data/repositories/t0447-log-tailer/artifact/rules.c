#include "tailer.h"

#include <stdio.h>
#include <string.h>

/* Returns the number of rules, or -1 when the file cannot be read. */
int rules_load(const char *path, struct rule *rules)
{
    char line[300];
    int n = 0;
    FILE *in = fopen(path, "r");

    if (in == NULL)
        return -1;
    while (n <= RULES_MAX && fgets(line, sizeof line, in) != NULL) {
        char *tab = strchr(line, '\t');

        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || tab == NULL)
            continue;
        *tab = '\0';
        snprintf(rules[n].needle, sizeof rules[n].needle, "%s", line);
        snprintf(rules[n].address, sizeof rules[n].address, "%s", tab + 1);
        n++;
    }
    fclose(in);
    return n;
}

const struct rule *rules_match(const struct rule *rules, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (strstr(text, rules[i].needle) != NULL)
            return &rules[i];
    return NULL;
}
