#include "tailer.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_term(int sig)
{
    (void)sig;
    stop = 1;
}

int main(int argc, char **argv)
{
    struct rule rules[RULES_MAX];
    char line[2048];
    int n = 0, opt;

    while ((opt = getopt(argc, argv, "r:")) != -1) {
        if (opt != 'r' || (n = rules_load(optarg, rules)) < 0) {
            fprintf(stderr, "usage: %s [-r RULES] FILE\n", argv[0]);
            return 2;
        }
    }
    if (optind >= argc)
        return 2;

    FILE *in = fopen(argv[optind], "r");
    if (in == NULL) {
        perror(argv[optind]);
        return 1;
    }
    struct sigaction sa = {.sa_handler = on_term};
    sigaction(SIGTERM, &sa, NULL);

    while (!stop) {
        if (fgets(line, sizeof line, in) == NULL) {
            clearerr(in);
            sleep(1);
            continue;
        }
        struct entry e;
        if (parse_line(line, &e) != 0)
            continue;
        report_count(e.host);
        const struct rule *hit = rules_match(rules, n, e.text);
        if (hit != NULL && notify(hit, &e) != 0)
            fprintf(stderr, "cannot notify %s\n", hit->address);
    }
    fclose(in);
    return report_write("tailer.summary") == 0 ? 0 : 1;
}
