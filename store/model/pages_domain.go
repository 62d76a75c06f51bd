package model

import "time"

// PagesDomain is a domain of a project's Pages site.
type PagesDomain struct {
	ID                int64
	ProjectID         int64
	Domain            string
	AutoSSL           bool `gorm:"column:auto_ssl"`
	Certificate       *string
	SealedKey         []byte
	CertificateUntil  *time.Time
	VerificationCode  string
	VerifiedAt        *time.Time
	EnabledUntil      *time.Time
	LookedAt          *time.Time
	Obtained          bool       // svc obtained the certificate itself
	CertificateNextAt *time.Time // when to try to obtain one; until then no process tries
	CertificateTries  int64
	CertificateError  *string
	ChallengeToken    *string
	ChallengeAnswer   *string
	CreatedAt         time.Time
	UpdatedAt         time.Time
}
