# attack roc reads curves as R's pROC writes them: rates and thresholds of the clinic's score, and of a score with ties.
suppressMessages(library(pROC))
scrim <- Sys.getenv("SCRIM", "build/scrim")
folder <- tempfile()
dir.create(folder)

# With the records `out` withheld, the attack on the written curve: its table of missing records, and its notes.
attack <- function(curve, data, out, ...) {
  write.csv(curve, file.path(folder, "roc.csv"), row.names = FALSE)
  write.csv(data[-out, ], file.path(folder, "known.csv"), row.names = FALSE)
  text <- system2(scrim, c("attack", "roc", file.path(folder, "roc.csv"), "--known", file.path(folder, "known.csv"), "--score", "t", "--status", "d", "--n", nrow(data), "--format", "csv", ...), stdout = TRUE)
  read.csv(text = text)
}

check <- function(name, data, seed) {
  set.seed(seed)
  out <- sample(nrow(data), 20)
  hidden <- data[out, ][order(-data$t[out]), ]
  r <- roc(data$d, data$t, levels = c(0, 1), direction = "<", quiet = TRUE)
  plain <- attack(data.frame(specificities = r$specificities, sensitivities = r$sensitivities), data, out)
  stopifnot(nrow(plain) == 20)
  stopifnot(all(is.na(plain$lower) | plain$lower <= hidden$t), all(is.na(plain$upper) | hidden$t <= plain$upper))
  with <- attack(data.frame(specificity = r$specificities, sensitivity = r$sensitivities, threshold = r$thresholds), data, out)
  worst <- max(abs(with$lower - hidden$t), abs(with$upper - hidden$t))
  cat(sprintf("%-10s seed %d: %d certain without thresholds; with them scores are off by %.1e at most\n", name, seed, sum(plain$probability == 1), worst))
  stopifnot(worst < 1e-8)
  coarse <- attack(100 * data.frame(specificity = r$specificities, sensitivity = r$sensitivities), data, out)
  stopifnot(identical(coarse, plain))
}

clinic <- read.csv("examples/clinic.csv")
for (seed in 1:3) {
  check("distinct", data.frame(t = clinic$score + seq_along(clinic$score) * 1e-6, d = clinic$event)[1:150, ], seed)
  check("tied", data.frame(t = round(clinic$score), d = clinic$event)[1:150, ], seed)
}
