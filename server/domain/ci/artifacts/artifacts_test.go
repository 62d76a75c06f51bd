package artifacts

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/store/setting"
	"svc/store/storetest"
)

type bench struct {
	*Service
	st      *store.Store
	project model.Project
}

func newBench(t *testing.T) bench {
	t.Helper()
	st := storetest.New(t)
	blobs, err := blob.Open("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return bench{New(st, blobs), st, storetest.Project(t, st, storetest.User(t, st))}
}

func (b bench) put(t *testing.T, job model.Job, text string, expire *time.Time) model.JobArtifact {
	t.Helper()
	a, err := b.Put(
		t.Context(), job, Upload{FileType: "archive", FileFormat: "zip", Filename: "artifacts.zip", ExpireAt: expire},
		strings.NewReader(text),
	)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (b bench) has(t *testing.T, key string) bool {
	t.Helper()
	from, err := b.blobs.Read(t.Context(), key, 0, 1)
	if err == nil {
		from.Close()
	} else if !errors.Is(err, blob.ErrNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

func TestAFileComesOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	limits := setting.Defaults()
	limits.MaxArtifactsSize = 1
	if err := b.st.Settings.SetDefaults(t.Context(), store.SettingDefaults{Values: limits}); err != nil {
		t.Fatal(err)
	}
	job := storetest.Job(t, b.st, b.project)
	u := Upload{FileType: "archive", FileFormat: "zip", Filename: "artifacts.zip"}
	broken := errors.New("broken off")
	for text, c := range map[string]struct {
		from io.Reader
		want error
	}{
		"too large": {strings.NewReader(strings.Repeat("0", 1<<20+1)), ErrTooLarge},
		"broken":    {io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)), broken},
	} {
		if _, err := b.Put(t.Context(), job, u, c.from); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := b.Get(t.Context(), job.ID, "archive"); !store.IsNotFound(err) {
		t.Errorf("a refused file is there: %v", err)
	}
	first := b.put(t, job, "0123456789", nil)
	if again := b.put(t, job, "0123456789", nil); again.ID != first.ID {
		t.Errorf("a resend made file %d beside %d", again.ID, first.ID)
	}
	if _, err := b.Put(t.Context(), job, u, strings.NewReader("other")); !errors.Is(err, ErrTaken) {
		t.Errorf("another file of the type: %v", err)
	}
	from, err := b.Open(t.Context(), first, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(from); string(text) != "234" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	from.Close()
}

func TestBytesFollowTheirRows(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	kept, gone := storetest.Job(t, b.st, b.project), storetest.Job(t, b.st, storetest.Project(t, b.st, storetest.User(t, b.st)))
	a, z := b.put(t, kept, "kept", nil), b.put(t, gone, "gone", nil)
	if err := errors.Join(
		b.blobs.Append(ctx, blob.LogKey(kept.ID), 0, []byte("log")),
		b.blobs.Append(ctx, blob.LogKey(gone.ID), 0, []byte("log")),
	); err != nil {
		t.Fatal(err)
	}
	if err := b.st.Projects.Delete(ctx, gone.ProjectID, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := b.RemoveBlobs(ctx, RemoveBlobsJob{}); err != nil {
			t.Fatal(err)
		}
	}
	if !b.has(t, a.Key) || !b.has(t, blob.LogKey(kept.ID)) {
		t.Error("files of a job that is there are gone")
	}
	if b.has(t, z.Key) || b.has(t, blob.LogKey(gone.ID)) {
		t.Error("files of a job that is gone are there")
	}
	if _, err := b.Put(ctx, gone, Upload{FileType: "archive"}, strings.NewReader("late")); !store.IsNotFound(err) {
		t.Errorf("a file for a job that is gone: %v", err)
	}
	if err := b.Delete(ctx, kept.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.RemoveBlobs(ctx, RemoveBlobsJob{}); err != nil || b.has(t, a.Key) {
		t.Errorf("a deleted file: %v, there %t", err, b.has(t, a.Key))
	}
}

func TestFilesExpireButForThoseOfTheNewestPipeline(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	at := func(d time.Duration) *time.Time {
		moment := time.Now().UTC().Add(d)
		return &moment
	}
	succeeded := func(ref string) func(*model.Pipeline, *model.Job) {
		return func(p *model.Pipeline, j *model.Job) {
			p.Status, p.Ref, j.Status, j.Ref = "success", ref, "success", ref
		}
	}
	old := storetest.Job(t, b.st, b.project, succeeded("main"))
	newest := storetest.Job(t, b.st, b.project, succeeded("main"))
	failed := storetest.Job(t, b.st, b.project, func(p *model.Pipeline, j *model.Job) { p.Status, j.Status = "failed", "failed" })
	other := storetest.Project(t, b.st, storetest.User(t, b.st), func(p *model.Project) { p.KeepLatestArtifact = false })
	unkept := storetest.Job(t, b.st, other, succeeded("main"))
	young := storetest.Job(t, b.st, other, succeeded("side"))
	for _, job := range []model.Job{old, newest, failed, unkept} {
		b.put(t, job, "x", at(-time.Hour))
	}
	b.put(t, young, "x", at(time.Hour))
	if err := b.Expire(ctx, ExpireJob{}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[int64]bool{old.ID: false, newest.ID: true, failed.ID: false, unkept.ID: false, young.ID: true} {
		_, err := b.Get(ctx, id, "archive")
		if (err == nil) != want {
			t.Errorf("job %d: %v", id, err)
		}
	}
	if kept, err := b.st.JobArtifacts.ClearExpiry(ctx, young.ID); err != nil || !kept {
		t.Errorf("keep: %t, %v", kept, err)
	}
	if a, err := b.Get(ctx, young.ID, "archive"); err != nil || a.ExpireAt != nil {
		t.Errorf("%+v, %v", a.ExpireAt, err)
	}
}

func archive(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(name, text string, mode fs.FileMode) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(mode)
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"out/a.txt": "0123456789", "../up.txt": "up", "/abs.txt": "abs", "out/../../x": "x", `win\dows`: "w",
	} {
		add(name, text, 0o644)
	}
	add("out/link", "/etc/passwd", fs.ModeSymlink|0o777)
	add("out/", "", fs.ModeDir|0o755)
	add("big", strings.Repeat("a", 1<<20), 0o644)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOneFileFromInsideAnArchive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := b.put(t, storetest.Job(t, b.st, b.project), archive(t), nil)
	entry, err := b.Entry(t.Context(), a, "out/a.txt")
	if err != nil || entry.Size != 10 {
		t.Fatal(err)
	}
	from, err := entry.Open(4)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(from); string(text) != "456789" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	from.Close()
	for path, want := range map[string]error{
		"../up.txt": ErrPath, "/abs.txt": ErrPath, "out/../../x": ErrPath, "": ErrPath, ".": ErrPath, "out/": ErrPath, "a//b": ErrPath,
		"out/link": ErrNoEntry, "out": ErrNoEntry, "none": ErrNoEntry, "up.txt": ErrNoEntry, "abs.txt": ErrNoEntry,
	} {
		if _, err := b.Entry(t.Context(), a, path); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", path, err, want)
		}
	}
	broken := b.put(t, storetest.Job(t, b.st, b.project), "no zip file", nil)
	if _, err := b.Entry(t.Context(), broken, "a"); !errors.Is(err, ErrNoEntry) {
		t.Errorf("not a zip file: %v", err)
	}
}
