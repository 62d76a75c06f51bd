package deploytokens

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// maxText is the maximum length of the name and of the username of a token.
const maxText = 255

var usernameFormat = regexp.MustCompile(`\A[a-zA-Z0-9_.+-]+\z`)

// ListDeployTokens lists the deploy tokens of the instance.
// GET /deploy_tokens
func (d *DeployTokens) ListDeployTokens(
	ctx context.Context, req gen.ListDeployTokensRequestObject,
) (gen.ListDeployTokensResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminDeployToken); err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, nil, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListDeployTokens200JSONResponse{Body: rows, Headers: gen.ListDeployTokens200ResponseHeaders(headers)}, nil
}

func (d *DeployTokens) list(
	ctx context.Context, src *store.Source, p gen.ListDeployTokensParams,
) ([]gen.DeployToken, pagination.Headers, error) {
	if err := pagination.NoKeyset(p.Pagination); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := d.pages.Offset(ctx, pagination.Kind{Name: "DeployToken"}, p.Page, p.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := d.store.DeployTokens.List(ctx, store.DeployTokenFilter{Source: src, Active: p.Active}, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	now := time.Now()
	shown := present.All(rows, func(row model.DeployToken) gen.DeployToken { return present.DeployToken(row, now) })
	return shown, window.Headers(total), nil
}

// create creates a deploy token and presents it with its secret.
func (d *DeployTokens) create(ctx context.Context, src access.TokenSource, b gen.DeployTokenCreate) (gen.DeployTokenWithToken, error) {
	now := time.Now()
	if broken := check(b, now); len(broken) > 0 {
		return gen.DeployTokenWithToken{}, apierr.InvalidFields(broken)
	}
	token := secret.NewDeployToken()
	row := model.DeployToken{
		SourceType: src.Type, SourceID: src.ID, Name: b.Name, Username: b.Username.Ptr(), Digest: secret.Digest(token),
		Scopes: scopes(b.Scopes), CreatorID: &reqctx.Of(ctx).Actor.User.ID,
	}
	if ends := b.ExpiresAt.Ptr(); ends != nil {
		at := ends.UTC().Truncate(time.Microsecond) // the precision of both databases
		row.ExpiresAt = &at
	}
	if row.Username != nil && *row.Username == "" {
		row.Username = nil
	}
	err := events.Audited(ctx, d.store, func(ctx context.Context) (events.Change, error) {
		err := d.store.DeployTokens.Create(ctx, &row)
		return tokenChange(src, row, "deploy_token_created", "Created deploy token"), err
	})
	if err != nil {
		return gen.DeployTokenWithToken{}, err
	}
	return present.DeployTokenWithToken(row, token, now), nil
}

// check returns the validation errors of a deploy token, by field.
func check(b gen.DeployTokenCreate, now time.Time) map[string][]string {
	broken := map[string][]string{}
	add := func(field, text string) { broken[field] = append(broken[field], text) }
	switch {
	case strings.TrimSpace(b.Name) == "":
		add("name", "can't be blank")
	case utf8.RuneCountInString(b.Name) > maxText:
		add("name", "is too long (maximum is 255 characters)")
	}
	if name := b.Username.Ptr(); name != nil && *name != "" {
		switch {
		case len(*name) > maxText:
			add("username", "is too long (maximum is 255 characters)")
		case !usernameFormat.MatchString(*name):
			add("username", "can contain only letters, digits, '_', '-', '+', and '.'")
		}
	}
	return broken
}

// scopes joins the scopes into one text, without duplicates.
func scopes(given []gen.DeployTokenScope) string {
	var out []string
	for _, scope := range given {
		if !slices.Contains(out, string(scope)) {
			out = append(out, string(scope))
		}
	}
	return strings.Join(out, " ")
}

// get finds a deploy token of a group or project.
func (d *DeployTokens) get(ctx context.Context, src store.Source, id int64) (model.DeployToken, error) {
	row, err := d.store.DeployTokens.Get(ctx, src, id)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return row, err
}

func (d *DeployTokens) delete(ctx context.Context, src access.TokenSource, id int64, unmodifiedSince *string) error {
	row, err := d.get(ctx, src.Source, id)
	if err != nil {
		return err
	}
	return events.Audited(ctx, d.store, func(ctx context.Context) (events.Change, error) {
		err := d.store.DeployTokens.Delete(ctx, row, reqctx.UnmodifiedSince(unmodifiedSince))
		return tokenChange(src, row, "deploy_token_revoked", "Revoked deploy token"), err
	})
}

func tokenChange(src access.TokenSource, row model.DeployToken, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Source(src.Type, src.ID, src.Path),
		Target:  events.Target{Type: "DeployToken", ID: row.ID, Details: row.Name},
		Message: message + " with scopes " + row.Scopes,
	}
}
