// Package wikis manages the wiki pages of projects and groups, which are stored in git repositories.
//
//	service.go        construction, and finding a wiki
//	project_wiki.go   the operations on the wikis of projects
//	group_wiki.go     the operations on the wikis of groups
//	list.go           lists pages
//	get.go            shows a page
//	write.go          creates and changes pages
//	attachments.go    adds files
package wikis

import (
	"context"

	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/wiki"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
)

// Wikis holds the operations on wiki pages.
type Wikis struct {
	access       *access.Access
	repositories *lifecycle.SideRepositories
	wikis        *wiki.Service
	pages        pagination.MaxOffset
}

// New returns the wiki operations.
func New(a *access.Access, sides *lifecycle.SideRepositories, service *wiki.Service, pages pagination.MaxOffset) *Wikis {
	return &Wikis{access: a, repositories: sides, wikis: service, pages: pages}
}

// project returns the wiki of a project in which the caller has the ability.
func (w *Wikis) project(ctx context.Context, ref string, ability access.Ability) (wiki.Place, error) {
	row, err := w.access.Project(ctx, ref, ability)
	return wiki.OfProject(row.Project), err
}

// group returns the wiki of a group in which the caller has the ability.
func (w *Wikis) group(ctx context.Context, ref string, ability access.Ability) (wiki.Place, error) {
	g, _, err := w.access.Group(ctx, ref, ability)
	return wiki.OfGroup(g), err
}
