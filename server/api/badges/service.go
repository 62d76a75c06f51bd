// Package badges implements the API operations on badges: images with links that projects and groups display.
package badges

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"svc/gen"
	rules "svc/server/domain/badge"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Badges implements the operations on badges.
type Badges struct {
	store  *store.Store
	access *access.Access
	repos  *git.Repositories
	pages  pagination.MaxOffset
}

// New returns the badge operations.
func New(st *store.Store, a *access.Access, repos *git.Repositories, pages pagination.MaxOffset) *Badges {
	return &Badges{store: st, access: a, repos: repos, pages: pages}
}

// owner is the project or group of a request, after the permission check.
type owner struct {
	store.ResourceOwner
	entity  events.Entity
	project *model.ProjectRow // nil for a group
	group   string            // name of the group
}

func (b *Badges) project(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	row, err := b.access.Project(ctx, ref, ability)
	in := owner{ResourceOwner: store.OwnedByProject(row.Project), entity: events.Project(row.Project), project: &row}
	if row.Place.Kind == model.NamespaceGroup {
		in.group = row.Place.Name
	}
	return in, err
}

func (b *Badges) group(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	g, _, err := b.access.Group(ctx, ref, ability)
	return owner{ResourceOwner: store.OwnedByGroup(g), entity: events.Group(g), group: g.Name}, err
}

// placeholders returns the values of the placeholders that badges can use. It reads the repository only for placeholders that
// one of the badges uses.
func (b *Badges) placeholders(ctx context.Context, in owner, rows ...model.Badge) (present.Placeholders, error) {
	var values present.Placeholders
	if in.group != "" {
		values.Put("group_name", in.group)
	}
	if in.project == nil {
		return values, nil
	}
	p := in.project.Project
	values.Put("project_path", p.FullPath)
	values.Put("project_title", p.Name)
	values.Put("project_name", p.Path)
	values.Put("project_id", strconv.FormatInt(p.ID, 10))
	values.Put("project_namespace", in.project.Place.FullPath)
	if !in.project.ReadsCode() {
		return values, nil
	}
	values.Put("default_branch", p.DefaultBranch)
	named := func(name string) bool {
		return slices.ContainsFunc(rows, func(r model.Badge) bool { return strings.Contains(r.LinkURL+" "+r.ImageURL, "%{"+name+"}") })
	}
	repo, err := b.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
	if err != nil {
		return values, err
	}
	if named("commit_sha") {
		if _, id := repo.Head(); id != "" {
			values.Put("commit_sha", id)
		}
	}
	if !named("latest_tag") {
		return values, nil
	}
	tag, err := latestTag(ctx, repo)
	if tag != "" {
		values.Put("latest_tag", tag)
	}
	return values, err
}

// latestTag returns the tag whose commit is the newest.
func latestTag(ctx context.Context, repo git.Repo) (string, error) {
	if !repo.Exists() {
		return "", nil
	}
	tags, err := repo.Tags(ctx)
	if err != nil || len(tags) == 0 {
		return "", err
	}
	tags = slices.DeleteFunc(tags, func(t git.Tag) bool { return t.Commit == "" })
	ids := make([]string, len(tags))
	for i, t := range tags {
		ids[i] = t.Commit
	}
	commits, err := repo.Commits(ctx, ids)
	if err != nil || len(commits) == 0 {
		return "", err
	}
	last := 0
	for i := range commits {
		if commits[i].Committer.When.After(commits[last].Committer.When) {
			last = i
		}
	}
	return tags[last].Name, nil
}

func (b *Badges) presentOne(ctx context.Context, in owner, row model.Badge) (gen.Badge, error) {
	values, err := b.placeholders(ctx, in, row)
	return present.Badge(values)(row), err
}

func (b *Badges) list(
	ctx context.Context, in owner, name *string, number, size *int64, paging *gen.Pagination,
) ([]gen.Badge, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "Badge"}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := b.store.Badges.List(ctx, in.ResourceOwner, name, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	values, err := b.placeholders(ctx, in, rows...)
	return present.All(rows, present.Badge(values)), window.Headers(total), err
}

