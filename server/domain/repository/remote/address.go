package remote

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/outbound"
)

// maxAddress is the longest address of a repository.
const maxAddress = 2048

// mask replaces the user and the password in an address that is shown.
const mask = "*****"

// parseAddress reads the address of a repository. The error has a reason that the user may read.
func parseAddress(raw string) (*url.URL, error) {
	u, err := outbound.Parse(raw)
	switch {
	case err != nil:
		return nil, err
	case len(raw) > maxAddress:
		return nil, &outbound.BlockedError{Reason: "URL is too long"}
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, &outbound.BlockedError{Reason: "URL must not have a query or a fragment"}
	case strings.Trim(u.Path, "/") == "":
		return nil, &outbound.BlockedError{Reason: "URL must have the path of a repository"}
	}
	return u, nil
}

// checkAddress reads the address of a repository in a field of a request, and refuses one that must not be reached.
func (s *Service) checkAddress(ctx context.Context, field, raw string) (*url.URL, error) {
	u, err := parseAddress(raw)
	if err == nil {
		err = s.Client.Check(ctx, raw, false)
	}
	var blocked *outbound.BlockedError
	if errors.As(err, &blocked) {
		return nil, apierr.Invalid(field, "is blocked: "+blocked.Reason)
	}
	return u, err
}

// WithCredentials returns the address of a repository with a user and a password. Without both, it stays as it is.
func WithCredentials(raw, user, password string) (string, error) {
	if user == "" && password == "" {
		return raw, nil
	}
	u, err := parseAddress(raw)
	var blocked *outbound.BlockedError
	if errors.As(err, &blocked) {
		return "", apierr.Invalid("url", "is blocked: "+blocked.Reason)
	}
	if err != nil {
		return "", err
	}
	u.User = url.UserPassword(user, password)
	return u.String(), nil
}

// shownAddress returns an address without its credentials.
func shownAddress(u *url.URL) string {
	if u.User == nil {
		return u.String()
	}
	plain := *u
	plain.User = nil
	return strings.Replace(plain.String(), "://", "://"+mask+":"+mask+"@", 1)
}

// withoutSecrets returns a text in which the credentials of an address are masked.
func withoutSecrets(text string, u *url.URL) string {
	if u == nil || u.User == nil {
		return text
	}
	password, _ := u.User.Password()
	for _, secret := range []string{password, u.User.Username()} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, mask)
		}
	}
	return text
}
