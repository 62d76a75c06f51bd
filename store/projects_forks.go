package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Fork describes a fork to create. A nil field keeps the value of the source project.
type Fork struct {
	SourceID    int64
	NamespaceID int64
	CreatorID   int64
	Name        *string
	Path        *string
	Description *string
	Visibility  *model.Visibility
}

// ForkLoopError means that a project would be a fork of itself, or of one of its forks.
type ForkLoopError struct{}

func (*ForkLoopError) Error() string { return "a project cannot be a fork of its own fork" }

// AlreadyForkError means that the project is already a fork.
type AlreadyForkError struct{}

func (*AlreadyForkError) Error() string { return "the project is already a fork" }

// ForkTooVisibleError means that a fork would be more visible than its source project.
type ForkTooVisibleError struct{ Wanted model.Visibility }

func (*ForkTooVisibleError) Error() string { return "more visible than the source of the fork" }

// checkForks makes sure that no fork is more open than its source, after the project was changed. If the project itself
// is a fork and became more open than its source, it returns an error. Forks that are now more open than the project
// stop being its forks.
func (s Projects) checkForks(ctx context.Context, before model.Project, set map[string]any) error {
	_, visibility := set["visibility"]
	if _, code := set["repository_access_level"]; !visibility && !code {
		return nil
	}
	if err := s.db.Lock(ctx, "forks"); err != nil { // a project and its fork may be changed at the same time
		return err
	}
	after, err := query.Take[model.Project](s.db.Write(ctx).Where("id = ?", before.ID), project)
	if err != nil {
		return err
	}
	if after.Visibility > before.Visibility || after.CodeVisibility() > before.CodeVisibility() {
		if err := s.fitsSource(ctx, after, after.ForkedFromID); err != nil {
			return err
		}
	}
	open := s.db.Write(ctx).Model(&model.Project{}).
		Where("forked_from_id = ? AND (visibility > ? OR repository_access_level = ? AND visibility > ?)",
			after.ID, after.Visibility, model.FeatureEnabled, after.CodeVisibility())
	left := open.UpdateColumn("forked_from_id", nil)
	if left.Error != nil || left.RowsAffected == 0 {
		return query.Translate(left.Error)
	}
	return s.countFork(ctx, after.ID, -left.RowsAffected)
}

// fitsSource returns a *ForkVisibleError if a fork is more open than its source.
func (s Projects) fitsSource(ctx context.Context, fork model.Project, sourceID *int64) error {
	if sourceID == nil {
		return nil
	}
	source, err := query.Take[model.Project](s.db.Write(ctx).Where("id = ?", *sourceID), project)
	if err == nil && (fork.Visibility > source.Visibility || fork.CodeVisibility() > source.CodeVisibility()) {
		err = &ForkTooVisibleError{Wanted: fork.Visibility}
	}
	return err
}

// Fork creates a fork and adds it to the fork count of its source. The fork is at most as visible as its source and its
// group. For limit, see Create.
func (s Projects) Fork(ctx context.Context, f Fork, limit *int64) (model.Project, error) {
	var made model.Project
	err := s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.LockShared(ctx, "namespaces"); err != nil { // before the row of the source is locked
			return err
		}
		if err := s.countFork(ctx, f.SourceID, 1); err != nil {
			return err
		}
		source, err := query.Take[model.Project](s.db.Read(ctx).Where("id = ?", f.SourceID), project)
		if err != nil {
			return err
		}
		in, err := query.Take[model.Namespace](s.db.Read(ctx).Where("id = ?", f.NamespaceID), namespace)
		if err != nil {
			return err
		}
		made = f.of(source, in, s.now())
		if err := s.Create(ctx, &made, limit); err != nil {
			return err
		}
		return LfsObjects(s).copyAllToProject(ctx, source.ID, made.ID)
	})
	return made, err
}

// of returns the fork of a project in a namespace. The repository is still to be copied, unless the source is empty.
func (f Fork) of(source model.Project, in model.Namespace, at time.Time) model.Project {
	p := source
	p.ID, p.NamespaceID, p.CreatorID, p.ForkedFromID = 0, f.NamespaceID, &f.CreatorID, &source.ID
	p.StarCount, p.ForksCount, p.Archived, p.ImportStatus = 0, 0, false, model.ImportFinished
	p.EmptyRepo, p.RepositorySize, p.CommitCount, p.RepositoryReadOnly = true, 0, 0, false
	if !source.EmptyRepo {
		p.ImportStatus = model.ImportScheduled
	}
	p.CreatedAt, p.UpdatedAt = at, at
	if f.Name != nil {
		p.Name = *f.Name
	}
	if f.Path != nil {
		p.Path = *f.Path
	}
	if f.Description != nil {
		p.Description = f.Description
	}
	if f.Visibility != nil {
		p.Visibility = min(p.Visibility, *f.Visibility)
	}
	p.Visibility = cappedVisibility(p.Visibility, in)
	return p
}

