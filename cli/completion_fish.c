/* Completion for fish. */
#include <string.h>
#include "commands.h"
#include "serve.h"

static void quoted(Buffer *out, const char *text) {
    buffer_char(out, '\'');
    for (; text && *text; text++) {
        if (*text == '\'' || *text == '\\') buffer_char(out, '\\');
        buffer_char(out, *text);
    }
    buffer_char(out, '\'');
}

static void about(Buffer *out, const char *text) {
    buffer_text(out, " -d ");
    quoted(out, text);
    buffer_char(out, '\n');
}

static void option_line(const char *condition, const Param *param, Buffer *out) {
    static const char *const kinds[] = { [COMPLETES_NONE] = "",
                                         [COMPLETES_ANY] = " -x",
                                         [COMPLETES_COLUMNS] = " -x -a '(__scrim_columns)'",
                                         [COMPLETES_FILES] = " -r -F",
                                         [COMPLETES_WORDS] = " -x -a '" };
    Completes completes = param_completes(param);
    buffer_print(out, "complete -c scrim -n '%s' -l %s%s", condition, param->name, kinds[completes]);
    if (completes == COMPLETES_WORDS) {
        for (int i = 0; param->words[i]; i++) buffer_print(out, "%s%s", i ? " " : "", param->words[i]);
        buffer_char(out, '\'');
    }
    about(out, param->help);
}

static void program_option(const char *name, const char *value, const char *help, Buffer *out) {
    buffer_print(out, "complete -c scrim -n 'not __fish_use_subcommand' -l %s%s", name + 2, strcmp(name, "--output") ? "" : " -s o");
    if (value && strchr(value, '|')) {
        buffer_text(out, " -x -a '");
        for (const char *p = value; *p; p++) buffer_char(out, *p == '|' ? ' ' : *p);
        buffer_char(out, '\'');
    } else if (value) buffer_text(out, strstr(value, "FILE") ? " -r -F" : " -x");
    about(out, help);
}

static const char body[] = "function __scrim_at # the command line begins with these words\n"
                           "    set -l words (commandline -opc)[2..-1]\n"
                           "    test (count $words) -ge (count $argv); or return 1\n"
                           "    for i in (seq (count $argv))\n"
                           "        test \"$words[$i]\" = \"$argv[$i]\"; or return 1\n"
                           "    end\n"
                           "end\n"
                           "function __scrim_only # and has no others\n"
                           "    test (count (commandline -opc)) -eq (math (count $argv) + 1); and __scrim_at $argv\n"
                           "end\n"
                           "function __scrim_columns # from the first line of the first file on the command line\n"
                           "    set -l before (string replace -r '[^,]*$' '' -- (commandline -ct))\n"
                           "    for word in (commandline -opc)[2..-1]\n"
                           "        if test -f \"$word\"; and not string match -qr '\\.(gz|zst)$' -- $word\n"
                           "            for name in (head -c 65536 -- $word | head -n 1 | tr ',;\\t|' '\\n\\n\\n\\n' | tr -d '\"\\r')\n"
                           "                echo $before$name\n"
                           "            end\n"
                           "            return\n"
                           "        end\n"
                           "    end\n"
                           "end\n"
                           "complete -c scrim -n __fish_use_subcommand -f\n"
                           "complete -c scrim -n '__scrim_only completion' -f -a 'bash zsh fish'\n";

static void word_lines(Buffer *out) {
    const char *word, *what;
    for (int64_t i = 0; commands_first(i, &word, &what); i++) {
        buffer_print(out, "complete -c scrim -n '__fish_use_subcommand; or __scrim_only help; or __scrim_only methods' -f -a %s", word);
        about(out, what);
    }
    for (int64_t i = 0; i < commands_count(); i++) {
        Command command = commands_at(i);
        if (!command.second) continue;
        buffer_print(out, "complete -c scrim -n '__scrim_only %s; or __scrim_only help %s; or __scrim_only methods %s' -f -a %s",
                     command.first, command.first, command.first, command.second);
        about(out, command.method->summary);
    }
}

void completion_fish(Buffer *out) {
    const char *name, *value, *help;
    buffer_text(out, "# fish completion for scrim, written by `scrim completion fish`: scrim completion fish | source\n");
    buffer_text(out, body);
    word_lines(out);
    for (int64_t i = 0; i < commands_count(); i++) {
        Command command = commands_at(i);
        Buffer condition = { 0 };
        buffer_print(&condition, "__scrim_at %s%s%s", command.first, command.second ? " " : "", command.second ? command.second : "");
        for (const Param *p = command.method->params; p && p->kind; p++)
            if (p->kind < RULE_ONE_OF && !(p->flags & POSITIONAL)) option_line(buffer_get(&condition), p, out);
        buffer_free(&condition);
    }
    for (size_t i = 0; serve_option(i, &name, &value, &help); i++) {
        buffer_print(out, "complete -c scrim -n '__scrim_at serve' -l %s%s", name + 2,
                     !value                    ? ""
                     : serve_names_file(value) ? " -r -F"
                                               : " -x");
        about(out, help);
    }
    for (const Param *p = common_params(); p->kind; p++) option_line("not __fish_use_subcommand", p, out);
    for (size_t i = 0; options_at(i, &name, &value, &help); i++) program_option(name, value, help, out);
}
