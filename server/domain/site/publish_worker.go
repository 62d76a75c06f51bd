package site

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"path"
	"strings"
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

// Publisher publishes the artifacts of CI jobs as sites.
type Publisher struct {
	store  *store.Store
	engine *engine.Engine
	files  *artifacts.Service
	blobs  blob.Store
	logger *slog.Logger
}

// NewPublisher returns a Publisher. The settings limit the size of all files of a site.
func NewPublisher(
	st *store.Store, e *engine.Engine, files *artifacts.Service, blobs blob.Store, logger *slog.Logger,
) *Publisher {
	return &Publisher{store: st, engine: e, files: files, blobs: blobs, logger: logger}
}

// keepTime is how long writing the file of a site may take before the file counts as abandoned.
const keepTime = 24 * time.Hour

// refusal is the reason why cannot publish a site. The project's audit events show it.
type refusal string

// Error returns the reason.
func (r refusal) Error() string { return string(r) }

// Publish publishes the artifacts of a job as a site, unless a later job has already published one. If the site cannot
// be published, it writes an audit event.
func (p *Publisher) Publish(ctx context.Context, made engine.Publication) error {
	job, err := p.store.Jobs.Find(ctx, made.JobID)
	if store.IsNotFound(err) || (err == nil && job.Status != "success") {
		return nil
	}
	if err != nil {
		return err
	}
	d := model.PagesDeployment{ProjectID: job.ProjectID, JobID: job.ID, Key: blob.PagesKey()}
	if current, err := p.store.PagesDeployments.Get(ctx, job.ProjectID); err == nil && current.JobID >= job.ID {
		return nil
	}
	err = p.pack(ctx, job, &d)
	var why refusal
	if errors.As(err, &why) {
		p.logger.Warn("cannot publish a site", "project", job.ProjectID, "job", job.ID, "reason", string(why))
		return p.audit(ctx, job, "pages_refused", "Could not publish the site: "+string(why))
	}
	if err != nil {
		return err
	}
	err = p.store.Tx(ctx, func(ctx context.Context) error {
		published, err := p.store.PagesDeployments.Publish(ctx, &d)
		if err != nil || !published {
			return err
		}
		return p.audit(ctx, job, "pages_published", "Published the site")
	})
	if store.IsNotFound(err) {
		return nil // the project was deleted
	}
	return err
}

func (p *Publisher) audit(ctx context.Context, job model.Job, what, message string) error {
	paths, err := p.store.Projects.Paths(ctx, []int64{job.ProjectID})
	if err != nil || len(paths) == 0 {
		return err
	}
	return events.Audit(ctx, p.store, events.Change{
		Type: what, Entity: events.Source(model.SourceProject, job.ProjectID, paths[job.ProjectID]),
		Target: events.Target{Type: "Job", ID: job.ID, Details: job.Name}, Message: message,
	})
}

// pack makes the file of a site from the artifacts of a job.
func (p *Publisher) pack(ctx context.Context, job model.Job, d *model.PagesDeployment) error {
	spec, err := p.engine.Spec(ctx, &job)
	switch {
	case err != nil:
		return err
	case spec.Pages == nil:
		return refusal("the job publishes nothing")
	case spec.Pages.PathPrefix != "":
		return refusal("a path_prefix is not supported")
	}
	d.Root = path.Clean(strings.Trim(cmp.Or(spec.Pages.Publish, "public"), "/"))
	a, err := p.files.Get(ctx, job.ID, model.ArchiveArtifact)
	if store.IsNotFound(err) {
		return refusal("the job has no artifacts")
	}
	if err != nil {
		return err
	}
	archive, err := p.files.Archive(ctx, a, maxFiles)
	switch {
	case errors.Is(err, artifacts.ErrNoEntry):
		return refusal("the artifacts are not a zip file")
	case errors.Is(err, artifacts.ErrTooMany):
		return refusal("the artifacts have too many files")
	case errors.Is(err, blob.ErrNotFound):
		return refusal("the artifacts were deleted")
	case err != nil:
		return err
	}
	chosen, err := choose(archive.File, d.Root, p.store.Settings.Current().MaxPagesSize<<20)
	if err != nil {
		return err
	}
	for _, c := range chosen {
		d.Size += int64(c.file.UncompressedSize64)
	}
	d.FileCount = int64(len(chosen))
	if err := p.store.JobArtifacts.ScheduleRemoval(ctx, d.Key, clock.Now(ctx).UTC().Add(keepTime)); err != nil {
		return err
	}
	d.PackedSize, err = p.put(ctx, d.Key, chosen)
	if archive.ReadError() != nil {
		err = archive.ReadError() // not the fault of the job
	}
	return err
}

// put stores the files of a site as one zip file.
func (p *Publisher) put(ctx context.Context, key string, chosen []entry) (int64, error) {
	from, into := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := write(into, chosen)
		into.CloseWithError(err)
		ended <- err
	}()
	size, err := p.blobs.Put(ctx, key, from)
	from.Close() // so that the writer ends in any case
	if wrong := <-ended; wrong != nil && !errors.Is(wrong, io.ErrClosedPipe) {
		return 0, wrong
	}
	return size, err
}

// write copies the compressed files into a zip file. It unpacks each one first, to check that this works.
func write(into io.Writer, chosen []entry) error {
	out := zip.NewWriter(into)
	for _, c := range chosen {
		if err := unpack(io.Discard, c.file); err != nil {
			return refusal("the file " + c.name + " cannot be unpacked")
		}
		raw, err := c.file.OpenRaw()
		if err != nil {
			return err
		}
		head := zip.FileHeader{
			Name: c.name, Method: c.file.Method, CRC32: c.file.CRC32, CompressedSize64: c.file.CompressedSize64,
			UncompressedSize64: c.file.UncompressedSize64,
		}
		to, err := out.CreateRaw(&head)
		if err != nil {
			return err
		}
		if _, err := io.Copy(to, raw); err != nil {
			return err
		}
	}
	return out.Close()
}

// unpack unpacks a file. It fails if the checksum or the size differs from what the archive says.
func unpack(into io.Writer, file *zip.File) error {
	from, err := file.Open()
	if err != nil {
		return err
	}
	n, err := io.Copy(into, io.LimitReader(from, int64(file.UncompressedSize64)+1))
	if err = errors.Join(err, from.Close()); err == nil && n != int64(file.UncompressedSize64) {
		err = zip.ErrFormat
	}
	return err
}
