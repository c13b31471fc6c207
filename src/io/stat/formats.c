/* SPSS, Stata and SAS files as formats. */
#include "base/file.h"
#include "io/stat/column_layout.h"

static Status read_as(Work *work, const char *path, StatKind kind, const CsvOptions *options, Table **out) {
    Bytes bytes;
    Status status = bytes_open(path, &bytes, work->error);
    if (status) return status;
    status = stat_read_bytes(work, path, bytes.count ? bytes.at : "", bytes.count, kind, path, options, out);
    bytes_close(&bytes);
    return status;
}

#define STAT_FORMAT(id, kind, writes)                                                                                                      \
    static Status read_##id(Work *work, const char *path, const CsvOptions *options, Table **out) {                                        \
        return read_as(work, path, kind, options, out);                                                                                    \
    }                                                                                                                                      \
    writes(id, kind)
#define WRITES(id, kind)                                                                                                                   \
    static Status write_##id(Work *work, const Table *table, const char *path, const CsvOptions *options) {                                \
        (void)options;                                                                                                                     \
        return stat_write(work, table, path, kind);                                                                                        \
    }                                                                                                                                      \
    static Status losses_##id(Work *work, const Table *table, const char *name, Buffer *out) {                                             \
        (void)name;                                                                                                                        \
        return stat_losses(work, table, kind, out);                                                                                        \
    }
#define READS_ONLY(id, kind)
#define SUFFIXES(...)                                                                                                                      \
    (const char *const[]) { __VA_ARGS__, NULL }

STAT_FORMAT(spss, STAT_SAV, WRITES)
STAT_FORMAT(spss_portable, STAT_POR, WRITES)
STAT_FORMAT(stata, STAT_DTA, WRITES)
STAT_FORMAT(sas, STAT_SAS, READS_ONLY)
STAT_FORMAT(sas_transport, STAT_XPT, WRITES)

const Format format_spss = { .name = "SPSS",
                             .suffixes = SUFFIXES(".sav", ".zsav"),
                             .holds = HOLDS_LABELS | HOLDS_VALUE_LABELS | HOLDS_REASONS | HOLDS_MEASURES | HOLDS_ORDER | HOLDS_WEIGHTS |
                                      HOLDS_FILE_LABEL,
                             .read = read_spss,
                             .write = write_spss,
                             .losses = losses_spss };
const Format format_spss_portable = { .name = "SPSS portable",
                                      .suffixes = SUFFIXES(".por"),
                                      .holds = HOLDS_LABELS | HOLDS_VALUE_LABELS | HOLDS_REASONS,
                                      .read = read_spss_portable,
                                      .write = write_spss_portable,
                                      .losses = losses_spss_portable };
const Format format_stata = { .name = "Stata",
                              .suffixes = SUFFIXES(".dta"),
                              .holds = HOLDS_LABELS | HOLDS_VALUE_LABELS | HOLDS_REASONS | HOLDS_FILE_LABEL,
                              .read = read_stata,
                              .write = write_stata,
                              .losses = losses_stata };
const Format format_sas = {
    .name = "SAS", .suffixes = SUFFIXES(".sas7bdat"), .holds = HOLDS_LABELS | HOLDS_VALUE_LABELS | HOLDS_REASONS, .read = read_sas
};
const Format format_sas_transport = { .name = "SAS transport",
                                      .suffixes = SUFFIXES(".xpt"),
                                      .holds = HOLDS_LABELS | HOLDS_REASONS | WRITES_CODES,
                                      .read = read_sas_transport,
                                      .write = write_sas_transport,
                                      .losses = losses_sas_transport };
