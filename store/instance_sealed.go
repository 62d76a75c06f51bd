package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// RemovedSecrets counts the secrets that were removed because the key that sealed them is lost.
type RemovedSecrets struct{ SecondFactors, AlertKeys, ErrorKeys, Certificates, SigningKeys int64 }

// RemoveSealed removes all secrets that are sealed with the secret key, and the value that the key is checked against.
// It removes second factors of users, keys of alert and error tracking integrations, private keys of sites with their
// certificates, ACME accounts, and the keys that sign ID tokens.
func (s Instance) RemoveSealed(ctx context.Context) (f RemovedSecrets, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		for _, step := range []struct {
			count *int64
			query string
		}{
			{&f.SecondFactors, "DELETE FROM two_factors"},
			{nil, "DELETE FROM recovery_codes"},
			{nil, "UPDATE users SET two_factor = false WHERE two_factor"},
			{&f.AlertKeys, "DELETE FROM alert_integrations"},
			{&f.ErrorKeys, "DELETE FROM error_tracking_keys"},
			{
				&f.Certificates,
				"UPDATE pages_domains SET certificate = NULL, sealed_key = NULL, certificate_until = NULL, obtained " +
					"= false WHERE sealed_key IS NOT NULL",
			},
			{nil, "DELETE FROM acme_accounts"},
			{&f.SigningKeys, "DELETE FROM oauth_keys"},
			{nil, "UPDATE instance SET key_check = NULL"},
		} {
			done := s.db.Write(ctx).Exec(step.query)
			if done.Error != nil {
				return query.Translate(done.Error)
			}
			if step.count != nil {
				*step.count = done.RowsAffected
			}
		}
		return nil
	})
	return f, err
}

// HasSealed reports whether the database contains secrets that are sealed with the secret key.
func (s Instance) HasSealed(ctx context.Context) (bool, error) {
	for _, row := range []any{
		&model.TwoFactor{}, &model.OAuthKey{}, &model.AlertIntegration{}, &model.ErrorTrackingKey{},
		&model.AcmeAccount{},
	} {
		var n int64
		if err := s.db.Read(ctx).Model(row).Limit(1).Count(&n).Error; err != nil || n > 0 {
			return n > 0, query.Translate(err)
		}
	}
	return false, nil
}
