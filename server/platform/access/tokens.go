package access

import (
	"context"

	"svc/store"
	"svc/store/model"
)

// TokenSource is the group or project whose tokens a caller manages, and the caller's role there.
type TokenSource struct {
	store.Source
	Noun string // "project" or "group", for texts
	Path string
	Role model.Access
}

// TokensOfProject is Project for operations on its tokens.
func (a *Access) TokensOfProject(ctx context.Context, ref string, ability Ability) (TokenSource, error) {
	row, err := a.Project(ctx, ref, ability)
	return TokenSource{store.Source{Type: model.SourceProject, ID: row.Project.ID}, "project", row.Project.FullPath, row.Role()}, err
}

// TokensOfGroup is Group for operations on its tokens.
func (a *Access) TokensOfGroup(ctx context.Context, ref string, ability Ability) (TokenSource, error) {
	group, role, err := a.Group(ctx, ref, ability)
	return TokenSource{store.Source{Type: model.SourceGroup, ID: group.ID}, "group", group.FullPath, role}, err
}
