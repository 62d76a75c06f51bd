package present

import (
	"svc/gen"
	"svc/store/model"
)

// Namespace shows a namespace, with the number of its members where it was counted. Owners are the users whose own a
// namespace is, by namespace: their pictures stand for it.
func (p Presenter) Namespace(members map[int64]int64, owners map[int64]model.User) func(model.Namespace) gen.Namespace {
	return func(n model.Namespace) gen.Namespace {
		shown := gen.Namespace{
			ID:        n.ID,
			Name:      n.Name,
			Path:      n.Path,
			Kind:      gen.NamespaceKind(n.Kind),
			FullPath:  n.FullPath,
			ParentID:  n.ParentID,
			AvatarURL: p.GroupAvatar(n),
			WebURL:    p.Base + "/" + n.FullPath,
		}
		if n.Kind == model.NamespaceGroup {
			shown.WebURL = p.Base + "/groups/" + n.FullPath
		}
		if owner, ok := owners[n.ID]; ok {
			shown.AvatarURL = p.UserAvatar(owner)
		}
		if count, ok := members[n.ID]; ok {
			shown.MembersCountWithDescendants = &count
		}
		return shown
	}
}
