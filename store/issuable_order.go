package store

import (
	"strconv"
	"strings"
)

// sortKey is a column or an expression by which a list is sorted. Rows without a value come last, in both directions.
type sortKey struct {
	text     string
	nullable bool
}

// order returns what a list is ordered by, as the filter asks.
func (in issuable) order(f IssuableFilter) string {
	var text strings.Builder
	for _, key := range in.sortKeys(f) {
		if key.nullable {
			text.WriteString(key.text + " IS NULL, ")
		}
		text.WriteString(key.text + f.direction() + ", ")
	}
	return text.String() + in.table + ".id" + f.direction()
}

func (f IssuableFilter) direction() string {
	if f.Asc {
		return ""
	}
	return " DESC"
}

// sortKeys returns what a list is sorted by. The id breaks ties.
func (in issuable) sortKeys(f IssuableFilter) []sortKey {
	rank := sortKey{"(SELECT min(p.priority) FROM " + in.labels + " x JOIN label_priorities p ON p.label_id = x.label_id " +
		"AND p.project_id = " + in.table + ".project_id WHERE x." + in.column + " = " + in.table + ".id)", true}
	due := sortKey{"(SELECT due_date FROM milestones WHERE milestones.id = " + in.table + ".milestone_id)", true}
	switch f.OrderBy {
	case "label_priority":
		return []sortKey{rank}
	case "priority":
		return []sortKey{due, rank}
	case "milestone_due":
		return []sortKey{due}
	}
	column := in.orderColumn(f)
	nullable := column == "due_date" || column == "relative_position" || column == "merged_at"
	return []sortKey{{in.table + "." + column, nullable}}
}

// orderColumn returns the column to sort by, for orders that are columns.
func (in issuable) orderColumn(f IssuableFilter) string {
	if column := in.orders[f.OrderBy]; column != "" {
		return column
	}
	return "created_at"
}

// sortedKeys returns the columns of a query that has the sort keys of a list besides the id, and the ORDER BY clause for its
// result.
func (in issuable) sortedKeys(f IssuableFilter) (columns, order string) {
	columns, order = in.table+".id", " ORDER BY "
	for i, key := range in.sortKeys(f) {
		name := "key" + strconv.Itoa(i)
		columns += ", " + key.text + " AS " + name
		if key.nullable {
			order += name + " IS NULL, "
		}
		order += name + f.direction() + ", "
	}
	return columns, order + "id" + f.direction()
}
