# Data frames across: R's columns made plain for libscrim, and libscrim's tables made the caller's own kind of frame again.

# ---- in ----

is_labelled <- function(x) inherits(x, "haven_labelled")

# The words of a labelled column, as libscrim says them: the label, with the value behind it where two values share the label.
label_words <- function(labels) {
  words <- enc2utf8(names(labels))
  twice <- words %in% words[duplicated(words)]
  words[twice] <- paste0(words[twice], " (", as.character(unclass(labels))[twice], ")")
  words
}

# A labelled column whose values all have labels is a category, as in a file of SPSS, Stata or SAS; else it is its values.
labelled_factor <- function(x) {
  labels <- attr(x, "labels", exact = TRUE)
  values <- unclass(x)
  attributes(values) <- NULL
  if (is.null(names(labels))) return(NULL)
  labels <- labels[!is.na(labels)]
  code <- match(values, unclass(labels))
  if (!length(labels) || any(is.na(code) & !is.na(values))) return(NULL)
  list(kind = "f", values = code, levels = label_words(labels))
}

# As UTF-8. In R's locale "C" nobody has said what bytes mean: they are UTF-8, or an error, and not what R would put for them.
check_texts <- function(x, column) {
  simple <- Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")
  words <- unique(x)
  encoding <- Encoding(words)
  if (simple || l10n_info()[["UTF-8"]]) {
    bad <- words[!validUTF8(words) & encoding != "latin1"]
    if (length(bad))
      fail_plainly("holds text that is not UTF-8", column = column, row = match(bad[1L], x),
                   advice = "Say what it is in with iconv(x, from, \"UTF-8\").")
  }
  if (simple && any(encoding == "unknown")) Encoding(x) <- ifelse(Encoding(x) == "unknown", "UTF-8", Encoding(x))
  enc2utf8(x)
}

plain_factor <- function(x, column) {
  if (anyNA(levels(x))) x <- factor(x, levels(x)[!is.na(levels(x))], ordered = is.ordered(x))
  if (!is.character(levels(x))) fail_plainly("is a factor whose levels are no text", column = column, advice = "Create it again with factor(as.vector(x)).")
  list(kind = if (is.ordered(x)) "o" else "f", values = x, levels = check_texts(levels(x), column))
}

plain_times <- function(x, column, kind, most) {
  if (!is.numeric(unclass(x))) fail_plainly(paste0("is of class ", class(x)[1L], " and holds no numbers"), column = column)
  x <- as.double(unclass(x))
  if (any(abs(x) > most, na.rm = TRUE)) fail_plainly("holds a time beyond what can be counted", column = column)
  list(kind = kind, values = x)
}

# One column as list(kind, values, levels); kinds as src/table_in.c names them.
plain_column <- function(x, column, rows, as_text = FALSE) {
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (is.list(x) || is.complex(x) || is.raw(x) || !is.atomic(x) || (length(dim(x)) > 1L && ncol(x) != 1L))
    fail_plainly(paste0("holds what a table's column cannot (", class(x)[1L], ")"), column = column,
                 advice = "Columns are numbers, text, factors, logical, dates or dates with times.")
  if (length(x) != rows) fail_plainly(paste0("has ", length(x), " cells in a table of ", rows, " rows"), column = column)
  if (as_text) x <- as.character(x)
  if (is_labelled(x) && !is.null(words <- labelled_factor(x))) return(words)
  if (is.factor(x)) return(plain_factor(x, column))
  if (inherits(x, "Date")) return(plain_times(x, column, "d", 2147483647))
  if (inherits(x, "POSIXct")) return(plain_times(x, column, "t", 9e12))
  if (is.character(x)) return(list(kind = "u", values = check_texts(x, column)))
  if (inherits(x, "integer64") && is.double(x)) return(list(kind = "l", values = x)) # eight bytes a cell: one of R's own integers has four
  list(kind = if (is.double(x)) "g" else "i", values = x)
}

# What is known of a frame that libscrim made: is it a release, which columns were changed at random, what file it was read from.
marks_of <- function(frame) attr(frame, "scrim", exact = TRUE)

# The table that a frame was made of, where nothing of it was changed since: with its structure, and all else that a frame cannot say.
kept_table <- function(frame) {
  marks <- marks_of(frame)
  if (is.null(marks$table) || inherits(frame, "data.table") || !.Call(r_live, marks$table)) return(NULL)
  if (.Call(r_same_columns, frame, marks$held)) marks$table
}

frame_table <- function(frame, name, as_text = FALSE) {
  kept <- if (!as_text) kept_table(frame)
  if (!is.null(kept)) return(kept)
  marks <- marks_of(frame)
  if (!is.null(marks$name)) name <- marks$name
  names <- names(frame)
  rows <- .row_names_info(frame, 2L)
  if (length(names) != length(unclass(frame)) || anyNA(names) || any(!nzchar(names))) fail_plainly("a column of this data frame has no name", file = name)
  names <- check_texts(names, "names(data)")
  plain <- lapply(seq_along(names), function(j) plain_column(.subset2(frame, j), names[j], rows, as_text))
  table <- checked(.Call(r_table, enc2utf8(name), lapply(plain, `[[`, "values"), names, vapply(plain, `[[`, "", "kind"),
                         lapply(plain, `[[`, "levels"), as.double(rows)))
  if (isTRUE(marks$released)) .Call(r_table_mark, table, NULL)
  for (column in intersect(marks$perturbed, names)) .Call(r_table_mark, table, enc2utf8(column))
  table
}

