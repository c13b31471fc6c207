# Calling a method: R's arguments as libscrim takes them, and its errors as conditions.

# ---- errors ----

# The program's options are arguments here: --max-size is max_size.
as_arguments <- function(text) {
  at <- gregexpr("(?<![[:alnum:]-])--[a-z][a-z-]*", text, perl = TRUE)
  regmatches(text, at) <- lapply(regmatches(text, at), function(found) gsub("-", "_", substring(found, 3L), fixed = TRUE))
  text
}

# list(status, message, advice, text, file, column, parameter, row, line, place), as src/handle.c makes it, signalled.
signal_failure <- function(failure, result = NULL, call = NULL) {
  if (failure$status == 130L) interrupted()
  class <- c(if (failure$status == 3L) c(if (is.null(result)) "scrim_budget_error" else "scrim_policy_error", "scrim_refused"),
             if (failure$status == 2L) "scrim_bad_input", "scrim_error", "error", "condition")
  condition <- c(list(message = as_arguments(failure$text), call = call), unclass(failure)[c("status", "advice", "file", "column", "parameter", "row", "line", "place")])
  condition$sentence <- as_arguments(failure$message)
  if (!is.null(result)) {
    condition$result <- result
    condition$rules <- result$tables$rules
  }
  stop(structure(condition, class = class))
}

# Where R has forgotten that the user asked to stop: the same as its own interrupt.
interrupted <- function() {
  condition <- structure(list(), class = c("interrupt", "condition"))
  signalCondition(condition)
  invokeRestart("abort")
}

checked <- function(answer) if (inherits(answer, "scrim_failure")) signal_failure(answer) else answer

# An error of the package's own, in the same form.
fail_plainly <- function(message, column = NA_character_, parameter = NA_character_, row = NA_real_, file = NA_character_, advice = NA_character_) {
  place <- c(if (!is.na(file)) file, if (!is.na(parameter)) parameter, if (!is.na(column)) paste0("column '", column, "'"), if (!is.na(row)) paste("row", row))
  text <- paste0(if (length(place)) paste0(paste(place, collapse = ", "), ": "), message, ".", if (!is.na(advice)) paste0(" ", advice))
  signal_failure(list(status = 2L, message = message, advice = advice, text = text, file = file, column = column, parameter = parameter,
                      row = row, line = NA_real_, place = NA_real_))
}

# ---- arguments ----

# What a table can be: a data frame, a result that made one, or the name of a file. Gives a handle, or the file's name.
as_table <- function(value, parameter, name, as_text = FALSE) {
  if (is.data.frame(value)) return(frame_table(value, name, as_text))
  if (inherits(value, "scrim_result")) {
    if (!length(value$outputs)) fail_plainly("this result made no table", parameter = parameter)
    handle <- attr(value, "handle")
    return(if (.Call(r_live, handle)) .Call(r_result_output, handle, 0L) else frame_table(value$outputs[[1L]], name, as_text))
  }
  if (is.matrix(value)) return(frame_table(as.data.frame(value), name, as_text))
  if (is.character(value) && length(value) == 1L && !is.na(value)) return(enc2utf8(path.expand(value)))
  fail_plainly(paste0("expects a data frame, a result that made one, or the name of a file, not ", class(value)[1L]), parameter = parameter)
}

# Several: a list of frames, by name where they have names; a folder, or files.
as_tables <- function(value, parameter, as_text) {
  if (is.character(value)) return(enc2utf8(path.expand(value)))
  if (is.data.frame(value) || inherits(value, "scrim_result")) value <- list(value)
  if (!is.list(value)) fail_plainly("expects a list of data frames, a folder or names of files", parameter = parameter)
  names <- names(value)
  if (is.null(names)) names <- paste0(parameter, seq_along(value))
  lapply(seq_along(value), function(i) {
    table <- as_table(value[[i]], parameter, names[i], as_text)
    if (is.character(table)) checked(.Call(r_table_read, table, NULL)) else table
  })
}

# c(age = 2) and list(age = c(0, 120)) as age:2 and age:0:120.
as_pairs <- function(value) {
  if (is.null(names(value))) return(as.character(value))
  paste0(names(value), ":", vapply(as.list(value), function(x) paste(vapply(x, plain_number, ""), collapse = ":"), ""))
}
# A number as it reads back: with 15 digits where they say it all, else with 17.
plain_number <- function(x, scientific = FALSE) {
  if (!is.numeric(x)) return(as.character(x))
  short <- format(x, digits = 15L, scientific = scientific, trim = TRUE)
  if (is.na(x) || as.double(short) == x) short else sprintf("%.17g", x)
}

# list(c("a", "b"), "c") as a,b and c; one vector is one group.
as_groups <- function(value) if (is.list(value)) vapply(value, paste, "", collapse = ",") else paste(value, collapse = ",")

