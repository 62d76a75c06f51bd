package access

import (
	"strconv"
	"testing"

	"svc/server/platform/reqctx"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestSudoIsRefusedInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	const (
		notAdmin = `{"message":"403 Forbidden - Must be admin to use sudo"}`
		noToken  = `{"message":"403 Forbidden - Must be authenticated using an OAuth or personal access token to use sudo"}`
		noScope  = `{"error":"insufficient_scope","error_description":"The request requires higher privileges than ` +
			`provided by the access token.","scope":"sudo"}`
		noUser = `{"message":"404 User with ID or username 'nobody' Not Found"}`
	)
	user, admin := model.Caller{ID: 1}, model.Caller{ID: 2, Admin: true}
	cases := []struct {
		name   string
		actor  *reqctx.Actor
		status int
		body   string
	}{
		{"no credential", nil, 401, unauthorized},
		// Each of these cases breaks all later rules as well: the first broken rule decides the answer.
		{"not an administrator", &reqctx.Actor{User: user, Kind: reqctx.Session}, 403, notAdmin},
		{
			"not an administrator, with the scope",
			&reqctx.Actor{User: user, Kind: reqctx.PersonalToken, Scopes: []string{"sudo"}}, 403, notAdmin,
		},
		{"by session", &reqctx.Actor{User: admin, Kind: reqctx.Session}, 403, noToken},
		{"by job token", &reqctx.Actor{User: admin, Kind: reqctx.JobToken}, 403, noToken},
		{"by a token without the scope", &reqctx.Actor{User: admin, Kind: reqctx.PersonalToken, Scopes: []string{"api"}}, 403, noScope},
		{"by an OAuth token without the scope", &reqctx.Actor{User: admin, Kind: reqctx.OAuthToken}, 403, noScope},
		{"as nobody", &reqctx.Actor{User: admin, Kind: reqctx.PersonalToken, Scopes: []string{"sudo"}}, 404, noUser},
	}
	_, auth := authenticator(t, true)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			actor, err := auth.Sudo(t.Context(), c.actor, "nobody")
			wantAnswer(t, err, c.status, c.body)
			if actor != nil {
				t.Error("refused, but an actor comes with it")
			}
		})
	}
}

func TestSudoActsAsAUserNamedByIDOrUsername(t *testing.T) {
	t.Parallel()
	st, auth := authenticator(t, true)
	target := storetest.User(t, st, func(u *model.User) { u.Username = "Sidney" })
	admin := storetest.User(t, st, storetest.Admin).Caller()
	for _, kind := range []reqctx.Kind{reqctx.PersonalToken, reqctx.OAuthToken} {
		for _, as := range []string{strconv.FormatInt(target.ID, 10), "Sidney", "sIDNEY"} {
			caller := &reqctx.Actor{User: admin, Kind: kind, Scopes: []string{"sudo"}}
			got, err := auth.Sudo(t.Context(), caller, as)
			if err != nil {
				t.Fatal(err)
			}
			want := &reqctx.Actor{User: target.Caller(), Kind: kind, Scopes: []string{"sudo"}, SudoBy: &admin}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("as %s by %s:\n%s", as, kind, diff)
			}
			if caller.User.ID != admin.ID || caller.SudoBy != nil {
				t.Error("the caller was changed, too")
			}
		}
	}
}

func TestSudoFindsNobodyByNonsense(t *testing.T) {
	t.Parallel()
	st, auth := authenticator(t, true)
	caller := &reqctx.Actor{User: storetest.User(t, st, storetest.Admin).Caller(), Kind: reqctx.PersonalToken, Scopes: []string{"sudo"}}
	for _, as := range []string{"0", "-1", "999999999999", "9223372036854775808", "%", "' OR 1=1 --", "user"} {
		_, err := auth.Sudo(t.Context(), caller, as)
		wantAnswer(t, err, 404, `{"message":"404 User with ID or username '`+jsonText(as)+`' Not Found"}`)
	}
}

func jsonText(s string) string {
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}
