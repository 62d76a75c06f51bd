package store

import "strings"

// queueTable is the table of background jobs in a backup: the jobs that still have to run. Lists and objects are texts
// with JSON.
var queueTable = DumpTable{Name: "river_job", Columns: []DumpColumn{
	{"id", DumpInteger},
	{"args", DumpText},
	{"attempt", DumpInteger},
	{"attempted_at", DumpTime},
	{"attempted_by", DumpText},
	{"created_at", DumpTime},
	{"errors", DumpText},
	{"kind", DumpText},
	{"max_attempts", DumpInteger},
	{"metadata", DumpText},
	{"priority", DumpInteger},
	{"queue", DumpText},
	{"state", DumpText},
	{"scheduled_at", DumpTime},
	{"tags", DumpText},
	{"unique_key", DumpBytes},
	{"unique_states", DumpInteger},
}}

// queueExpression says how a column of the job queue is read and written.
type queueExpression struct{ read, write string }

// The expressions for columns whose types differ between the databases. A job that was running runs again.
var (
	queueSQLite = map[string]queueExpression{
		"args":         {"json(args)", "json(?)"},
		"attempted_by": {"json(attempted_by)", "json(?)"},
		"errors":       {"json(errors)", "json(?)"},
		"metadata":     {"json(metadata)", "json(?)"},
		"state":        {queueState, "?"},
		"tags":         {"json(tags)", "json(?)"},
	}
	queuePostgres = map[string]queueExpression{
		"args":          {"args::text", "?::jsonb"},
		"attempted_by":  {"to_json(attempted_by)::text", "ARRAY(SELECT jsonb_array_elements_text(?::jsonb))"},
		"errors":        {"to_json(errors)::text", "ARRAY(SELECT jsonb_array_elements(?::jsonb))"},
		"metadata":      {"metadata::text", "?::jsonb"},
		"state":         {"(" + queueState + ")::text", "?::river_job_state"},
		"tags":          {"to_json(tags)::text", "ARRAY(SELECT jsonb_array_elements_text(?::jsonb))"},
		"unique_states": {"unique_states::integer", "?::integer::bit(8)"},
	}
)

const queueState = "CASE state WHEN 'running' THEN 'available' ELSE state END"

func (b *base) queueExpression(column string) queueExpression {
	expressions := queueSQLite
	if b.Postgres() {
		expressions = queuePostgres
	}
	if e, ok := expressions[column]; ok {
		return e
	}
	return queueExpression{column, "?"}
}

// queueSelect returns the statement that reads the jobs that still have to run.
func (b *base) queueSelect() string {
	columns := make([]string, len(queueTable.Columns))
	for i, c := range queueTable.Columns {
		columns[i] = b.queueExpression(c.Name).read
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM river_job WHERE finalized_at IS NULL"
}
