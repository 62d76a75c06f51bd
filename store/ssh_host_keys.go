package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// SSHHostKeys holds the SSH host keys that all processes of an instance share.
type SSHHostKeys struct{ *base }

// All returns the sealed keys by the names of their files.
func (s SSHHostKeys) All(ctx context.Context) (map[string][]byte, error) {
	rows, err := query.Find[model.SSHHostKey](s.db.Write(ctx), 0)
	keys := make(map[string][]byte, len(rows))
	for _, row := range rows {
		keys[row.Name] = row.Sealed
	}
	return keys, query.Translate(err)
}

// Add stores a sealed key.
func (s SSHHostKeys) Add(ctx context.Context, name string, sealed []byte) error {
	row := model.SSHHostKey{Name: name, Sealed: sealed, CreatedAt: s.now()}
	return query.Translate(s.db.Write(ctx).Create(&row).Error)
}

// Clear removes all keys and returns how many there were.
func (s SSHHostKeys) Clear(ctx context.Context) (int64, error) {
	res := s.db.Write(ctx).Where("1 = 1").Delete(&model.SSHHostKey{})
	return res.RowsAffected, query.Translate(res.Error)
}
