package store

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// condition is a part of a query with its arguments.
type condition struct {
	text string
	args []any
}

// and adds a further condition.
func (c *condition) and(text string, args ...any) {
	c.text, c.args = c.text+" AND "+text, append(c.args, args...)
}

// assignments returns the SET clause of an update and its arguments. The columns have a fixed order, so that equal sets
// give equal texts.
func assignments(set map[string]any, at time.Time) (string, []any) {
	var text strings.Builder
	text.Grow(128)
	columns, args := make([]string, 0, 8), make([]any, 0, len(set)+2)
	for column := range set {
		columns = append(columns, column)
	}
	slices.Sort(columns)
	for _, column := range columns {
		text.WriteString(column)
		text.WriteString(" = ?, ")
		args = append(args, set[column])
	}
	text.WriteString("updated_at = ?")
	return text.String(), append(args, at)
}

// opaqueNumber is a placeholder for a number that PostgreSQL's planner cannot see. So the generic plan costs as much as a plan
// for this value. PostgreSQL then keeps the generic plan and does not plan the statement again at every call.
const opaqueNumber = "(SELECT CAST(? AS bigint))"

// opaqueText is like opaqueNumber, for a text.
const opaqueText = "(SELECT CAST(? AS text))"

// opaqueNumbers is like opaqueNumber, for an array of numbers. Only PostgreSQL knows it.
const opaqueNumbers = "(SELECT CAST(? AS bigint[]))::bigint[]"

// inIDs returns a condition of a statement that matches the given ids. There must be at least one id. A few texts serve all
// lengths: PostgreSQL gets one array, and for SQLite a list of several is filled up to a multiple of twenty.
func (b *base) inIDs(ids []int64) condition {
	if b.db.Postgres() {
		return condition{"= ANY(" + opaqueNumbers + ")", []any{ids}}
	}
	const step = 20
	args := make([]any, 0, len(ids)+step)
	for _, id := range ids {
		args = append(args, id)
	}
	for len(args) > 1 && len(args)%step != 0 {
		args = append(args, ids[0])
	}
	return condition{"IN (?" + strings.Repeat(", ?", len(args)-1) + ")", args}
}

// withLimit adds LIMIT and OFFSET to a statement. The limit is part of the text: SQLite uses the limit in its plan and
// would compile the statement again if it were bound. See writeLimit of store/internal/query.
func withLimit(statement string, limit int) string {
	return statement + " LIMIT " + strconv.Itoa(limit) + " OFFSET ?"
}

// castText stands for a text that is compared with a column such as a state, where SQLite has an index for some states only. If
// the statement had a bare question mark there, SQLite would compile it anew at each call, to see whether the index can
// serve the value. A state that is always the same is written into the statement instead.
const castText = "CAST(? AS text)"
