package model

import (
	"net/url"
	"strconv"
	"strings"
)

// CommitAddress returns the address that commits of the user have. A private address receives no mail but identifies
// the user. baseURL is the URL of the instance.
func (u User) CommitAddress(baseURL string) string {
	switch {
	case u.CommitEmail == nil:
		return u.Email
	case *u.CommitEmail == PrivateCommitEmail:
		return u.PrivateEmail(baseURL)
	}
	return *u.CommitEmail
}

// PrivateEmail returns the address of the instance that hides the user's own. baseURL is the URL of the instance.
func (u User) PrivateEmail(baseURL string) string {
	host := baseURL
	if base, err := url.Parse(baseURL); err == nil {
		host = base.Hostname()
	}
	return strconv.FormatInt(u.ID, 10) + "-" + u.Username + "@users.noreply." + host
}

// PrivateEmailOwner returns the id of the user to whom a private commit address may belong. The caller must compare the
// address with the PrivateEmail of that user.
func PrivateEmailOwner(address string) (int64, bool) {
	number, rest, _ := strings.Cut(address, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	return id, err == nil && strings.Contains(rest, "@users.noreply.")
}
