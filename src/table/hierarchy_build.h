/* Hierarchies made by rule: intervals, masked codes, groups of ordered values, calendar periods. */
#ifndef SCRIM_TABLE_HIERARCHY_BUILD_H
#define SCRIM_TABLE_HIERARCHY_BUILD_H
#include "table/hierarchy.h"

/* A hierarchy being made: cell[level][leaf]. Level 0 holds the values. */
typedef struct HierarchyBuilder {
    int64_t leaves, levels, room;
    const char ***cell;
} HierarchyBuilder;

/* Level 0: the column's values, in their order; or, with from ≤ to, every whole number between. */
MUST_CHECK Status build_start(Work *work, const Column *column, double from, double to, HierarchyBuilder *out);
/* One level of intervals of this width, counted from 0: 15-19 of whole numbers, [15,20) of others. */
MUST_CHECK Status build_intervals(Work *work, HierarchyBuilder *build, double width);
/* One level for each character: the last (or first) is put out of sight, then the one before it, … */
MUST_CHECK Status build_masks(Work *work, HierarchyBuilder *build, bool right);
/* The order of the values, which must name each of them once. */
MUST_CHECK Status build_order(Work *work, HierarchyBuilder *build, int64_t count, const char *const *values);
/* One level: as many neighbours of the level before as `size` says become one. */
MUST_CHECK Status build_groups(Work *work, HierarchyBuilder *build, int64_t size);
/* One level of groups with names: "north=a,b;south=c,d". */
MUST_CHECK Status build_named_groups(Work *work, HierarchyBuilder *build, const char *text);
/* One level of periods: month, quarter, year or decade. */
MUST_CHECK Status build_period(Work *work, HierarchyBuilder *build, const char *period);
/* A last level, *, where there is none yet. */
MUST_CHECK Status build_top(Work *work, HierarchyBuilder *build);
/* The table: text columns level0, level1, …; each level checked to be coarser than the one before. */
MUST_CHECK Status build_table(Work *work, const HierarchyBuilder *build, const char *name, Table **out);
#endif
