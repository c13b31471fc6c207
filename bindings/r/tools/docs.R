# usage: Rscript --vanilla tools/docs.R PAGE. Runs the blocks of R in a page; each block below one must be what it prints.
lines <- readLines(commandArgs(TRUE)[1L], encoding = "UTF-8")
options(width = 80)
code <- printed <- NULL
inside <- ""
checked <- 0L
env <- new.env(parent = globalenv())
said <- function(code) {
  text <- capture.output(for (expression in parse(text = code)) { shown <- withVisible(eval(expression, env)); if (shown$visible) print(shown$value) })
  sub(" +$", "", text)
}
for (line in lines) {
  if (line == "```r") { inside <- "code"; code <- character() }
  else if (line == "```" && inside == "code") { inside <- "between"; printed <- said(code) }
  else if (line == "```" && inside == "between") { inside <- "output"; expected <- character() }
  else if (line == "```" && inside == "output") {
    inside <- ""
    if (!identical(sub(" +$", "", expected), printed)) stop("this prints something else:\n", paste(code, collapse = "\n"), "\n\n", paste(printed, collapse = "\n"))
    checked <- checked + 1L
  }
  else if (inside == "code") code <- c(code, line)
  else if (inside == "output") expected <- c(expected, line)
}
stopifnot(checked > 2L)
cat(checked, "blocks print what they say\n")
