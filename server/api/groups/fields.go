package groups

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/store/model"
)

func newGroup(b gen.GroupCreate) model.Namespace {
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path, g.ParentID, g.Visibility = b.Name, b.Path, b.ParentID, model.Private
	if b.Visibility != nil {
		g.Visibility = visibility(*b.Visibility)
	}
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
	return g
}

func assign[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// create creates a group with its owner and avatar. It checks the visibility again under the lock, because the parent
// group can have become less visible meanwhile.
func (g *Groups) create(ctx context.Context, row *model.Namespace, ownerID int64, picture *model.Avatar) error {
	return g.store.Namespaces.RunWithGroupsLocked(ctx, func(ctx context.Context) error {
		if err := g.checkVisibility(ctx, *row, row.Visibility); err != nil {
			return err
		}
		if err := g.store.Namespaces.Create(ctx, row); err != nil {
			return err
		}
		if err := g.store.Avatars.Put(ctx, model.AvatarGroup, row.ID, picture); err != nil {
			return err
		}
		err := g.store.Members.Add(ctx, &model.Member{
			SourceType: model.SourceGroup, SourceID: row.ID, UserID: ownerID, AccessLevel: model.Owner, CreatedByID: &ownerID,
		})
		if err != nil {
			return err
		}
		return events.Audit(ctx, g.store, groupChange(*row, "group_created", "Created group"))
	})
}

// update changes the given fields of a group. The rules of the parent group apply.
func (g *Groups) update(ctx context.Context, row model.Namespace, b gen.GroupUpdate, picture *model.Avatar) error {
	set := changes(b)
	if b.Name != nil {
		if err := checkName(*b.Name); err != nil {
			return err
		}
	}
	if b.Description != nil {
		if err := checkDescription(*b.Description); err != nil {
			return err
		}
	}
	if b.Visibility != nil {
		set["visibility"] = visibility(*b.Visibility)
	}
	return g.store.Namespaces.RunWithGroupsLocked(ctx, func(ctx context.Context) error {
		row, _, err := g.store.Namespaces.GetGroup(ctx, row.ID, "", nil) // it can have been moved meanwhile
		if err != nil {
			return err
		}
		if b.Path != nil {
			if err := checkPath(*b.Path, row.ParentID == nil); err != nil {
				return err
			}
		}
		if b.Visibility != nil {
			if err := g.checkVisibility(ctx, row, visibility(*b.Visibility)); err != nil {
				return err
			}
		}
		if err := g.store.Namespaces.Update(ctx, row.ID, set); err != nil {
			return err
		}
		if err := g.store.Avatars.Put(ctx, model.AvatarGroup, row.ID, picture); err != nil {
			return err
		}
		after, _, err := g.store.Namespaces.GetGroup(ctx, row.ID, "", nil)
		if err != nil {
			return err
		}
		changes := events.Differences(row, after, groupChange(row, "group_updated", ""))
		if picture != nil {
			changes = append(changes, groupChange(row, "group_updated", "Changed the picture"))
		}
		return events.Audit(ctx, g.store, changes...)
	})
}

// groupChange describes a change of the group itself for the audit events.
func groupChange(row model.Namespace, kind, message string) events.Change {
	in := events.Group(row)
	return events.Change{Type: kind, Entity: in, Target: in.AsTarget(), Message: message}
}

// move moves a group into another group, or to the top level. It checks the rules of the new place.
func (g *Groups) move(ctx context.Context, id int64, to *int64) error {
	return g.store.Namespaces.RunWithGroupsLocked(ctx, func(ctx context.Context) error {
		row, _, err := g.store.Namespaces.GetGroup(ctx, id, "", nil)
		if err != nil {
			return err
		}
		if to == nil && naming.Reserved(row.Path) {
			return apierr.BadRequest("Transfer failed: " + row.Path + " is a reserved name")
		}
		if to != nil {
			parent, _, err := g.store.Namespaces.GetGroup(ctx, *to, "", nil)
			if err != nil {
				return err
			}
			if parent.Visibility < row.Visibility {
				return apierr.BadRequest("Transfer failed: " + tooVisible(row.Visibility, parent.Visibility))
			}
		}
		if err := g.store.Namespaces.Move(ctx, id, to); err != nil {
			return err
		}
		after, _, err := g.store.Namespaces.GetGroup(ctx, id, "", nil)
		if err != nil {
			return err
		}
		c := groupChange(after, "group_transferred", "Moved group")
		c.Field, c.From, c.To = "full_path", row.FullPath, after.FullPath
		return events.Audit(ctx, g.store, c)
	})
}

// checkVisibility rejects a visibility that is higher than that of the parent group, or lower than that of a subgroup
// or project in the group.
func (g *Groups) checkVisibility(ctx context.Context, row model.Namespace, to model.Visibility) error {
	if row.ParentID != nil {
		parent, _, err := g.store.Namespaces.GetGroup(ctx, *row.ParentID, "", nil)
		if err != nil {
			return err
		}
		if to > parent.Visibility {
			return failure("visibility_level", tooVisible(to, parent.Visibility))
		}
	}
	below, err := g.store.Namespaces.MostVisibleBelow(ctx, row.ID)
	if err != nil {
		return err
	}
	if to < below {
		return failure("visibility_level", to.String()+" is not allowed since there are sub-groups with higher visibility.")
	}
	if below, err = g.store.Namespaces.MostVisibleProject(ctx, row.ID); err != nil {
		return err
	}
	if to < below {
		return failure("visibility_level", to.String()+" is not allowed since this group contains projects with higher visibility.")
	}
	return nil
}

func changes(b gen.GroupUpdate) map[string]any {
	set := map[string]any{}
	setIfGiven(set, "name", b.Name)
	setIfGiven(set, "path", b.Path)
	setIfGiven(set, "description", b.Description)
	setIfGiven(set, "share_with_group_lock", b.ShareWithGroupLock)
	setIfGiven(set, "require_two_factor_authentication", b.RequireTwoFactorAuthentication)
	setIfGiven(set, "two_factor_grace_period", b.TwoFactorGracePeriod)
	setIfGiven(set, "project_creation_level", b.ProjectCreationLevel)
	setIfGiven(set, "subgroup_creation_level", b.SubgroupCreationLevel)
	setIfGiven(set, "auto_devops_enabled", b.AutoDevopsEnabled)
	setIfGiven(set, "emails_disabled", b.EmailsDisabled)
	setIfGiven(set, "mentions_disabled", b.MentionsDisabled)
	setIfGiven(set, "lfs_enabled", b.LfsEnabled)
	setIfGiven(set, "default_branch_protection", b.DefaultBranchProtection)
	setIfGiven(set, "request_access_enabled", b.RequestAccessEnabled)
	setIfGiven(set, "shared_runners_setting", b.SharedRunnersSetting)
	setIfGiven(set, "prevent_sharing_outside_hierarchy", b.PreventSharingGroupsOutsideHierarchy)
	return set
}

func setIfGiven[T any](set map[string]any, column string, value *T) {
	if value != nil {
		set[column] = *value
	}
}
