/* Completion for zsh. */
#include <stdio.h>
#include <string.h>
#include "commands.h"
#include "serve.h"

/* 'name:what it is', in single quotes; colons in the name are escaped. */
static void described(Buffer *out, const char *dashes, const char *name, const char *about) {
    Buffer both = { 0 };
    buffer_print(&both, "%s%s:%s", dashes, name, about ? about : "");
    quote_shell(out, buffer_get(&both));
    buffer_char(out, ' ');
    buffer_free(&both);
}

static void option_of(const Param *param, Buffer *out) { described(out, "--", param->name, param->help); }

static void words_case(Buffer *out) {
    const char *word, *about;
    buffer_text(out, "_scrim_second() {\n    local -a found\n    case $1 in\n");
    for (int64_t i = 0; commands_first(i, &word, &about); i++) {
        bool some = false;
        for (int64_t j = 0; j < commands_count(); j++) {
            Command command = commands_at(j);
            if (strcmp(command.first, word) || !command.second) continue;
            if (!some) buffer_print(out, "    %s) found=(", word);
            some = true;
            described(out, "", command.second, command.method->summary);
        }
        if (some) buffer_text(out, ") ;;\n");
    }
    buffer_text(out, "    completion) found=(bash zsh fish) ;;\n    esac\n    (( $#found )) && _describe -t methods method found\n}\n");
}

static void options_case(Buffer *out) {
    const char *name, *value, *help;
    buffer_text(out, "_scrim_options() {\n    local -a found\n    case $1 in\n");
    for (int64_t i = 0; i < commands_count(); i++) {
        Command command = commands_at(i);
        buffer_print(out, "    '%s%s%s') found=(", command.first, command.second ? " " : "", command.second ? command.second : "");
        for (const Param *p = command.method->params; p && p->kind; p++)
            if (p->kind < RULE_ONE_OF && !(p->flags & POSITIONAL)) option_of(p, out);
        buffer_text(out, ") ;;\n");
    }
    buffer_text(out, "    serve) found=(");
    for (size_t i = 0; serve_option(i, &name, &value, &help); i++) described(out, "", name, help);
    buffer_text(out, ") ;;\n    *) return 1 ;;\n    esac\n    [[ -n $2 ]] && return 0\n    found+=(");
    for (const Param *p = common_params(); p->kind; p++) option_of(p, out);
    for (size_t i = 0; options_at(i, &name, &value, &help); i++) described(out, "", name, help);
    buffer_text(out, ")\n    _describe -t options option found\n}\n");
}

static void value_line(const char *pattern, const Param *param, Buffer *out) {
    Completes completes = param_completes(param);
    if (completes == COMPLETES_NONE) return;
    buffer_print(out, "    %s' --%s') ", pattern, param->name);
    if (completes == COMPLETES_WORDS) {
        buffer_text(out, "compadd --");
        for (int i = 0; param->words[i]; i++) buffer_print(out, " %s", param->words[i]);
    } else buffer_text(out, completes == COMPLETES_COLUMNS ? "_scrim_columns" : completes == COMPLETES_FILES ? "_files" : "_message value");
    buffer_text(out, " ;;\n");
}

static void values_case(Buffer *out) {
    const char *name, *value, *help;
    buffer_text(out, "_scrim_value() {\n    case \"$1 $2\" in\n");
    for (int64_t i = 0; i < commands_count(); i++) {
        Command command = commands_at(i);
        char pattern[160];
        snprintf(pattern, sizeof pattern, "'%s%s%s'", command.first, command.second ? " " : "", command.second ? command.second : "");
        for (const Param *p = command.method->params; p && p->kind; p++)
            if (p->kind < RULE_ONE_OF && !(p->flags & POSITIONAL)) value_line(pattern, p, out);
    }
    for (const Param *p = common_params(); p->kind; p++) value_line("*", p, out);
    for (size_t i = 0; serve_option(i, &name, &value, &help); i++)
        if (value) buffer_print(out, "    'serve %s') %s ;;\n", name, serve_names_file(value) ? "_files" : "_message value");
    for (size_t i = 0; options_at(i, &name, &value, &help); i++) {
        if (!value) continue;
        buffer_print(out, "    *' %s') %s", name, strchr(value, '|') ? "compadd -- " : strstr(value, "FILE") ? "_files" : "_message value");
        for (const char *p = value; strchr(value, '|') && *p; p++) buffer_char(out, *p == '|' ? ' ' : *p);
        buffer_text(out, " ;;\n");
    }
    buffer_text(out, "    *' -o') _files ;;\n    *) return 1 ;;\n    esac\n    return 0\n}\n");
}

static const char body[] = "_scrim_columns() { # from the first line of the first file on the command line\n"
                           "    local word; local -a names\n"
                           "    for word in ${words[2,-1]}; do\n"
                           "        [[ -f $word && $word != *.(gz|zst) ]] || continue\n"
                           "        names=(\"${(@f)$(head -c 65536 -- $word | head -n 1 | tr ',;\\t|' '\\n\\n\\n\\n' | tr -d '\"\\r')}\")\n"
                           "        compset -P '*,'\n"
                           "        compadd -S '' -- $names\n"
                           "        return\n"
                           "    done\n"
                           "    _message column\n"
                           "}\n"
                           "_scrim() {\n"
                           "    local command=\"$words[2] $words[3]\"\n"
                           "    if (( CURRENT == 2 )); then _describe -t commands command _scrim_first; return; fi\n"
                           "    if [[ $words[2] == (help|methods) ]]; then\n"
                           "        if (( CURRENT == 3 )); then _describe -t commands command _scrim_first; elif (( CURRENT == 4 )); then "
                           "_scrim_second $words[3]; fi\n"
                           "        return\n"
                           "    fi\n"
                           "    if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then _scrim_second $words[2] && return; fi\n"
                           "    _scrim_options $command known || command=$words[2]\n"
                           "    if [[ $words[CURRENT] == --*=* ]]; then\n"
                           "        local option=${words[CURRENT]%%=*}\n"
                           "        compset -P '*='\n"
                           "        _scrim_value $command $option\n"
                           "        return\n"
                           "    fi\n"
                           "    _scrim_value $command $words[CURRENT-1] && return\n"
                           "    if [[ $words[CURRENT] == -* ]]; then _scrim_options $command; else _files; fi\n"
                           "}\n"
                           "if [[ $funcstack[1] == _scrim ]]; then _scrim \"$@\"; else compdef _scrim scrim; fi\n";

void completion_zsh(Buffer *out) {
    const char *word, *about;
    buffer_text(out, "#compdef scrim\n# zsh completion for scrim, written by `scrim completion zsh`: source <(scrim completion "
                     "zsh)\ntypeset -ga _scrim_first\n_scrim_first=(");
    for (int64_t i = 0; commands_first(i, &word, &about); i++) described(out, "", word, about);
    buffer_text(out, ")\n");
    words_case(out);
    options_case(out);
    values_case(out);
    buffer_text(out, body);
}
