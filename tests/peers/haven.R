# SPSS, Stata and SAS files against haven, both ways: what haven wrote scrim reads and writes again, and haven finds the same in it.
library(haven)
scrim <- Sys.getenv("SCRIM", "build/scrim")
folder <- tempfile("haven"); dir.create(folder); path <- function(name) file.path(folder, name)
convert <- function(from, to) invisible({
  out <- suppressWarnings(system2(scrim, c("convert", shQuote(path(from)), shQuote(path(to)), "--format", "json"), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(out, "status"))) stop(paste(out, collapse = "\n"))
  paste(out, collapse = "\n")
})
checks <- 0
same <- function(what, a, b) { checks <<- checks + 1; if (!isTRUE(all.equal(a, b, tolerance = 1e-12, check.attributes = FALSE))) { print(a); print(b); stop(what) } }
strip <- function(x) if (inherits(x, c("Date", "POSIXct"))) as.numeric(x) else if (is.numeric(x)) as.double(unclass(x)) else as.character(unclass(x))
labels_of <- function(x) { l <- attr(x, "labels"); if (is.null(l)) NULL else l[order(names(l))] }

n <- 400; set.seed(1)
d <- data.frame(id = 1:n)
d$sex <- labelled_spss(as.double(sample(c(1, 2, 9), n, TRUE)), c(male = 1, female = 2, refused = 9), na_values = 9, label = "Sex of the person")
d$edu <- labelled(as.double(sample(1:3, n, TRUE)), c(low = 1, mid = 2, high = 3, unused = 4), label = "Education, as the person says it")
d$inc <- labelled_spss(c(-1, -5, NA, round(runif(n - 3, 100, 900), 2)), c(`don't know` = -1), na_range = c(-9, -1), label = "Income")
d$reg <- labelled(sample(c("N", "S"), n, TRUE), c(North = "N", South = "S"))
d$txt <- sample(c("alpha", "béta", "日本"), n, TRUE)
d$wordy <- vapply(seq_len(n), function(i) strrep("x", i %% 300), "")
d$born <- as.Date("1790-01-01") + sample(1:80000, n, TRUE); d$born[2] <- NA
d$seen <- as.POSIXct("1899-12-31 23:59:58", tz = "UTC") + seq_len(n) * 86400.5
d$x <- rnorm(n) * 10^sample(-30:30, n, TRUE)
d$likert <- labelled(as.double(sample(1:7, n, TRUE)), c(never = 1, always = 7))

# ---- SPSS, to itself ----
write_sav(d, path("a.sav"))
for (to in c("b.sav", "b.zsav")) {
  convert("a.sav", to); b <- read_sav(path(to), user_na = TRUE); a <- read_sav(path("a.sav"), user_na = TRUE)
  same("names", names(a), names(b))
  for (v in names(a)) {
    same(paste("values", v), strip(a[[v]]), strip(b[[v]])); same(paste("label", v), attr(a[[v]], "label"), attr(b[[v]], "label"))
    same(paste("labels", v), labels_of(a[[v]]), labels_of(b[[v]])); same(paste("label names", v), names(labels_of(a[[v]])), names(labels_of(b[[v]])))
    same(paste("missing", v), attr(a[[v]], "na_values"), attr(b[[v]], "na_values")); same(paste("range", v), attr(a[[v]], "na_range"), attr(b[[v]], "na_range"))
    same(paste("format", v), attr(a[[v]], "format.spss"), attr(b[[v]], "format.spss"))
  }
}

# ---- Stata, to itself ----
s <- d; s$sex <- labelled(as.double(s$sex), c(male = 1, female = 2, refused = 9), label = "Sex of the person"); s$inc <- as.double(s$inc); s$reg <- as.character(s$reg)
s$tag <- labelled(c(tagged_na("a"), tagged_na("z"), NA, rep(1:2, length.out = n - 3)) + 0, c(`Refused` = tagged_na("a"), `Unknown` = tagged_na("z"), one = 1, two = 2), label = "Tagged")
s$essay <- vapply(seq_len(n), function(i) strrep("é", (i * 37) %% 3000), "")
write_dta(s, path("a.dta"), version = 14); a <- read_dta(path("a.dta")); convert("a.dta", "b.dta"); b <- read_dta(path("b.dta"))
same("stata names", names(a), names(b))
for (v in names(a)) {
  same(paste("stata values", v), strip(a[[v]]), strip(b[[v]])); same(paste("stata label", v), attr(a[[v]], "label"), attr(b[[v]], "label"))
  if (is.numeric(a[[v]])) same(paste("stata tags", v), na_tag(a[[v]]), na_tag(b[[v]]))
  if (!is.null(labels_of(a[[v]]))) { same(paste("stata labels", v), names(labels_of(a[[v]])), names(labels_of(b[[v]]))); same(paste("stata label tags", v), na_tag(labels_of(a[[v]])), na_tag(labels_of(b[[v]]))) }
}
for (version in c(8, 10, 12, 13, 15)) { # older versions hold less: no text beyond 244 bytes, no UTF-8
  small <- s[c("id", "sex", "inc", "born")]; write_dta(small, path("v.dta"), version = version); convert("v.dta", "v2.dta"); b <- read_dta(path("v2.dta"))
  for (v in names(small)) same(paste("stata", version, v), strip(small[[v]]), strip(b[[v]]))
}

