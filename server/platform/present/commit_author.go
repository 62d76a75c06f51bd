package present

import (
	"strconv"
	"strings"

	"svc/store/model"
)

// AuthorEmail returns the author address of commits that the service makes for a user.
func (p Presenter) AuthorEmail(u model.User) string { return p.commitEmail(u) }

// PrivateEmailOwner returns the id of the user to whom a private commit address may belong. The caller must verify it
// with IsPrivateEmail.
func PrivateEmailOwner(address string) (int64, bool) {
	number, rest, _ := strings.Cut(address, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	return id, err == nil && strings.Contains(rest, "@users.noreply.")
}

// IsPrivateEmail reports whether an address is the private commit address of a user.
func (p Presenter) IsPrivateEmail(u model.User, address string) bool {
	private := model.PrivateCommitEmail
	u.CommitEmail = &private
	return strings.EqualFold(p.commitEmail(u), address)
}
