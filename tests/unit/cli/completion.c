/* Completion, run by the shells themselves: bash always, fish and zsh where they are installed. And the man page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/text.h"
#include "testing.h"

static char *output_of(const char *shell, const char *script) {
    Buffer command = { 0 }, out = { 0 };
    char bytes[4096];
    setenv("SCRIPT", script, 1);
    buffer_print(&command, "%s -c \"$SCRIPT\" 2>&1", shell);
    FILE *pipe = popen(buffer_get(&command), "r");
    assert_non_null(pipe);
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, pipe)) > 0;) buffer_add(&out, bytes, count);
    assert_int_equal(pclose(pipe), 0);
    buffer_get(&out);
    buffer_free(&command);
    return out.bytes;
}

/* What bash offers for a line; its last word is being typed. Words are set apart by one space. */
static char *bash(const char *line) {
    Buffer script = { 0 };
    buffer_print(&script,
                 "source <(\"$SCRIM\" completion bash); IFS=' ' read -ra COMP_WORDS <<< '%s'; [[ '%s' == *' ' ]] && COMP_WORDS+=(''); "
                 "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _scrim; ((${#COMPREPLY[@]} == 0)) || printf '%%s ' \"${COMPREPLY[@]}\"",
                 line, line);
    char *out = output_of("bash", buffer_get(&script));
    buffer_free(&script);
    return out;
}

static void offers(const char *line, const char *words) {
    char *seen = bash(line);
    assert_string_equal(seen, words);
    free(seen);
}
static void offers_among(const char *line, const char *word) {
    char *seen = bash(line);
    if (!strstr(seen, word)) fail_msg("%s offers %s, not %s", line, seen, word);
    free(seen);
}

static void in_bash(void **state) {
    (void)state;
    offers("scrim ris", "risk ");
    offers("scrim hel", "help ");
    offers("scrim risk k-", "k-anonymity ");
    offers("scrim help risk k-", "k-anonymity ");
    offers("scrim completion ", "bash zsh fish ");
    offers("scrim serv", "serve ");
    offers("scrim serve --up", "--upload-limit ");
    offers_among("scrim serve --tokens examples/clin", "examples/clinic.csv ");
    offers_among("scrim risk k-anonymity examples/clinic.csv --k", "--keys ");
    offers_among("scrim risk k-anonymity examples/clinic.csv --", "--where ");
    offers_among("scrim risk k-anonymity examples/clinic.csv --f", "--format ");
    offers("scrim risk k-anonymity examples/clinic.csv --missing ", "wildcard category ");
    offers("scrim risk k-anonymity examples/clinic.csv --missing = c", "category "); /* bash splits at = */
    offers("scrim risk k-anonymity examples/clinic.csv --format j", "json ");
    offers_among("scrim risk k-anonymity examples/clin", "examples/clinic.csv ");
}

static void columns_in_bash(void **state) {
    (void)state;
    offers("scrim risk k-anonymity examples/clinic.csv --keys se", "sex ");
    offers("scrim risk k-anonymity examples/clinic.csv --keys sex,ag", "sex,age ");
    offers("scrim risk k-anonymity --keys se", ""); /* no file yet */
}

static bool installed(const char *shell) {
    char command[64];
    snprintf(command, sizeof command, "command -v %s > /dev/null", shell);
    return system(command) == 0;
}

static void in_fish(void **state) {
    (void)state;
    if (!installed("fish")) skip();
    char *seen =
        output_of("fish --no-config",
                  "$SCRIM completion fish | source; complete -C 'scrim risk k-'; complete -C 'scrim risk k-anonymity examples/clinic.csv "
                  "--missing '; complete -C 'scrim risk k-anonymity examples/clinic.csv --keys sex,ag'; complete -C 'scrim ris'");
    assert_non_null(strstr(seen, "k-anonymity\t"));
    assert_non_null(strstr(seen, "wildcard\t"));
    assert_non_null(strstr(seen, "sex,age\t"));
    assert_non_null(strstr(seen, "risk\t"));
    free(seen);
}

static void in_zsh(void **state) {
    (void)state;
    if (!installed("zsh")) skip();
    char *seen = output_of("zsh -f", "compdef() { echo compdef $*; }; source <($SCRIM completion zsh); echo $#_scrim_first; _scrim_options "
                                     "'risk k-anonymity' known && echo known; _scrim_options 'risk nothing' known || echo unknown");
    assert_non_null(strstr(seen, "compdef _scrim scrim\n"));
    assert_non_null(strstr(seen, "\nknown\nunknown\n"));
    free(seen);
}

static void man_page(void **state) {
    (void)state;
    char *page = output_of("sh", "$SCRIM help --man");
    assert_memory_equal(page, ".TH SCRIM 1", 11);
    assert_non_null(strstr(page, "risk k\\-anonymity\n"));
    assert_non_null(strstr(page, ".SH EXIT STATUS\n"));
    assert_non_null(strstr(page, "\\-\\-format"));
    free(page);
}

static void which_shell(void **state) {
    (void)state;
    char *seen = output_of("sh", "$SCRIM completion tcsh; test $? = 2");
    assert_non_null(strstr(seen, "bash, zsh or fish"));
    free(seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_bash), cmocka_unit_test(columns_in_bash), cmocka_unit_test(in_fish),
        cmocka_unit_test(in_zsh),  cmocka_unit_test(man_page),        cmocka_unit_test(which_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
