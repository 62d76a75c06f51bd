package store_test

import (
	"fmt"
	"strings"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// longIssues is a database with a project of more issues than a list counts, and another project with few.
type longIssues struct {
	st        *store.Store
	root      *store.Reader
	long, few model.Project
	author    model.User
}

const manyIssues = store.CountCap + 2000

func newLongIssues(t *testing.T) longIssues {
	t.Helper()
	st := storetest.New(t)
	owner := storetest.User(t, st)
	public := func(p *model.Project) { p.Visibility = model.Public }
	w := longIssues{
		st: st, root: &store.Reader{UserID: storetest.User(t, st).ID, Admin: true}, author: storetest.User(t, st),
		long: storetest.Project(t, st, owner, public), few: storetest.Project(t, st, owner, public),
	}
	for _, project := range []struct {
		id   int64
		n    int
		from int
	}{{w.long.ID, manyIssues, 0}, {w.few.ID, 40, manyIssues}} {
		numbers := fmt.Sprintf("(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s)", project.n)
		at := "strftime('%Y-%m-%d %H:%M:%S+00:00', '2024-01-01', '+' || (n * 7919 % 10007 * 60) || ' seconds')"
		if storetest.Postgres() {
			numbers = fmt.Sprintf("generate_series(1, %d) AS s (n)", project.n)
			at = "timestamptz '2024-01-01 00:00:00+00' + n * 7919 % 10007 * interval '60 seconds'"
		}
		w.exec(t, fmt.Sprintf(`INSERT INTO issues (id, project_id, iid, author_id, title, description, state, issue_type, confidential,
			severity, created_at, updated_at) SELECT %d + n, %d, n, CASE WHEN n %% 5 = 0 THEN %d ELSE %d END, 'Number ' || n, 'A text.',
			CASE WHEN n %% 10 = 0 THEN 'closed' ELSE 'opened' END, 'issue', n %% 7 = 0, 'UNKNOWN', %s, %s FROM `+numbers,
			project.from, project.id, w.author.ID, owner.ID, at, at))
	}
	w.exec(t, fmt.Sprintf("INSERT INTO labels (id, project_id, name, color, created_at, updated_at) "+
		"VALUES (1, %d, 'bug', '#112233', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)", w.long.ID))
	w.exec(t, "INSERT INTO issue_labels (issue_id, label_id) SELECT id, 1 FROM issues WHERE id % 100 <> 3")
	w.exec(t, fmt.Sprintf("INSERT INTO issue_assignees (issue_id, user_id) SELECT id, %d FROM issues WHERE id %% 100 = 3", w.author.ID))
	return w
}

func (w longIssues) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := w.st.SQL().ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%.60s: %v", statement, err)
	}
}

// ids returns the IDs that a condition finds, in an order.
func (w longIssues) ids(t *testing.T, where, order string, limit, offset int) (ids []int64) {
	t.Helper()
	rows, err := w.st.SQL().QueryContext(t.Context(), fmt.Sprintf("SELECT id FROM issues WHERE %s ORDER BY %s LIMIT %d OFFSET %d",
		where, order, limit, offset))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}

// A page of a long list has the same rows as that of a short one, however the database finds them.
func TestLongAndShortListsOfIssuesHaveTheRowsOfTheirOrder(t *testing.T) {
	t.Parallel()
	w := newLongIssues(t)
	in, guest := func(p model.Project) store.IssuableScope {
		return store.IssuableScope{ProjectID: &p.ID, Reader: w.root}
	}, w.guest()
	long, few := fmt.Sprintf("project_id = %d", w.long.ID), fmt.Sprintf("project_id = %d", w.few.ID)
	opened, bug := store.IssuableFilter{State: model.Opened}, store.IssuableFilter{Labels: []string{"bug"}}
	mine := store.IssuableFilter{Author: strings.ToUpper(w.author.Username)}
	assigned := store.IssuableFilter{Assignees: []string{w.author.Username}}
	const labelled, byOther = "id % 100 <> 3", " AND author_id = %d"
	for _, c := range []struct {
		scope  store.IssuableScope
		filter store.IssuableFilter
		where  string
	}{
		{in(w.long), store.IssuableFilter{}, long},
		{in(w.long), opened, long + " AND state = 'opened'"},
		{in(w.long), bug, long + " AND " + labelled},
		{in(w.long), mine, long + fmt.Sprintf(byOther, w.author.ID)},
		{in(w.long), assigned, long + " AND NOT " + labelled},
		{in(w.long), store.IssuableFilter{Search: "BER 1"}, long + " AND title LIKE '%1%'"},
		{in(w.few), bug, few + " AND " + labelled},
		{in(w.few), opened, few + " AND state = 'opened'"},
		{store.IssuableScope{Reader: w.root}, opened, "state = 'opened'"},
		{store.IssuableScope{Reader: w.root}, bug, labelled},
		{guest, store.IssuableFilter{}, fmt.Sprintf("NOT confidential OR author_id = %d OR NOT ", w.author.ID) + labelled},
		{guest, opened, fmt.Sprintf("state = 'opened' AND (NOT confidential OR author_id = %d OR NOT ", w.author.ID) + labelled + ")"},
	} {
		w.check(t, c.scope, c.filter, c.where)
	}
}

