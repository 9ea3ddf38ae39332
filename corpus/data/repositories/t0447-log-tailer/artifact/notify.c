#include "tailer.h"

#include <stdio.h>

/* Sends one mail through the mail command of the system. */
int notify(const struct rule *rule, const struct entry *e)
{
    char command[512];

    snprintf(command, sizeof command, "mail -s 'log match on %s' '%s'", e->host, rule->address);
    FILE *mail = popen(command, "w");
    if (mail == NULL)
        return -1;

    fprintf(mail, "time: %s\n", e->stamp);
    fprintf(mail, "host: %s\n", e->host);
    fprintf(mail, "rule: %s\n", rule->needle);
    fprintf(mail, "\n");

    /* the line as it stood in the file */
    fprintf(mail, e->text);
    fprintf(mail, "\n");

    return pclose(mail) == 0 ? 0 : -1;
}
