# A data frame of 1,000,000 rows to C and back, against writing and reading its CSV. `make r && R_LIBS=build/r/library Rscript --vanilla bench/r.R`
# To reach: less than a tenth of the CSV's time, by R's own functions and by whatever is faster.
library(scrim)
n <- as.integer(Sys.getenv("ROWS", "1000000"))
set.seed(1)
d <- data.frame(id = seq_len(n), age = sample.int(90L, n, TRUE), income = exp(rnorm(n, 10)), weight = runif(n, 1, 20), score = rnorm(n),
                sex = factor(sample(c("f", "m"), n, TRUE)), region = factor(sample(sprintf("region %02d", 1:20), n, TRUE)),
                town = sample(sprintf("town %03d", 1:300), n, TRUE), day = as.Date("2000-01-01") + sample.int(8000L, n, TRUE))
d$income[sample.int(n, n / 50)] <- NA
best <- function(code) min(vapply(1:5, function(i) { gc(FALSE); system.time(eval(code, globalenv()))[["elapsed"]] }, 1))
show <- function(what, seconds) cat(sprintf("%-58s %8.3f s\n", what, seconds))

there <- best(quote(table <- scrim:::frame_table(d, "d")))
back <- best(quote(columns <- .Call(scrim:::r_table_columns, table, character())))
show("to C", there)
show("and back, every column made anew", back)
show("protect_drop: there, through a method, back", best(quote(out <- protect_drop(d, vars = "score"))))
stopifnot(identical(out$outputs[[1L]]$income, d$income), identical(columns$income, d$income), identical(columns$age, d$age))
path <- tempfile(fileext = ".csv")
csv <- c(`scrim_write, scrim_read` = best(quote({ scrim_write(d, path); scrim_read(path) })))
if (requireNamespace("data.table", quietly = TRUE)) {
  data.table::setDTthreads(1L)
  csv["data.table::fwrite, fread"] <- best(quote({ data.table::fwrite(d, path); data.table::fread(path) }))
}
if (!nzchar(Sys.getenv("FAST"))) csv["write.csv, read.csv"] <- system.time({ write.csv(d, path, row.names = FALSE); read.csv(path) })[["elapsed"]]
for (name in names(csv)) { show(name, csv[[name]]); cat(sprintf("%58s = 1/%.0f\n", "there and back", csv[[name]] / (there + back))) }
