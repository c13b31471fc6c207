# A result: values, tables, per-record columns, outputs, notes, charts, results within; and what can be done with it.

as_result <- function(handle, template, from, perturbs) {
  parts <- .Call(r_result, handle)
  tables <- lapply(stats::setNames(parts$tables, parts$tables), function(name) plain_frame(.Call(r_result_table, handle, enc2utf8(name))))
  of <- unique(parts$record_of)
  records <- lapply(stats::setNames(of, of), function(input) plain_frame(.Call(r_result_records, handle, enc2utf8(input)), template))
  outputs <- lapply(seq_len(parts$outputs) - 1L, function(i) output_frame(.Call(r_result_output, handle, i), template, from, perturbs))
  charts <- lapply(seq_len(parts$charts) - 1L, function(i) json_read(checked(.Call(r_result_chart, handle, i, "json", c(640L, 400L)))))
  inner <- lapply(seq_along(parts$results) - 1L, function(i) as_result(.Call(r_result_inner, handle, i), NULL, NULL, FALSE))
  structure(list(method = parts$method, values = parts$values, tables = tables, columns = if (length(records)) records[[1L]],
                 records = records, outputs = outputs, notes = parts$notes, charts = charts,
                 results = stats::setNames(inner, parts$results)), handle = handle, class = "scrim_result")
}

live <- function(x) {
  handle <- attr(x, "handle")
  if (!.Call(r_live, handle)) fail_plainly("this result was saved by R in another session: its values are there, its report is not")
  handle
}

# A value by its name, where it is not one of the result's parts.
`$.scrim_result` <- function(x, name) {
  parts <- unclass(x)
  if (name %in% names(parts)) parts[[name]] else parts$values[[name]]
}

print.scrim_result <- function(x, ...) {
  if (!.Call(r_live, attr(x, "handle"))) return(invisible(print(summary(x))))
  text <- checked(.Call(r_result_render, attr(x, "handle"), "text", as.integer(getOption("width"))))
  text <- sub("Per record (-o FILE)", "Per record ($columns)", sub("(--format html)", "(plot)", text, fixed = TRUE), fixed = TRUE)
  cat(as_arguments(text))
  invisible(x)
}

summary.scrim_result <- function(object, ...) {
  values <- object$values
  frame <- data.frame(value = vapply(values, function(v) format(v, digits = 7L), ""), row.names = names(values))
  structure(list(method = object$method, values = frame, notes = object$notes, tables = vapply(object$tables, nrow, 1L),
                 outputs = vapply(object$outputs, nrow, 1L), charts = vapply(object$charts, function(c) c$title, "")),
            class = "summary.scrim_result")
}

print.summary.scrim_result <- function(x, ...) {
  cat(x$method, "\n")
  if (nrow(x$values)) print(x$values, right = FALSE)
  if (length(x$tables)) cat("tables: ", paste0(names(x$tables), " (", x$tables, " rows)", collapse = ", "), "\n", sep = "")
  if (length(x$outputs)) cat("outputs: ", paste(x$outputs, "rows", collapse = ", "), "\n", sep = "")
  for (note in x$notes) cat(strwrap(note, exdent = 2L), sep = "\n")
  invisible(x)
}

as.data.frame.scrim_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  if (length(x$outputs)) return(x$outputs[[1L]])
  if (!is.null(x$columns)) return(x$columns)
  as.data.frame(x$values, optional = TRUE)
}

scrim_json <- function(result) checked(.Call(r_result_render, live(result), "json", 80L))

scrim_svg <- function(result, which = 1L, width = 640L, height = 400L) {
  checked(.Call(r_result_chart, live(result), as.integer(which) - 1L, "svg", as.integer(c(width, height))))
}

scrim_report <- function(result, path) {
  checked(.Call(r_result_write, live(result), enc2utf8(path.expand(path))))
  invisible(path)
}

# ---- tables and files ----

scrim_read <- function(path, encoding = NULL) {
  table <- checked(.Call(r_table_read, enc2utf8(path.expand(path)), encoding))
  output_frame(table, data.frame(), NULL, FALSE, path)
}

scrim_write <- function(x, path) {
  path <- enc2utf8(path.expand(path))
  if (inherits(x, "scrim_result")) checked(.Call(r_result_output_write, live(x), path))
  else checked(.Call(r_table_write, as_table(x, "x", "data"), path))
  invisible(path)
}

scrim_example <- function(name) {
  path <- system.file("examples", name, package = "scrim")
  if (!nzchar(path)) fail_plainly(paste0("there is no example '", name, "'"))
  path
}

scrim_methods <- function(group = NULL) {
  methods <- names(registry)
  if (!is.null(group)) methods <- methods[startsWith(methods, paste0(group, "."))]
  data.frame(method = methods, `function` = vapply(registry[methods], `[[`, "", "name"),
             summary = vapply(methods, function(m) scrim_describe(m)$summary, ""), check.names = FALSE, row.names = NULL)
}

scrim_describe <- function(method) json_read(checked(.Call(r_describe, method)))

scrim_version <- function() .Call(r_version)
