# usage: Rscript --vanilla tools/generate.R SCRIM TARGET
# Writes a function and a help page for each method and verb that the program SCRIM knows, and NAMESPACE, into the package at TARGET.
args <- commandArgs(TRUE)
target <- args[2L]
source(file.path(target, "R", "json.R"))
declared <- json_read(paste(system2(args[1L], c("methods", "--format", "json"), stdout = TRUE), collapse = "\n"))
for (i in seq_along(declared)) if (is.null(declared[[i]]$method)) stop("a declaration without a name")

underscored <- function(name) gsub("[-.]", "_", name)
function_name <- function(m) if (grepl(".", m$method, fixed = TRUE)) underscored(m$method) else paste0("scrim_", underscored(m$method))
quoted <- function(text) encodeString(enc2utf8(text), quote = "\"")

# ---- what a function takes ----

# Its parameters, then those common to all that it has not itself.
parameters <- function(m) {
  own <- vapply(m$params, `[[`, "", "name")
  common <- Filter(function(p) !p$name %in% own, m$common)
  has_table <- any(vapply(m$params, function(p) p$kind == "table", NA))
  if (!has_table) common <- Filter(function(p) !p$name %in% c("where", "force"), common)
  c(m$params, common)
}

default <- function(p) {
  if (p$required) return(NULL)
  if (p$kind == "flag") return("FALSE")
  if (is.null(p$default)) return("NULL")
  if (is.character(p$default)) return(switch(p$default, Infinity = "Inf", `-Infinity` = "-Inf", quoted(p$default)))
  if (is.logical(p$default)) return(if (p$default) "TRUE" else "FALSE")
  format(p$default, digits = 15L)
}

is_random <- function(m) "random" %in% unlist(m$traits) || m$method %in% c("run", "audit", "tune")
extra <- function(m) c(if (is_random(m)) c(seed = "NULL", seed_file = "NULL"), if (m$method == "run") c(tables_by_name = "NULL"),
                       threads = "getOption(\"scrim.threads\", 1L)")

signature <- function(m) {
  named <- vapply(parameters(m), function(p) {
    value <- default(p)
    paste0(underscored(p$name), if (!is.null(value)) paste0(" = ", value))
  }, "")
  last <- extra(m)
  c(named, if (isTRUE(m$passes)) "...", paste0(names(last), " = ", last))
}

wrapped <- function(items, width = 110L, indent) {
  lines <- character()
  line <- items[1L]
  for (item in items[-1L]) {
    if (nchar(line) + nchar(item) > width) {
      lines <- c(lines, paste0(line, ","))
      line <- paste0(strrep(" ", indent), item)
    } else line <- paste0(line, ", ", item)
  }
  c(lines, line)
}

define <- function(m) {
  name <- function_name(m)
  body <- paste0("  call_method(", quoted(m$method), ", environment(), match.call()", if (isTRUE(m$passes)) ", list(...)", ")")
  if (isTRUE(m$passes)) body <- sub("match.call()", "match.call(expand.dots = FALSE)", body, fixed = TRUE)
  c(paste0(name, " <- function(", paste(wrapped(signature(m), indent = 4L), collapse = "\n"), ") {"), body, "}", "")
}

register <- function(m) {
  p <- parameters(m)
  names <- underscored(vapply(p, `[[`, "", "name"))
  kinds <- vapply(p, `[[`, "", "kind")
  text <- names[vapply(p, function(x) isTRUE(x$as_text), NA)]
  first <- names[kinds == "table"][1L]
  c(paste0("  ", quoted(m$method), " = list(name = ", quoted(function_name(m)), ","),
    paste0("    kinds = c(", paste(wrapped(paste0(names, " = ", quoted(kinds)), indent = 14L), collapse = "\n"), "),"),
    paste0("    as_text = ", if (length(text)) paste0("c(", paste(quoted(text), collapse = ", "), ")") else "character()",
           ", first = ", if (is.na(first)) "character()" else quoted(first),
           ", perturbs = ", if ("perturbs" %in% unlist(m$traits)) "TRUE" else "FALSE", ")"))
}

# ---- an example as R says it ----

# A command line as words, as a shell takes them.
words_of <- function(line) {
  out <- character()
  word <- ""; open <- ""; any <- FALSE
  for (c in strsplit(line, "")[[1L]]) {
    if (nzchar(open)) { if (c == open) open <- "" else word <- paste0(word, c) }
    else if (c %in% c("\"", "'")) { open <- c; any <- TRUE }
    else if (c == " ") { if (nzchar(word) || any) out <- c(out, word); word <- ""; any <- FALSE }
    else word <- paste0(word, c)
  }
  if (nzchar(word) || any) c(out, word) else out
}

