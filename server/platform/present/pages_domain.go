package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Certificate gives the parts of a certificate that the API shows.
type Certificate interface {
	Subject() string
	Text() string
}

// PagesDomain presents a domain of a site, with its certificate if it has one.
func PagesDomain(d model.PagesDomain, c Certificate, now time.Time) gen.PagesDomain {
	shown := gen.PagesDomain{
		Domain: d.Domain, URL: siteURL(d), AutoSslEnabled: d.AutoSSL, AutoSslError: d.CertificateError,
		Verified: d.VerifiedAt != nil, VerificationCode: d.VerificationCode, EnabledUntil: wire.TimePtr(d.EnabledUntil),
	}
	if c != nil && d.Certificate != nil {
		shown.Certificate = &gen.PagesCertificate{
			Subject: c.Subject(), Expired: expired(d, now), Certificate: *d.Certificate, CertificateText: c.Text(),
		}
	}
	return shown
}

// PagesDomainAdmin presents a domain in the list of all domains of the instance.
func PagesDomainAdmin(d model.PagesDomain, now time.Time) gen.PagesDomainAdmin {
	shown := gen.PagesDomainAdmin{
		Domain: d.Domain, URL: siteURL(d), ProjectID: d.ProjectID, AutoSslEnabled: d.AutoSSL,
		Verified: d.VerifiedAt != nil, VerificationCode: d.VerificationCode,
		EnabledUntil: wire.TimePtr(d.EnabledUntil),
	}
	if d.CertificateUntil != nil {
		shown.Certificate = &gen.PagesExpiry{Expired: expired(d, now), Expiration: wire.NewTime(*d.CertificateUntil)}
		shown.CertificateExpiration = shown.Certificate
	}
	return shown
}

func siteURL(d model.PagesDomain) string {
	if d.Certificate != nil {
		return "https://" + d.Domain
	}
	return "http://" + d.Domain
}

func expired(d model.PagesDomain, now time.Time) bool {
	return d.CertificateUntil != nil && d.CertificateUntil.Before(now)
}
