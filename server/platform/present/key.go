package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Key presents an SSH key.
func Key(k model.Key) gen.Key {
	return gen.Key{
		ID:        k.ID,
		Title:     k.Title,
		CreatedAt: wire.NewTime(k.CreatedAt),
		ExpiresAt: wire.TimePtr(k.ExpiresAt),
		Key:       k.Key,
		UsageType: gen.KeyUsage(k.UsageType),
	}
}

// KeyWithUser presents an SSH key and its owner.
func (p Presenter) KeyWithUser(k model.Key, owner model.User) gen.KeyWithUser {
	return gen.KeyWithUser{
		ID:        k.ID,
		Title:     k.Title,
		CreatedAt: wire.NewTime(k.CreatedAt),
		ExpiresAt: wire.TimePtr(k.ExpiresAt),
		Key:       k.Key,
		UsageType: gen.KeyUsage(k.UsageType),
		User:      p.UserBasic(owner),
	}
}

// GPGKey presents an OpenPGP key.
func GPGKey(k model.GPGKey) gen.GPGKey {
	return gen.GPGKey{ID: k.ID, Key: k.Key, CreatedAt: wire.NewTime(k.CreatedAt)}
}
