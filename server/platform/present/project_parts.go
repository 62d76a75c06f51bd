package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// GroupPublic presents the public members of a group.
func (p Presenter) GroupPublic(g model.Namespace) gen.GroupPublic {
	return gen.GroupPublic{
		ID:        g.ID,
		WebURL:    p.Base + "/groups/" + g.FullPath,
		Name:      g.Name,
		AvatarURL: p.GroupAvatar(g),
		FullName:  g.FullName,
		FullPath:  g.FullPath,
	}
}

// Starrer presents a user who has starred a project.
func (p Presenter) Starrer(s model.Starrer) gen.Starrer {
	return gen.Starrer{StarredSince: wire.NewTime(s.Since), User: p.UserBasic(s.User)}
}

// ProjectShare presents the sharing of a project with a group.
func ProjectShare(l model.ProjectLink) gen.ProjectShare {
	return gen.ProjectShare{
		ID:          l.ID,
		ProjectID:   l.ProjectID,
		GroupID:     l.GroupID,
		GroupAccess: gen.ShareAccessLevel(l.AccessLevel),
		ExpiresAt:   wire.DatePtr(l.ExpiresAt),
	}
}

// ProjectAttribute presents an attribute of a project.
func ProjectAttribute(a model.ProjectCustomAttribute) gen.CustomAttribute {
	return gen.CustomAttribute{Key: a.Key, Value: a.Value}
}
