# What is wrong is one clear error, with fields; nothing crashes.
library(scrim)
wrong <- function(code) tryCatch({ force(code); NULL }, scrim_error = identity)
is_error <- function(e, pattern, ...) {
  stopifnot(inherits(e, "scrim_error"), inherits(e, "error"), grepl(pattern, conditionMessage(e)))
  fields <- list(...)
  for (name in names(fields)) if (!identical(e[[name]], fields[[name]])) stop(name, " is ", format(e[[name]]), " in: ", conditionMessage(e))
}
d <- data.frame(sex = c("m", "f", "m"), age = c(1, 2, 3), stringsAsFactors = FALSE)

is_error(wrong(risk_k_anonymity(d, keys = "sexx")), "there is no column 'sexx'", parameter = "keys", status = 2L, advice = "Did you mean 'sex'?")
is_error(wrong(risk_k_anonymity(d)), "keys: is needed", parameter = "keys")
is_error(wrong(risk_k_anonymity()), "needs an input")
is_error(wrong(risk_k_anonymity(d, keys = "sex", missing = "nonsense")), "has no value 'nonsense'", parameter = "missing")
is_error(wrong(protect_microaggregate(d, vars = "age", k = 1)), "must be from 2", parameter = "k")
is_error(wrong(protect_microaggregate(d, vars = "age", k = NA)), "missing \\(NA\\)", parameter = "k")
is_error(wrong(protect_noise(d, vars = "sex", amount = 0.1)), "needs numbers", column = "sex")
is_error(wrong(risk_k_anonymity("no such file.csv", keys = "sex")), "no such file", file = "no such file.csv")
is_error(wrong(risk_k_anonymity(3, keys = "sex")), "expects a data frame", parameter = "data")
is_error(wrong(risk_k_anonymity(list(a = 1), keys = "a")), "expects a data frame", parameter = "data")
is_error(wrong(protect_noise(d, vars = "age", amount = 0.1, seed = 0.5)), "whole number", parameter = "seed")
is_error(wrong(protect_noise(d, vars = "age", amount = 0.1, seed = "xyz")), "hexadecimal|digits")

# Numbers cross as they are, also behind a name and in a recipe.
pairs <- scrim:::as_pairs(list(x = c(0.1 + 0.2, 120), y = 0.1, z = 5L))
stopifnot(identical(pairs, c("x:0.30000000000000004:120", "y:0.1", "z:5")))
stopifnot(identical(scrim:::json_write(list(x = c(0.1 + 0.2, NA), y = 1e300, z = 5L)), "{\"x\":[0.30000000000000004,null],\"y\":1e+300,\"z\":5}"))

# Columns that no table holds.
bad <- function(x, pattern, column = "x") { f <- d; f$x <- x; is_error(wrong(risk_k_anonymity(f, keys = "sex")), pattern, column = column) }
bad(list(1, "a", NULL), "cannot \\(list\\)")
bad(complex(3), "cannot \\(complex\\)")
bad(as.raw(1:3), "cannot \\(raw\\)")
bad(I(matrix(1:6, 3)), "cannot")
bad(I(data.frame(a = 1:3, b = 1:3)), "cannot")
bad(structure(c(1e10, 1, 2), class = "Date"), "beyond what can be counted")
bad(structure(c("a", "b", "c"), class = "Date"), "holds no numbers")
bad(structure(1:3, levels = 1:3, class = "factor"), "levels are no text")
# What only says that it is a 64-bit integer, a labelled column: its values.
f <- d
f$x <- structure(c(1L, 1L, 1L), class = "integer64")
stopifnot(risk_k_anonymity(f, keys = "x")$k == 3L)
f$x <- structure(c(1, 2, 1), labels = c(1, 2), class = "haven_labelled")
stopifnot(risk_k_anonymity(f, keys = "x")$k == 1L)
latin <- "M\xfcnchen"
bad(c(latin, "a", "b"), "not UTF-8")
Encoding(latin) <- "latin1" # said what it is: converted
f <- d
f$town <- c(latin, "a", "b")
stopifnot(identical(protect_drop(f, vars = "age")$outputs[[1L]]$town, f$town))
stopifnot("M\u00fcnchen" %in% protect_reorder(f, seed = 1)$outputs[[1L]]$town)
f$town <- factor(c(latin, "a", "b"))
stopifnot("M\u00fcnchen" %in% as.character(protect_reorder(f, seed = 1)$outputs[[1L]]$town))

# Frames that are none.
twice <- stats::setNames(d, c("a", "a"))
is_error(wrong(risk_k_anonymity(twice, keys = "a")), "twice|two columns|distinct|same name")
is_error(wrong(risk_k_anonymity(stats::setNames(d, c("a", NA)), keys = "a")), "no name")
is_error(wrong(risk_k_anonymity(stats::setNames(d, c("a", "")), keys = "a")), "no name")
none <- d[0L, ]
for (code in expression(risk_k_anonymity(none, keys = "sex"), protect_microaggregate(none, vars = "age"), risk_individual(none, keys = "sex", weight = "age"),
                        risk_k_anonymity(data.frame(), keys = "sex"), utility_compare(none, none, vars = "age")))
  is_error(wrong(eval(code)), "has no records") # as the program says of a file
is_error(wrong(risk_k_anonymity(stats::setNames(d, NULL), keys = "sex")), "no name")
torn <- d
attr(torn, "row.names") <- 1:7
is_error(wrong(risk_k_anonymity(torn, keys = "sex")), "3 cells in a table of 7", column = "sex")
many <- as.data.frame(matrix(1, 2L, 1000L))
stopifnot(risk_k_anonymity(many, keys = paste0("V", 1:20))$k == 2L)

# A cell's value is in no error unless that was allowed.
secret <- data.frame(x = c("1", "SECRETVALUE"), stringsAsFactors = FALSE)
e <- wrong(protect_noise(secret, vars = "x", amount = 1))
stopifnot(inherits(e, "scrim_error"), !grepl("SECRETVALUE", paste(unlist(unclass(e)), collapse = " ")))

# A broken policy, with the result and the rules; an exhausted budget.
e <- wrong(scrim_audit(d, roles = list(keys = I("sex")), policy = list(rules = I("risk.k-anonymity.k >= 3"))))
stopifnot(inherits(e, "scrim_policy_error"), inherits(e, "scrim_refused"), inherits(e$result, "scrim_result"), e$rules$met == "no", e$status == 3L)
ledger <- tempfile(fileext = ".ledger")
invisible(ledger_create(ledger, budget = "epsilon=1"))
ask <- function(epsilon) release_query(d, query = if (epsilon > 0.75) "sum(age)" else "mean(age)", bounds = list(age = c(0, 10)), epsilon = epsilon, ledger = ledger)
stopifnot(is.data.frame(ask(0.75)$tables[[1L]]))
e <- wrong(ask(0.8))
stopifnot(inherits(e, "scrim_budget_error"), inherits(e, "scrim_refused"), is.null(e$result))

# A result that was saved by R has its values, and says what it has no more.
file <- tempfile()
saveRDS(risk_k_anonymity(d, keys = "sex"), file)
old <- readRDS(file)
stopifnot(old$k == 1L, length(capture.output(print(old))) > 3L)
is_error(wrong(scrim_json(old)), "another session")
cat("errors are errors\n")
