package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Group presents a group in a list.
func (p Presenter) Group(g model.Namespace) gen.Group {
	return gen.Group{
		ID:                             g.ID,
		WebURL:                         p.Base + "/groups/" + g.FullPath,
		Name:                           g.Name,
		Path:                           g.Path,
		Description:                    g.Description,
		Visibility:                     gen.Visibility(g.Visibility.String()),
		ShareWithGroupLock:             g.ShareWithGroupLock,
		RequireTwoFactorAuthentication: g.RequireTwoFactorAuthentication,
		TwoFactorGracePeriod:           g.TwoFactorGracePeriod,
		ProjectCreationLevel:           gen.ProjectCreationLevel(g.ProjectCreationLevel),
		AutoDevopsEnabled:              g.AutoDevopsEnabled,
		SubgroupCreationLevel:          gen.SubgroupCreationLevel(g.SubgroupCreationLevel),
		EmailsDisabled:                 g.EmailsDisabled,
		EmailsEnabled:                  !g.EmailsDisabled,
		MentionsDisabled:               g.MentionsDisabled,
		LfsEnabled:                     g.LfsEnabled,
		DefaultBranchProtection:        g.DefaultBranchProtection,
		AvatarURL:                      p.GroupAvatar(g),
		RequestAccessEnabled:           g.RequestAccessEnabled,
		FullName:                       g.FullName,
		FullPath:                       g.FullPath,
		CreatedAt:                      wire.NewTime(g.CreatedAt),
		ParentID:                       g.ParentID,
		SharedRunnersSetting:           gen.SharedRunnersSetting(g.SharedRunnersSetting),
		MarkedForDeletionOn:            wire.DatePtr(g.MarkedForDeletionAt),
	}
}

// GroupStatistics presents the sizes of a group.
func GroupStatistics(s model.GroupSize) *gen.GroupStatistics {
	return &gen.GroupStatistics{
		StorageSize:    s.RepositorySize + s.LfsObjectsSize + s.JobArtifactsSize + s.PackagesSize + s.UploadsSize,
		RepositorySize: s.RepositorySize, LfsObjectsSize: s.LfsObjectsSize, JobArtifactsSize: s.JobArtifactsSize,
		PackagesSize: s.PackagesSize, UploadsSize: s.UploadsSize,
	}
}

// GroupDetail presents a single group with the groups that it is shared with. GroupProjects adds its projects.
func (p Presenter) GroupDetail(g model.Namespace, shares []model.GroupShare) gen.Group {
	shown := p.Group(g)
	with := All(shares, groupShare)
	shown.SharedWithGroups = &with
	shown.PreventSharingGroupsOutsideHierarchy = &g.PreventSharingOutsideHierarchy
	shown.MavenDuplicatesAllowed = &g.MavenDuplicatesAllowed
	shown.MavenDuplicateExceptionRegex = &g.MavenDuplicateExceptionRegex
	shown.GenericDuplicatesAllowed = &g.GenericDuplicatesAllowed
	shown.GenericDuplicateExceptionRegex = &g.GenericDuplicateExceptionRegex
	return shown
}

// GroupProjects adds the projects of a group and those that are shared with it, in the form of lists.
func (p Presenter) GroupProjects(g gen.Group, simple bool, own, shared []model.ProjectRow) gen.Group {
	show := p.Project
	if simple {
		show = p.ProjectSimple
	}
	in, with := All(own, show), All(shared, show)
	g.Projects, g.SharedProjects = &in, &with
	return g
}

func groupShare(s model.GroupShare) gen.GroupShare {
	return gen.GroupShare{
		GroupID:          s.GroupID,
		GroupName:        s.Name,
		GroupFullPath:    s.FullPath,
		GroupAccessLevel: int64(s.AccessLevel),
		ExpiresAt:        wire.DatePtr(s.ExpiresAt),
	}
}

// GroupImport presents the progress of the import of a group.
func GroupImport(g model.Namespace, i model.GroupImport) gen.GroupImport {
	return gen.GroupImport{
		ID: g.ID, FullPath: g.FullPath, ImportStatus: gen.GroupImportStatus(i.State), ImportError: i.Error,
		Records: i.Records, Imported: i.Imported,
		SkippedMembers: i.SkippedMembers, CreatedAt: wire.NewTime(i.CreatedAt), UpdatedAt: wire.NewTime(i.UpdatedAt),
	}
}