func (b *Badges) get(ctx context.Context, in owner, id int64) (gen.Badge, error) {
	row, err := b.store.Badges.Get(ctx, in.ResourceOwner, id)
	if err != nil {
		return gen.Badge{}, apierr.OrNotFound(err, "Badge")
	}
	return b.presentOne(ctx, in, row)
}

func (b *Badges) render(ctx context.Context, in owner, link, image string) (gen.BadgeRender, error) {
	row := model.Badge{LinkURL: link, ImageURL: image}
	if err := checkURLs(row); err != nil {
		return gen.BadgeRender{}, err
	}
	values, err := b.placeholders(ctx, in, row)
	return present.BadgeRender(values, row), err
}

func (b *Badges) create(ctx context.Context, in owner, body gen.BadgeCreate) (gen.Badge, error) {
	made := model.Badge{ProjectID: in.ProjectID, GroupID: in.GroupID, Name: body.Name.Ptr(), LinkURL: body.LinkURL, ImageURL: body.ImageURL}
	if err := checkURLs(made); err != nil {
		return gen.Badge{}, err
	}
	err := events.Audited(ctx, b.store, func(ctx context.Context) (events.Change, error) {
		room, err := b.store.Badges.Create(ctx, in.ResourceOwner, &made, rules.MaxBadges)
		if err == nil && !room {
			err = apierr.Refused(fmt.Sprintf("Maximum number of badges (%d) exceeded", rules.MaxBadges))
		}
		return in.change(made, "badge_created", "Created badge"), err
	})
	if err != nil {
		return gen.Badge{}, err
	}
	return b.presentOne(ctx, in, made)
}

func (b *Badges) update(ctx context.Context, in owner, id int64, body gen.BadgeUpdate) (gen.Badge, error) {
	var row model.Badge
	err := events.AuditedAll(ctx, b.store, func(ctx context.Context) ([]events.Change, error) {
		before, err := b.store.Badges.GetOwn(ctx, in.ResourceOwner, id)
		if err != nil {
			return nil, apierr.OrNotFound(err, "Badge")
		}
		row = before
		if body.LinkURL != nil {
			row.LinkURL = *body.LinkURL
		}
		if body.ImageURL != nil {
			row.ImageURL = *body.ImageURL
		}
		if body.Name.IsSet() {
			row.Name = body.Name.Ptr()
		}
		if err := checkURLs(row); err != nil {
			return nil, err
		}
		err = b.store.Badges.Update(ctx, id, map[string]any{"link_url": row.LinkURL, "image_url": row.ImageURL, "name": row.Name})
		return events.Differences(before, row, in.change(row, "badge_updated", "")), err
	})
	if err != nil {
		return gen.Badge{}, err
	}
	return b.presentOne(ctx, in, row)
}

func (b *Badges) delete(ctx context.Context, in owner, id int64, unmodifiedSince *string) error {
	return events.Audited(ctx, b.store, func(ctx context.Context) (events.Change, error) {
		row, err := b.store.Badges.GetOwn(ctx, in.ResourceOwner, id)
		if err != nil {
			return events.Change{}, apierr.OrNotFound(err, "Badge")
		}
		err = b.store.Badges.Delete(ctx, row, reqctx.UnmodifiedSince(unmodifiedSince))
		return in.change(row, "badge_deleted", "Deleted badge"), apierr.OrNotFound(err, "Badge")
	})
}

// checkURLs validates the URLs of a badge.
func checkURLs(row model.Badge) error {
	fields := map[string][]string{}
	for field, text := range map[string]string{"link_url": row.LinkURL, "image_url": row.ImageURL} {
		if wrong := rules.CheckURL(text); wrong != "" {
			fields[field] = []string{wrong}
		}
	}
	if len(fields) > 0 {
		return apierr.InvalidFields(fields)
	}
	return nil
}

func (in owner) change(row model.Badge, kind, message string) events.Change {
	details := row.LinkURL
	if row.Name != nil {
		details = *row.Name
	}
	return events.Change{
		Type:    kind,
		Entity:  in.entity,
		Target:  events.Target{Type: "Badge", ID: row.ID, Details: details},
		Message: message,
	}
}
