/* Completion for bash. */
#include <stdio.h>
#include <string.h>
#include "commands.h"
#include "serve.h"

static void words_of(const Param *param, Buffer *out) {
    for (int i = 0; param->words[i]; i++) buffer_print(out, "%s%s", i ? " " : "", param->words[i]);
}

/* What may follow an option: words, or @columns, @files, @any; nothing for a flag. */
static void value_line(const char *pattern, const Param *param, Buffer *out) {
    static const char *const kinds[] = { [COMPLETES_ANY] = "@any", [COMPLETES_COLUMNS] = "@columns", [COMPLETES_FILES] = "@files" };
    Completes completes = param_completes(param);
    if (completes == COMPLETES_NONE) return;
    buffer_print(out, "    %s' --%s') echo '", pattern, param->name);
    if (completes == COMPLETES_WORDS) words_of(param, out);
    else buffer_text(out, kinds[completes]);
    buffer_text(out, "' ;;\n");
}

static void command_values(Buffer *out) {
    buffer_text(out, "_scrim_values() {\n    case \"$1 $2\" in\n");
    for (int64_t i = 0; i < commands_count(); i++) {
        Command command = commands_at(i);
        char pattern[160];
        snprintf(pattern, sizeof pattern, "'%s%s%s'", command.first, command.second ? " " : "", command.second ? command.second : "");
        for (const Param *p = command.method->params; p && p->kind; p++)
            if (p->kind < RULE_ONE_OF && !(p->flags & POSITIONAL)) value_line(pattern, p, out);
    }
    for (const Param *p = common_params(); p->kind; p++) value_line("*", p, out);
    const char *name, *value, *help;
    for (size_t i = 0; serve_option(i, &name, &value, &help); i++)
        if (value) buffer_print(out, "    'serve %s') echo '%s' ;;\n", name, serve_names_file(value) ? "@files" : "@any");
    for (size_t i = 0; options_at(i, &name, &value, &help); i++) {
        if (!value) continue;
        buffer_print(out, "    *' %s') echo '", name);
        bool words = strchr(value, '|'), file = strstr(value, "FILE");
        for (const char *p = value; words && *p; p++) buffer_char(out, *p == '|' ? ' ' : *p);
        buffer_print(out, "%s' ;;\n", words ? "" : file ? "@files" : "@any");
    }
    buffer_text(out, "    *' -o') echo '@files' ;;\n    esac\n}\n");
}

static void command_options(Buffer *out) {
    buffer_text(out, "_scrim_options() {\n    case $1 in\n");
    for (int64_t i = 0; i < commands_count(); i++) {
        Command command = commands_at(i);
        buffer_print(out, "    '%s%s%s') echo '-o", command.first, command.second ? " " : "", command.second ? command.second : "");
        for (const Param *p = command.method->params; p && p->kind; p++) {
            if (p->kind >= RULE_ONE_OF || (p->flags & POSITIONAL)) continue;
            buffer_print(out, " --%s", p->name);
        }
        buffer_text(out, "' ;;\n");
    }
    const char *name, *value, *help;
    buffer_text(out, "    serve) echo '");
    for (size_t i = 0; serve_option(i, &name, &value, &help); i++) buffer_print(out, "%s%s", i ? " " : "", name);
    buffer_text(out, "' ;;\n    esac\n}\n");
}

static void second_words(Buffer *out) {
    const char *word, *about;
    buffer_text(out, "_scrim_second() {\n    case $1 in\n");
    for (int64_t i = 0; commands_first(i, &word, &about); i++) {
        bool some = false;
        for (int64_t j = 0; j < commands_count(); j++) {
            Command command = commands_at(j);
            if (strcmp(command.first, word) || !command.second) continue;
            if (some) buffer_print(out, " %s", command.second);
            else buffer_print(out, "    %s) echo '%s", word, command.second);
            some = true;
        }
        if (some) buffer_text(out, "' ;;\n");
    }
    buffer_text(out, "    completion) echo 'bash zsh fish' ;;\n    esac\n}\n");
}

static void first_words(Buffer *out) {
    const char *word, *about, *name, *value, *help;
    buffer_text(out, "_scrim_first='");
    for (int64_t i = 0; commands_first(i, &word, &about); i++) buffer_print(out, "%s%s", i ? " " : "", word);
    buffer_text(out, " --version'\n_scrim_every='");
    for (const Param *p = common_params(); p->kind; p++) buffer_print(out, "--%s ", p->name);
    for (size_t i = 0; options_at(i, &name, &value, &help); i++) buffer_print(out, "%s%s", i ? " " : "", name);
    buffer_text(out, "'\n");
}

/* The names of columns stand in the first line of the first file on the command line. */
static const char body[] =
    "_scrim_columns() {\n"
    "    local word\n"
    "    for word in \"${COMP_WORDS[@]:1}\"; do\n"
    "        if [[ -f $word && $word != *.gz && $word != *.zst ]]; then\n"
    "            head -c 65536 -- \"$word\" | head -n 1 | tr ',;\\t|' '\\n\\n\\n\\n' | tr -d '\"\\r'\n"
    "            return\n"
    "        fi\n"
    "    done\n"
    "}\n"
    "_scrim_column_list() { # after a comma the next name begins\n"
    "    local before= last=$cur name\n"
    "    if [[ $cur == *,* ]]; then before=${cur%,*}, last=${cur##*,}; fi\n"
    "    while IFS= read -r name; do\n"
    "        [[ -n $name && $name == \"$last\"* ]] && COMPREPLY+=(\"$before$name\")\n"
    "    done < <(_scrim_columns)\n"
    "    compopt -o nospace 2> /dev/null\n"
    "}\n"
    "_scrim() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} first=${COMP_WORDS[1]} second=${COMP_WORDS[2]} command "
    "values\n"
    "    COMPREPLY=()\n"
    "    [[ $cur == = ]] && cur=\n"
    "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W \"$_scrim_first\" -- \"$cur\")); return; fi\n"
    "    if [[ $first == help || $first == methods ]]; then\n"
    "        if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W \"$_scrim_first\" -- \"$cur\")); fi\n"
    "        if ((COMP_CWORD == 3)); then COMPREPLY=($(compgen -W \"$(_scrim_second \"$second\")\" -- \"$cur\")); fi\n"
    "        return\n"
    "    fi\n"
    "    if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$(_scrim_second \"$first\")\" -- \"$cur\"))\n"
    "        ((${#COMPREPLY[@]})) && return\n"
    "    fi\n"
    "    command=\"$first $second\"\n"
    "    [[ -n $(_scrim_options \"$command\") ]] || command=$first\n"
    "    values=$(_scrim_values \"$command\" \"$prev\")\n"
    "    case $values in\n"
    "    '') if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$(_scrim_options \"$command\") $_scrim_every\" -- \"$cur\")); return; fi "
    ";;\n"
    "    @any) return ;;\n"
    "    @columns) _scrim_column_list; return ;;\n"
    "    @files) ;;\n"
    "    *) COMPREPLY=($(compgen -W \"$values\" -- \"$cur\")); return ;;\n"
    "    esac\n"
    "    compopt -o filenames 2> /dev/null\n"
    "    local IFS=$'\\n'\n"
    "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
    "}\n"
    "complete -F _scrim scrim\n";

void completion_bash(Buffer *out) {
    buffer_text(out, "# bash completion for scrim, written by `scrim completion bash`: source <(scrim completion bash)\n");
    first_words(out);
    second_words(out);
    command_options(out);
    command_values(out);
    buffer_text(out, body);
}
