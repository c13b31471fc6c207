# utility regression against R's lm and glm on the clinic: estimates and standard errors to seven digits.
scrim <- Sys.getenv("SCRIM", "build/scrim")
clinic <- read.csv("examples/clinic.csv", na.strings = "", stringsAsFactors = TRUE)
tight <- glm.control(epsilon = 1e-14, maxit = 100)

ours <- function(formula, ...) {
  out <- system2(scrim, c("utility", "regression", "examples/clinic.csv", "--formula", shQuote(formula), ..., "--format", "csv"), stdout = TRUE)
  read.csv(text = out)
}

check <- function(formula, fit, ...) {
  a <- ours(formula, ...)
  b <- summary(fit)$coefficients
  stopifnot(identical(a$term, rownames(b)))
  worst <- max(abs(a$original - b[, 1]) / abs(b[, 1]), abs(a$original_se - b[, 2]) / b[, 2])
  cat(sprintf("%-60s %.1e\n", paste(formula, paste(c(...), collapse = " ")), worst))
  if (worst > 1e-7) stop("differs from R")
}

for (f in c("income ~ age + sex + education", "income ~ age * sex + factor(visits > 2)", "log(income + 1) ~ age + I(age^2) + region", "income ~ education + sex:age - 1",
            "income ~ (age + sex + smoker)^2", "bmi ~ education * marital")) {
  g <- gsub("factor(visits > 2)", "I((visits > 2) * 1)", f, fixed = TRUE)
  fit <- lm(as.formula(g), clinic)
  a <- ours(gsub("factor(visits > 2)", "I(visits > 2)", f, fixed = TRUE))
  keep <- !is.na(coef(fit))
  b <- summary(fit)$coefficients
  worst <- max(abs(a$original[keep] - b[, 1]) / abs(b[, 1]), abs(a$original_se[keep] - b[, 2]) / b[, 2])
  cat(sprintf("%-60s %.1e\n", f, worst))
  stopifnot(nrow(a) == length(keep), all(is.na(a$original) == !keep), worst < 1e-7)
}
check("income ~ age + sex", lm(income ~ age + sex, clinic, weights = w), "--weight", "w")
check("smoker ~ age + sex + bmi", glm(smoker ~ age + sex + bmi, binomial, clinic, control = tight), "--family", "binomial")
check("sex ~ age + income", glm(sex ~ age + income, binomial, clinic, control = tight), "--family", "binomial")
check("visits ~ age + sex + smoker", glm(visits ~ age + sex + smoker, poisson, clinic, control = tight), "--family", "poisson")
check("visits ~ age + education", glm(visits ~ age + education, poisson, clinic, weights = w, control = tight), "--family", "poisson", "--weight", "w")
cat("agrees with R\n")
