package bulkimport

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// EntityJob is the job that copies a group or project.
type EntityJob struct {
	EntityID int64 `json:"entity_id"`
}

// Kind returns the name of the job in the queue.
func (EntityJob) Kind() string { return "bulk_import_entity" }

// queue queues the job of a group or project, after a pause.
func (s *Service) queue(ctx context.Context, id int64, pause time.Duration) error {
	var at time.Time
	if pause > 0 {
		at = clock.Now(ctx).Add(pause)
	}
	return s.Enqueue(ctx, EntityJob{EntityID: id}, at)
}

// The stages of a copy. The first creates the group or project.
const (
	stageCreate     = "create"
	stageLabels     = "labels"
	stageMilestones = "milestones"
	stageMembers    = "members"
	stageSubgroups  = "subgroups"
	stageProjects   = "projects"
	stageIssues     = "issues"
	stageRepository = "repository"
	stageEnd        = "end"
)

var stagesOf = map[string][]string{
	model.BulkImportGroup:   {stageCreate, stageLabels, stageMilestones, stageMembers, stageSubgroups, stageProjects, stageEnd},
	model.BulkImportProject: {stageCreate, stageLabels, stageMilestones, stageIssues, stageMembers, stageRepository, stageEnd},
}

// copier copies a group or project.
type copier struct {
	*Service
	source *source
	entity model.BulkImportEntity
	user   model.User
}

// batch is one page of a stage, read from the other instance.
type batch struct {
	more
	fetched int64
	// write stores the page, in a transaction. It returns how many records it has made, and what could not be stored.
	write func(ctx context.Context) (imported int64, failed []model.BulkImportFailure, err error)
}

// errWaits is returned by a stage that has to wait.
var errWaits = errors.New("the stage waits")

const (
	waitPause   = 2 * time.Second
	retryPause  = 30 * time.Second
	maxAttempts = 5
)

// RunEntity copies a group or project, page by page. It can be repeated at any point.
func (s *Service) RunEntity(ctx context.Context, job EntityJob) error {
	c, err := s.open(ctx, job.EntityID)
	if err != nil || c == nil {
		return err
	}
	ctx = reqctx.With(ctx, &reqctx.Info{Actor: &reqctx.Actor{User: c.user.Caller(), Kind: reqctx.Session}})
	for c.entity.Stage != stageEnd {
		if c.entity.Stage != stageCreate && c.entity.NamespaceID == nil && c.entity.ProjectID == nil {
			return c.giveUp(ctx, "The new "+c.entity.EntityType+" was deleted")
		}
		read, err := c.read(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx) // the service is stopping; the job starts again
		case errors.Is(err, errWaits):
			return s.queue(ctx, c.entity.ID, waitPause)
		case err == nil:
			err = c.store(ctx, read)
		}
		if err != nil {
			if goOn, err := c.fail(ctx, err); err != nil || !goOn {
				return err
			}
		}
		if c.entity, err = s.Store.BulkImports.FindEntity(ctx, c.entity.ID); err != nil {
			return ignoreNotFound(err)
		}
		if c.entity.Ended() {
			return nil
		}
	}
	return s.Store.BulkImports.End(ctx, c.entity, model.BulkImportFinished)
}

func ignoreNotFound(err error) error {
	if store.IsNotFound(err) {
		return nil
	}
	return err
}

// open returns the copier of a group or project, or nil if nothing is to be done.
func (s *Service) open(ctx context.Context, id int64) (*copier, error) {
	e, err := s.Store.BulkImports.FindEntity(ctx, id)
	if err != nil || e.Ended() {
		return nil, ignoreNotFound(err)
	}
	i, err := s.Store.BulkImports.Find(ctx, e.BulkImportID)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	u, err := s.Store.Users.Get(ctx, i.UserID)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	started, err := s.Store.BulkImports.Start(ctx, e)
	if err != nil || !started {
		return nil, err
	}
	c := &copier{Service: s, entity: e, user: u}
	token, err := s.vault.Open(i.Sealed, owner(i.UserID))
	if err != nil {
		return nil, c.giveUp(ctx, "The access token cannot be read any more, because the secret key of the service was replaced")
	}
	if u.State != model.UserActive {
		return nil, c.giveUp(ctx, "The user who started the import is not active any more")
	}
	c.source, err = s.newSource(i.SourceURL, string(token))
	if err != nil {
		return nil, c.giveUp(ctx, err.Error())
	}
	return c, nil
}

// read reads the next page of the present stage from the other instance.
func (c *copier) read(ctx context.Context) (batch, error) {
	switch c.entity.Stage {
	case stageCreate:
		if c.entity.EntityType == model.BulkImportGroup {
			return c.group(ctx)
		}
		return c.project(ctx)
	case stageLabels:
		return c.labels(ctx)
	case stageMilestones:
		return c.milestones(ctx)
	case stageMembers:
		return c.members(ctx)
	case stageSubgroups:
		return c.subgroups(ctx)
	case stageProjects:
		return c.projects(ctx)
	case stageIssues:
		return c.issues(ctx)
	case stageRepository:
		return c.repository(ctx)
	}
	return batch{}, errors.New("the stage " + c.entity.Stage + " is not known")
}

