package access

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strconv"
	"testing"

	"svc/server/platform/reqctx"
	"svc/store/model"
)

// An ability that is missing in the table would be refused to everybody; one in two places would be ambiguous.
func TestEachAbilityIsInTheTableOnce(t *testing.T) {
	t.Parallel()
	places := map[Ability]int{}
	for _, table := range Abilities {
		for ability := range table {
			places[ability]++
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "names.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		names++
		if places[Ability(text)] != 1 {
			t.Errorf("%s is in %d places", text, places[Ability(text)])
		}
		return true
	})
	if names != len(places) {
		t.Errorf("names.go has %d abilities, the table has %d", names, len(places))
	}
}

// Only projects have features, and only they can be archived.
func TestConditionsFitThePlace(t *testing.T) {
	t.Parallel()
	for place, table := range Abilities {
		for ability, need := range table {
			if place != Project && (need.Feature != "" || need.Archived) {
				t.Errorf("%s is not in a project, but names a feature or an archived project", ability)
			}
			if place == Instance && need.Role > SignedIn && need.Role < Administrator {
				t.Errorf("%s needs %s, which is no role on the instance", ability, need.Role)
			}
		}
	}
}

func TestARoleIsEnoughOrNot(t *testing.T) {
	t.Parallel()
	signedIn := &reqctx.Actor{User: model.Caller{ID: 1}}
	cases := []struct {
		needed Role
		actor  *reqctx.Actor
		role   model.Access
		status int
	}{
		{Anyone, nil, model.NoAccess, 0},
		{SignedIn, nil, model.NoAccess, http.StatusUnauthorized},
		{SignedIn, signedIn, model.NoAccess, 0},
		{Guest, nil, model.NoAccess, http.StatusForbidden},
		{Guest, signedIn, model.Minimal, http.StatusForbidden},
		{Guest, signedIn, model.Guest, 0},
		{Maintainer, signedIn, model.Developer, http.StatusForbidden},
		{Maintainer, signedIn, model.Owner, 0},
		{Administrator, signedIn, model.Owner, http.StatusForbidden},
		{Administrator, signedIn, model.Access(Administrator), 0},
	}
	bodies := map[int]string{http.StatusUnauthorized: unauthorized, http.StatusForbidden: forbidden}
	for _, c := range cases {
		ctx := reqctx.With(t.Context(), &reqctx.Info{Actor: c.actor})
		wantAnswer(t, Need{Role: c.needed}.check(ctx, c.role), c.status, bodies[c.status])
	}
}
