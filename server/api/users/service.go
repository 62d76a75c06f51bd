// Package users manages user accounts.
//
//	service.go          the operations' dependencies
//	list.go             list users
//	filter.go           the filters and orders of lists
//	get.go              show a user
//	present.go          what administrators see of users
//	current.go          the caller's own account
//	count.go            counts of memberships, issues and to-do items
//	activity.go         when users were last active
//	create.go           create users
//	update.go           change users
//	delete.go           delete users, and identities at external providers
//	attribute.go        list and show custom attributes
//	attribute_write.go  set and remove custom attributes
//	state.go            block, deactivate and ban
//	state_answer.go     the answers to changes of state
//	approval.go         approve and reject sign-ups
//	two_factor.go       turn off two-factor authentication
package users

import (
	"context"

	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Users are the operations on user accounts.
type Users struct {
	store    *store.Store
	accounts *account.Service
	pages    pagination.MaxOffset
	show     present.Presenter
}

// New returns the user operations.
func New(st *store.Store, accounts *account.Service, pages pagination.MaxOffset, show present.Presenter) *Users {
	return &Users{store: st, accounts: accounts, pages: pages, show: show}
}

// findAsAdmin returns a user. The caller must be an administrator.
func (u *Users) findAsAdmin(ctx context.Context, userID int64) (model.User, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return model.User{}, err
	}
	return access.UserByID(ctx, u.store, userID)
}
