package store

import (
	"context"
	"fmt"

	"svc/store/internal/query"
	"svc/store/model"
)

// RemovedSecrets counts the secrets that were removed because the key that sealed them is lost.
type RemovedSecrets struct {
	SecondFactors int64 `json:"second_factors"`
	AlertKeys     int64 `json:"alert_integrations"`
	ErrorKeys     int64 `json:"error_tracking_keys"`
	InstanceIDs   int64 `json:"feature_flag_clients"`
	States        int64 `json:"terraform_state_versions"`
	SecureFiles   int64 `json:"secure_files"`
	Certificates  int64 `json:"site_certificates"`
	Webhooks      int64 `json:"webhooks"`
	Integrations  int64 `json:"integrations"`
	SigningKeys   int64 `json:"signing_keys"`
	HostKeys      int64 `json:"host_keys"`
	Imports       int64 `json:"waiting_imports"`
	Mirrors       int64 `json:"mirrors"`
	PullMirrors   int64 `json:"pull_mirrors"`
	Mails         int64 `json:"waiting_mails"`
}

// RemoveSealed removes all secrets that are sealed with the secret key, and the value that the key is checked against.
// It removes second factors of users, keys of alert and error tracking integrations, instance IDs of feature flags,
// Terraform states and secure files, which cannot be read any more, private keys of sites with their certificates,
// ACME accounts, the keys that sign ID tokens, the shared copies of SSH host keys, and waiting mails.
// Imports that have not ended will fail, and mirrors are switched off.
// Webhooks stay without their tokens, custom headers and URL variables, and external status checks without their secrets.
// Integrations, whose addresses are secrets, are switched off.
func (s Instance) RemoveSealed(ctx context.Context) (f RemovedSecrets, err error) {
	lost := []byte(model.LostSecrets)
	err = s.Tx(ctx, func(ctx context.Context) error {
		for _, step := range []struct {
			count *int64
			query string
			with  []any
		}{
			{&f.SecondFactors, "DELETE FROM two_factors", nil},
			{nil, "DELETE FROM recovery_codes", nil},
			{nil, "UPDATE users SET two_factor = false WHERE two_factor", nil},
			{&f.AlertKeys, "DELETE FROM alert_integrations", nil},
			{&f.ErrorKeys, "DELETE FROM error_tracking_keys", nil},
			{&f.InstanceIDs, "DELETE FROM feature_flag_clients", nil},
			{&f.States, "DELETE FROM terraform_state_versions", nil},
			{&f.SecureFiles, "DELETE FROM secure_files", nil},
			{
				&f.Certificates,
				"UPDATE pages_domains SET certificate = NULL, sealed_key = NULL, certificate_until = NULL, obtained " +
					"= false WHERE sealed_key IS NOT NULL", nil,
			},
			{nil, "DELETE FROM acme_accounts", nil},
			{&f.Webhooks, "UPDATE hooks SET sealed = ? WHERE integration IS NULL AND sealed <> ?", []any{lost, lost}},
			{
				&f.Integrations,
				"UPDATE hooks SET sealed = ?, inactive = true, events = 0 WHERE integration IS NOT NULL AND sealed <> ?",
				[]any{lost, lost},
			},
			{nil, "UPDATE external_status_checks SET sealed = NULL WHERE sealed IS NOT NULL", nil},
			{&f.SigningKeys, "DELETE FROM oauth_keys", nil},
			{&f.HostKeys, "DELETE FROM ssh_host_keys", nil},
			{&f.Imports, "UPDATE project_imports SET sealed = ? WHERE sealed <> ?", []any{lost, lost}},
			{&f.Mirrors, "UPDATE remote_mirrors SET sealed = ?, enabled = false WHERE sealed <> ?", []any{lost, lost}},
			{&f.PullMirrors, "UPDATE pull_mirrors SET sealed = ?, enabled = false WHERE sealed <> ?", []any{lost, lost}},
			{nil, "UPDATE bulk_imports SET sealed = ? WHERE sealed <> ?", []any{lost, lost}},
			{&f.Mails, "DELETE FROM river_job WHERE kind = 'send_mail' AND state NOT IN ('completed', 'cancelled', 'running')", nil},
			{nil, "UPDATE instance SET key_check = NULL", nil},
		} {
			done := s.db.Write(ctx).Exec(step.query, step.with...)
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
	for _, c := range sealedColumns {
		var found bool
		statement := fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM %s WHERE %s IS NOT NULL AND %s <> ?)", c.table, c.column, c.column)
		err := query.ScanFirst(s.db.Read(ctx).Raw(statement, []byte(model.LostSecrets)), &found)
		if err != nil || found {
			return found, query.Translate(err)
		}
	}
	return false, nil
}
