package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// GroupPublic shows what everybody who sees a group sees of it.
func (p Presenter) GroupPublic(g model.Namespace) gen.GroupPublic {
	return gen.GroupPublic{
		ID:        g.ID,
		WebURL:    p.Base + "/groups/" + g.FullPath,
		Name:      g.Name,
		AvatarURL: nil,
		FullName:  g.FullName,
		FullPath:  g.FullPath,
	}
}

// Starrer shows who has starred a project.
func (p Presenter) Starrer(s model.Starrer) gen.Starrer {
	return gen.Starrer{StarredSince: wire.NewTime(s.Since), User: p.UserBasic(s.User)}
}

// ProjectShare shows the sharing of a project with a group.
func ProjectShare(l model.ProjectLink) gen.ProjectShare {
	return gen.ProjectShare{
		ID:          l.ID,
		ProjectID:   l.ProjectID,
		GroupID:     l.GroupID,
		GroupAccess: gen.ShareAccessLevel(l.AccessLevel),
		ExpiresAt:   wire.DatePtr(l.ExpiresAt),
	}
}

// ProjectAttribute shows an attribute of a project.
func ProjectAttribute(a model.ProjectCustomAttribute) gen.CustomAttribute {
	return gen.CustomAttribute{Key: a.Key, Value: a.Value}
}
