package model

import "time"

// PagesDomain is a name under which the site of a project is found.
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
	Obtained          bool       // whether we got the certificate ourselves
	CertificateNextAt *time.Time // when to try to get one; until then nobody else tries
	CertificateTries  int64
	CertificateError  *string
	ChallengeToken    *string
	ChallengeAnswer   *string
	CreatedAt         time.Time
	UpdatedAt         time.Time
}
