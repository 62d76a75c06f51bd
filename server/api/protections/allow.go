package protections

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// allowed is who may push to a protected branch, as a request names them.
type allowed struct {
	role    *gen.ProtectionRole // nil if the request names none
	keys    []int64             // deploy keys
	removed []int64             // ids of elements of push_access_levels
}

// allowedToPush reads who may push. role is push_access_level, which wins over a role in the list.
func allowedToPush(role *gen.ProtectionRole, list *[]gen.AllowedToPush) (allowed, error) {
	var out allowed
	for _, item := range wire.Value(list) {
		remove := wire.Value(item.Destroy)
		switch {
		case item.UserID.Ptr() != nil || item.GroupID.Ptr() != nil:
			return out, apierr.Unprocessable("Push access levels can name roles and deploy keys, not users and groups")
		case remove && item.ID != nil:
			out.removed = append(out.removed, *item.ID)
		case remove || (item.DeployKeyID == nil) == (item.AccessLevel == nil):
			return out, apierr.BadParameter("allowed_to_push is invalid")
		case item.DeployKeyID != nil:
			out.keys = append(out.keys, *item.DeployKeyID)
		case out.role != nil:
			return out, apierr.Unprocessable("Push access levels can name only one role")
		default:
			out.role = item.AccessLevel
		}
	}
	if role != nil {
		out.role = role
	}
	return out, nil
}

// presentBranch presents a rule with the deploy keys that may push.
func (p *Protections) presentBranch(ctx context.Context, rule model.ProtectedBranch) (gen.ProtectedBranch, error) {
	keys, err := p.store.Protections.DeployKeys(ctx, []int64{rule.ID})
	return present.ProtectedBranch(rule, keys[rule.ID]), err
}
