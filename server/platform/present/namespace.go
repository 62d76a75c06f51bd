package present

import (
	"svc/gen"
	"svc/store/model"
)

// Namespace presents a namespace, with the number of its members if it was counted. owners holds the users of personal
// namespaces, by namespace: such a namespace shows the avatar of its user.
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
