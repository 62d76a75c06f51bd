package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// DeployKeys holds the SSH keys that give access to the repositories of projects.
type DeployKeys struct{ *base }

const deployKey = "Deploy Key"

// List returns one page of all deploy keys, the oldest first. public limits the list to public keys.
func (s DeployKeys) List(ctx context.Context, public bool, p Page) ([]model.DeployKey, Total, error) {
	q := s.db.Read(ctx).Order("id")
	if public {
		q = q.Where("public")
	}
	return query.List[model.DeployKey](q, p)
}

// Uses returns the projects of deploy keys, keyed by the id of the key and ordered by the id of the project.
func (s DeployKeys) Uses(ctx context.Context, ids []int64) (map[int64][]model.DeployKeyUse, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := s.db.Read(ctx).Select("x.deploy_key_id, x.can_push, projects.id, projects.description, projects.name, projects.full_name, "+
		"projects.path, projects.full_path, projects.created_at").
		Joins("JOIN deploy_key_projects x ON x.project_id = projects.id").Where("x.deploy_key_id IN ?", ids).Order("projects.id")
	rows, err := query.Find[model.DeployKeyUse](q, len(ids))
	return groupBy(rows, func(u model.DeployKeyUse) int64 { return u.DeployKeyID }), query.Translate(err)
}

func (s DeployKeys) inProject(ctx context.Context, projectID int64) *gorm.DB {
	return s.db.Read(ctx).Select("deploy_keys.*, x.can_push").
		Joins("JOIN deploy_key_projects x ON x.deploy_key_id = deploy_keys.id").Where("x.project_id = ?", projectID)
}

// ListByProject returns one page of the deploy keys of a project, the oldest first.
func (s DeployKeys) ListByProject(ctx context.Context, projectID int64, p Page) ([]model.DeployKeyRow, Total, error) {
	return query.List[model.DeployKeyRow](s.inProject(ctx, projectID).Order("deploy_keys.id"), p)
}

// GetOfProject returns a deploy key of a project.
func (s DeployKeys) GetOfProject(ctx context.Context, projectID, id int64) (model.DeployKeyRow, error) {
	return query.Take[model.DeployKeyRow](s.inProject(ctx, projectID).Where("deploy_keys.id = ?", id), deployKey)
}

// GetByFingerprint returns the deploy key with a SHA-256 fingerprint.
func (s DeployKeys) GetByFingerprint(ctx context.Context, fingerprint string) (model.DeployKey, error) {
	return query.Take[model.DeployKey](s.db.Read(ctx).Where("fingerprint_sha256 = ?", fingerprint), deployKey)
}

// GetUsable returns a deploy key that a user may enable in their projects: a public one, or one of a project that the user
// maintains. Administrators may enable every key.
func (s DeployKeys) GetUsable(ctx context.Context, id int64, r Reader) (model.DeployKey, error) {
	q := s.db.Read(ctx).Where("deploy_keys.id = ?", id)
	if !r.Admin {
		maintained, args := projectWithRole("projects", r.UserID, model.Maintainer, s.today())
		q = q.Where("(deploy_keys.public OR EXISTS (SELECT 1 FROM deploy_key_projects x JOIN projects ON projects.id = x.project_id "+
			"WHERE x.deploy_key_id = deploy_keys.id AND "+maintained+"))", args...)
	}
	return query.Take[model.DeployKey](q, deployKey)
}

// ListOfUsers returns one page of the deploy keys of projects that a user maintains and that the reader maintains, too.
// Administrators maintain every project.
func (s DeployKeys) ListOfUsers(ctx context.Context, userID int64, r Reader, p Page) ([]model.DeployKey, Total, error) {
	maintained, args := projectWithRole("projects", userID, model.Maintainer, s.today())
	if !r.Admin {
		both, more := projectWithRole("projects", r.UserID, model.Maintainer, s.today())
		maintained, args = maintained+" AND "+both, append(args, more...)
	}
	q := s.db.Read(ctx).Where("EXISTS (SELECT 1 FROM deploy_key_projects x JOIN projects ON projects.id = x.project_id "+
		"WHERE x.deploy_key_id = deploy_keys.id AND "+maintained+")", args...)
	return query.List[model.DeployKey](q.Order("deploy_keys.id"), p)
}

// Create adds a deploy key. A key that exists is a *ConflictError.
func (s DeployKeys) Create(ctx context.Context, k *model.DeployKey) error {
	return query.Translate(s.db.Write(ctx).Create(k).Error)
}

// Enable gives a deploy key access to a project. It is a *ConflictError if the key already has access.
func (s DeployKeys) Enable(ctx context.Context, id, projectID int64, canPush bool) error {
	row := model.DeployKeyProject{DeployKeyID: id, ProjectID: projectID, CanPush: canPush}
	return query.Translate(s.db.Write(ctx).Create(&row).Error)
}

// SetCanPush changes whether a deploy key may push to a project.
func (s DeployKeys) SetCanPush(ctx context.Context, id, projectID int64, canPush bool) error {
	return query.Translate(s.db.Write(ctx).Model(&model.DeployKeyProject{}).
		Where("deploy_key_id = ? AND project_id = ?", id, projectID).UpdateColumn("can_push", canPush).Error)
}

// SetTitle changes the title of a deploy key.
func (s DeployKeys) SetTitle(ctx context.Context, id int64, title string) error {
	set := map[string]any{"title": title, "updated_at": s.now()}
	return query.Translate(s.db.Write(ctx).Model(&model.DeployKey{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// CountProjects returns the number of projects that a deploy key gives access to.
func (s DeployKeys) CountProjects(ctx context.Context, id int64) (n int64, err error) {
	err = s.db.Row(ctx, "SELECT count(*) FROM deploy_key_projects WHERE deploy_key_id = ?", []any{id}, &n)
	return n, query.Translate(err)
}

// Disable takes the access to a project from a deploy key. A key that is not public and has no other project is deleted;
// then it returns true. If the key was changed after the given time, everything stays, and the result is a *ChangedError.
func (s DeployKeys) Disable(
	ctx context.Context, k model.DeployKey, projectID int64, unchangedSince *time.Time,
) (deleted bool, err error) {
	if ChangedAfter(k.UpdatedAt, unchangedSince) {
		return false, &ChangedError{Resource: deployKey}
	}
	err = s.Tx(ctx, func(ctx context.Context) error {
		res := s.db.Write(ctx).Where("deploy_key_id = ? AND project_id = ?", k.ID, projectID).Delete(&model.DeployKeyProject{})
		if res.Error != nil {
			return query.Translate(res.Error)
		}
		if res.RowsAffected == 0 {
			return &NotFoundError{Resource: deployKey}
		}
		res = s.db.Write(ctx).Where("id = ? AND NOT public AND NOT EXISTS "+
			"(SELECT 1 FROM deploy_key_projects x WHERE x.deploy_key_id = deploy_keys.id)", k.ID).Delete(&model.DeployKey{})
		deleted = res.RowsAffected > 0
		return query.Translate(res.Error)
	})
	return deleted && err == nil, err
}

// Access returns whether a deploy key gives access to a project, and whether it may push.
func (s DeployKeys) Access(ctx context.Context, id, projectID int64) (known, canPush bool, err error) {
	err = s.db.Row(ctx, "SELECT can_push FROM deploy_key_projects WHERE deploy_key_id = ? AND project_id = ?",
		[]any{id, projectID}, &canPush)
	err = query.Translate(err, deployKey)
	if IsNotFound(err) {
		return false, false, nil
	}
	return err == nil, canPush, err
}
