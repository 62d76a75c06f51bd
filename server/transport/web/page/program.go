package page

import (
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// Programs lets programs open a page with an access token instead of a session: for addresses that lead to downloads.
func (r *Route) Programs() *Route {
	r.programs = true
	return r
}

// useToken identifies a program that sends an access token.
func (v *Visit) useToken() error {
	r := v.Request()
	token := v.QueryParam("private_token")
	if token == "" {
		token = r.Header.Get("PRIVATE-TOKEN")
	}
	if token == "" {
		token, _ = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	if token == "" {
		return nil
	}
	actor, err := v.kit.auth.Bearer(r.Context(), token)
	if err != nil {
		return err
	}
	if err := access.CheckScope(actor, []string{"api", "read_api"}); err != nil {
		return err
	}
	v.Actor, reqctx.Of(r.Context()).Actor = actor, actor
	return nil
}