// guest returns the scope of a reader who sees both projects only because they are public.
func (w longIssues) guest() store.IssuableScope {
	return store.IssuableScope{Reader: &store.Reader{UserID: w.author.ID}}
}

// check compares pages of a list in several orders with what a plain statement finds. The second time, it may be known that the
// list is long.
func (w longIssues) check(t *testing.T, scope store.IssuableScope, f store.IssuableFilter, where string) {
	t.Helper()
	count := int64(len(w.ids(t, where, "id", manyIssues+100, 0)))
	for order, by := range map[string]string{
		"": "created_at", "updated_at": "updated_at", "due_date": "due_date",
	} {
		f.OrderBy = order
		for range 2 {
			for _, offset := range []int{0, 17, int(min(count, store.CountCap)) - 2} {
				f.Asc = offset == 17
				direction := " DESC"
				if f.Asc {
					direction = ""
				}
				page := store.Page{Limit: 3, Offset: offset}
				rows, total, err := w.st.Issues.List(t.Context(), scope, store.IssueFilter{IssuableFilter: f}, page)
				if err != nil {
					t.Fatal(err)
				}
				var got []int64
				for _, row := range rows {
					got = append(got, row.Issue.ID)
				}
				if diff := cmp.Diff(w.ids(t, where, by+direction+", id"+direction, 3, offset), got); diff != "" {
					t.Errorf("%+v from %d:\n%s", f, offset, diff)
				}
				more := int64(offset+3) < count
				if total.Known != (count <= store.CountCap) || total.More != more || total.Known && total.Count != count {
					t.Errorf("%+v from %d: total %+v of %d", f, offset, total, count)
				}
			}
		}
	}
}

// SQLite sorts no long list for which there is an index in the order of the list.
func TestSQLiteWalksAlongAnIndexForLongListsOfIssues(t *testing.T) {
	t.Parallel()
	st := open(t, storetest.SQLiteOptions(t)) // PostgreSQL chooses plans by the number of rows
	id := int64(1)
	project, all := store.IssuableScope{ProjectID: &id, Reader: &store.Reader{UserID: 1, Admin: true}}, store.IssuableScope{
		Reader: &store.Reader{UserID: 2},
	}
	group := store.IssuableScope{GroupID: &id, Reader: all.Reader}
	opened := store.IssuableFilter{State: model.Opened}
	for _, c := range []struct {
		scope  store.IssuableScope
		filter store.IssuableFilter
		long   bool
		index  string
	}{
		{project, store.IssuableFilter{}, false, "issues_project_created_at"},
		{project, opened, false, "issues_state_created_at"},
		{project, store.IssuableFilter{Author: "a"}, false, "issues_author_created_at"},
		{project, store.IssuableFilter{AuthorID: &id, State: model.Opened}, false, "issues_"},
		{project, store.IssuableFilter{OrderBy: "updated_at"}, false, "issues_project_updated_at"},
		{project, store.IssuableFilter{OrderBy: "title"}, false, "issues_title"},
		{project, store.IssuableFilter{OrderBy: "popularity"}, false, "issues_upvotes"},
		{project, store.IssuableFilter{Labels: []string{"bug"}}, true, "issues_project_created_at"},
		{project, store.IssuableFilter{Search: "bug", OrderBy: "updated_at"}, true, "issues_project_updated_at"},
		{project, store.IssuableFilter{State: model.Opened, OrderBy: "updated_at"}, true, "issues_project_updated_at"},
		{group, opened, true, "issues_created_at"},
		{all, opened, true, "issues_created_at"},
		{all, store.IssuableFilter{Assignee: "1", OrderBy: "updated_at"}, true, "issues_updated_at"},
	} {
		plan, err := store.IssuePlan(t.Context(), st, c.scope, store.IssueFilter{IssuableFilter: c.filter}, c.long)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan, "INDEX "+c.index) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%+v is found with\n%s, want %s", c.filter, plan, c.index)
		}
	}
}
