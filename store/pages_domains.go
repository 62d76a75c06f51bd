package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// PagesDomains holds the custom domains of Pages sites.
type PagesDomains struct{ *base }

const pagesDomain = "PagesDomain"

// All returns one page of all domains in the order of creation. If domain is not empty, it returns only that domain.
func (s PagesDomains) All(ctx context.Context, domain string, p Page) ([]model.PagesDomain, Total, error) {
	q := s.db.Read(ctx).Order("id")
	if domain != "" {
		q = q.Where("domain = ?", domain)
	}
	return query.List[model.PagesDomain](q, p)
}

// List returns one page of the domains of a project in the order of creation.
func (s PagesDomains) List(ctx context.Context, projectID int64, p Page) ([]model.PagesDomain, Total, error) {
	return query.List[model.PagesDomain](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Get returns a domain of a project.
func (s PagesDomains) Get(ctx context.Context, projectID int64, domain string) (model.PagesDomain, error) {
	return query.Take[model.PagesDomain](s.db.Read(ctx).Where("project_id = ? AND domain = ?", projectID, domain), pagesDomain)
}

// Create adds a domain. It returns a *ConflictError if any project has that domain.
func (s PagesDomains) Create(ctx context.Context, d *model.PagesDomain) error {
	return query.Translate(s.db.Write(ctx).Create(d).Error)
}

// Update changes the given columns of a domain and returns the new row.
func (s PagesDomains) Update(ctx context.Context, d model.PagesDomain, set map[string]any) (model.PagesDomain, error) {
	if len(set) > 0 {
		if err := s.db.Write(ctx).Model(&model.PagesDomain{}).Where("id = ?", d.ID).Updates(set).Error; err != nil {
			return d, query.Translate(err)
		}
	}
	return query.Take[model.PagesDomain](s.db.Write(ctx).Where("id = ?", d.ID), pagesDomain)
}

// Delete removes a domain, unless it was changed after the given time.
func (s PagesDomains) Delete(ctx context.Context, d model.PagesDomain, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, d, pagesDomain, unchangedSince)
}

// Due returns domains whose ownership was last checked before the given time, or never. The longest unchecked come
// first.
func (s PagesDomains) Due(ctx context.Context, before time.Time, most int) ([]model.PagesDomain, error) {
	rows, err := query.Find[model.PagesDomain](s.db.Read(ctx).Where("looked_at IS NULL OR looked_at < ?", before).
		Order("looked_at").Limit(most), most)
	return rows, query.Translate(err)
}

// AtDomain returns the row of a domain, whichever project it belongs to.
func (s PagesDomains) AtDomain(ctx context.Context, domain string) (model.PagesDomain, error) {
	return query.Take[model.PagesDomain](s.db.Read(ctx).Where("domain = ?", domain), pagesDomain)
}

// Challenge returns the answer to the ACME challenge with the given token. It is empty if there is no answer.
func (s PagesDomains) Challenge(ctx context.Context, domain, token string) (string, error) {
	d, err := query.Take[model.PagesDomain](s.db.Read(ctx).Select("challenge_answer").
		Where("domain = ? AND challenge_token = ?", domain, token), pagesDomain)
	if err != nil || d.ChallengeAnswer == nil {
		return "", err
	}
	return *d.ChallengeAnswer, nil
}

// DueForCertificate returns the ids of domains that are due to get a certificate. Those that have waited longest come first.
func (s PagesDomains) DueForCertificate(ctx context.Context, at time.Time, most int) ([]int64, error) {
	var ids []int64
	err := s.db.Read(ctx).Model(&model.PagesDomain{}).Where("certificate_next_at <= ?", at).Order("certificate_next_at").
		Limit(most).Pluck("id", &ids).Error
	return ids, query.Translate(err)
}

// Lease reserves the job of getting a certificate for a domain until the given time. It returns a *NotFoundError if the
// domain is not due, or if another process has reserved it.
func (s PagesDomains) Lease(ctx context.Context, id int64, at, until time.Time) (model.PagesDomain, error) {
	res := s.db.Write(ctx).Model(&model.PagesDomain{}).Where("id = ? AND certificate_next_at <= ?", id, at).
		UpdateColumns(map[string]any{"certificate_next_at": until, "certificate_tries": gorm.Expr("certificate_tries + 1")})
	if res.Error != nil {
		return model.PagesDomain{}, query.Translate(res.Error)
	}
	if res.RowsAffected == 0 {
		return model.PagesDomain{}, &NotFoundError{Resource: pagesDomain}
	}
	return query.Take[model.PagesDomain](s.db.Write(ctx).Where("id = ?", id), pagesDomain)
}

// UpdateCertificate updates a domain that still uses automatic certificates. It returns false if the domain was deleted, or if a
// user has uploaded a certificate.
func (s PagesDomains) UpdateCertificate(ctx context.Context, id int64, set map[string]any) (bool, error) {
	res := s.db.Write(ctx).Model(&model.PagesDomain{}).Where("id = ? AND auto_ssl AND (certificate IS NULL OR obtained)", id).Updates(set)
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// AcmeKey returns the sealed account key for an ACME directory. The first key that is stored stays; later calls return
// it instead of fresh.
func (s PagesDomains) AcmeKey(ctx context.Context, directory string, fresh []byte) ([]byte, error) {
	err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).
		Create(&model.AcmeAccount{Directory: directory, SealedKey: fresh}).Error
	if err != nil {
		return nil, query.Translate(err)
	}
	row, err := query.Take[model.AcmeAccount](s.db.Write(ctx).Where("directory = ?", directory), "Account")
	return row.SealedKey, err
}
