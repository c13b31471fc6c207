# Frames there and back: kinds of columns, kinds of frames, what survives and what must not.
library(scrim)
same <- function(a, b) if (!identical(a, b)) { str(a); str(b); stop(deparse(substitute(a)), " is not ", deparse(substitute(b))) }
n <- 12L
people <- data.frame(
  sex = factor(rep(c("m", "f"), 6), levels = c("m", "f", "unused")),
  grade = factor(rep(c("low", "high", "mid"), 4), levels = c("low", "mid", "high"), ordered = TRUE),
  age = c(31L, 42L, NA, 31L, 55L, 60L, 22L, 23L, 31L, 42L, 55L, 60L),
  income = c(10.5, NA, NaN, 4, 1e15, -0, 7, 8, 9, 10, 11, 12),
  member = rep(c(TRUE, FALSE, NA), 4),
  town = rep(c("K\u00f6ln", "\u6771\u4eac", NA, ""), 3),
  day = as.Date("1969-12-30") + c(0:10, NA),
  noon = as.POSIXct("2024-03-31 01:30:00", tz = "Europe/Vienna") + c(0:10, NA) * 3600.25,
  wait = as.difftime(seq(1, 12), units = "hours"), stringsAsFactors = FALSE)
people$noon[3] <- as.POSIXct("1911-01-01 12:00:00.123456", tz = "Europe/Vienna")

# What a method does not touch is the caller's own column, bit for bit: attributes, NaN beside NA; but for levels that no record has, and names,
# which may be of people that were left out.
kept <- protect_drop(people, vars = "wait")$outputs[[1L]]
for (name in setdiff(names(kept), "sex")) same(kept[[name]], people[[name]])
same(kept$sex, droplevels(people$sex))
whose <- structure(list(x = c(Ann = 1, Bob = 2), y = c(3, 4)), row.names = 1:2, class = "data.frame")
same(protect_drop(whose, vars = "y")$outputs[[1L]]$x, c(1, 2))
same(class(kept), "data.frame")

# The same through the library's own memory: reordering makes every column anew.
moved <- protect_reorder(people, seed = 7)$outputs[[1L]]
by <- match(moved$wait, people$wait)
for (name in setdiff(names(people), c("sex", "income", "noon"))) same(moved[[name]], people[[name]][by])
same(levels(moved$sex), c("m", "f")) # a level that no record has is not shown by a release
same(as.character(moved$sex), as.character(people$sex)[by])
stopifnot(identical(is.na(moved$income), is.na(people$income[by])), identical(moved$income[!is.na(moved$income)], people$income[by][!is.na(people$income[by])]))
stopifnot(all(abs(as.numeric(moved$noon) - as.numeric(people$noon[by])) < 1e-6, na.rm = TRUE), identical(attr(moved$noon, "tzone"), "Europe/Vienna"))

# A category that lost a level, in the order that it had; an ordered one stays ordered.
some <- protect_suppress_records(people, where = "sex == 'f'")$outputs[[1L]]
same(levels(some$sex), "m")
stopifnot(is.ordered(some$grade), identical(levels(some$grade), c("low", "mid", "high")[c("low", "mid", "high") %in% people$grade[people$sex == "m"]]))

# Row names may be people's: no release has them.
named <- data.frame(x = c(1, 2, 3), y = c(3, 2, 1), row.names = c("Ann", "Bob", "Cy"))
same(rownames(protect_drop(named, vars = "y")$outputs[[1L]]), c("1", "2", "3"))

# What was perturbed stays known, also after the frame was changed or saved; what was blanked counts as a release.
noisy <- protect_noise(people, vars = "income", amount = 0.1, seed = 1)$outputs[[1L]]
refused <- function(frame) inherits(tryCatch(risk_k_anonymity(frame, keys = "income"), scrim_error = identity), "scrim_error")
stopifnot(refused(noisy), !refused(people))
changed <- noisy
changed$new <- 1L
stopifnot(refused(changed))
file <- tempfile(fileext = ".rds")
saveRDS(noisy, file)
stopifnot(refused(readRDS(file)))
released <- protect_suppress(people, keys = c("sex", "age"), k = 2)
again <- as.data.frame(released)
again$extra <- 0
for (frame in list(again, people)) stopifnot(any(grepl("category", risk_k_anonymity(frame, keys = c("sex", "age"))$notes)))

# What is taken out of a frame is in no file that R saves it to: neither the column nor the table behind it.
secret <- protect_drop(data.frame(who = c("SECRETNAME", "b", "SECRETNAME"), x = 1:3, y = 3:1), vars = "y")$outputs[[1L]]
stopifnot(grepl("SECRETNAME", rawToChar(serialize(secret, NULL, ascii = TRUE))))
secret$who <- NULL
stopifnot(!grepl("SECRETNAME", rawToChar(serialize(secret, NULL, ascii = TRUE))), identical(risk_k_anonymity(secret, keys = "x")$classes, 3L))

