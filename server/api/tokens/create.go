package tokens

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/present"
	"svc/store/model"
	"svc/store/secret"
)

// maxText is the length of a token's name and of its description.
const maxText = 255

// CreateCurrentUserPersonalAccessToken makes a token of the caller that opens little and not for long.
// POST /user/personal_access_tokens
func (t *Tokens) CreateCurrentUserPersonalAccessToken(ctx context.Context, req gen.CreateCurrentUserPersonalAccessTokenRequestObject) (gen.CreateCurrentUserPersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateOwnToken)
	if err != nil {
		return nil, err
	}
	const usual = 1 // day: «end of the creation day»
	shown, err := t.create(ctx, actor.User, newToken{
		name: req.Body.Name, description: req.Body.Description.Ptr(), expires: dayOf(req.Body.ExpiresAt), usual: usual,
		scopes: texts(req.Body.Scopes),
	})
	return gen.CreateCurrentUserPersonalAccessToken201JSONResponse(shown), err
}

// CreateUserPersonalAccessToken makes a token of a user.
// POST /users/{user_id}/personal_access_tokens
func (t *Tokens) CreateUserPersonalAccessToken(ctx context.Context, req gen.CreateUserPersonalAccessTokenRequestObject) (gen.CreateUserPersonalAccessTokenResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminToken); err != nil {
		return nil, err
	}
	owner, err := t.store.Users.Get(ctx, req.UserID)
	if err != nil {
		return nil, err
	}
	shown, err := t.create(ctx, owner.Caller(), asked(*req.Body))
	return gen.CreateUserPersonalAccessToken201JSONResponse(shown), err
}

// newToken is a token as it is asked for.
type newToken struct {
	name        string
	description *string
	scopes      []string
	expires     *time.Time
	as          bool // an impersonation token
	usual       int  // days, unless expires says otherwise; 0 for as many as may be
}

func asked(body gen.TokenCreate) newToken {
	return newToken{
		name: body.Name, description: body.Description.Ptr(), expires: dayOf(body.ExpiresAt), scopes: texts(body.Scopes),
	}
}

// create makes a personal access token and shows it with its secret.
func (t *Tokens) create(ctx context.Context, owner model.Caller, n newToken) (gen.PersonalAccessTokenWithToken, error) {
	now := time.Now()
	row, token, broken, err := t.add(ctx, owner, n, now)
	switch {
	case err != nil:
		return gen.PersonalAccessTokenWithToken{}, err
	case len(broken) > 0:
		return gen.PersonalAccessTokenWithToken{}, apierr.Unprocessable(sentence(broken))
	}
	return present.PersonalAccessTokenWithToken(row, token, now), nil
}

// add makes a token, unless it breaks rules.
func (t *Tokens) add(ctx context.Context, owner model.Caller, n newToken, now time.Time) (model.PersonalAccessToken, string, []rule, error) {
	if owner.Kind != model.UserHuman {
		return model.PersonalAccessToken{}, "", nil, apierr.Unprocessable("Not permitted to create")
	}
	row, broken := t.build(owner, n, now)
	if len(broken) > 0 {
		return row, "", broken, nil
	}
	token := secret.NewToken()
	row.Digest = secret.Digest(token)
	err := t.store.Tokens.Create(ctx, &row)
	return row, token, nil, err
}

// rule is a broken rule: which member breaks it, and how it is told.
type rule struct{ member, text string }

// build is the row of a new token, and the rules that it breaks.
func (t *Tokens) build(owner model.Caller, n newToken, now time.Time) (model.PersonalAccessToken, []rule) {
	var broken []rule
	switch {
	case strings.TrimSpace(n.name) == "":
		broken = append(broken, rule{"name", "can't be blank"})
	case utf8.RuneCountInString(n.name) > maxText:
		broken = append(broken, rule{"name", "is too long (maximum is 255 characters)"})
	}
	if n.description != nil && utf8.RuneCountInString(*n.description) > maxText {
		broken = append(broken, rule{"description", "is too long (maximum is 255 characters)"})
	}
	if !access.MayCarry(owner.Admin, n.scopes) {
		broken = append(broken, rule{"scopes", "can only contain available scopes"})
	}
	expires, err := t.lifetime.Expiry(n.expires, n.usual, now)
	var late *access.ExpiryError
	if errors.As(err, &late) {
		broken = append(broken, rule{"expires_at", late.Reason})
	}
	return model.PersonalAccessToken{
		UserID: owner.ID, Name: n.name, Description: n.description, Scopes: strings.Join(n.scopes, " "), ExpiresAt: &expires,
		Impersonation: n.as,
	}, broken
}

// sentence tells broken rules in one text: "Name can't be blank and Expires at must be in the future".
func sentence(broken []rule) string {
	told := make([]string, len(broken))
	for i, r := range broken {
		words := strings.ReplaceAll(r.member, "_", " ")
		told[i] = strings.ToUpper(words[:1]) + words[1:] + " " + r.text
	}
	last := len(told) - 1
	if last == 0 {
		return told[0]
	}
	return strings.Join(told[:last], ", ") + " and " + told[last]
}

// byField tells broken rules by their members.
func byField(broken []rule) map[string][]string {
	fields := map[string][]string{}
	for _, r := range broken {
		fields[r.member] = append(fields[r.member], r.text)
	}
	return fields
}

// texts are scopes as texts, each once.
func texts[T ~string](scopes []T) []string {
	out := make([]string, 0, len(scopes))
	for _, s := range scopes {
		if !slices.Contains(out, string(s)) {
			out = append(out, string(s))
		}
	}
	return out
}
