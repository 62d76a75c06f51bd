package group

import (
	"context"

	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// New describes a new group.
type New struct {
	Row    model.Namespace // starts from DefaultRow; its parent group follows from the place
	Avatar wire.Optional[[]byte]
}

// Check validates a new group, also against its parent group.
func (p Place) Check(n New) error {
	if err := checkName(n.Row.Name); err != nil {
		return err
	}
	if err := checkPath(n.Row.Path, p.parent == nil); err != nil {
		return err
	}
	if err := checkDescription(n.Row.Description); err != nil {
		return err
	}
	if p.parent != nil && n.Row.Visibility > p.parent.Visibility {
		return failure("visibility_level", tooVisible(n.Row.Visibility, p.parent.Visibility))
	}
	return nil
}

// DefaultRow returns a new group with the defaults of the settings. It is not more visible than its parent group.
func (s *Service) DefaultRow(in Place) model.Namespace {
	g, settings := model.DefaultNamespace(model.NamespaceGroup), s.store.Settings.Current()
	g.Visibility, g.ProjectCreationLevel = settings.GroupVisibility(), settings.ProjectCreationLevel()
	g.DefaultBranchProtection = settings.DefaultBranchProtection
	if in.parent != nil {
		g.Visibility = min(g.Visibility, in.parent.Visibility)
	}
	return g
}

// Create creates a group that the caller owns.
func (s *Service) Create(ctx context.Context, in Place, n New) (model.Namespace, error) {
	err := in.Check(n)
	if err == nil {
		err = s.checkRestricted(ctx, n.Row.Visibility)
	}
	if err != nil {
		return n.Row, err
	}
	picture, err := avatar.Read(n.Avatar)
	if err != nil {
		return n.Row, err
	}
	row, err := s.create(ctx, in, n.Row, picture)
	return row, explainSave(err)
}

// create creates a group with its owner and avatar. It checks the visibility again under the lock, because the parent
// group can have become less visible meanwhile.
func (s *Service) create(
	ctx context.Context, in Place, row model.Namespace, picture *model.Avatar,
) (model.Namespace, error) {
	row.ParentID = in.parentID()
	ownerID := reqctx.Of(ctx).Actor.User.ID
	err := s.store.Namespaces.RunWithGroupsLocked(ctx, func(ctx context.Context) error {
		if err := s.checkVisibility(ctx, row, row.Visibility); err != nil {
			return err
		}
		if err := s.store.Namespaces.Create(ctx, &row); err != nil {
			return err
		}
		if err := s.store.Avatars.Put(ctx, model.AvatarGroup, row.ID, picture); err != nil {
			return err
		}
		owner := model.Member{
			SourceType: model.SourceGroup, SourceID: row.ID, UserID: ownerID, AccessLevel: model.Owner, CreatedByID: &ownerID,
		}
		if err := s.store.Members.Add(ctx, &owner); err != nil {
			return err
		}
		if err := s.announceCreated(ctx, row, owner); err != nil {
			return err
		}
		return events.Audit(ctx, s.store, events.OfGroup(row, "group_created", "Created group"))
	})
	return row, err
}

// announceCreated announces a new group and its owner to webhooks.
func (s *Service) announceCreated(ctx context.Context, row model.Namespace, owner model.Member) error {
	if err := s.hooks.GroupCreated(ctx, row); err != nil {
		return err
	}
	u, err := s.store.Users.Get(ctx, owner.UserID)
	if err != nil {
		return err
	}
	return s.hooks.Member(ctx, announce.MemberAdded, announce.Membership{
		GroupID: row.ID, User: u, Access: owner.AccessLevel, CreatedAt: owner.CreatedAt, UpdatedAt: owner.UpdatedAt,
	})
}
