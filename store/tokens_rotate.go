package store

import (
	"context"
	"fmt"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Rotate replaces a token by a new one with the same owner, name, description and scopes. If several requests rotate
// one token, exactly one succeeds. For the others, and for a token that was already revoked, it returns false and
// revokes the whole family of the token, because somebody has it who should not.
func (s Tokens) Rotate(
	ctx context.Context, old model.PersonalAccessToken, digest []byte, expires time.Time,
) (model.PersonalAccessToken, bool, error) {
	family, done := old.Family(), false
	row := model.PersonalAccessToken{
		UserID: old.UserID, Name: old.Name, Description: old.Description, Scopes: old.Scopes, Digest: digest, ExpiresAt: &expires,
		PreviousID: &old.ID, FamilyID: &family,
	}
	err := s.inFamily(ctx, family, func(ctx context.Context) error {
		if err := s.db.LockShared(ctx, sourcesInUse); err != nil { // see Revoke
			return err
		}
		won, err := s.RevokeActive(ctx, old.ID, nil)
		if err != nil {
			return err
		}
		if !won {
			return s.endFamily(ctx, family)
		}
		done = true
		if err := s.Create(ctx, &row); err != nil {
			return err
		}
		return Bots(s).extendRole(ctx, row)
	})
	return row, done && err == nil, err
}

// EndFamily revokes a token and all tokens that it was rotated from or into.
func (s Tokens) EndFamily(ctx context.Context, id int64) error {
	t, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	return s.inFamily(ctx, t.Family(), func(ctx context.Context) error { return s.endFamily(ctx, t.Family()) })
}

// inFamily makes sure that nobody else rotates or revokes the family meanwhile. The update that revokes the family
// would not see a token that is just being created.
func (s Tokens) inFamily(ctx context.Context, family int64, f func(ctx context.Context) error) error {
	return s.Exclusive(ctx, fmt.Sprintf("token family %d", family), f)
}

func (s Tokens) endFamily(ctx context.Context, family int64) error {
	return query.Translate(s.db.Write(ctx).Model(&model.PersonalAccessToken{}).
		Where("(id = ? OR family_id = ?) AND revoked = ?", family, family, false).Updates(map[string]any{"revoked": true}).Error)
}
