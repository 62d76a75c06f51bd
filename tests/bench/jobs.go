package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
)

const (
	manyJobs       = 1_000_000
	perPipeline    = 100 // jobs
	jobsReaders    = 300 // users, each of whom may list jobs 600 times a minute
	jobsReadersAt  = 10  // their ids begin after this one
	jobsPath       = "/api/v4/projects/1/jobs"
	readerTokenFor = "bench-reader-%d-0123456789abcdef"
)

func readerToken(i int) string { return fmt.Sprintf(readerTokenFor, i) }

// fillJobs adds a public project with a million jobs and the users who read them.
func (c *filledDatabase) fillJobs(ctx context.Context, program string) error {
	if err := c.ask(ctx, program, http.MethodPost, projectsPath, `{"name":"bench","visibility":"public"}`, http.StatusCreated); err != nil {
		return err
	}
	const at = "'2026-01-02 03:04:05'"
	statements := []string{
		"INSERT INTO users (id, username, name, email, confirmed_at, created_at, updated_at) SELECT " + fmt.Sprint(jobsReadersAt) +
			" + n, 'reader.' || n, 'Reader ' || n, 'reader.' || n || '@example.com', " + at + ", " + at + ", " +
			at + " FROM " + c.numberRows(1, jobsReaders),
	}
	for i := range jobsReaders {
		digest := sha256.Sum256([]byte(readerToken(i)))
		statements = append(statements, insertToken(jobsReadersAt+1+i, c.bytesLiteral(digest[:])))
	}
	if c.kind == postgres {
		statements = append(statements, "VACUUM (ANALYZE) users")
	}
	if err := c.run(ctx, append(statements, c.jobStatements(manyJobs)...)); err != nil {
		return err
	}
	return c.analyse(ctx)
}

// jobStatements adds jobs to the first project, nearly all of them successful.
func (c *filledDatabase) jobStatements(jobs int) []string {
	const (
		at     = "'2026-01-02 03:04:05'"
		sha    = "'0123456789abcdef0123456789abcdef01234567'"
		commit = `'{"ID":"0123456789abcdef0123456789abcdef01234567","Message":"Mend what was broken\n\nSo that it ` +
			`holds.","Author":{"Name":"Anna Schmidt","Email":"anna@example.com"}}'`
		status = "CASE WHEN n % 1000 = 7 THEN 'failed' WHEN n % 10000 = 11 THEN 'canceled' ELSE 'success' END"
	)
	statements := []string{
		"INSERT INTO pipelines (id, project_id, iid, user_id, ref, tag, protected, sha, before_sha, commit_data, " +
			"source, status, stages, on_new_commit, on_job_failure, child, depth, created_at, updated_at) " +
			"SELECT n, 1, n, " + fmt.Sprint(jobsReadersAt) + " + 1 + n % 20, 'main', false, false, " + sha + ", " +
			sha + ", " + commit + ", 'push', 'success', '[\"test\"]', 'conservative', 'none', false, 0, " + at +
			", " + at +
			" FROM " + c.numberRows(1, jobs/perPipeline),
	}
	for from := 1; from <= jobs; from += fillAtOnce {
		statements = append(statements, "INSERT INTO jobs (id, project_id, pipeline_id, user_id, bridge, name, stage,"+
			" stage_index, status, run_when, allow_failure, ref, tag, protected, tags, interruptible, "+
			"start_in, timeout, created_at, updated_at, queued_at, started_at, finished_at) SELECT n, 1, 1 + (n - 1) / "+
			fmt.Sprint(perPipeline)+", "+fmt.Sprint(jobsReadersAt)+" + 1 + n % 20, false, 'test ' || (n % "+
			fmt.Sprint(perPipeline)+"), 'test', 0, "+status+
			", 'on_success', false, 'main', false, false, '[]', false, 0, 3600, "+strings.Repeat(at+", ", 4)+at+
			" FROM "+c.numberRows(from, min(from+fillAtOnce-1, jobs)))
	}
	if c.kind == postgres {
		statements = append(statements, "VACUUM (ANALYZE) jobs", "VACUUM (ANALYZE) pipelines")
	}
	return statements
}

// ask starts svc for one request as the administrator.
func (c *filledDatabase) ask(ctx context.Context, program, method, path, body string, want int) error {
	p, err := startSvc(ctx, program, c.dataCopy)
	if err != nil {
		return err
	}
	defer p.stop()
	conn, err := dial(p.addr)
	if err != nil {
		return p.fail(err)
	}
	defer conn.close()
	status, err := conn.do(rawRequest(method, path, body))
	if err == nil && status != want {
		err = fmt.Errorf("answered %d to %s %s: %s", status, method, path, conn.body)
	}
	if err != nil {
		return p.fail(err)
	}
	return nil
}
