package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"svc/gen"
)

// manyIssues is the number of issues: a million, or fewer with SVC_BENCH_ISSUES, to try the row out.
var manyIssues = func() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_ISSUES")); err == nil && n > 10*listRows {
		return n
	}
	return 1_000_000
}()

// issueLists returns lists of the issues of a project that has a million.
func issueLists() []list {
	const project = "/projects/{project}/issues"
	rows := planningLists()[0].rows
	var all []list
	for _, path := range []string{
		project, project + "?page=100", project + "?state=closed", project + "?labels=label1", project + "?author_username=user7",
		project + "?order_by=updated_at&sort=asc", project + "?search=number+77", project + "?assignee_id=1",
		project + "?created_after=2026-06-01T00:00:00Z", "/groups/{group}/issues?state=opened", "/issues?scope=all&state=opened",
	} {
		all = append(all, of[gen.Issue](path, rows))
	}
	return all
}

// benchIssues measures lists of the issues of a project that has a million.
func benchIssues(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "issues", rep, func(b *ciBench) error {
		return b.measureLists(ctx, o, "issues", fmt.Sprintf("a project of %d issues", manyIssues), b.fillIssues)
	})
}

// fillIssues adds the issues of the row.
func (b *ciBench) fillIssues(ctx context.Context) error {
	return b.run(ctx, b.issueStatements(manyIssues))
}

// issueStatements adds issues to the project of the first one. One of ten is closed, and one of a thousand has a label.
func (c *filledDatabase) issueStatements(issues int) []string {
	at := "strftime('%Y-%m-%d %H:%M:%S+00:00', '2024-01-01', '+' || (n * 60) || ' seconds')"
	if c.kind == postgres {
		at = c.minuteOf()
	}
	var statements []string
	for from := 1; from <= issues; from += fillAtOnce {
		numbers := c.numberRows(from, min(from+fillAtOnce-1, issues))
		statements = append(statements,
			"INSERT INTO issues (id, project_id, iid, author_id, title, description, state, issue_type, confidential, severity, "+
				"created_at, updated_at) SELECT 1000 + n, i.project_id, 1000 + n, 2 + n % 20, "+
				"'Issue number ' || n, 'Something is wrong.', "+
				"CASE WHEN n % 10 = 0 THEN 'closed' ELSE 'opened' END, 'issue', false, 'UNKNOWN', "+at+", "+at+
				" FROM (SELECT project_id FROM issues WHERE id = 1) i, "+numbers,
			"INSERT INTO issue_labels (issue_id, label_id) SELECT 1000 + n, 1 FROM "+numbers+" WHERE n % 1000 = 0",
			"INSERT INTO issue_assignees (issue_id, user_id) SELECT 1000 + n, 1 FROM "+numbers+" WHERE n % 1000 = 1")
	}
	return statements
}
