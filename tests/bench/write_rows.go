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

// maxWriteRatio is the CPU per write, relative to the floor, which writes one row. svc also writes events, counters and
// the index of the search.
const maxWriteRatio = 3.0

// write is one request that writes. In its path and body, {project} and so on stand for IDs. The floor writes one row of the
// table that svc writes to: a copy of the newest row, or with change only that column of it.
type write struct {
	request, body string
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

// writes returns the most common requests that write rows. Commits, pushes, jobs and passwords have rows of their own.
func writes() []write {
	const project = "/projects/{project}"
	return []write{
		writing[gen.IssueCreate, gen.Issue](
			"POST "+project+"/issues", `{"title":"Issue {number}","description":"Something is wrong."}`, "issues", "iid"),
		writing[gen.IssueUpdate, gen.Issue](
			"PUT "+project+"/issues/1", `{"description":"Something is wrong: {number}"}`, "issues").changing("description"),
		writing[gen.NoteCreate, gen.Note]("POST "+project+"/issues/1/notes", `{"body":"I see it, too: {number}"}`, "notes"),
		writing[gen.MergeRequestUpdate, gen.MergeRequest](
			"PUT "+project+"/merge_requests/1", `{"description":"A change: {number}"}`, "merge_requests").changing("description"),
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

// answeredWrite is a write as the floor serves it: the answer of svc, and the row that svc wrote.
type answeredWrite struct {
	Request string          `json:"request"`
	Row     int64           `json:"row"`
	Answer  json.RawMessage `json:"answer"`
}

// benchWrites compares writes with the floor, which writes one row in one statement and encodes the same answer.
func benchWrites(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "writes", rep, func(b *ciBench) error {
		ids, err := b.fillWrites()
		if err != nil {
			return err
		}
		var served []answeredWrite
		lines := make([]*line, len(writes()))
		for i, w := range writes() {
			method, path, _ := strings.Cut(ids.Replace(w.request), " ")
			raw := rawRequest(method, "/api/v4"+path, w.body)
			s, err := b.answerWrite(ctx, w, raw)
			if err != nil {
				return err
			}
			served = append(served, s)
			floor := rawRequest(http.MethodPost, fmt.Sprintf("/writes/%d", i), w.body)
			lines[i] = &line{label: method + " " + path, svc: [][]byte{raw}, floor: [][]byte{floor}}
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

// answerWrite sends a write to svc and finds the row that it has written.
func (b *ciBench) answerWrite(ctx context.Context, w write, raw []byte) (s answeredWrite, err error) {
	s.Request = w.request
	status, err := b.conn.do(withNumber(raw))
	if err != nil {
		return s, err
	}
	if status >= http.StatusMultipleChoices {
		return s, fmt.Errorf("%s answered %d: %.300s", w.request, status, b.conn.body)
	}
	s.Answer = append(s.Answer, b.conn.body...)
	return s, b.sql.QueryRowContext(ctx, "SELECT max(id) FROM "+w.table).Scan(&s.Row)
}

// fillWrites creates what the writes change and returns the IDs for their paths.
func (b *ciBench) fillWrites() (*strings.Replacer, error) {
	var project struct{ ID int64 }
	body := `{"name":"writes","initialize_with_readme":true,"visibility":"public"}`
	if err := b.call(rawRequest(http.MethodPost, "/api/v4/projects", body), http.StatusCreated, &project); err != nil {
		return nil, err
	}
	at := fmt.Sprintf("/api/v4/projects/%d", project.ID)
	for _, m := range []made{
		{"/issues", `{"title":"First"}`},
		{"/variables", `{"key":"KEY","value":"a value"}`},
		{"/repository/commits", `{"branch":"topic","start_branch":"main","commit_message":"Change",` +
			`"actions":[{"action":"create","file_path":"f","content":"x"}]}`},
		{"/merge_requests", `{"title":"Merge","source_branch":"topic","target_branch":"main"}`},
	} {
		if err := b.send(http.MethodPost, at+m.path, m.body); err != nil {
			return nil, err
		}
	}
	return strings.NewReplacer("{project}", fmt.Sprint(project.ID)), nil
}
