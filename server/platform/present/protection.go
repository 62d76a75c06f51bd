package present

import (
	"svc/gen"
	"svc/store/model"
)

// ProtectedBranch presents a protection rule for branches.
func ProtectedBranch(b model.ProtectedBranch) gen.ProtectedBranch {
	return gen.ProtectedBranch{
		ID:                    b.ID,
		Name:                  b.Name,
		PushAccessLevels:      protectionLevels(b.ID, b.PushAccessLevel),
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
