package present

import (
	"strconv"
	"strings"

	"svc/store/model"
)

// AuthorEmail is the address that commits which the service makes for a user carry.
func (p Presenter) AuthorEmail(u model.User) string { return p.commitEmail(u) }

// PrivateEmailOwner is the id of the user whom a private address for commits could be of; IsPrivateEmail makes sure.
func PrivateEmailOwner(address string) (int64, bool) {
	number, rest, _ := strings.Cut(address, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	return id, err == nil && strings.Contains(rest, "@users.noreply.")
}

// IsPrivateEmail tells whether an address is the private one of a user.
func (p Presenter) IsPrivateEmail(u model.User, address string) bool {
	private := model.PrivateCommitEmail
	u.CommitEmail = &private
	return strings.EqualFold(p.commitEmail(u), address)
}
