package groups

import (
	"context"

	"svc/gen"
	"svc/server/domain/group"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateGroup creates a group that the caller owns.
// POST /groups
func (g *Groups) CreateGroup(
	ctx context.Context, req gen.CreateGroupRequestObject,
) (gen.CreateGroupResponseObject, error) {
	if _, err := access.Allow(ctx, access.CreateGroup); err != nil {
		return nil, err
	}
	in, err := g.groups.MayCreateIn(ctx, req.Body.ParentID)
	if err != nil {
		return nil, err
	}
	row, err := g.groups.Create(ctx, in, newFrom(g.groups.DefaultRow(in), *req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := g.reload(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroup201JSONResponse(shown), nil
}

func newFrom(g model.Namespace, b gen.GroupCreate) group.New {
	g.Name, g.Path = b.Name, b.Path
	assign(&g.Visibility, visibilityFrom(b.Visibility))
	assign(&g.Description, b.Description)
	assign(&g.ShareWithGroupLock, b.ShareWithGroupLock)
	assign(&g.RequireTwoFactorAuthentication, b.RequireTwoFactorAuthentication)
	assign(&g.TwoFactorGracePeriod, b.TwoFactorGracePeriod)
	assign(&g.EmailsDisabled, b.EmailsDisabled)
	assign(&g.LfsEnabled, b.LfsEnabled)
	assign(&g.DefaultBranchProtection, b.DefaultBranchProtection)
	assign(&g.RequestAccessEnabled, b.RequestAccessEnabled)
	g.AutoDevopsEnabled, g.MentionsDisabled = b.AutoDevopsEnabled, b.MentionsDisabled
	if b.ProjectCreationLevel != nil {
		g.ProjectCreationLevel = string(*b.ProjectCreationLevel)
	}
	if b.SubgroupCreationLevel != nil {
		g.SubgroupCreationLevel = string(*b.SubgroupCreationLevel)
	}
	return group.New{Row: g, Avatar: b.Avatar}
}

func assign[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// visibilityFrom returns the model's value of a visibility, or nil.
func visibilityFrom(v *gen.Visibility) *model.Visibility {
	if v == nil {
		return nil
	}
	to := map[gen.Visibility]model.Visibility{
		"private": model.Private, "internal": model.Internal, "public": model.Public,
	}[*v]
	return &to
}
