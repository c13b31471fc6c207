# risk canonical against R's cancor, risk predictive against lm and its leave-one-out residuals.
scrim <- Sys.getenv("SCRIM", "build/scrim")
clinic <- read.csv("examples/clinic.csv", na.strings = "", stringsAsFactors = TRUE)
value <- function(name, ...) {
  text <- paste(system2(scrim, c(..., "--format", "json"), stdout = TRUE), collapse = " ")
  as.numeric(sub(paste0('.*"', name, '": *([-0-9.e+]+).*'), "\\1", sub('"tables".*', "", text)))
}
near <- function(what, ours, theirs) {
  cat(sprintf("%-40s %.10f %.10f\n", what, ours, theirs))
  if (!(abs(ours - theirs) < 1e-9)) stop("differs from R")
}

whole <- clinic[complete.cases(clinic[c("income", "visits", "cholesterol", "age", "bmi", "sex")]), ]
theirs <- cancor(whole[c("income", "visits", "cholesterol")], model.matrix(~ age + bmi + sex, whole)[, -1])$cor[1]^2
near("canonical", value("largest_squared", "risk", "canonical", "examples/clinic.csv", "--confidential", "income,visits,cholesterol", "--nonconfidential", "age,bmi,sex"), theirs)

# A missing category of a predictor is one more level (docs/missing.md).
for (name in c("education", "occupation")) clinic[[name]] <- addNA(clinic[[name]], ifany = TRUE)
fit <- lm(income ~ sex + age + education + occupation, clinic)
y <- model.response(model.frame(fit))
loo <- 1 - sum((resid(fit) / (1 - hatvalues(fit)))^2) / sum(((y - mean(y)) * length(y) / (length(y) - 1))^2)
ours <- c("risk", "predictive", "examples/clinic.csv", "--sensitive", "income", "--predictors", "sex,age,education,occupation")
near("predictive, r2", value("r2", ours), summary(fit)$r.squared)
near("predictive, cross-validated", value("r2_cross_validated", ours), loo)
cat("agrees with R\n")
