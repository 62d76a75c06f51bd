package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// takenJob is a job that the runner of the suite has taken.
type takenJob struct{ id, token, name string }

// ciFile has one job that the runner takes for each purpose, one that no runner takes, and one that starts another
// pipeline. The tag keeps the jobs of the suite and the jobs of other people apart.
const ciFile = `stages: [build]
default: {tags: [<prefix>]}
succeeds: {stage: build, script: [echo done]}
fails: {stage: build, script: [exit 1]}
runs: {stage: build, script: [sleep 1]}
waits: {stage: build, tags: [<prefix>-nobody], script: [echo never]}
downstream: {stage: build, trigger: {include: child.yml}}
`

const childFile = `child: {tags: [<prefix>-nobody], script: [echo never]}
`

// preparePipeline creates a pipeline and a runner, and runs three jobs: one succeeds, one fails, and one keeps running
// (<succeeded_job>, <failed_job>, <running_job>, <job_token>). <waiting_job> stays pending.
func preparePipeline(ctx context.Context, s *Session) error {
	ci, err := s.values.fill(ciFile, asItIs)
	if err != nil {
		return err
	}
	child, err := s.values.fill(childFile, asItIs)
	if err != nil {
		return err
	}
	commit, _ := json.Marshal(map[string]any{ // plain values always marshal
		"branch": "ci", "start_branch": "main", "commit_message": "Add jobs [skip ci]",
		"actions": []map[string]string{
			{"action": "create", "file_path": ".gitlab-ci.yml", "content": ci},
			{"action": "create", "file_path": "child.yml", "content": child},
		},
	})
	if _, err := s.Call(ctx, Admin, "POST /projects/<project>/repository/commits", string(commit), 201); err != nil {
		return err
	}
	made, err := s.Call(ctx, Admin, "POST /user/runners", `{"runner_type":"project_type","project_id":<project>,
		"description":"<prefix>","tag_list":["<prefix>"],"run_untagged":false}`, 201)
	if err != nil {
		return err
	}
	s.values.set("runner_token", made.Member("token"))
	made, err = s.Call(ctx, Developer, "POST /projects/<project>/pipeline", `{"ref":"ci"}`, 201)
	if err != nil {
		return err
	}
	s.values.set("pipeline", made.Member("id"))
	return s.runJobs(ctx)
}

// runJobs takes the three jobs for the runner and finishes two of them.
func (s *Session) runJobs(ctx context.Context) error {
	for range 3 {
		job, err := s.takeJob(ctx)
		if err != nil {
			return err
		}
		switch job.name {
		case "succeeds":
			s.values.set("succeeded_job", job.id)
			err = s.finishJob(ctx, job, "The job has done its work.\n", `"state":"success"`)
		case "fails":
			s.values.set("failed_job", job.id)
			err = s.finishJob(ctx, job, "exit 1\n", `"state":"failed","failure_reason":"script_failure","exit_code":1`)
		case "runs":
			s.values.set("running_job", job.id)
			s.values.set("job_token", job.token)
		default:
			err = fmt.Errorf("the runner got the job %q, which is not for its tag", job.name)
		}
		if err != nil {
			return err
		}
	}
	waiting, err := s.Call(ctx, Developer, "GET /projects/<project>/pipelines/<pipeline>/jobs?scope[]=pending", "", 200)
	if err != nil {
		return err
	}
	if waiting.Member("0.id") == "" {
		return errors.New("there is no pending job")
	}
	s.values.set("waiting_job", waiting.Member("0.id"))
	return nil
}

// takeJob requests a job for the runner until there is one.
func (s *Session) takeJob(ctx context.Context) (takenJob, error) {
	for began := time.Now(); time.Since(began) < patience; {
		a, err := s.callRunner(ctx, "POST /jobs/request", `{"token":"<runner_token>","system_id":"s_1","info":{"name":"svc-conformance",
			"version":"1.0.0","executor":"shell","features":{"variables":true}}}`, nil)
		if err != nil {
			return takenJob{}, err
		}
		if a.Status == http.StatusCreated {
			return takenJob{a.Member("id"), a.Member("token"), a.Member("job_info.name")}, nil
		}
		if a.Status != http.StatusNoContent {
			return takenJob{}, fmt.Errorf("POST /jobs/request answered %d: %s", a.Status, clip(string(a.Body), 300))
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return takenJob{}, err
		}
	}
	return takenJob{}, errors.New("the runner gets no job")
}

// finishJob sends the log and the result of a job.
func (s *Session) finishJob(ctx context.Context, job takenJob, log, result string) error {
	r := Request{
		Method: "PATCH", Path: "/api/v4/jobs/" + job.id + "/trace", As: Anonymous, Body: []byte(log),
		Header: http.Header{"Content-Type": {"text/plain"}, "Job-Token": {job.token}},
	}
	r.Header.Set("Content-Range", fmt.Sprintf("0-%d", len(log)-1))
	a, err := s.send(ctx, r)
	if err == nil && a.Status != http.StatusAccepted {
		err = fmt.Errorf("the log was answered with %d: %s", a.Status, clip(string(a.Body), 300))
	}
	if err != nil {
		return err
	}
	a, err = s.callRunner(ctx, "PUT /jobs/"+job.id, `{"token":"`+job.token+`",`+result+`}`, Header{"Job-Token": job.token})
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("the result was answered with %d: %s", a.Status, clip(string(a.Body), 300))
	}
	return err
}

// finishRunningJob ends the job that kept running.
func finishRunningJob(ctx context.Context, s *Session) {
	id, err := s.values.get("running_job")
	if err != nil {
		return
	}
	token, err := s.values.get("job_token")
	if err == nil {
		// The project is deleted soon. If the job does not end now, it ends then.
		_ = s.finishJob(ctx, takenJob{id: id, token: token}, "stopped\n", `"state":"success"`)
	}
}

func (s *Session) callRunner(ctx context.Context, send, body string, header Header) (*Answer, error) {
	r, err := s.request(Case{As: Anonymous, Send: send, JSON: body, Header: header})
	if err != nil {
		return nil, err
	}
	return s.send(ctx, r)
}
