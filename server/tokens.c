/* Tokens of analysts: the file keeps hashes, so that anyone who reads it can ask nothing. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "queries.h"

static void hash_token(const char *token, unsigned char hash[32]) {
    crypto_generichash(hash, 32, (const unsigned char *)token, strlen(token), NULL, 0);
}

static scrim_status of_line(scrim_error *error, const char *path, int64_t line) {
    error->line = line;
    return of_file(error, path);
}

static scrim_status read_line(char *text, struct Token *out, scrim_error *error) {
    char *end = NULL, *name = strtok_r(text, " \t\r\n", &end), *hex = strtok_r(NULL, " \t\r\n", &end),
         *account = strtok_r(NULL, " \t\r\n", &end);
    size_t count = 0;
    if (!name || !hex || strtok_r(NULL, " \t\r\n", &end) || strlen(name) >= sizeof out->analyst ||
        (account && strlen(account) >= sizeof out->account) ||
        sodium_hex2bin(out->hash, sizeof out->hash, hex, strlen(hex), NULL, &count, NULL) || count != sizeof out->hash)
        return fail(error, SCRIM_BAD,
                    "a line is an analyst's name, the hash of a token, and the account that pays where there is one; `scrim serve --tokens "
                    "FILE --add-token NAME` adds one");
    snprintf(out->analyst, sizeof out->analyst, "%s", name);
    snprintf(out->account, sizeof out->account, "%s", account ? account : "");
    return SCRIM_OK;
}

static scrim_status read_all(FILE *file, const char *path, Tokens *out, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    char line[512];
    for (int64_t number = 1; fgets(line, sizeof line, file); number++) {
        if (line[strspn(line, " \t\r\n")] == 0 || line[0] == '#') continue;
        struct Token *more = realloc(out->at, (out->count + 1) * sizeof *more);
        if (!more) return fail(error, SCRIM_FAILED, "out of memory");
        out->at = more;
        status = read_line(line, &out->at[out->count], error);
        if (status) {
            of_line(error, path, number);
            return status;
        }
        out->count++;
    }
    return SCRIM_OK;
}

scrim_status tokens_read(Tokens *tokens, const char *path, scrim_error *error) {
    Tokens read = { 0 };
    struct stat about;
    FILE *file = fopen(path, "re");
    scrim_status status = SCRIM_OK;
    if (!file) status = fail(error, SCRIM_BAD, "%s", strerror(errno));
    else if (fstat(fileno(file), &about) || (about.st_mode & 0022))
        status = fail(error, SCRIM_BAD, "others can write this file, and so let themselves in");
    else status = read_all(file, path, &read, error);
    if (file) fclose(file);
    if (status) {
        if (!error->file[0]) of_file(error, path);
        free(read.at);
        return status;
    }
    pthread_mutex_lock(&tokens->lock);
    free(tokens->at);
    tokens->at = read.at;
    tokens->count = read.count;
    tokens->path = path;
    pthread_mutex_unlock(&tokens->lock);
    return SCRIM_OK;
}

/* Every hash is compared, whether or not one was found. */
bool tokens_find(Tokens *tokens, const char *token, char analyst[128], char account[128]) {
    unsigned char hash[32];
    bool found = false;
    hash_token(token, hash);
    pthread_mutex_lock(&tokens->lock);
    for (size_t i = 0; i < tokens->count; i++) {
        if (sodium_memcmp(hash, tokens->at[i].hash, sizeof hash)) continue;
        found = true;
        memcpy(analyst, tokens->at[i].analyst, 128);
        memcpy(account, tokens->at[i].account, 128);
    }
    pthread_mutex_unlock(&tokens->lock);
    return found;
}

scrim_status tokens_add(const char *path, const char *analyst, const char *account, char token[65], scrim_error *error) {
    unsigned char secret[32], hash[32];
    char hex[65], line[400], last = '\n';
    if (!*analyst || strlen(analyst) > 120 || strpbrk(analyst, " \t\r\n#")) {
        fail(error, SCRIM_BAD, "an analyst's name is one word");
        return of_parameter(error, "add-token");
    }
    if (account && (!*account || strlen(account) > 120 || strpbrk(account, " \t\r\n#"))) {
        fail(error, SCRIM_BAD, "an account's name is one word here");
        return of_parameter(error, "account");
    }
    randombytes_buf(secret, sizeof secret);
    sodium_bin2hex(token, 65, secret, sizeof secret);
    hash_token(token, hash);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    off_t end = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    bool good = file >= 0 && end >= 0 && (!end || pread(file, &last, 1, end - 1) == 1);
    int count = snprintf(line, sizeof line, "%s%s %s%s%s\n", last == '\n' ? "" : "\n", analyst, hex, account ? " " : "",
                         account ? account : ""); /* an editor may leave the last line open */
    good = good && write(file, line, (size_t)count) == count && !fsync(file);
    if (file >= 0) good = !close(file) && good;
    if (good) return SCRIM_OK;
    fail(error, SCRIM_FAILED, "%s", strerror(errno));
    return of_file(error, path);
}