# ---- across ----
e <- data.frame(id = 1:3) # neither Stata nor SAS has labels of texts, or texts that mean missing
e$code <- labelled_spss(c("a", "XX", "b"), c(yes = "a", gone = "XX"), na_values = "XX"); e$day <- structure(as.Date("2020-01-01") + 0:2, format.spss = "ADATE10")
write_sav(e, path("e.sav")); said <- convert("e.sav", "e.dta"); convert("e.sav", "e.xpt"); convert("e.sav", "e2.sav")
for (b in list(read_dta(path("e.dta")), read_xpt(path("e.xpt")))) { same("a text that means missing", as.character(b$code), c("a", "", "b")); same("no labels of texts", is.null(attr(b$code, "labels")), TRUE) }
same("said of texts", grepl("labels of texts", said) && grepl("plainly missing in code", said), TRUE)
same("a date's own format", attr(read_sav(path("e2.sav"))$day, "format.spss"), "ADATE10")
convert("a.sav", "c.dta"); b <- read_dta(path("c.dta")) # declared missing values become letters, with their labels
same("letters", unname(ifelse(d$sex == 9, "a", NA)), na_tag(b$sex)); same("letter's label", na_tag(labels_of(b$sex)["refused"]), "a")
same("letters of a range", na_tag(b$inc)[1:3], c("a", "b", NA)); same("across: values", strip(b$edu), strip(d$edu)); same("across: dates", b$born, d$born)
convert("a.dta", "c.sav"); b <- read_sav(path("c.sav"), user_na = TRUE) # letters become declared missing values
same("declared", as.double(b$tag)[1:4], c(-101, -126, NA, 1)); same("declared range", attr(b$tag, "na_range"), c(-126, -101))
same("declared labels", unname(labels_of(b$tag)[c("Refused", "Unknown")]), c(-101, -126))

# ---- SAS transport ----
x <- s[c("id", "sex", "inc", "txt", "born", "seen")]; x$txt <- sample(c("alpha", "beta"), n, TRUE)
for (version in c(5, 8)) {
  write_xpt(x, path("a.xpt"), version = version); convert("a.xpt", "b.xpt"); a <- read_xpt(path("a.xpt")); b <- read_xpt(path("b.xpt"))
  for (v in names(a)) { same(paste("xpt", version, v), strip(a[[v]]), strip(b[[v]])); same(paste("xpt label", v), attr(a[[v]], "label"), attr(b[[v]], "label")) }
}
convert("a.dta", "t.xpt"); b <- read_xpt(path("t.xpt")); same("xpt letters", toupper(na_tag(b$tag))[1:3], c("A", "Z", NA))
write_sas(x, path("a.sas7bdat")) |> suppressWarnings()
convert("a.sas7bdat", "sas.dta"); b <- read_dta(path("sas.dta")); for (v in names(x)) same(paste("sas", v), strip(x[[v]]), strip(b[[v]]))

# ---- protected: labels, formats and declared missing values are still there; what was blanked is missing as SPSS has it ----
system2(scrim, c("protect", "suppress", path("a.sav"), "--keys", "sex,edu,reg,likert", "--k", "9", "-o", path("p.sav"), "--quiet"), stdout = FALSE)
a <- read_sav(path("a.sav"), user_na = TRUE); p <- read_sav(path("p.sav"), user_na = TRUE)
for (v in c("sex", "edu", "reg", "likert", "inc")) {
  same(paste("protected label", v), attr(a[[v]], "label"), attr(p[[v]], "label")); same(paste("protected labels", v), labels_of(a[[v]]), labels_of(p[[v]]))
  same(paste("protected missing", v), attr(a[[v]], "na_values"), attr(p[[v]], "na_values")); same(paste("protected format", v), attr(a[[v]], "format.spss"), attr(p[[v]], "format.spss"))
  kept <- !is.na(unclass(p[[v]])) & strip(p[[v]]) != ""; same(paste("protected values", v), strip(a[[v]])[kept], strip(p[[v]])[kept])
}
manifest <- paste(readLines(path("p.sav.manifest.json")), collapse = "\n")
stopifnot(sum(is.na(unclass(p$likert))) > 0, grepl(sprintf('"likert": {"suppressed": %d, "before": 0}', sum(is.na(unclass(p$likert)))), manifest, fixed = TRUE))
cat(checks, "comparisons with haven hold\n")
