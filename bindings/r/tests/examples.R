# Every method's example, by its function and by the program: the same values, tables, notes, charts and results within, value for value.
library(scrim)
program <- Sys.getenv("SCRIM")
if (!nzchar(program) || !file.exists(program)) { cat("no program to compare with (SCRIM): skipped\n"); quit(status = 0L) }
json_read <- scrim:::json_read
home <- dirname(system.file("examples", package = "scrim"))
work <- tempfile("work")
dir.create(work)
file.copy(file.path(home, "examples"), work, recursive = TRUE)
setwd(work)

lines <- readLines(system.file("examples.tsv", package = "scrim"), encoding = "UTF-8")
lines <- strsplit(lines, "\t", fixed = TRUE)
read_once <- new.env()
scrim_read <- function(path) {
  if (is.null(read_once[[path]])) {
    frame <- scrim::scrim_read(path)
    attr(frame, "scrim") <- attr(frame, "scrim")["name"] # R's columns alone, by the file's name: each of them crosses
    read_once[[path]] <- frame
  }
  read_once[[path]]
}
scrim_example <- function(name) file.path("examples", name)

by_program <- function(line, seed) {
  if (seed && !grepl("--seed", line)) line <- paste(line, "--seed 1")
  line <- sub("^scrim", shQuote(program), line)
  text <- suppressWarnings(system(paste(line, "--format json --quiet 2> complaint"), intern = TRUE))
  status <- attr(text, "status")
  if (!is.null(status) && status != 3L) stop("the program: ", paste(readLines("complaint"), collapse = " "))
  json_read(paste(text, collapse = "\n"))
}

by_function <- function(code, seed) {
  if (seed && !grepl("seed = ", code)) code <- sub(")$", ", seed = 1)", code)
  result <- tryCatch(eval(parse(text = code)), scrim_policy_error = function(e) e$result)
  json_read(scrim_json(result))
}

plain <- function(x) {
  x$tables$files <- NULL # hashes of files; a frame is none
  x <- x[c("method", "values", "tables", "notes", "charts", "results", "outputs")]
  if (length(x$results)) x$results <- lapply(x$results, plain)
  x
}

skipped <- wrong <- character()
known <- scrim_methods()
for (line in lines) {
  method <- line[1L]
  if (!nzchar(line[2L])) next
  if (method %in% c("convert", "run", "scrub")) { skipped <- c(skipped, method); next } # they write files, and are tested in verbs.R
  takes_seed <- "seed" %in% names(formals(getExportedValue("scrim", known$`function`[known$method == method])))
  noise <- method %in% c("release.query", "synth.private", "tabular.noise") # noise with a promise has no seed: only its shape can be compared
  if (method == "ledger.create") unlink("clinic.ledger")
  changes <- method %in% c("ledger.account", "ledger.bind") # each of the two calls changes a ledger of its own
  if (changes) file.copy("clinic.ledger", "before.ledger", overwrite = TRUE)
  theirs <- by_program(line[2L], takes_seed && !noise)
  if (method == "ledger.create") unlink("clinic.ledger")
  if (changes) file.copy("before.ledger", "clinic.ledger", overwrite = TRUE)
  ours <- tryCatch(by_function(line[3L], takes_seed && !noise), error = function(e) { message(method, ": ", conditionMessage(e), "\n", line[3L]); NULL })
  if (noise) { theirs <- lapply(plain(theirs), names); ours <- lapply(plain(ours), names) }
  else { theirs <- plain(theirs); ours <- plain(ours) }
  if (method == "ledger.create") theirs$values <- ours$values <- names(ours$values)
  same <- all.equal(ours, theirs, tolerance = 0)
  if (!isTRUE(same)) {
    wrong <- c(wrong, method)
    message(method, ": ", paste(same, collapse = "; "), "\n", line[3L])
  }
}
if (length(wrong)) stop("not the same: ", paste(wrong, collapse = ", "))
cat(length(lines) - length(skipped), "examples agree\n")
