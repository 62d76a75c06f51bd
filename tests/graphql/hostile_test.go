package graphql

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestHostileQueriesAreRefusedBeforeTheyRun(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.Group(named("acme", model.Public))
	u := h.NewUser()
	aliases := func(n int, field string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a%d:%s ", i, field)
		}
		return b.String()
	}
	var chain strings.Builder
	chain.WriteString("{ ...f0 }")
	for i := range 30 {
		fmt.Fprintf(&chain, " fragment f%d on Query { ...f%d ...f%d }", i, i+1, i+1)
	}
	chain.WriteString(" fragment f30 on Query { __typename }")
	pair := strings.Repeat("parent{id ", 60) + strings.Repeat("}", 60)
	for name, c := range map[string]struct{ query, want string }{
		"aliases":          {"{" + aliases(1100, "x") + "}", "Query selects more than 1000 fields"},
		"costly aliases":   {"{" + aliases(300, "metadata{version}") + "}", "exceeds max complexity of 250"},
		"depth":            {`{group(fullPath:"acme"){` + pair + "}}", "exceeds max depth of 20"},
		"cyclic fragments": {"{...a} fragment a on Query{...b} fragment b on Query{...a}", "contains an infinite loop"},
		"a fragment of self": {
			"{...a} fragment a on Query{currentUser{...b}} fragment b on CurrentUser{...b}", "contains an infinite loop",
		},
		"exploding fragments": {chain.String(), "Query selects more than 1000 fields"},
		"same fields":         {"{" + strings.Repeat("__typename ", 900) + "}", ""},
		"unknown fields":      {"{" + aliases(300, "zzz") + "}", "Field 'zzz' doesn't exist on type 'Query'"},
		"schema in schema":    {"{__schema{types{fields{type{fields{type{fields{name}}}}}}}}", "Maximum introspection depth exceeded"},
		"many schemas":        {"{" + aliases(6, "__schema{types{name}}") + "}", "Query asks for the schema too often"},
		"nested lists": {
			"{projects{nodes{group{projects{nodes{group{projects{nodes{group{projects{nodes{group{id name path}}}}}}}}}}}}}",
			"",
		},
		"many fragments": {"{__typename}" + strings.Repeat(" fragment x on Query{__typename}", 101), "more than 100 fragments"},
	} {
		before, start := h.Store.Statements(), time.Now()
		got := ask(t, u, c.query, nil)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s took %s", name, took)
		}
		if c.want != "" && !strings.Contains(failure(t, got), c.want) {
			t.Errorf("%s: %.300s", name, got)
		}
		if n := h.Store.Statements() - before; c.want != "" && n > 3 {
			t.Errorf("%s sent %d statements", name, n)
		}
	}
}

func TestHugeVariablesAreHarmless(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	ids := make([]string, 50_000)
	for i := range ids {
		ids[i] = fmt.Sprint(i + 1)
	}
	got := ask(t, u, `query ($ids: [ID!]) { projects(ids: $ids) { nodes { id } } }`, vars{"ids": ids})
	if failure(t, got) != "Too many IDs; the most is 500" {
		t.Error(got)
	}
	got = ask(t, u, `query ($x: Boolean!) { projects(membership: $x) { nodes { id } } }`, vars{"x": strings.Repeat("x", 500_000)})
	if len(got) > 1000 || !strings.Contains(got, "Variable $x of type Boolean! was provided invalid value") {
		t.Errorf("%.300s", got)
	}
}

func TestABatchMayCostAsMuchAsOneOperation(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	one := body("{"+strings.Repeat("metadata{version} ", 1)+"a:metadata{version} b:queryComplexity{score limit}}", nil)
	got := h.NewUser().JSON("POST", "/api/graphql", "["+one+","+one+"]").Body
	if strings.Count(got, `"b":{"score":7,"limit":250}`) != 2 {
		t.Error(got)
	}
	var costly strings.Builder
	for i := range 60 {
		fmt.Fprintf(&costly, "a%d:metadata{version} ", i)
	}
	large := body("{"+costly.String()+"}", nil)
	got = h.NewUser().JSON("POST", "/api/graphql", "["+large+","+large+","+large+"]").Body
	if strings.Count(got, `"data"`) != 2 || !strings.Contains(got, "Query has complexity of 120, which exceeds max complexity of 10") {
		t.Errorf("%.2000s", got)
	}
}

// A list of projects with their groups takes as many statements for a hundred as for one.
func TestAListTakesAFixedNumberOfStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(named("top", model.Public))
	add := func(n int) {
		for range n {
			h.Project(
				h.Group(
					inside(top), func(n *model.Namespace) { n.Visibility = model.Public },
				).ID, func(p *model.Project) { p.Visibility = model.Public },
			)
		}
	}
	count := func() int64 {
		before := h.Store.Statements()
		got := ask(t, h.Root(), `{ projects(first: 100) { nodes { id namespace { id fullPath } group { id parent { id parent { id } } }
			languages { name } statistics { repositorySize } userPermissions { pushCode } } } }`, nil)
		if strings.Contains(got, "errors") {
			t.Fatal(got)
		}
		return int64(h.Store.Statements() - before)
	}
	add(1)
	one := count()
	add(40)
	if all := count(); all > one+1 { // one more counts the rows
		t.Errorf("%d statements for one, %d for all", one, all)
	}
}

func TestAFieldWithAListOfItsOwnIsRefusedInAList(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for range 2 {
		h.Project(h.Group(func(n *model.Namespace) { n.Visibility = model.Public }).ID, called("web", model.Public))
	}
	got := ask(t, h.Root(), `{ projects { nodes { fullPath projectMembers { nodes { id } } } } }`, nil)
	if failure(t, got) != `"projectMembers" field can be requested only for 1 Project(s) at a time.` {
		t.Error(got)
	}
}
