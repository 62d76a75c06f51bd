package process

import (
	"fmt"
	"strings"
	"testing"
)

// The files of an instance are moved into a bucket and back, in a first run beside the service and in a second one without
// it. Logs, artifacts and large files can be read afterwards, and the place that is no longer in use is refused.
func TestFilesMoveIntoABucketAndBack(t *testing.T) {
	t.Parallel()
	p, bucket := NewPlace(t), NewBucket(t)
	inBucket := Place{Data: p.Data, Env: append(append([]string{}, p.Env...), "SVC_BLOB_URL="+bucket.Address())}
	s := startWithProject(t, p)
	id, token := runJob(t.Context(), t, s, p.open(t))
	if status, body := s.trace(id, token, 0, "one\n"); status != 202 {
		t.Fatal(status, body)
	}
	if status, body := s.upload(id, token, "artifact_type=archive&artifact_format=zip", "zip"); status != 201 {
		t.Fatal(status, body)
	}
	large := strings.Repeat("large\n", 1000)
	if !uploadLFS(t.Context(), s, "root/p", large) {
		t.Fatal("the large file was refused")
	}
	run := func(to string, texts ...string) {
		t.Helper()
		out, err := Run(t, inBucket, "admin", "move-files", to)
		for _, text := range texts {
			if err != nil || !strings.Contains(out, text) {
				t.Fatalf("move-files %s: %v, %q is not in:\n%s", to, err, text, out)
			}
		}
	}
	check := func(s *Server, log string) {
		t.Helper()
		status, body, err := s.Do(t.Context(), "GET", fmt.Sprintf("/api/v4/projects/root%%2Flogged/jobs/%d/trace", id), "")
		if status != 200 || body != log {
			t.Errorf("the log: %d %q %v, not %q", status, body, err, log)
		}
		status, body, err = s.Do(t.Context(), "GET", fmt.Sprintf("/api/v4/projects/root%%2Flogged/jobs/%d/artifacts", id), "")
		if status != 200 || body != "zip" {
			t.Errorf("the artifacts: %d %q %v", status, body, err)
		}
		hasLFS(t.Context(), t, s, "root/p", large)
	}
	run("bucket", "copied, but not moved yet")
	if status, body := s.trace(id, token, 4, "two\n"); status != 202 {
		t.Fatal(status, body)
	}
	s.stop()
	refused(t, inBucket, "in the middle of a move", "files are being moved here")
	run("bucket", "All files are now in "+bucket.URL, "Start the service with SVC_BLOB_URL")
	run("bucket", "already")
	refused(t, p, "the folder", "has no file svc-instance")
	s = Start(t, inBucket)
	check(s, "one\ntwo\n")
	if status, body := s.trace(id, token, 8, "three\n"); status != 202 {
		t.Fatal(status, body)
	}
	newer := strings.Repeat("new\n", 500)
	if !uploadLFS(t.Context(), s, "root/p", newer) {
		t.Fatal("the large file was refused")
	}
	if !bucket.has("lfs/") {
		t.Error("the bucket has no large file")
	}
	s.stop()
	run("folder", "All files are now in "+p.Data, "without SVC_BLOB_URL")
	refused(t, inBucket, "the bucket", "has no file svc-instance")
	s = Start(t, p)
	check(s, "one\ntwo\nthree\n")
	hasLFS(t.Context(), t, s, "root/p", newer)
	if out, err := Run(t, p, "admin", "move-files", "bucket"); err == nil || !strings.Contains(out, "SVC_BLOB_URL") {
		t.Errorf("without a bucket: %v %s", err, out)
	}
	if out, err := Run(t, inBucket, "admin", "move-files", "elsewhere"); err == nil || !strings.Contains(out, "neither bucket nor folder") {
		t.Errorf("to nowhere: %v %s", err, out)
	}
}
