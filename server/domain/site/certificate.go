package site

import (
	"context"

	"svc/server/domain/site/certificate"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// CertificateChange describes what to change in the certificate of a domain; nil fields stay as they are.
type CertificateChange struct {
	Certificate, Key *string // PEM; two empty strings remove the certificate
	Auto             *bool   // whether the service obtains a certificate by itself
}

// columns returns the columns that a change writes to a domain, which may already have a certificate and a key.
func (s *Service) columns(ctx context.Context, d model.PagesDomain, c CertificateChange) (map[string]any, error) {
	set := map[string]any{}
	auto, own := d.AutoSSL, d.Certificate != nil && !d.Obtained
	if c.Auto != nil {
		auto = *c.Auto
	}
	if c.Certificate != nil || c.Key != nil {
		cert, key, err := s.certificateAfter(d, c)
		if err != nil {
			return nil, err
		}
		if own = cert != "" || key != ""; !own {
			set["certificate"], set["sealed_key"], set["certificate_until"] = nil, nil, nil
			auto = auto && c.Auto != nil
		} else {
			chain, wrong := certificate.Read(cert, key)
			if wrong != nil {
				return nil, apierr.InvalidFields(wrong)
			}
			set["certificate"], set["certificate_until"] = cert, chain.Until()
			set["sealed_key"] = s.vault.Seal([]byte(key), d.Domain)
		}
		set["obtained"] = false
	}
	set["auto_ssl"] = auto
	switch {
	case !auto || own: // a certificate that a user uploaded is never replaced
		set["certificate_next_at"], set["certificate_error"] = nil, nil
	case d.CertificateNextAt == nil || d.CertificateError != nil || set["obtained"] != nil:
		// A user who asks again need not wait for the next scheduled try.
		set["certificate_next_at"], set["certificate_tries"], set["certificate_error"] = clock.Now(ctx).UTC(), 0, nil
	}
	return set, nil
}

// certificateAfter returns the certificate and the key that the domain has after the change.
func (s *Service) certificateAfter(d model.PagesDomain, c CertificateChange) (cert, key string, err error) {
	if c.Certificate != nil {
		cert = *c.Certificate
	} else if d.Certificate != nil {
		cert = *d.Certificate
	}
	if c.Key != nil {
		return cert, *c.Key, nil
	}
	if d.SealedKey != nil {
		plain, err := s.vault.Open(d.SealedKey, d.Domain)
		return cert, string(plain), err
	}
	return cert, "", nil
}
