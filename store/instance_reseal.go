package store

import (
	"context"
	"encoding/json"
	"fmt"

	"svc/store/internal/query"
	"svc/store/model"
	"svc/store/secret"
)

// sealedColumn is a column of secrets that are sealed with the secret key.
type sealedColumn struct {
	name               string // what the secrets are, for people
	purpose            string // of the vault
	table, key, column string
	owner              string // the SQL expression of the owner that the secret is sealed for
}

// sealedColumns lists all columns of sealed secrets, except the one of the instance itself. A test compares it with the
// schema.
var sealedColumns = []sealedColumn{
	{"second factors of users", secret.SecondFactorPurpose, "two_factors", "id", "otp_sealed", "'user ' || user_id"},
	{"alert integrations", secret.AlertPurpose, "alert_integrations", "id", "sealed", "'project ' || project_id"},
	{"keys of error tracking", secret.ErrorTrackingPurpose, "error_tracking_keys", "id", "sealed", "'project ' || project_id"},
	{
		"instance IDs of feature " +
			"flags", secret.FeatureFlagsPurpose, "feature_flag_clients", "project_id", "sealed", "'project ' || project_id",
	},
	{"Terraform states", secret.TerraformPurpose, "terraform_state_versions", "id", "sealed", "'terraform state ' || state_id"},
	{"secure files", secret.SecureFilesPurpose, "secure_files", "id", "sealed", "'project ' || project_id"},
	{"private keys of sites", secret.SiteKeyPurpose, "pages_domains", "id", "sealed_key", "domain"},
	{"ACME accounts", secret.ACMEAccountPurpose, "acme_accounts", "directory", "sealed_key", "directory"},
	{"webhooks and integrations", secret.WebhookPurpose, "hooks", "id", "sealed", "CASE WHEN project_id IS NOT NULL THEN " +
		"'project ' || project_id WHEN group_id IS NOT NULL THEN 'group ' || group_id ELSE 'instance' END"},
	{"external status checks", secret.StatusCheckPurpose, "external_status_checks", "id", "sealed", "'project ' || project_id"},
	{"keys that sign ID tokens", secret.SigningKeyPurpose, "oauth_keys", "id", "sealed", "kid"},
	{"addresses of imports", secret.ImportPurpose, "project_imports", "project_id", "sealed", "'project ' || project_id"},
	{"mirrors that are pushed to", secret.ImportPurpose, "remote_mirrors", "id", "sealed", "'project ' || project_id"},
	{"mirrors that are pulled from", secret.ImportPurpose, "pull_mirrors", "id", "sealed", "'project ' || project_id"},
	{"tokens of imports from other instances", secret.ImportPurpose, "bulk_imports", "id", "sealed", "'user ' || user_id"},
	{"SSH host keys", secret.HostKeyPurpose, "ssh_host_keys", "name", "sealed", "name"},
}

// Reseal opens a secret that was sealed for a purpose and an owner, and seals it with another key.
type Reseal func(purpose, owner string, sealed []byte) ([]byte, error)

// ResealedSecrets counts the secrets of one kind.
type ResealedSecrets struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// resealBatch is how many secrets are read at a time.
const resealBatch = 500

// Reseal seals all secrets in the database with another key, in one transaction: afterwards all of them are sealed with
// the other key, or, after an error, none. No process of the service may run meanwhile.
func (s Instance) Reseal(ctx context.Context, reseal Reseal) (counts []ResealedSecrets, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		counts = nil
		for _, c := range sealedColumns {
			n, err := s.resealColumn(ctx, c, reseal)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			counts = append(counts, ResealedSecrets{Name: c.name, Count: n})
		}
		n, err := s.resealMails(ctx, reseal)
		if err != nil {
			return fmt.Errorf("waiting mails: %w", err)
		}
		counts = append(counts, ResealedSecrets{Name: "waiting mails", Count: n})
		return s.resealKeyCheck(ctx, reseal)
	})
	return counts, err
}

