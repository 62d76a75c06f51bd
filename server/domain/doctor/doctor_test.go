package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/server/domain/doctor"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storage"
	"svc/store/storetest"
)

// scene is an instance with two storages.
type scene struct {
	*testing.T
	options doctor.Options
	store   *store.Store
	repos   *git.Repositories
	blobs   blob.Store
	roots   map[string]string
	user    model.User
}

func newScene(t *testing.T) *scene {
	t.Helper()
	o := storetest.Options(t)
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	data := t.TempDir()
	s := &scene{T: t, store: st, roots: map[string]string{"default": filepath.Join(data, "one"), "fast": filepath.Join(data, "two")}}
	s.user = storetest.User(t, st)
	if s.repos, err = git.Open(s.roots); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.repos.Close)
	folder := filepath.Join(data, "blobs")
	if s.blobs, err = blob.Open("", folder); err != nil {
		t.Fatal(err)
	}
	s.mark()
	cfg := config.Config{Data: data, URL: "http://127.0.0.1:1", Storages: []config.Storage{
		{Name: "default", Folder: s.roots["default"]}, {Name: "fast", Folder: s.roots["fast"]},
	}}
	s.options = doctor.Options{
		Config: cfg, BlobFolder: folder, KeyFile: filepath.Join(data, "secret.key"), Now: time.Now,
		Open:     func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, o) },
		CheckKey: func(context.Context, *store.Store) (string, string, error) { return "", "", nil },
		Ask:      func(context.Context, string) (int, string, error) { return 0, "", errors.New("connection refused") },
	}
	return s
}