# ---- out ----

# A category that was made of a labelled column is that column's values again, where every word is still a label's.
as_labelled <- function(new, old) {
  labels <- attr(old, "labels", exact = TRUE)
  labels <- labels[!is.na(labels)]
  value <- match(levels(new), label_words(labels))
  if (anyNA(value)) return(with_label(new, old))
  out <- unclass(labels)[value][as.integer(new)]
  attributes(out) <- attributes(old)
  out
}

with_label <- function(new, old) {
  for (name in c("label", "format.spss", "format.stata", "format.sas", "display_width"))
    if (!is.null(attr(old, name, exact = TRUE))) attr(new, name) <- attr(old, name, exact = TRUE)
  new
}

# Levels that no cell has any more are gone, and no release shows them; the others stand as they stood.
as_factor <- function(new, old) {
  new <- occurring(new)
  levels <- c(intersect(levels(old), levels(new)), setdiff(levels(new), levels(old)))
  known <- all(levels(new) %in% levels(old))
  with_label(factor(new, levels, ordered = is.ordered(new) || (is.ordered(old) && known)), old)
}

occurring <- function(x) {
  if (!is.factor(x) || sum(tabulate(x, nlevels(x)) > 0L) == nlevels(x)) return(x)
  factor(x, levels(x)[tabulate(x, nlevels(x)) > 0L], ordered = is.ordered(x))
}

# A column that no method touched: the caller's own, without levels that no record has and without names, which may be people's.
untouched <- function(old, by_reference) {
  new <- occurring(old)
  if (is.factor(old) && nlevels(new) < nlevels(old)) new <- with_label(new, old)
  if (length(dim(new)) > 1L) rownames(new) <- NULL
  else if (!is.null(names(new))) names(new) <- NULL
  if (by_reference) .Call(r_copy, new) else new
}

# A changed column in the kind of the one that it was made from.
refit <- function(new, old, aligned) {
  if (is_labelled(old) && is.factor(new)) return(as_labelled(new, old))
  if (is_labelled(old) && is.numeric(new) && is.numeric(unclass(old))) {
    if (is.double(old)) storage.mode(new) <- "double"
    if (aligned) new <- .Call(r_same_missing, new, old)
    attributes(new) <- attributes(old)
    return(new)
  }
  if (is.factor(old) && is.factor(new)) return(as_factor(new, old))
  if (is.factor(new) && is.character(old)) new <- as.character(new)
  if (is.character(old) && is.character(new)) return(with_label(new, old))
  if (is.logical(old) && is.integer(new) && all(new %in% c(0L, 1L, NA))) return(with_label(as.logical(new), old))
  if (inherits(old, "POSIXct") && inherits(new, "POSIXct")) attr(new, "tzone") <- attr(old, "tzone", exact = TRUE)
  if (inherits(old, "difftime") && is.numeric(new))
    return(structure(new, units = attr(old, "units"), class = class(old)))
  if (is.double(old) && is.integer(new)) storage.mode(new) <- "double"
  if (aligned && is.double(new)) new <- .Call(r_same_missing, new, old)
  with_label(new, old)
}

# Columns as the caller's kind of frame. Row names are left behind: they may be people's.
frame_like <- function(columns, rows, template, marks = NULL) {
  out <- structure(columns, names = names(columns), row.names = .set_row_names(rows), class = "data.frame", scrim = marks)
  if (inherits(template, "data.table") && requireNamespace("data.table", quietly = TRUE)) return(data.table::setDT(out)[])
  if (inherits(template, "tbl_df")) class(out) <- c("tbl_df", "tbl", "data.frame")
  out
}

plain_frame <- function(table, template = NULL) {
  columns <- checked(.Call(r_table_columns, table, character()))
  columns <- lapply(columns, function(x) if (is.factor(x) && !is.ordered(x)) as.character(x) else x)
  frame_like(columns, .Call(r_table_rows, table), template)
}

# An output as a frame like the one that it was made from. What was not touched is the caller's own column, with its attributes.
output_frame <- function(table, template, from, perturbs, name = NULL) {
  wide <- names(template)[vapply(template, inherits, NA, "integer64")]
  columns <- checked(.Call(r_table_columns, table, enc2utf8(as.character(wide))))
  rows <- .Call(r_table_rows, table)
  both <- intersect(names(columns), names(template))
  same <- if (is.null(from)) rep(FALSE, length(both)) else .Call(r_table_shares, table, from, enc2utf8(both))
  aligned <- !perturbs && rows == .row_names_info(template, 2L) && .Call(r_table_in_place, table)
  by_reference <- inherits(template, "data.table")
  for (i in seq_along(both)) {
    old <- .subset2(template, both[i])
    columns[[both[i]]] <- if (!same[i]) refit(columns[[both[i]]], old, aligned) else untouched(old, by_reference)
  }
  columns[setdiff(names(columns), both)] <- lapply(columns[setdiff(names(columns), both)], occurring)
  marks <- .Call(r_table_marks, table)
  known <- list(name = name, released = !is.null(marks), perturbed = as.character(marks), table = if (!by_reference) table, held = if (!by_reference) .Call(r_hold, columns))
  frame_like(columns, rows, template, if (!is.null(marks) || !by_reference) structure(known, class = "scrim_marks"))
}