// cappedVisibility returns the highest visibility up to v that a project may have in a namespace. Personal namespaces allow any
// visibility.
func cappedVisibility(v model.Visibility, in model.Namespace) model.Visibility {
	if in.Kind == model.NamespaceGroup {
		return min(v, in.Visibility)
	}
	return v
}

// countFork changes the fork count of a project. It also locks the row, so that nobody can delete the project
// meanwhile.
func (s Projects) countFork(ctx context.Context, id, by int64) error {
	res := s.db.Write(ctx).Exec("UPDATE projects SET forks_count = forks_count + ? WHERE id = ?", by, id)
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{Resource: project}
	}
	return query.Translate(res.Error)
}

// Link makes a project a fork of another. It returns a *ForkedError if the project is already a fork, a *LoopError if
// the link would form a loop, and a *ForkVisibleError if the project is more open than the source.
func (s Projects) Link(ctx context.Context, id, sourceID int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		p, err := s.lockFork(ctx, id)
		if err != nil {
			return err
		}
		if p.ForkedFromID != nil {
			return &AlreadyForkError{}
		}
		var loops int64
		err = query.ScanFirst(s.db.Read(ctx).Raw("WITH RECURSIVE above (id) AS (SELECT id FROM projects WHERE id = ? "+
			"UNION SELECT p.forked_from_id FROM projects p JOIN above ON p.id = above.id WHERE p.forked_from_id IS NOT NULL) "+
			"SELECT count(*) FROM above WHERE id = ?", sourceID, id), &loops)
		if err != nil {
			return query.Translate(err)
		}
		if loops > 0 {
			return &ForkLoopError{}
		}
		if err := s.countFork(ctx, sourceID, 1); err != nil {
			return err
		}
		if err := s.fitsSource(ctx, p, &sourceID); err != nil {
			return err
		}
		return s.setOrigin(ctx, id, &sourceID)
	})
}

// SameNetwork reports whether two projects have a common origin, also through forks of forks.
func (s Projects) SameNetwork(ctx context.Context, id, other int64) (bool, error) {
	var shared int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("WITH RECURSIVE above (start, id) AS (SELECT id, id FROM projects WHERE id IN (?, ?) "+
		"UNION SELECT above.start, p.forked_from_id FROM projects p JOIN above ON p.id = above.id WHERE p.forked_from_id IS NOT NULL) "+
		"SELECT count(*) FROM above a JOIN above b ON a.id = b.id WHERE a.start = ? AND b.start = ?", id, other, id, other), &shared)
	return shared > 0, query.Translate(err)
}

// Unlink removes the fork relation of a project, unless the project was changed after the given time. It reports
// whether the project was a fork.
func (s Projects) Unlink(ctx context.Context, id int64, unchangedSince *time.Time) (bool, error) {
	was := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		p, err := s.lockFork(ctx, id)
		if err != nil || p.ForkedFromID == nil {
			return err
		}
		if ChangedAfter(p.UpdatedAt, unchangedSince) {
			return &ChangedError{Resource: project}
		}
		was = true
		if err := s.countFork(ctx, *p.ForkedFromID, -1); err != nil {
			return err
		}
		return s.setOrigin(ctx, p.ID, nil)
	})
	return was && err == nil, err
}

// lockFork locks and returns a project whose fork relation is about to change. All such changes wait for each other.
func (s Projects) lockFork(ctx context.Context, id int64) (model.Project, error) {
	if err := s.lockProject(ctx, id); err != nil {
		return model.Project{}, err
	}
	if err := s.db.Lock(ctx, "forks"); err != nil {
		return model.Project{}, err
	}
	return query.Take[model.Project](s.db.Write(ctx).Where("id = ?", id), project)
}

func (s Projects) setOrigin(ctx context.Context, id int64, sourceID *int64) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Project{}).
		Where("id = ?", id).Updates(map[string]any{"forked_from_id": sourceID}).Error)
}
