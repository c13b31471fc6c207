# The code of the vignette, chunk after chunk, by a simple extraction of our own: it runs where knitr is not.
library(scrim)
path <- system.file("doc", "scrim.Rmd", package = "scrim")
if (!nzchar(path)) path <- Sys.getenv("SCRIM_VIGNETTE")
if (!nzchar(path)) { cat("no vignette here: skipped\n"); quit(status = 0L) }
lines <- readLines(path, encoding = "UTF-8")
inside <- FALSE
code <- character()
for (line in lines) {
  if (startsWith(line, "```")) inside <- startsWith(line, "```{r")
  else if (inside) code <- c(code, line)
}
stopifnot(length(code) > 30L)
grDevices::pdf(NULL)
for (expression in parse(text = code, encoding = "UTF-8")) suppressWarnings(capture.output(print(eval(expression, globalenv()))))
invisible(grDevices::dev.off())
stopifnot(after$k >= 3L, judged$tables$rules$met[1L] == "yes")
# Each function that the table names is there.
named <- unlist(regmatches(lines, gregexpr("`(risk|attack|protect|utility|scrim)_[a-z_0-9]+`", lines)))
missing <- setdiff(grep("_error$", gsub("`", "", named), value = TRUE, invert = TRUE), getNamespaceExports("scrim"))
if (length(missing)) stop("no such function: ", paste(missing, collapse = ", "))
cat("the vignette runs\n")
