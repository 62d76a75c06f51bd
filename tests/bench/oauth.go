package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxOAuthRatio    = 1.1 // CPU of a call with an OAuth token, relative to a personal token
	maxRefreshRatio  = 3.0 // CPU of a refresh, relative to the floor
	maxExchangeRatio = 3.0 // CPU of a code exchange, relative to a refresh
	bursts           = 300 // codes or tokens that one measurement uses up
	redirectURI      = "https://app.example.com/cb"
)

// oauthRows creates an application with codes and tokens. It writes them straight to the database, because a user would
// have to approve each one.
type oauthRows struct {
	st   *store.Store
	app  model.OAuthApplication
	user model.User
	next int
}

func newOAuthRows(ctx context.Context, c dataCopy) (*oauthRows, error) {
	st, err := store.Open(ctx, c.options())
	if err != nil {
		return nil, err
	}
	r := &oauthRows{st: st}
	if r.user, err = st.Users.GetByUsername(ctx, "root"); err != nil {
		return nil, err
	}
	r.app = model.OAuthApplication{
		UID: hex.EncodeToString(secret.Digest("bench")), Name: "bench", SecretDigest: secret.Digest("secret"),
		RedirectURI: redirectURI, Scopes: "api", Confidential: true,
	}
	return r, st.OAuthApplications.Create(ctx, &r.app)
}

// grants creates authorization codes. If redeemed is true, it also creates the tokens for them. It returns the texts of
// the codes, which are those of the access tokens as well.
func (r *oauthRows) grants(ctx context.Context, n int, redeemed bool) ([]string, error) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	texts := make([]string, n)
	err := r.st.Tx(ctx, func(ctx context.Context) error {
		for i := range texts {
			r.next++
			texts[i] = hex.EncodeToString(secret.Digest(fmt.Sprintf("bench %d", r.next)))
			g := model.OAuthGrant{
				ApplicationID: r.app.ID, UserID: r.user.ID, Digest: secret.Digest(texts[i]), RedirectURI: redirectURI,
				Scopes: "api", SignedInAt: now, CreatedAt: now,
				ExpiresAt: now.Add(10 * time.Minute),
			}
			if redeemed {
				g.UsedAt = &now
			}
			if err := r.st.OAuthGrants.Create(ctx, &g); err != nil {
				return err
			}
			if !redeemed {
				continue
			}
			t := model.OAuthToken{
				ApplicationID: &r.app.ID, UserID: r.user.ID, GrantID: &g.ID, Digest: secret.Digest(texts[i]),
				RefreshDigest: secret.Digest("refresh " + texts[i]),
				Scopes:        "api", CreatedAt: now, ExpiresAt: now.Add(2 * time.Hour),
			}
			if err := r.st.OAuthTokens.Create(ctx, &t); err != nil {
				return err
			}
		}
		return nil
	})
	return texts, err
}

// rawForm returns a token request of the bench's application.
func (r *oauthRows) rawForm(pairs ...string) []byte {
	form := url.Values{"client_id": {r.app.UID}, "client_secret": {"secret"}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	body := form.Encode()
	return fmt.Appendf(
		nil,
		"POST /oauth/token HTTP/1.1\r\nHost: bench\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		len(body), body,
	)
}

// benchOAuth measures the requests that applications make all day.
func benchOAuth(ctx context.Context, o options, kind string, d *data, bare, svc *process, rep *report) error {
	rows, err := newOAuthRows(ctx, d.svc)
	if err != nil {
		return err
	}
	defer rows.st.Close()
	one, err := rows.grants(ctx, 1, true)
	if err != nil {
		return err
	}
	if err := rep.oauthCalls(ctx, o, kind, one[0], bare, svc); err != nil {
		return err
	}
	exchange := func(code string) []byte {
		return rows.rawForm("grant_type", "authorization_code", "code", code, "redirect_uri", redirectURI)
	}
	refresh := func(text string) []byte {
		return rows.rawForm("grant_type", "refresh_token", "refresh_token", "refresh "+text)
	}
	bareRows, err := newOAuthRows(ctx, d.floor)
	if err != nil {
		return err
	}
	defer bareRows.st.Close()
	var floor, refreshes, exchanges measured
	for round := range o.rounds + 1 { // the first round warms up
		for _, side := range []struct {
			rows     *oauthRows
			p        *process
			redeemed bool
			raw      func(string) []byte
			to       *measured
		}{{bareRows, bare, true, refresh, &floor}, {rows, svc, true, refresh, &refreshes}, {rows, svc, false, exchange, &exchanges}} {
			m, err := side.rows.burst(ctx, side.p, side.redeemed, side.raw)
			if err != nil {
				return err
			}
			if round > 0 {
				side.to.add(m)
			}
		}
	}
	fmt.Fprintf(rep.out, "\n%s, CPU of a refresh: floor %.1f µs, svc %.1f µs; of a code exchange: svc %.1f µs\n", label(kind),
		micros(floor.cpu), micros(refreshes.cpu), micros(exchanges.cpu))
	once, twice := refreshes.over(&floor), exchanges.over(&refreshes)
	rep.compared(kind, "CPU of an OAuth refresh", "the floor's", once, maxRefreshRatio, "")
	rep.compared(kind, "CPU of an OAuth code exchange", "a refresh's", twice, maxExchangeRatio, "")
	return nil
}

// burst uses up codes or tokens one after the other.
func (r *oauthRows) burst(ctx context.Context, p *process, redeemed bool, raw func(string) []byte) (measured, error) {
	texts, err := r.grants(ctx, bursts, redeemed)
	if err != nil {
		return measured{}, err
	}
	c, err := dial(p.addr)
	if err != nil {
		return measured{}, p.fail(err)
	}
	defer c.close()
	before, err := p.cpu()
	if err != nil {
		return measured{}, err
	}
	for _, text := range texts {
		status, err := c.do(raw(text))
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("answered %d: %s", status, c.body)
		}
		if err != nil {
			return measured{}, p.fail(err)
		}
	}
	after, err := p.cpu()
	return measured{requests: bursts, cpu: (after - before) / bursts}, err
}

// oauthCalls compares a call with an OAuth token to one with a personal token, and token info to the floor, in turns.
func (r *report) oauthCalls(ctx context.Context, o options, kind, access string, bare, svc *process) error {
	bearer := func(path string) []byte {
		return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n\r\n", path, access)
	}
	personal := []byte(strings.Replace(string(bearer("/api/v4/user")), access, token, 1))
	var byOAuth, byPersonal, info, floor measured
	for round := range o.rounds + 1 { // the first round warms up
		for _, side := range []struct {
			p   *process
			raw []byte
			to  *measured
		}{
			{svc, personal, &byPersonal},
			{svc, bearer("/api/v4/user"), &byOAuth},
			{bare, rawRequest(http.MethodGet, "/api/v4/user", ""), &floor},
			{svc, bearer("/oauth/token/info"), &info},
		} {
			m, err := measure(ctx, side.p, [][]byte{side.raw}, atOnce, o.duration)
			if err != nil {
				return err
			}
			if round > 0 {
				side.to.add(m)
			}
		}
	}
	times := func(one, floor *measured) string {
		return fmt.Sprintf("%.0f and %.0f µs", micros(one.cpu), micros(floor.cpu))
	}
	r.compared(kind, "CPU of GET user by OAuth token", "by personal token", byOAuth.over(&byPersonal), maxOAuthRatio,
		times(&byOAuth, &byPersonal))
	r.compared(kind, "CPU of token info", "the floor's GET user", info.over(&floor), maxRatio, times(&info, &floor))
	return nil
}
