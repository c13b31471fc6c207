# What a result holds and does; verbs; seeds.
library(scrim)
options(warn = 2)
clinic <- scrim_read(scrim_example("clinic.csv"))

r <- risk_k_anonymity(clinic, keys = c("sex", "age", "region"), weight = "w")
stopifnot(r$k == 1L, identical(r$k, r$values$k), r$tables$frequencies$records[1L] == 197L, is.null(r$nothing))
stopifnot(nrow(r$columns) == 300L, identical(as.data.frame(r), r$columns), sum(r$columns$fk == 1L) == r$uniques)
stopifnot(any(grepl("197", capture.output(print(r)))), any(grepl("uniques", capture.output(print(summary(r))))))
stopifnot(!any(grepl("--", capture.output(print(r)), fixed = TRUE)))
stopifnot(grepl("^<svg|^<\\?xml", scrim_svg(r)), length(r$charts) == 1L)

# Every kind of chart is drawn.
pictures <- list(bar = r, line = attack_roc(scrim_example("roc.csv"), known = scrim_example("roc-known.csv"), score = "score", status = "status", n = 40),
                 other = utility_compare(clinic, scrim_example("clinic-released.csv"), vars = c("age", "income")),
                 heat = utility_contingency(clinic, scrim_example("clinic-released.csv"), vars = c("sex", "region", "education"), order = 2))
grDevices::pdf(NULL)
suppressWarnings(for (one in pictures) if (length(one$charts)) plot(one)) # of letters that the device lacks
kinds <- list(list(kind = "box", title = "b", series = list(list(text = c("a", "b"), y = c(1:5, 2:6)))),
              list(kind = "heat", title = "h", x_names = c("a", "b"), y_names = "c", series = list(list(x = 0:1, y = c(0, 0), z = c(1, NA)))),
              list(kind = "histogram", title = "h", series = list(list(x = 0:3, y = 1:3))),
              list(kind = "scatter", title = "s", log_x = TRUE, series = list(list(name = "a", x = 1:3, y = 1:3, emphasised = TRUE), list(name = "b", x = 1, y = 2))))
for (kind in kinds) scrim:::draw_chart(kind)
invisible(grDevices::dev.off())
stopifnot(inherits(tryCatch(plot(protect_drop(clinic, vars = "name")), error = identity), "scrim_error"))

# A seed gives the same release, for any number of threads; without one each run is another.
a <- protect_noise(clinic, vars = "income", amount = 0.1, seed = 42)
b <- protect_noise(clinic, vars = "income", amount = 0.1, seed = 42, threads = 2L)
stopifnot(identical(a$outputs[[1L]]$income, b$outputs[[1L]]$income))
stopifnot(!identical(a$outputs[[1L]]$income, protect_noise(clinic, vars = "income", amount = 0.1)$outputs[[1L]]$income))
digits <- paste(rep("0123456789abcdef", 4L), collapse = "")
stopifnot(identical(protect_noise(clinic, vars = "income", amount = 0.1, seed = digits)$outputs[[1L]]$income,
                    protect_noise(clinic, vars = "income", amount = 0.1, seed = digits)$outputs[[1L]]$income))
if (exists(".Random.seed")) rm(.Random.seed)
invisible(protect_noise(clinic, vars = "income", amount = 0.1))
stopifnot(!exists(".Random.seed")) # R's own generator is left alone

# One method's release is the next one's data; a table of cells keeps its structure on the way.
safe <- protect_suppress(protect_recode(clinic, var = "age", breaks = c(0, 30, 45, 60, 75)), keys = c("sex", "age", "region"), k = 3)
stopifnot(risk_k_anonymity(safe, keys = c("sex", "age", "region"))$k >= 3L, nrow(as.data.frame(safe)) == 300L)
cells <- tabular_primary(tabular_build(clinic, dims = c("sex", "region"), response = "income"), threshold = 3)
stopifnot(is.data.frame(tabular_suppress(cells)$outputs[[1L]]), identical(tabular_suppress(cells$outputs[[1L]])$values, tabular_suppress(cells)$values))

# Formulas, groups, pairs, expressions.
f <- utility_regression(clinic, scrim_example("clinic-released.csv"), formula = income ~ age + sex + education)
g <- utility_regression(clinic, scrim_example("clinic-released.csv"), formula = "income ~ age + sex + education")
stopifnot(identical(f$values, g$values))
stopifnot(identical(protect_nbrs(clinic, vars = c("sex", "age", "income"), eps = 1, weights = c(sex = 0.3), seed = 1)$values,
                    protect_nbrs(clinic, vars = c("sex", "age", "income"), eps = 1, weights = "sex:0.3", seed = 1)$values))
similar <- function(hierarchies) attack_similarity(clinic, keys = c("sex", "region", "education"), sensitive = "occupation", hierarchies = hierarchies)
folder <- similar(scrim_example("hierarchies"))
files <- list.files(scrim_example("hierarchies"), pattern = "csv$", full.names = TRUE)
frames <- lapply(files, read.csv, colClasses = "character")
names(frames) <- sub("\\.csv$", "", basename(files))
stopifnot(folder$exposed > 0, identical(similar(frames)$values, folder$values))

# Verbs: a recipe on data frames, an audit whose policy holds, files written and read back.
recipe <- list(input = "people", roles = list(keys = c("sex", "age", "region"), identifiers = c("id", "name", "phone", "birthdate", "lat", "lon")),
               steps = list(list(protect.recode = list(var = "age", breaks = c(0, 30, 45, 60, 75))), list(protect.suppress = list(k = 3))))
run <- scrim_run(recipe, tables_by_name = list(people = clinic), seed = 1)
stopifnot(nrow(run$outputs[[1L]]) == 300L, run$identifiers_dropped == 6, !"name" %in% names(run$outputs[[1L]]))
audit <- scrim_audit(clinic, roles = list(keys = c("sex", "region"), sensitive = "diagnosis"), policy = list(rules = I("risk.k-anonymity.k >= 1")))
stopifnot(audit$rules_broken == 0L, length(audit$results) > 3L, inherits(audit$results[[1L]], "scrim_result"))
page <- tempfile(fileext = ".html")
scrim_report(audit, page)
stopifnot(any(grepl("<html", readLines(page, warn = FALSE))))
out <- tempfile(fileext = ".csv")
scrim_write(safe, out)
stopifnot(file.exists(out), file.exists(paste0(out, ".manifest.json")))
tsv <- tempfile(fileext = ".tsv")
invisible(scrim_convert(clinic, tsv))
stopifnot(identical(dim(scrim_read(tsv)), dim(clinic)))
tuned <- scrim_tune("protect", "noise", clinic, over = "amount=0.1,0.5", risk = "linkage(vars=income)", utility = "compare(vars=income)", vars = "income", seed = 1)
stopifnot(length(tuned$tables) > 0L)
stopifnot(nrow(scrim_methods()) > 100L, scrim_describe("risk.suda")$method == "risk.suda", nzchar(scrim_version()))
cat("results hold\n")
