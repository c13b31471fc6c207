# Ten thousand calls, in and out, and no more memory at the end than after the first thousand.
library(scrim)
resident <- function() {
  status <- "/proc/self/status"
  if (!file.exists(status)) return(NA_real_)
  as.numeric(sub("[^0-9]*([0-9]+).*", "\\1", grep("^VmRSS", readLines(status), value = TRUE)))
}
d <- data.frame(sex = factor(rep(c("m", "f"), 50)), age = rep(c(1, 2, NA, 4), 25), name = as.character(1:100), day = as.Date("2020-01-01") + 1:100)
once <- function(i) {
  if (i %% 4 == 0) risk_k_anonymity(d, keys = c("sex", "age"))
  else if (i %% 4 == 1) protect_round(d, vars = "age", base = 2, seed = 1)
  else if (i %% 4 == 2) tryCatch(risk_k_anonymity(d, keys = "nobody"), scrim_error = identity)
  else protect_suppress(d, keys = c("sex", "age"), k = 3)
}
calls <- as.integer(Sys.getenv("SCRIM_CALLS", "10000"))
for (i in seq_len(calls / 5)) once(i)
invisible(gc())
start <- resident()
for (i in seq_len(calls * 4 / 5)) once(i)
invisible(gc())
grown <- resident() - start
if (is.na(grown)) { cat("no /proc: skipped\n"); quit(status = 0L) }
cat(calls, "calls:", round(start / 1024), "MB, then", round(grown / 1024, 1), "MB more\n")
stopifnot(grown < 8 * 1024)