// store stores a page, and what is copied next.
func (c *copier) store(ctx context.Context, b batch) error {
	return c.Store.Tx(ctx, func(ctx context.Context) error {
		next := c.entity
		next.Attempts = 0
		if b.next && c.entity.Page < maxPages {
			next.Page++
		} else {
			next.Stage, next.Page = c.nextStage(), 1
		}
		ours, err := c.Store.BulkImports.Advance(ctx, c.entity, next)
		if err != nil || !ours {
			return err
		}
		imported, failed, err := b.write(ctx)
		if err != nil {
			return err
		}
		if b.next && c.entity.Page == maxPages {
			failed = append(failed, failure(c.entity.Stage, "RecordInvalid", "There are more than this service copies", "", ""))
		}
		if next.Stats, err = counted(c.entity, b, imported); err != nil {
			return err
		}
		if _, err := c.Store.BulkImports.Advance(ctx, next, next); err != nil {
			return err
		}
		return c.Store.BulkImports.AddFailures(ctx, c.entity, failed)
	})
}

// nextStage returns the stage after the present one.
func (c *copier) nextStage() string {
	stages := stagesOf[c.entity.EntityType]
	for i, stage := range stages[:len(stages)-1] {
		if stage == c.entity.Stage {
			return stages[i+1]
		}
	}
	return stageEnd
}

// counted returns the numbers of a group or project after another page.
func counted(e model.BulkImportEntity, b batch, imported int64) (string, error) {
	stats := map[string]model.BulkImportStats{}
	if err := json.Unmarshal([]byte(e.Stats), &stats); err != nil {
		return "", err
	}
	if e.Stage == stageCreate || e.Stage == stageRepository {
		return e.Stats, nil
	}
	n := stats[e.Stage]
	n.Fetched, n.Imported = n.Fetched+b.fetched, n.Imported+imported
	n.Source = max(b.total, n.Fetched)
	stats[e.Stage] = n
	text, err := json.Marshal(stats)
	return string(text), err
}

// fail handles an error of a stage. A request that may succeed later is tried again; otherwise the failure is stored, and
// the next stage follows, if the group or project exists. It reports whether the copy goes on at once.
func (c *copier) fail(ctx context.Context, failed error) (goOn bool, err error) {
	var of *sourceError
	var refused *apierr.Error
	var taken *store.ConflictError
	text, class := "", "SourceError"
	switch {
	case errors.As(failed, &of) && of.temporary && c.entity.Attempts+1 < maxAttempts:
		next := c.entity
		next.Attempts++
		if _, err := c.Store.BulkImports.Advance(ctx, c.entity, next); err != nil {
			return false, err
		}
		return false, c.queue(ctx, c.entity.ID, retryPause)
	case errors.As(failed, &of):
		text = of.text
	case errors.As(failed, &refused) && refused.Status < 500:
		text, class = refused.Error(), "RecordInvalid"
	case store.IsNotFound(failed):
		text, class = "The destination does not exist any more", "RecordInvalid"
	case errors.As(failed, &taken):
		text, class = "It exists already", "RecordInvalid"
	default:
		return false, failed // an error of this service; the queue tries it again
	}
	if c.entity.Stage == stageCreate {
		return false, c.giveUpAs(ctx, class, text)
	}
	return true, c.Store.Tx(ctx, func(ctx context.Context) error {
		next := c.entity
		next.Stage, next.Page, next.Attempts = c.nextStage(), 1, 0
		ours, err := c.Store.BulkImports.Advance(ctx, c.entity, next)
		if err != nil || !ours {
			return err
		}
		return c.Store.BulkImports.AddFailures(ctx, c.entity, []model.BulkImportFailure{failure(c.entity.Stage, class, text, "", "")})
	})
}

// giveUp ends the copy of a group or project with a failure.
func (c *copier) giveUp(ctx context.Context, text string) error {
	return c.giveUpAs(ctx, "SourceError", text)
}

func (c *copier) giveUpAs(ctx context.Context, class, text string) error {
	return c.Store.Tx(ctx, func(ctx context.Context) error {
		relation := c.entity.Stage
		if relation == stageCreate {
			relation = c.entity.EntityType
		}
		err := c.Store.BulkImports.AddFailures(ctx, c.entity, []model.BulkImportFailure{failure(relation, class, text, "", "")})
		if err != nil {
			return err
		}
		return c.Store.BulkImports.End(ctx, c.entity, model.BulkImportFailed)
	})
}

// failure returns something that could not be copied. Empty texts are left out.
func failure(relation, class, text, at, title string) model.BulkImportFailure {
	f := model.BulkImportFailure{Relation: relation, ExceptionClass: class, ExceptionMessage: text}
	if at != "" {
		f.SourceURL = &at
	}
	if title != "" {
		f.SourceTitle = &title
	}
	return f
}

// SweepJob is the job that ends imports that take too long.
type SweepJob struct{}

// Kind returns the name of the job in the queue.
func (SweepJob) Kind() string { return "sweep_bulk_imports" }

// longest is how long an import may take.
const longest = 24 * time.Hour

// RunSweep ends imports that take too long.
func (s *Service) RunSweep(ctx context.Context, _ SweepJob) error {
	ids, err := s.Store.BulkImports.Unended(ctx, clock.Now(ctx).Add(-longest), 100)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.Store.BulkImports.Stop(ctx, id, model.BulkImportTimeout); err != nil {
			return err
		}
	}
	return nil
}
