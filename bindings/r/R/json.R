# JSON in and out, as far as libscrim speaks it: charts and declarations in, roles, policies and recipes out.

json_unescape <- function(text) {
  text <- substr(text, 2L, nchar(text) - 1L)
  escaped <- grep("\\", text, fixed = TRUE)
  for (i in escaped) {
    at <- gregexpr("\\\\(u[0-9A-Fa-f]{4}|.)", text[i])
    regmatches(text[i], at) <- list(vapply(regmatches(text[i], at)[[1L]], function(e) {
      switch(substr(e, 2L, 2L), u = intToUtf8(strtoi(substr(e, 3L, 6L), 16L)), n = "\n", t = "\t", r = "\r", b = "\b", f = "\f",
             substr(e, 2L, 2L))
    }, ""))
  }
  text
}

# A number, a text, TRUE, FALSE, NULL; arrays of one simple kind become vectors (null is NA), others lists; objects named lists.
json_read <- function(text) {
  token <- "\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9][0-9.eE+-]*|true|false|null|[][{},:]"
  text <- enc2utf8(text)
  Encoding(text) <- "bytes" # places are bytes then, and cutting it at many of them takes no time
  found <- gregexpr(token, text, perl = TRUE, useBytes = TRUE)[[1L]]
  words <- substring(text, found, found + attr(found, "match.length") - 1L)
  Encoding(words) <- "UTF-8"
  first <- substr(words, 1L, 1L)
  texts <- first == "\""
  words[texts] <- json_unescape(words[texts])
  at <- 0L
  value <- function() {
    at <<- at + 1L
    word <- words[at]
    switch(first[at], "\"" = word, "{" = object(), "[" = array(), t = TRUE, f = FALSE, n = NULL, as.numeric(word))
  }
  object <- function() {
    out <- list()
    if (first[at + 1L] == "}") { at <<- at + 1L; return(stats::setNames(out, character())) }
    repeat {
      name <- words[at + 1L]
      at <<- at + 2L
      out[name] <- list(value())
      at <<- at + 1L
      if (first[at] == "}") return(out)
    }
  }
  array <- function() {
    out <- list()
    if (first[at + 1L] == "]") { at <<- at + 1L; return(out) }
    repeat {
      out[length(out) + 1L] <- list(value())
      at <<- at + 1L
      if (first[at] == "]") break
    }
    simple(out)
  }
  simple <- function(list) {
    none <- vapply(list, is.null, NA)
    kinds <- unique(vapply(list[!none], typeof, ""))
    if (length(kinds) != 1L || kinds == "list" || any(lengths(list[!none]) != 1L)) return(list)
    list[none] <- NA
    unlist(list, use.names = FALSE)
  }
  value()
}

json_text <- function(text) {
  text <- enc2utf8(text)
  for (pair in list(c("\\", "\\\\"), c("\"", "\\\""), c("\n", "\\n"), c("\r", "\\r"), c("\t", "\\t")))
    text <- gsub(pair[1L], pair[2L], text, fixed = TRUE)
  paste0("\"", text, "\"")
}

# Vectors longer than one, and lists without names, are arrays; a list with names is an object; I() keeps a vector of one an array.
json_write <- function(value) {
  if (is.null(value)) return("null")
  if (is.list(value) && !is.null(names(value)))
    return(paste0("{", paste0(json_text(names(value)), ":", vapply(value, json_write, ""), collapse = ","), "}"))
  if (is.list(value)) return(paste0("[", paste(vapply(value, json_write, ""), collapse = ","), "]"))
  items <- if (is.factor(value)) json_text(as.character(value))
           else if (is.character(value)) json_text(value)
           else if (is.logical(value)) tolower(as.character(value))
           else if (is.numeric(value)) vapply(value, plain_number, "", scientific = NA)
           else fail_plainly(paste0("cannot be said as JSON: ", class(value)[1L]))
  items[is.na(value)] <- "null"
  if (length(value) == 1L && !inherits(value, "AsIs")) items else paste0("[", paste(items, collapse = ","), "]")
}
