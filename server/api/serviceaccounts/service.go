// Package serviceaccounts implements the API operations on service accounts of the instance, of groups and of projects, and
// on their access tokens.
//
//	service.go   construction, and what all operations share
//	instance.go  the accounts of the instance
//	group.go     the accounts of groups and their tokens
//	project.go   the accounts of projects and their tokens
//	tokens.go    tokens of an account
package serviceaccounts

import (
	"context"

	"svc/gen"
	"svc/server/domain/serviceaccount"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ServiceAccounts implements the operations on service accounts.
type ServiceAccounts struct {
	store    *store.Store
	access   *access.Access
	accounts *serviceaccount.Service
	tokens   *token.Service
	pages    pagination.MaxOffset
	show     present.Presenter
}

// New returns the operations.
func New(
	st *store.Store, a *access.Access, accounts *serviceaccount.Service, tokens *token.Service, pages pagination.MaxOffset,
	show present.Presenter,
) *ServiceAccounts {
	return &ServiceAccounts{store: st, access: a, accounts: accounts, tokens: tokens, pages: pages, show: show}
}

// group returns a group as the owner of accounts that the caller manages.
func (s *ServiceAccounts) group(ctx context.Context, ref string) (serviceaccount.Owner, error) {
	g, _, err := s.access.Group(ctx, ref, access.AdminGroupServiceAccount)
	return serviceaccount.OfGroup(g), err
}

// project returns a project as the owner of accounts that the caller manages.
func (s *ServiceAccounts) project(ctx context.Context, ref string) (serviceaccount.Owner, error) {
	row, err := s.access.Project(ctx, ref, access.AdminProjectServiceAccount)
	return serviceaccount.OfProject(row.Project), err
}

// list returns one page of the accounts of an owner.
func (s *ServiceAccounts) list(
	ctx context.Context, in serviceaccount.Owner, p gen.ListServiceAccountsParams,
) ([]gen.ServiceAccount, pagination.Headers, error) {
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "User"}, p.Page, p.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	byUsername := p.OrderBy != nil && string(*p.OrderBy) == "username"
	ascending := p.Sort != nil && string(*p.Sort) == "asc"
	rows, total, err := s.store.ServiceAccounts.List(ctx, in.Source, byUsername, ascending, window.Page)
	return present.All(rows, s.presentOne), window.Headers(total), err
}

// create creates an account of an owner.
func (s *ServiceAccounts) create(
	ctx context.Context, in serviceaccount.Owner, body *gen.ServiceAccountCreate,
) (gen.ServiceAccount, error) {
	c := serviceaccount.Change{}
	if body != nil {
		c = serviceaccount.Change{Name: body.Name, Username: body.Username, Email: body.Email}
	}
	u, err := s.accounts.Create(ctx, in, c)
	return s.presentOne(u), err
}

// update changes an account of an owner.
func (s *ServiceAccounts) update(
	ctx context.Context, in serviceaccount.Owner, id int64, body gen.ServiceAccountUpdate,
) (gen.ServiceAccount, error) {
	u, err := s.accounts.Apply(ctx, in, id, serviceaccount.Change{Name: body.Name, Username: body.Username, Email: body.Email})
	return s.presentOne(u), err
}

// presentOne presents an account.
func (s *ServiceAccounts) presentOne(u model.User) gen.ServiceAccount {
	basic := s.show.UserBasic(u)
	return gen.ServiceAccount{
		ID: u.ID, Username: u.Username, Name: u.Name, State: basic.State, Locked: basic.Locked, AvatarURL: basic.AvatarURL,
		WebURL: basic.WebURL, Email: u.Email, PublicEmail: u.PublicEmail,
	}
}