as_formula <- function(value) if (inherits(value, "formula")) paste(deparse(value, width.cutoff = 500L), collapse = " ") else value

plain_argument <- function(value, parameter) {
  if (inherits(value, "formula")) return(as_formula(value))
  if (is.factor(value)) value <- as.character(value)
  if (is.list(value)) return(json_write(value))
  if (!is.atomic(value)) fail_plainly(paste0("cannot be a ", class(value)[1L]), parameter = parameter)
  if (anyNA(value)) fail_plainly("is missing (NA)", parameter = parameter)
  if (is.character(value)) return(enc2utf8(value))
  if (is.logical(value)) return(if (length(value) == 1L) value else tolower(as.character(value)))
  if (inherits(value, "Date")) return(format(value))
  as.double(value)
}

# One argument as character, numeric, TRUE or a list of tables; NULL where it says nothing.
argument <- function(value, kind, parameter, name, as_text) {
  if (is.null(value)) return(NULL)
  value <- switch(kind, table = as_table(value, parameter, name, as_text), tables = as_tables(value, parameter, as_text),
                  pairs = as_pairs(value), groups = as_groups(value), formula = as_formula(value), value)
  if (typeof(value) == "externalptr") return(list(value))
  if (kind == "tables" && is.list(value)) return(value)
  if (kind == "texts" && is.list(value)) return(vapply(value, function(x) paste(as.character(as_formula(x)), collapse = ","), ""))
  value <- plain_argument(value, parameter)
  if (is.logical(value) && !value) return(if (kind == "flag" || kind == "") NULL else "false")
  if (length(value)) value
}

# Methods that take a table without records: of two, whether there is one may be what they hide.
without_records <- c("convert", "inspect", "release.query", "synth.private")

# A table without a record is refused, as the program refuses its file.
some_records <- function(value, parameter) {
  for (table in if (is.list(value)) value)
    if (typeof(table) == "externalptr" && .Call(r_table_rows, table) == 0) fail_plainly("has no records", parameter = parameter)
}

# ---- the call ----

seed_options <- function(seed, seed_file) {
  if (is.null(seed)) return(list(seed_file = if (!is.null(seed_file)) enc2utf8(path.expand(seed_file))))
  if (is.character(seed)) return(list(seed_digits = seed))
  if (!is.numeric(seed) || length(seed) != 1L || is.na(seed) || seed != floor(seed) || abs(seed) > 2^53)
    fail_plainly("expects a whole number, or 64 hexadecimal digits", parameter = "seed")
  list(seed_number = as.double(seed), seed_file = seed_file)
}

table_name <- function(expression) if (is.symbol(expression)) as.character(expression) else "data"

# Runs a method with the arguments that its function was given; `env` is that function's. What was not given is left to the library.
call_method <- function(method, env, call, more = list()) {
  spec <- registry[[method]]
  own <- c("seed", "seed_file", "threads", "tables_by_name")
  given <- intersect(as.character(names(as.list(call))[-1L]), setdiff(names(spec$kinds), own))
  values <- c(mget(given, envir = env), more)
  kinds <- ifelse(names(values) %in% given, spec$kinds[names(values)], "")
  args <- Map(function(value, kind, parameter) {
    argument(value, kind, parameter, table_name(call[[parameter]]), parameter %in% spec$as_text)
  }, values, kinds, names(values))
  args <- args[!vapply(args, is.null, NA)]
  need_records <- !method %in% without_records
  if (need_records) for (parameter in names(args)) some_records(args[[parameter]], parameter)
  option <- function(name) if (exists(name, envir = env, inherits = FALSE)) get(name, envir = env)
  tables <- option("tables_by_name")
  if (!is.null(tables)) tables <- stats::setNames(as_tables(tables, "tables_by_name", FALSE), names(tables))
  options <- c(seed_options(option("seed"), option("seed_file")),
               list(threads = as.integer(option("threads")), progress = isTRUE(getOption("scrim.progress", interactive())),
                    show_values = isTRUE(option("show_values")), need_records = need_records, tables = tables))
  answer <- checked(.Call(r_run, method, args, options))
  template <- template_of(values, spec$first)
  from <- if (length(spec$first) && is.list(args[[spec$first]])) args[[spec$first]][[1L]]
  result <- as_result(answer, template, from, spec$perturbs)
  if (inherits(template, "data.table")) checked(.Call(r_result_own, answer))
  verdict <- .Call(r_result_verdict, answer)
  if (inherits(verdict, "scrim_failure")) signal_failure(verdict, result)
  result
}

template_of <- function(values, first) {
  value <- if (length(first)) values[[first]]
  if (inherits(value, "scrim_result")) value$outputs[[1L]] else if (is.data.frame(value)) value
}
