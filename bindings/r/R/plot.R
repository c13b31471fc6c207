# A result's charts by R's own graphics, from their data.

chart_colours <- c("#1b6f8a", "#c8553d", "#6a994e", "#8e6c8a", "#bc8034", "#4a5759")
colour_of <- function(i) chart_colours[(i - 1L) %% length(chart_colours) + 1L]

plot.scrim_result <- function(x, which = seq_along(x$charts), ...) {
  if (!length(x$charts)) fail_plainly("this result has no chart")
  for (chart in x$charts[which]) draw_chart(chart, ...)
  invisible(x)
}

draw_chart <- function(chart, ...) {
  switch(chart$kind, bar = draw_bars(chart, ...), histogram = draw_histogram(chart, ...), heat = draw_heat(chart, ...),
         box = draw_boxes(chart, ...), draw_points(chart, ...))
}

label <- function(text) if (is.null(text)) "" else text
finite_range <- function(values) {
  values <- as.numeric(unlist(values))
  values <- values[is.finite(values)]
  if (length(values)) range(values) else c(0, 1)
}
series_of <- function(chart, part) lapply(chart$series, function(s) as.numeric(unlist(s[[part]])))

log_axes <- function(chart) {
  positive <- function(part) all(unlist(series_of(chart, part)) > 0, na.rm = TRUE)
  paste0(c(if (isTRUE(chart$log_x) && positive("x")) "x", if (isTRUE(chart$log_y) && positive("y")) "y"), collapse = "")
}

draw_points <- function(chart, ...) {
  x <- series_of(chart, "x")
  y <- series_of(chart, "y")
  graphics::plot(NA, xlim = finite_range(x), ylim = finite_range(y), log = log_axes(chart), main = label(chart$title),
                 xlab = label(chart$x_label), ylab = label(chart$y_label), ...)
  if (isTRUE(chart$diagonal)) graphics::abline(0, 1, lty = 3L, col = "grey50")
  for (i in seq_along(x)) {
    strong <- isTRUE(chart$series[[i]]$emphasised)
    if (chart$kind == "line") graphics::lines(x[[i]], y[[i]], col = colour_of(i), lwd = if (strong) 3 else 2)
    else graphics::points(x[[i]], y[[i]], col = colour_of(i), pch = if (strong) 19L else 1L)
  }
  legend_of(chart)
}

legend_of <- function(chart) {
  names <- vapply(chart$series, function(s) label(s$name), "")
  if (length(names) < 2L) return(invisible())
  graphics::legend("topright", names, col = colour_of(seq_along(names)), pch = 15L, bty = "n")
}

draw_bars <- function(chart, ...) {
  heights <- do.call(rbind, series_of(chart, "y"))
  names <- as.character(unlist(chart$series[[1L]]$text))
  graphics::barplot(heights, names.arg = names, beside = TRUE, col = colour_of(seq_len(nrow(heights))), border = NA,
                    main = label(chart$title), xlab = label(chart$x_label), ylab = label(chart$y_label), ...)
  legend_of(chart)
}

draw_histogram <- function(chart, ...) {
  x <- series_of(chart, "x")
  y <- series_of(chart, "y")
  graphics::plot(NA, xlim = finite_range(x), ylim = range(0, finite_range(y)), main = label(chart$title), xlab = label(chart$x_label),
                 ylab = label(chart$y_label), ...)
  for (i in seq_along(x)) {
    bins <- length(y[[i]])
    graphics::rect(x[[i]][seq_len(bins)], 0, x[[i]][seq_len(bins) + 1L], y[[i]], col = grDevices::adjustcolor(colour_of(i), 0.6), border = "white")
  }
  legend_of(chart)
}

# With words an axis is read as a matrix is: row 0 at the top.
draw_heat <- function(chart, ...) {
  x <- unlist(series_of(chart, "x"))
  y <- unlist(series_of(chart, "y"))
  z <- unlist(series_of(chart, "z"))
  x_names <- as.character(unlist(chart$x_names))
  y_names <- as.character(unlist(chart$y_names))
  shade <- if (length(z) && diff(finite_range(z)) > 0) (z - min(z, na.rm = TRUE)) / diff(finite_range(z)) else rep(0.5, length(z))
  colours <- grDevices::grey(1 - 0.85 * ifelse(is.na(shade), 0, shade))
  down <- if (length(y_names)) -1 else 1
  graphics::plot(NA, xlim = finite_range(x) + c(-0.5, 0.5), ylim = finite_range(down * y) + c(-0.5, 0.5), axes = FALSE, main = label(chart$title),
                 xlab = label(chart$x_label), ylab = label(chart$y_label), ...)
  graphics::rect(x - 0.5, down * y - 0.5, x + 0.5, down * y + 0.5, col = colours, border = NA)
  if (length(x_names)) graphics::axis(1L, seq_along(x_names) - 1, x_names) else graphics::axis(1L)
  if (length(y_names)) graphics::axis(2L, down * (seq_along(y_names) - 1), y_names, las = 1L) else graphics::axis(2L)
}

draw_boxes <- function(chart, ...) {
  y <- unlist(series_of(chart, "y"))
  names <- as.character(unlist(lapply(chart$series, `[[`, "text")))
  boxes <- list(stats = matrix(y, nrow = 5L), n = rep(1, length(y) / 5L), conf = NULL, out = numeric(), group = numeric(), names = names)
  graphics::bxp(boxes, main = label(chart$title), xlab = label(chart$x_label), ylab = label(chart$y_label), ...)
}
