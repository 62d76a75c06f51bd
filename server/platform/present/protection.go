package present

import (
	"svc/gen"
	"svc/store/model"
)

// ProtectedBranch presents a protection rule for branches, with the deploy keys that may push.
func ProtectedBranch(b model.ProtectedBranch, keys []model.ProtectedBranchKeyRow) gen.ProtectedBranch {
	push := protectionLevels(b.ID, b.PushAccessLevel)
	for _, row := range keys {
		push = append(push, gen.ProtectionLevel{
			ID: row.Key.ID, AccessLevel: int64(model.Maintainer), AccessLevelDescription: row.Title, DeployKeyID: &row.Key.DeployKeyID,
		})
	}
	return gen.ProtectedBranch{
		ID:                    b.ID,
		Name:                  b.Name,
		PushAccessLevels:      push,
		MergeAccessLevels:     protectionLevels(b.ID, b.MergeAccessLevel),
		UnprotectAccessLevels: protectionLevels(b.ID, b.UnprotectAccessLevel),
		AllowForcePush:        b.AllowForcePush,
	}
}

// ProtectedTag presents a protection rule for tags.
func ProtectedTag(t model.ProtectedTag) gen.ProtectedTag {
	return gen.ProtectedTag{Name: t.Name, CreateAccessLevels: protectionLevels(t.ID, t.CreateAccessLevel)}
}

func protectionLevels(id int64, level model.Access) []gen.ProtectionLevel {
	text := "Maintainers"
	switch level {
	case model.NoAccess:
		text = "No one"
	case model.Developer:
		text = "Developers + Maintainers"
	case model.AdminOnly:
		text = "Administrators"
	}
	return []gen.ProtectionLevel{{ID: id, AccessLevel: int64(level), AccessLevelDescription: text}}
}