// sealedRow is a sealed secret. Its key is a text, because one table has no numbers.
type sealedRow struct {
	Key, Owner string
	Sealed     []byte
}

// resealColumn reads all rows before it writes the first: they are few and small.
func (s Instance) resealColumn(ctx context.Context, c sealedColumn, reseal Reseal) (int64, error) {
	var rows []sealedRow
	statement := fmt.Sprintf("SELECT CAST(%s AS text) AS key, %s AS owner, %s AS sealed FROM %s WHERE %s IS NOT NULL ORDER BY %s",
		c.key, c.owner, c.column, c.table, c.column, c.key)
	if err := s.db.Write(ctx).Raw(statement).Scan(&rows).Error; err != nil {
		return 0, query.Translate(err)
	}
	update := fmt.Sprintf("UPDATE %s SET %s = ? WHERE CAST(%s AS text) = ?", c.table, c.column, c.key)
	if c.key == "id" || c.key == "project_id" {
		update = fmt.Sprintf("UPDATE %s SET %s = ? WHERE %s = CAST(? AS bigint)", c.table, c.column, c.key)
	}
	for _, row := range rows {
		if string(row.Sealed) == model.LostSecrets {
			continue
		}
		fresh, err := reseal(c.purpose, row.Owner, row.Sealed)
		if err != nil {
			return 0, fmt.Errorf("row %s of %s: %w", row.Key, c.table, err)
		}
		if err := s.db.Write(ctx).Exec(update, fresh, row.Key).Error; err != nil {
			return 0, query.Translate(err)
		}
	}
	return int64(len(rows)), nil
}

// resealMails seals the mails that wait in the queue. A mail that cannot be opened stays as it is: it could never be
// sent.
func (s Instance) resealMails(ctx context.Context, reseal Reseal) (n int64, err error) {
	update := "UPDATE river_job SET args = ? WHERE id = ?"
	if s.Postgres() {
		update = "UPDATE river_job SET args = CAST(? AS jsonb) WHERE id = ?"
	}
	for last := int64(0); ; {
		var rows []struct {
			ID   int64
			Args []byte
		}
		err := s.db.Write(ctx).Raw("SELECT id, args FROM river_job WHERE kind = 'send_mail' AND state NOT IN ('completed', 'cancelled') "+
			"AND id > ? ORDER BY id LIMIT ?", last, resealBatch).Scan(&rows).Error
		if err != nil {
			return n, query.Translate(err)
		}
		for _, row := range rows {
			last = row.ID
			args, ok := resealMail(row.Args, reseal)
			if !ok {
				continue
			}
			if err := s.db.Write(ctx).Exec(update, s.jobArgs(args), row.ID).Error; err != nil {
				return n, query.Translate(err)
			}
			n++
		}
		if len(rows) < resealBatch {
			return n, nil
		}
	}
}

// jobArgs returns the arguments of a job in the form that the database stores: text on PostgreSQL, bytes on SQLite.
func (s Instance) jobArgs(args []byte) any {
	if s.Postgres() {
		return string(args)
	}
	return args
}

// resealMail seals the mail in the arguments of a job.
func resealMail(args []byte, reseal Reseal) ([]byte, bool) {
	var mail struct {
		ID     string `json:"id"`
		Sealed []byte `json:"sealed"`
	}
	if json.Unmarshal(args, &mail) != nil {
		return nil, false
	}
	fresh, err := reseal(secret.MailPurpose, mail.ID, mail.Sealed)
	if err != nil {
		return nil, false
	}
	mail.Sealed = fresh
	args, err = json.Marshal(mail)
	return args, err == nil
}

// resealKeyCheck seals the value that the key is checked against.
func (s Instance) resealKeyCheck(ctx context.Context, reseal Reseal) error {
	instance, err := s.Get(ctx)
	if err != nil || instance.KeyCheck == nil {
		return err
	}
	fresh, err := reseal(secret.InstancePurpose, instance.ID, instance.KeyCheck)
	if err != nil {
		return err
	}
	return s.Set(ctx, map[string]any{"key_check": fresh})
}
