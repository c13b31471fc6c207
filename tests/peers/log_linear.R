# risk log-linear against R's glm on the full grid of keys: tau1 and tau2 to eight digits.
scrim <- Sys.getenv("SCRIM", "build/scrim")
clinic <- read.csv("examples/clinic.csv", na.strings = "", stringsAsFactors = TRUE)
keys <- c("sex", "region", "education", "marital")
whole <- clinic[complete.cases(clinic[keys]), keys]
grid <- as.data.frame(table(whole), responseName = "f")
fraction <- 0.125

ours <- function(...) {
  out <- system2(scrim, c("risk", "log-linear", "examples/clinic.csv", "--keys", paste(keys, collapse = ","), "--sampling-fraction", fraction, ..., "--format", "json"), stdout = TRUE)
  text <- paste(out, collapse = " ")
  value <- function(name) as.numeric(sub(paste0('.*"', name, '": *([-0-9.e+]+).*'), "\\1", sub('"tables".*', "", text)))
  c(value("tau1"), value("tau2"))
}

check <- function(formula, ...) {
  fit <- glm(as.formula(paste("f", formula)), poisson, grid, control = glm.control(epsilon = 1e-14, maxit = 200))
  rest <- ((1 - fraction) * fitted(fit) / fraction)[grid$f == 1]
  theirs <- c(sum(exp(-rest)), sum((1 - exp(-rest)) / rest))
  worst <- max(abs(ours(...) - theirs) / theirs)
  cat(sprintf("%-60s %.1e\n", formula, worst))
  if (!(worst < 1e-8)) stop("differs from R")
}

check("~ sex + region + education + marital", "--model", "independence")
check("~ sex + region + education * marital", "--formula", shQuote("~ sex + region + education * marital"))
# R does not settle on the overparametrised "sex:region" without its parts; ours is the same model either way.
check("~ sex * region + education + marital", "--formula", shQuote("~ sex:region + education + marital"))
suppressWarnings(check("~ (sex + education + marital)^2 + region", "--formula", shQuote("~ (sex + education + marital)^2 + region")))
cat("agrees with R\n")