# A numeric column is read where it stands: nothing is written to it, whatever is done with it.
before <- people$income + 0
invisible(protect_noise(people, vars = "income", amount = 1, seed = 3))
same(people$income, before)
result <- risk_k_anonymity(people, keys = "sex")
people2 <- people
people2$income[1L] <- 99 # a copy, as ever in R
same(people$income, before)

# data.table and tibble, in and out; a data.table changed in place changes no result.
if (requireNamespace("tibble", quietly = TRUE)) {
  t <- tibble::as_tibble(people)
  out <- protect_round(t, vars = "age", base = 10, seed = 1)$outputs[[1L]]
  stopifnot(tibble::is_tibble(out), identical(out$town, t$town))
  stopifnot(tibble::is_tibble(risk_k_anonymity(t, keys = "sex")$columns))
}
if (requireNamespace("data.table", quietly = TRUE)) {
  d <- data.table::as.data.table(people)
  result <- protect_drop(d, vars = "wait")
  out <- result$outputs[[1L]]
  stopifnot(data.table::is.data.table(out))
  json <- scrim_json(result)
  data.table::set(d, 1L, "income", -12345)
  data.table::set(d, 1L, "age", 99L)
  same(out$income[1L], 10.5)
  same(out$age[1L], 31L)
  same(scrim_json(result), json)
  out[, fresh := 1] # a true data.table: columns can be added in place
  stopifnot("fresh" %in% names(out))
}

# haven's labelled columns: labels, user labels of the variable, tagged missing values.
if (requireNamespace("haven", quietly = TRUE)) {
  l <- data.frame(id = 1:6)
  l$sex <- haven::labelled(c(1, 2, 2, 1, NA, 1), c(male = 1, female = 2, other = 3), label = "Sex of the person")
  l$pay <- haven::labelled(c(10, haven::tagged_na("a"), 30, haven::tagged_na("b"), 50, NA), c(refused = haven::tagged_na("a"), top = 50), label = "Pay")
  l$name <- haven::labelled(c("x", "y", "x", "y", "x", "x"), c(Ex = "x", Why = "y"))
  l$twice <- haven::labelled(c(1L, 2L, 1L, 2L, 1L, 1L), c(same = 1L, same = 2L))
  out <- protect_drop(l, vars = "id")$outputs[[1L]]
  for (name in names(out)) same(out[[name]], l[[name]])
  same(haven::na_tag(out$pay), haven::na_tag(l$pay))
  same(risk_k_anonymity(l, keys = "sex")$tables$keys$values, 2L)
  same(risk_k_anonymity(l, keys = "twice")$tables$keys$values, 2L)
  moved <- protect_reorder(l, seed = 1)$outputs[[1L]]
  by <- match(moved$id, l$id)
  for (name in c("sex", "name", "twice")) same(moved[[name]], l[[name]][by])
  same(unclass(moved$pay)[!is.na(moved$pay)], unclass(l$pay)[by][!is.na(l$pay)[by]])
  stopifnot(all(is.na(haven::na_tag(moved$pay)))) # records moved: why a cell is missing is not told
  rounded <- protect_round(l, vars = "pay", base = 20, seed = 1)$outputs[[1L]]
  same(haven::na_tag(rounded$pay), haven::na_tag(l$pay)) # the same cells are missing: their reasons stay
  same(attr(rounded$pay, "labels"), attr(l$pay, "labels"))
  same(attr(rounded$pay, "label"), "Pay")
  blanked <- protect_suppress(l, keys = "sex", k = 4)$outputs[[1L]]
  stopifnot(inherits(blanked$sex, "haven_labelled"), identical(attr(blanked$sex, "labels"), attr(l$sex, "labels")))
}

# integer64, where bit64 is: whole numbers that no double holds.
if (requireNamespace("bit64", quietly = TRUE)) {
  w <- data.frame(k = c(1L, 1L, 2L))
  w$big <- bit64::as.integer64(c("9007199254740993", NA, "-9007199254740995"))
  out <- protect_reorder(w, seed = 5)$outputs[[1L]]
  stopifnot(bit64::is.integer64(out$big), setequal(as.character(out$big), as.character(w$big)))
}

# Files: what is written is read back.
path <- tempfile(fileext = ".csv")
scrim_write(people[c("sex", "age", "town", "day")], path)
back <- scrim_read(path)
same(back$age, people$age)
same(as.character(back$sex), as.character(people$sex))
same(back$day, people$day)

# Wide and narrow.
wide <- as.data.frame(matrix(runif(3000), 3L))
same(dim(protect_drop(wide, vars = "V1")$outputs[[1L]]), c(3L, 999L))
stopifnot(is.data.frame(protect_drop(people[1L, ], vars = "wait")$outputs[[1L]]))
cat("frames cross\n")
