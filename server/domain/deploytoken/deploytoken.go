// Package deploytoken manages deploy tokens: tokens of groups and projects that do not belong to a user.
package deploytoken

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Service creates and revokes deploy tokens on behalf of the caller of a request.
type Service struct{ store *store.Store }

// New returns the Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Draft describes a new deploy token.
type Draft struct {
	Name      string
	Username  *string // nil or empty for the default one
	Scopes    []string
	ExpiresAt *time.Time
}

// maxText is the maximum length of the name and of the username of a token.
const maxText = 255

var usernameFormat = regexp.MustCompile(`\A[a-zA-Z0-9_.+-]+\z`)

// check returns the validation errors of a deploy token, by field.
func (d Draft) check() map[string][]string {
	broken := map[string][]string{}
	add := func(field, text string) { broken[field] = append(broken[field], text) }
	switch {
	case strings.TrimSpace(d.Name) == "":
		add("name", "can't be blank")
	case utf8.RuneCountInString(d.Name) > maxText:
		add("name", "is too long (maximum is 255 characters)")
	}
	if name := d.Username; name != nil && *name != "" {
		switch {
		case len(*name) > maxText:
			add("username", "is too long (maximum is 255 characters)")
		case !usernameFormat.MatchString(*name):
			add("username", "can contain only letters, digits, '_', '-', '+', and '.'")
		}
	}
	return broken
}

// Create creates a deploy token of a group or project, and returns its secret.
func (s *Service) Create(ctx context.Context, src access.TokenSource, d Draft) (model.DeployToken, string, error) {
	if broken := d.check(); len(broken) > 0 {
		return model.DeployToken{}, "", apierr.InvalidFields(broken)
	}
	token := secret.NewDeployToken()
	row := model.DeployToken{
		SourceType: src.Type, SourceID: src.ID, Name: d.Name, Username: d.Username, Digest: secret.Digest(token),
		Scopes: joined(d.Scopes), CreatorID: &reqctx.Of(ctx).Actor.User.ID,
	}
	if d.ExpiresAt != nil {
		at := d.ExpiresAt.UTC().Truncate(time.Microsecond) // the precision of both databases
		row.ExpiresAt = &at
	}
	if row.Username != nil && *row.Username == "" {
		row.Username = nil
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.DeployTokens.Create(ctx, &row)
		return change(src, row, "deploy_token_created", "Created deploy token"), err
	})
	return row, token, err
}

// Find returns a deploy token of a group or project, or a 404.
func (s *Service) Find(ctx context.Context, src store.Source, id int64) (model.DeployToken, error) {
	row, err := s.store.DeployTokens.Get(ctx, src, id)
	return row, apierr.OrNotFound(err)
}

// Revoke revokes a deploy token, unless the token was changed after the given time.
func (s *Service) Revoke(ctx context.Context, src access.TokenSource, id int64, unmodifiedSince *time.Time) error {
	row, err := s.Find(ctx, src.Source, id)
	if err != nil {
		return err
	}
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.DeployTokens.Delete(ctx, row, unmodifiedSince)
		return change(src, row, "deploy_token_revoked", "Revoked deploy token"), err
	})
}

// joined joins the scopes into one text, without duplicates.
func joined(scopes []string) string {
	var all []string
	for _, scope := range scopes {
		if !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	return strings.Join(all, " ")
}

func change(src access.TokenSource, row model.DeployToken, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Source(src.Type, src.ID, src.Path),
		Target:  events.Target{Type: "DeployToken", ID: row.ID, Details: row.Name},
		Message: message + " with scopes " + row.Scopes,
	}
}