// mark marks the storages and the blob store as those of the instance.
func (s *scene) mark() {
	s.Helper()
	instance, err := s.store.Instance.Get(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for name, folder := range s.roots {
		mark := &storage.Mark{Name: name, Folder: folder, Instance: instance.ID}
		if err := errors.Join(mark.Write(), s.store.Instance.AddStorage(s.Context(), name)); err != nil {
			s.Fatal(err)
		}
	}
	if err := errors.Join(s.blobs.SetMark(s.Context(), instance.ID), s.store.Instance.AddStorage(s.Context(), "blobs")); err != nil {
		s.Fatal(err)
	}
}

// run runs the checks and returns them by name.
func (s *scene) run(change ...func(*doctor.Options)) map[string]doctor.Result {
	s.Helper()
	o := s.options
	for _, f := range change {
		f(&o)
	}
	found := map[string]doctor.Result{}
	_, err := doctor.Run(store.Background(s.Context()), o, func(r doctor.Result) { found[r.Name] = r })
	if err != nil {
		s.Fatal(err)
	}
	return found
}

// expect checks the status of a check, and that one of its findings has a text.
func expect(t testing.TB, r doctor.Result, status, text string) {
	t.Helper()
	var all []string
	for _, f := range r.Findings {
		all = append(all, f.Text)
	}
	if r.Status != status || !strings.Contains(strings.Join(all, "\n"), text) {
		t.Errorf("%s is %s, want %s with %q: %q %s %s", r.Name, r.Status, status, text, all, r.Error, r.Skipped)
	}
}

// project creates a project with a repository that has one commit.
func (s *scene) project() (model.Project, git.Repo) {
	s.Helper()
	p := storetest.Project(s, s.store, s.user, func(p *model.Project) { p.EmptyRepo = false })
	repo := s.repos.Project("default", p.ID)
	if err := repo.Create("main"); err != nil {
		s.Fatal(err)
	}
	ann := git.Person{Name: "Ann", Email: "ann@example.com", When: time.Unix(1800000000, 0)}
	id, err := repo.WriteCommit(s.Context(), git.NewCommit{
		Author: ann, Committer: ann, Message: "First", Changes: []git.Change{
			{Action: git.ActionCreate, Path: "a", Content: []byte("a")},
		},
	})
	if err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(repo.Folder(), "refs", "heads", "main"), []byte(id+"\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	return p, repo
}

// age makes a file or folder look two days old.
func age(t testing.TB, path string) {
	t.Helper()
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

func TestASoundInstanceHasNoFindings(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.project()
	for name, r := range s.run(func(o *doctor.Options) { o.Deep = true }) {
		if name != "disk" && (r.Status != doctor.StatusOK || len(r.Findings) > 0) {
			t.Errorf("%s is %s: %+v", name, r.Status, r)
		}
	}
}

func TestBrokenAndMissingRepositoriesAreFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	p, broken := s.project()
	_, missing := s.project()
	foreign := storetest.Project(t, s.store, s.user, func(p *model.Project) { p.RepositoryStorage = "gone" })
	if err := errors.Join(os.RemoveAll(missing.Folder()), os.WriteFile(
		filepath.Join(broken.Folder(), "refs", "heads", "old"), []byte(strings.Repeat("1", 40)+"\n"), 0o600,
	)); err != nil {
		t.Fatal(err)
	}
	r := s.run()["repositories"]
	expect(t, r, doctor.StatusProblem, "the repository of the project "+p.FullPath)
	expect(t, r, doctor.StatusProblem, "refs/heads/old leads to the object 1111")
	expect(t, r, doctor.StatusProblem, "is broken: HEAD does not exist")
	expect(t, r, doctor.StatusProblem, foreign.FullPath+" is on the storage gone, which the settings do not have")
	if len(r.Findings) != 3 {
		t.Errorf("%+v", r.Findings)
	}
}

func TestOldCopiesAndForeignRepositoriesAreSetAside(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	p, _ := s.project()
	copied, foreign, fresh := s.repos.Project("fast", p.ID), s.repos.Snippet("fast", 999), s.repos.Snippet("fast", 998)
	for _, repo := range []git.Repo{copied, foreign, fresh} {
		if err := repo.Create("main"); err != nil {
			t.Fatal(err)
		}
	}
	age(t, copied.Folder())
	age(t, foreign.Folder())
	r := s.run()["orphans"]
	expect(t, r, doctor.StatusWarning, "is an old copy")
	expect(t, r, doctor.StatusWarning, "belongs to no project, wiki or snippet")
	if len(r.Findings) != 2 || !copied.Exists() {
		t.Errorf("%+v", r.Findings)
	}
	fix := func(o *doctor.Options) { o.Fix = true }
	if r := s.run(fix)["orphans"]; r.Status != doctor.StatusOK || copied.Exists() || foreign.Exists() || !fresh.Exists() {
		t.Errorf("%+v", r)
	}
	if r := s.run(fix)["orphans"]; len(r.Findings) != 0 {
		t.Errorf("%+v", r.Findings)
	}
}

func TestLostAndOrphanedFilesAreFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	p, _ := s.project()
	job := storetest.Job(t, s.store, p)
	if err := s.blobs.Append(t.Context(), blob.LogKey(job.ID), 0, []byte("log")); err != nil {
		t.Fatal(err)
	}
	orphan, fresh := blob.UploadKey(), blob.UploadKey()
	for _, key := range []string{orphan, fresh} {
		if _, err := s.blobs.Put(t.Context(), key, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	name := strings.TrimPrefix(orphan, "uploads/")
	age(t, filepath.Join(s.blobs.Place(), "uploads", name[30:], name[28:30], name))
	oid := strings.Repeat("ab", 32)
	add := model.LfsObject{Oid: oid, Size: 5, Storage: "default"}
	if err := s.store.LfsObjects.Add(t.Context(), p.ID, add, func(on string) (string, error) { return on, nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.SQL().ExecContext(t.Context(), fmt.Sprintf("UPDATE jobs SET log_size = 3 WHERE id = %d", job.ID)); err != nil {
		t.Fatal(err)
	}
	found := s.run()
	expect(t, found["files"], doctor.StatusWarning, "nothing refers to 1 files of the kind uploads, such as "+orphan)
	expect(t, found["lfs"], doctor.StatusProblem, "the LFS object "+oid+" on the storage default is wrong: it does not exist")
	if err := s.blobs.Delete(t.Context(), blob.LogKey(job.ID)); err != nil {
		t.Fatal(err)
	}
	r := s.run(func(o *doctor.Options) { o.Fix, o.Only = true, []string{"files"} })["files"]
	expect(t, r, doctor.StatusProblem, fmt.Sprintf("the log of job %d is lost", job.ID))
	if len(r.Findings) != 2 {
		t.Errorf("%+v", r.Findings)
	}
	if r := s.run()["files"]; len(r.Findings) != 1 { // the removal of the other is planned
		t.Errorf("%+v", r.Findings)
	}
}

func TestAStorageOfAnotherInstanceIsNotTouched(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	_, repo := s.project()
	age(t, repo.Folder())
	if err := os.WriteFile(filepath.Join(s.roots["default"], storage.File), []byte("ANOTHER\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	found := s.run(func(o *doctor.Options) { o.Fix = true })
	expect(t, found["storages"], doctor.StatusProblem, "belongs to another instance")
	expect(t, found["repositories"], doctor.StatusOK, "")
	expect(t, found["orphans"], doctor.StatusOK, "")
	if !repo.Exists() {
		t.Error("the repository is gone")
	}
}

func TestStuckJobsAreFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	old := time.Now().Add(-time.Hour).UTC().Format("2006-01-02 15:04:05.000")
	insert := "INSERT INTO river_job (args, kind, state, attempt, max_attempts, scheduled_at, created_at, attempted_at, " +
		"finalized_at) VALUES "
	for _, values := range []string{
		"('{}', 'send_mail', 'discarded', 25, 25, '%s', '%s', '%s', '%s')",
		"('{}', 'fork_repository', 'running', 1, 25, '%s', '%s', '%s', NULL)",
		"('{}', 'delete_user', 'available', 0, 25, '%s', '%s', NULL, NULL)",
	} {
		n := strings.Count(values, "%s")
		if _, err := s.store.SQL().ExecContext(t.Context(), insert+strings.Replace(values, "%s", old, n)); err != nil {
			t.Fatal(err)
		}
	}
	r := s.run(func(o *doctor.Options) { o.Running = true })["jobs"]
	expect(t, r, doctor.StatusProblem, "1 background job send_mail: failed for good")
	expect(t, r, doctor.StatusProblem, "1 background job delete_user: could run, but waits")
	expect(t, r, doctor.StatusProblem, "1 background job fork_repository: running for more than 15m0s")
	r = s.run(func(o *doctor.Options) { o.Fix, o.Only = true, []string{"jobs"} })["jobs"]
	fixed := false
	for _, f := range r.Findings {
		fixed = fixed || f.Fixed == "made 1 jobs of dead processes available again"
	}
	if !fixed {
		t.Errorf("%+v", r.Findings)
	}
	jobs, err := s.store.QueueJobs(t.Context(), store.QueueFilter{State: "discarded"}, store.Page{Limit: 10})
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	if done, err := s.store.QueueRetry(t.Context(), jobs[0].ID); err != nil || !done {
		t.Errorf("retry: %v %v", done, err)
	}
	if job, err := s.store.QueueJob(t.Context(), jobs[0].ID); err != nil || job.State != "available" || job.MaxAttempts != 26 {
		t.Errorf("%+v %v", job, err)
	}
	if done, err := s.store.QueueRetry(t.Context(), jobs[0].ID); err != nil || done {
		t.Errorf("a second retry: %v %v", done, err)
	}
}