vector_of <- function(items) if (length(items) == 1L) items else paste0("c(", paste(items, collapse = ", "), ")")
is_number <- function(x) grepl("^-?[0-9.]+(e-?[0-9]+)?$", x)

example_path <- function(path) paste0("scrim_example(", quoted(sub("^examples/", "", path)), ")")
as_example <- function(p, value) {
  in_examples <- startsWith(value, "examples/")
  items <- strsplit(value, ",", fixed = TRUE)[[1L]]
  kind <- if (is.null(p)) "" else p$kind
  if (kind == "table" && in_examples) return(paste0("scrim_read(", example_path(value), ")"))
  if (in_examples) return(example_path(value))
  if (kind == "table" || kind %in% c("text", "expression", "formula", "choice", "column", "ledger", "schema")) return(quoted(value))
  if (kind == "groups") {
    groups <- strsplit(value, ";", fixed = TRUE)[[1L]]
    each <- vapply(strsplit(groups, ",", fixed = TRUE), function(g) vector_of(quoted(g)), "")
    return(if (length(each) == 1L) each else paste0("list(", paste(each, collapse = ", "), ")"))
  }
  if (kind %in% c("int", "real", "reals") && all(is_number(items))) return(vector_of(items))
  if (kind == "texts" && isTRUE(p$whole)) return(quoted(value))
  if (kind == "" && length(items) == 1L && is_number(items)) return(items)
  vector_of(quoted(items))
}

example_call <- function(m) {
  if (is.null(m$example)) return(NULL)
  words <- words_of(m$example)[-1L]
  skip <- length(strsplit(m$command, " ", fixed = TRUE)[[1L]])
  if (m$method %in% c("release.query", "release.calibrate")) skip <- 1L
  words <- words[-seq_len(skip)]
  all <- parameters(m)
  by_name <- stats::setNames(all, vapply(all, `[[`, "", "name"))
  positional <- names(by_name)[vapply(all, function(p) isTRUE(p$positional), NA)]
  out <- character()
  several <- list()
  at <- 1L
  while (at <= length(words)) {
    word <- words[at]
    if (word == "-o") { word <- "--output" }
    if (startsWith(word, "--")) {
      name <- substring(word, 3L)
      p <- by_name[[name]]
      if (!is.null(p) && p$kind == "flag") { out <- c(out, paste0(underscored(name), " = TRUE")); at <- at + 1L; next }
      if (name == "seed") out <- c(out, paste0("seed = ", words[at + 1L]))
      else out <- c(out, paste0(underscored(name), " = ", as_example(p, words[at + 1L])))
      at <- at + 2L
    } else {
      p <- by_name[[positional[1L]]]
      if (p$kind == "tables") several[[p$name]] <- c(several[[p$name]], as_example(list(kind = "table"), word))
      else { out <- c(out, as_example(p, word)); positional <- positional[-1L] }
      at <- at + 1L
    }
  }
  for (name in names(several)) out <- c(paste0(underscored(name), " = list(", paste(several[[name]], collapse = ", "), ")"), out)
  paste0(function_name(m), "(", paste(wrapped(out, 80L, 2L), collapse = "\n"), ")")
}

# What an example writes, it writes where R's temporary files are; a ledger is made first.
example_lines <- function(m) {
  line <- example_call(m)
  if (is.null(line)) return(NULL)
  line <- gsub("\"(released\\.csv|report\\.html|clinic\\.tsv|scrubbed\\.csv|clinic\\.ledger)\"", "file.path(tempdir(), \"\\1\")", line)
  if (grepl("clinic.ledger", line, fixed = TRUE)) {
    ledger <- "file.path(tempdir(), \"clinic.ledger\")"
    line <- c(paste0("unlink(", ledger, ")"), if (m$method != "ledger.create") paste0("ledger_create(", ledger, ", budget = \"epsilon=1\")"), line)
  }
  if (m$method %in% c("audit", "run"))
    line <- c("tryCatch(", paste0("  ", line, ","), "  scrim_policy_error = function(e) e$result$tables$rules)")
  line
}

# ---- help pages ----

rd <- function(text) gsub("([%{}\\\\])", "\\\\\\1", enc2utf8(text), perl = TRUE)
sentence <- function(text) paste0(rd(text), if (!grepl("[.?!]$", text)) ".")

