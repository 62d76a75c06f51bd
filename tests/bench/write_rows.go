package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"svc/gen"
)

// maxWriteRatio is the CPU per write, relative to the floor, which adds the same rows. svc also changes counters, locks rows,
// and looks for hooks.
const maxWriteRatio = 3.0

// besideTables are those to which svc adds a row about a write.
var besideTables = []string{"audit_events", "events", "notes"}

// spreadRows is how many issues and merge requests the callers write to in turn. People rarely change the same issue at the
// same time, so a line where all callers do so says more about the lock of one row than about the work. That is a line of its
// own. There are more rows than callers.
const spreadRows = 20

// write is one request that writes. In its path and body, {project} and so on stand for IDs, and {n} in its path for the
// numbers from 1 to spreadRows, in turn. The floor writes one row of the table that svc writes to: a copy of a row that svc
// has written, or with change only that column of it. It adds copies of the rows that svc has added to besideTables.
type write struct {
	request, body string
	remark        string // what the label says besides the request
	table         string
	fresh         []string // the columns in which copies of a row must differ
	change        string
	read          func(body []byte) (any, error)
	decode        func(answer []byte) (any, error)
}

// writing makes a write, so that the floor reads and encodes the same types as svc.
func writing[Body, Answer any](request, body, table string, fresh ...string) write {
	return write{
		request: request, body: body, table: table, fresh: fresh,
		read: func(body []byte) (any, error) {
			var b Body
			return b, json.Unmarshal(body, &b)
		},
		decode: func(answer []byte) (any, error) {
			var a Answer
			return a, json.Unmarshal(answer, &a)
		},
	}
}

// changing returns a write that changes a column of a row.
func (w write) changing(column string) write {
	w.change = column
	return w
}

// onOneRow labels a write that all callers send to the same row.
func (w write) onOneRow() write {
	w.remark = ", one row for all callers"
	return w
}

// writes returns the most common requests that write rows. Commits, pushes, jobs and passwords have rows of their own.
func writes() []write {
	const project = "/projects/{project}"
	return []write{
		writing[gen.IssueCreate, gen.Issue](
			"POST "+project+"/issues", `{"title":"Issue {number}","description":"Something is wrong."}`, "issues", "iid"),
		writing[gen.IssueUpdate, gen.Issue](
			"PUT "+project+"/issues/{n}", `{"description":"Something is wrong: {number}"}`, "issues").changing("description"),
		writing[gen.IssueUpdate, gen.Issue](
			"PUT "+project+"/issues/1", `{"description":"Something is wrong: {number}"}`, "issues").changing("description").onOneRow(),
		writing[gen.NoteCreate, gen.Note]("POST "+project+"/issues/{n}/notes", `{"body":"I see it, too: {number}"}`, "notes"),
		writing[gen.MergeRequestUpdate, gen.MergeRequest](
			"PUT "+project+"/merge_requests/{n}", `{"description":"A change: {number}"}`, "merge_requests").changing("description"),
		writing[gen.LabelCreate, gen.Label]("POST "+project+"/labels", `{"name":"label {number}","color":"#112233"}`, "labels", "name"),
		writing[gen.MilestoneCreate, gen.Milestone](
			"POST "+project+"/milestones", `{"title":"Milestone {number}"}`, "milestones", "iid", "title"),
		writing[gen.VariableUpdate, gen.Variable](
			"PUT "+project+"/variables/KEY", `{"value":"a value {number}"}`, "project_variables").changing("value"),
		writing[gen.EnvironmentCreate, gen.Environment](
			"POST "+project+"/environments", `{"name":"review-{number}"}`, "environments", "name", "slug"),
		writing[gen.TokenCreate, gen.PersonalAccessTokenWithToken](
			"POST /users/1/personal_access_tokens", `{"name":"token {number}","scopes":["read_api"],"expires_at":"2027-01-01"}`,
			"personal_access_tokens", "digest"),
		writing[gen.ProjectWrite, gen.Project]("PUT "+project, `{"description":"About {number}"}`, "projects").changing("description"),
	}
}

// answeredWrite is a write as the floor serves it: an answer of svc, and the rows that svc wrote, one for each {n}.
type answeredWrite struct {
	Request string           `json:"request"`
	Rows    []int64          `json:"rows"`
	Beside  map[string]int64 `json:"beside"` // the rows that svc added to besideTables, by table
	Answer  json.RawMessage  `json:"answer"`
}

// raws returns the requests of a write, one for each {n}.
func (w write) raws(ids *strings.Replacer) [][]byte {
	method, path, _ := strings.Cut(ids.Replace(w.request), " ")
	if !strings.Contains(path, "{n}") {
		return [][]byte{rawRequest(method, "/api/v4"+path, w.body)}
	}
	raws := make([][]byte, spreadRows)
	for n := range raws {
		raws[n] = rawRequest(method, "/api/v4"+strings.ReplaceAll(path, "{n}", fmt.Sprint(n+1)), w.body)
	}
	return raws
}

