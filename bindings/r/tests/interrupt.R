# Ctrl-C stops the computation in C, and R goes on.
library(scrim)
if (.Platform$OS.type != "unix") quit(status = 0L)
set.seed(1)
n <- 400000L
d <- as.data.frame(lapply(stats::setNames(nm = paste0("v", 1:14)), function(v) sample.int(12L, n, TRUE)))
stop_in <- function(seconds) system(sprintf("(sleep %s; kill -INT %d) &", seconds, Sys.getpid()))
for (go in 1:2) {
  stop_in(1)
  answer <- tryCatch({ risk_suda(d, keys = names(d), max_size = 6); "done" }, interrupt = function(e) "interrupted")
  stopifnot(answer == "interrupted")
}
stopifnot(risk_k_anonymity(d[1:100, ], keys = "v1")$classes > 1L) # nothing is left over
cat("interrupts stop it\n")