takes <- function(p) {
  what <- switch(p$kind, table = "a data frame, a result that made one, or the name of a file", tables = "a list of data frames, a folder, or names of files",
                 column = "a column's name", columns = "names of columns", int = "a whole number", real = "a number", reals = "numbers", flag = "TRUE or FALSE",
                 choice = paste0("one of ", paste0("\"", p$choices, "\"", collapse = ", ")), expression = "an expression, as text", formula = "a formula",
                 pairs = "named numbers, as c(age = 2) or list(age = c(0, 120))", groups = "a list of names of columns", texts = "texts",
                 ledger = "where the ledger is", schema = "a list, YAML text, or the name of a file", "text, or a list where YAML is expected")
  bounds <- c(if (!is.null(p$least)) paste0(if (isTRUE(p$exclusive)) "more than " else "at least ", format(p$least, digits = 15L)),
              if (!is.null(p$most)) paste0(if (isTRUE(p$exclusive)) "less than " else "at most ", format(p$most, digits = 15L)))
  paste0(what, if (length(bounds)) paste0(", ", paste(bounds, collapse = " and ")))
}

# A link to another method would be a flag in the program's help: here it is an argument.
as_r <- function(text) gsub("`?--([a-z][a-z-]*[a-z])`?", "\\1", gsub("(--[a-z]+)-([a-z]+)", "\\1_\\2", text))

help_page <- function(m) {
  name <- function_name(m)
  arguments <- vapply(parameters(m), function(p)
    paste0("  \\item{", underscored(p$name), "}{", sentence(as_r(p$help)), " ", rd(paste0("(", takes(p), if (p$required) "; needed", ")")), "}"), "")
  more <- c(seed = "Seed of the random draws: a whole number (anyone who guesses it can undo them), or 64 hexadecimal digits. Default: a fresh secret seed.",
            seed_file = "A file with a seed of 64 hexadecimal digits. It is created, readable by its owner only, if it does not exist.",
            tables_by_name = "Data frames that the recipe calls for, by name.", threads = "Threads to compute with. The answer is the same for any number.")
  last <- names(extra(m))
  returns <- Filter(function(v) v$kind %in% c("value", "table", "record"), m$values)
  item <- function(v) paste0("  \\item{\\code{", c(value = "", table = "tables$", record = "columns$")[[v$kind]], rd(v$name), "}}{", sentence(as_r(v$meaning)), "}")
  c(paste0("% made from the declaration of ", m$method, " by tools/generate.R"), paste0("\\name{", name, "}"), paste0("\\alias{", name, "}"),
    paste0("\\title{", rd(m$summary), "}"), "\\description{", paste0(sentence(m$summary), if (!is.null(m$source)) paste0(" After ", sentence(m$source)),
      " The same as \\command{scrim ", m$command, "}."), "}",
    "\\usage{", paste0(name, "(", paste(wrapped(gsub("%", "\\%", signature(m), fixed = TRUE), 80L, 2L), collapse = "\n"), ")"), "}", "\\arguments{", arguments,
    if (isTRUE(m$passes)) "  \\item{...}{Arguments of the method that it runs.}", paste0("  \\item{", last, "}{", rd(more[last]), "}"), "}",
    "\\value{", "A \\code{\\link{scrim_result}}.", if (length(returns)) c("\\describe{", vapply(returns, item, ""), "}"), "}",
    if (!is.null(m$example)) c("\\examples{", gsub("%", "\\%", example_lines(m), fixed = TRUE), "}"))
}

# ---- files ----

write <- function(lines, ...) writeLines(enc2utf8(lines), file.path(target, ...), useBytes = TRUE)
write(c("# Made by tools/generate.R from what the library declares: nothing here is written by hand.", "", "registry <- list(",
        paste0(vapply(declared, function(m) paste(register(m), collapse = "\n"), ""), c(rep(",", length(declared) - 1L), "")), ")", "",
        unlist(lapply(declared, define))), "R", "generated.R")
for (m in declared) write(help_page(m), "man", paste0(function_name(m), ".Rd"))
write(c("useDynLib(scrim, .registration = TRUE)", paste0("export(", vapply(declared, function_name, ""), ")"),
        paste0("export(", c("scrim_read", "scrim_write", "scrim_report", "scrim_json", "scrim_svg", "scrim_example", "scrim_methods", "scrim_describe", "scrim_version"), ")"),
        paste0("S3method(", c("print", "summary", "plot", "as.data.frame"), ", scrim_result)"), "S3method(\"$\", scrim_result)",
        "S3method(print, summary.scrim_result)", "importFrom(graphics, plot)"), "NAMESPACE")
dir.create(file.path(target, "inst"), showWarnings = FALSE)
calls <- vapply(declared, function(m) if (is.null(m$example)) "" else paste(example_call(m), collapse = "\n"), "")
write(paste(vapply(declared, `[[`, "", "method"), vapply(declared, function(m) if (is.null(m$example)) "" else m$example, ""), gsub("\n", " ", calls), sep = "\t"),
      "inst", "examples.tsv")