// benchWrites compares writes with the floor, which writes the same rows, in one statement where the database can, and encodes
// the same answer.
func benchWrites(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "writes", rep, func(b *ciBench) error {
		ids, err := b.fillWrites()
		if err != nil {
			return err
		}
		if kind == postgres { // which does so by itself within a minute
			if err := b.run(ctx, []string{"ANALYZE"}); err != nil {
				return err
			}
		}
		var served []answeredWrite
		lines := make([]*line, len(writes()))
		for i, w := range writes() {
			raws := w.raws(ids)
			s, err := b.answerWrite(ctx, w, raws)
			if err != nil {
				return err
			}
			served = append(served, s)
			floor := rawRequest(http.MethodPost, fmt.Sprintf("/writes/%d", i), w.body)
			lines[i] = &line{label: ids.Replace(w.request) + w.remark, svc: raws, floor: [][]byte{floor}}
		}
		file := filepath.Join(b.folder, "writes.json")
		text, err := json.Marshal(served)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		bare, err := startFloor(ctx, b.dataCopy, "-writes", file)
		if err != nil {
			return err
		}
		defer bare.stop()
		fmt.Fprintf(rep.out, "\n%s, writes; CPU with the database's\n", label(kind))
		if err := b.measureLines(ctx, o, lines, b.svc, bare, rep); err != nil {
			return err
		}
		rep.within(lines, maxWriteRatio, "writes", kind)
		return nil
	})
}

// answerWrite sends the requests of a write to svc and finds the rows that it has written.
func (b *ciBench) answerWrite(ctx context.Context, w write, raws [][]byte) (s answeredWrite, err error) {
	s.Request, s.Beside = w.request, map[string]int64{}
	before, err := b.newest(ctx)
	if err != nil {
		return s, err
	}
	for _, raw := range raws {
		status, err := b.conn.do(withNumber(raw))
		if err != nil {
			return s, err
		}
		if status >= http.StatusMultipleChoices {
			return s, fmt.Errorf("%s answered %d: %.300s", w.request, status, b.conn.body)
		}
		s.Answer = append(s.Answer[:0], b.conn.body...)
		var written struct{ ID int64 }
		if err := json.Unmarshal(s.Answer, &written); err != nil {
			return s, err
		}
		if written.ID == 0 { // variables do not show theirs
			if err := b.sql.QueryRowContext(ctx, "SELECT max(id) FROM "+w.table).Scan(&written.ID); err != nil {
				return s, err
			}
		}
		s.Rows = append(s.Rows, written.ID)
	}
	after, err := b.newest(ctx)
	for table, id := range after {
		if table != w.table && id > before[table] {
			s.Beside[table] = id
		}
	}
	return s, err
}

// newest returns the highest id of each of besideTables.
func (b *ciBench) newest(ctx context.Context) (map[string]int64, error) {
	found := map[string]int64{}
	for _, table := range besideTables {
		var id int64
		if err := b.sql.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM "+table).Scan(&id); err != nil {
			return nil, err
		}
		found[table] = id
	}
	return found, nil
}

// fillWrites creates what the writes change and returns the IDs for their paths.
func (b *ciBench) fillWrites() (*strings.Replacer, error) {
	var project struct{ ID int64 }
	body := `{"name":"writes","initialize_with_readme":true,"visibility":"public"}`
	if err := b.call(rawRequest(http.MethodPost, "/api/v4/projects", body), http.StatusCreated, &project); err != nil {
		return nil, err
	}
	at := fmt.Sprintf("/api/v4/projects/%d", project.ID)
	if err := b.send(http.MethodPost, at+"/variables", `{"key":"KEY","value":"a value"}`); err != nil {
		return nil, err
	}
	for n := range spreadRows {
		number := strings.NewReplacer("{n}", fmt.Sprint(n+1))
		for _, m := range []made{
			{"/issues", `{"title":"Issue {n}"}`},
			{"/repository/commits", `{"branch":"topic{n}","start_branch":"main","commit_message":"Change",` +
				`"actions":[{"action":"create","file_path":"f","content":"{n}"}]}`},
			{"/merge_requests", `{"title":"Merge {n}","source_branch":"topic{n}","target_branch":"main"}`},
		} {
			if err := b.send(http.MethodPost, at+m.path, number.Replace(m.body)); err != nil {
				return nil, err
			}
		}
	}
	return strings.NewReplacer("{project}", fmt.Sprint(project.ID)), nil
}
