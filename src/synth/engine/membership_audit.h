/* The arguments of risk roc-release for the run at hand. */
#ifndef SCRIM_SYNTH_ENGINE_MEMBERSHIP_AUDIT_H
#define SCRIM_SYNTH_ENGINE_MEMBERSHIP_AUDIT_H
#include "method/method.h"

/* Two most unusual records, and as many draws as do not take long; none (count 0) where even few would. */
MUST_CHECK Status told_arguments(Run *run, const Table *original, const Table *synthetic, Args *out);
#endif
