package present

import "svc/store/model"

// AuthorEmail returns the author address of commits that the service makes for a user.
func (p Presenter) AuthorEmail(u model.User) string { return p.commitEmail(u) }
