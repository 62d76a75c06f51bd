package reference

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/openapi/examples"
	"svc/openapi/ordered"
)

const document = `{
  "tags": [{"name": "b", "x-displayName": "Bees", "description": "Bees of a hive."}, {"name": "a", "description": "Ants."}],
  "paths": {
    "/bees": {"post": {
      "tags": ["b"], "operationId": "createBee", "summary": "Create a bee.", "description": "It is small.", "deprecated": true,
      "security": [{"oauth": ["api"]}, {"oauth": ["read_user"]}, {"accessToken": []}, {"session": []}],
      "x-ability": "create_bee", "x-tier": "premium", "x-limit": "bees", "x-max-body": 5242880,
      "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/BeeCreate"}}}},
      "responses": {"201": {"description": "The bee.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Bee"}}}},
        "400": {}, "404": {}}}},
    "/ants/{id}": {"parameters": [{"name": "id", "in": "path", "required": true, "description": "ID | name.", "example": "a/b",
        "schema": {"type": "string", "maxLength": 9}}],
      "get": {"tags": ["a"], "operationId": "getAnt", "summary": "Get an ant.", "security": [{}], "x-ability": "read_ant",
        "responses": {"200": {"description": "The ant.",
          "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Bee"}}}}}}}
  },
  "components": {"schemas": {
    "BeeCreate": {"type": "object", "required": ["name"], "example": {"name": "it's"},
      "properties": {"name": {"type": "string", "description": "Its name."}, "old": {"type": "integer", "deprecated": true}}},
    "Insect": {"type": "object", "properties": {"legs": {"type": "integer"}}},
    "Bee": {"allOf": [{"$ref": "#/components/schemas/Insect"}, {"type": "object", "properties": {"name": {"type": "string"}}}]}
  }}}`

func build(t *testing.T, o Options) *Reference {
	t.Helper()
	ref, err := New([]byte(document), o)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func TestAnOperationIsDescribed(t *testing.T) {
	t.Parallel()
	ref := build(t, Options{
		BaseURL: "http://svc.test", WhoMay: func(string) string { return "beekeepers" },
		Try: func(id string) string { return "/try/" + id },
	})
	if len(ref.Pages) != 3 || ref.Pages[1].Name != "b" || ref.Pages[1].Title != "Bees API" || ref.Pages[2].Title != "A API" {
		t.Fatalf("the pages are %v", ref.Pages)
	}
	bees := string(ref.Pages[1].Text)
	for _, want := range []string{
		"# Bees API\n", "Bees of a hive.\n", "| [`POST /bees`](#createbee) | Create a bee. |",
		"## createBee\n\n`POST /bees` · [Try it](/try/createBee)\n", "**Deprecated.** **Create a bee.** It is small.",
		"- Who may call it: beekeepers ([`create_bee`](../abilities.md))\n",
		"- Needs: a token with `api` or `read_user`\n", "- Tier: premium and ultimate\n",
		"- Rate limit: [`bees`](../limits.md#limits-of-single-operations)\n", "- Largest body: 5 MiB\n",
		"| `name` (required) | string | Its name. |", "| `old` | integer | **Deprecated.** |",
		`--header "PRIVATE-TOKEN: $TOKEN"`, `--data '{"name":"it'\''s"}'`, "'http://svc.test/api/v4/bees'",
		"Answer: `201` The bee. Body: [Bee](#bee).", "[Errors](../errors.md): `400` `404`",
		"### Bee\n\n| Member | Type | About |\n|---|---|---|\n| `legs` | integer |  |\n| `name` | string |  |\n",
	} {
		if !strings.Contains(bees, want) {
			t.Errorf("there is no %q in\n%s", want, bees)
		}
	}
	ants := string(ref.Pages[2].Text)
	for _, want := range []string{
		"| `id` (required) | path | string, at most 9 characters | ID \\| name. |", "- Needs: nothing: anonymous callers are allowed",
		"curl 'http://svc.test/api/v4/ants/a%2Fb'", "Body: [Bee](b.md#bee).",
	} {
		if !strings.Contains(ants, want) {
			t.Errorf("there is no %q in\n%s", want, ants)
		}
	}
	op := ref.Operations[0]
	if op.Page != "b" || op.Anchor != "createbee" || !slices.Equal(op.Members, []string{"name", "old", "legs", "name"}) {
		t.Errorf("the search knows %+v", op)
	}
}

func TestWithoutAnExplorerThereIsNoLinkToIt(t *testing.T) {
	t.Parallel()
	if page := string(build(t, Options{}).Pages[1].Text); strings.Contains(page, "Try it") {
		t.Errorf("the page is %s", page)
	}
}

func TestALargeAreaIsDivided(t *testing.T) {
	t.Parallel()
	sizes := []int{40 << 10, 30 << 10, 30 << 10, 90 << 10, 10 << 10}
	want := []string{"x", "x", "x_2", "x_3", "x_4"}
	if got := pack("x", 5<<10, sizes); !slices.Equal(got, want) {
		t.Errorf("the pages are %v, want %v", got, want)
	}
}

func TestProseIsWrapped(t *testing.T) {
	t.Parallel()
	wrapped := func(prose string) string {
		var b bytes.Buffer
		paragraph(&b, prose)
		return b.String()
	}
	long := strings.Repeat("word ", 60)
	for line := range strings.Lines(wrapped(long + "\n\n- " + long + "\n- short\n")) {
		if len(line) > columns+1 {
			t.Errorf("%q is too long", line)
		}
	}
	list := wrapped("Before:\n\n- " + long + "\n- short\n\n```\n" + long + "\n```\n")
	if !strings.Contains(list, "\n  word") || !strings.Contains(list, "\n- short\n") ||
		!strings.Contains(list, "```\n"+strings.TrimSpace(long)+"\n```\n") {
		t.Errorf("the list is\n%s", list)
	}
	for _, mark := range []string{"-", "+", "*", "#", "1.", "2)", ">"} {
		for before := 100; before < 125; before++ {
			text := strings.Repeat("x", before/2) + " " + strings.Repeat("y", before/2) + " " + mark + " end of the text"
			for line := range strings.Lines(wrapped(text)) {
				if strings.HasPrefix(line, mark) {
					t.Fatalf("%q begins a block:\n%s", mark, wrapped(text))
				}
			}
		}
	}
}

func TestJSONIsShortened(t *testing.T) {
	t.Parallel()
	var members []string
	for i := range 30 {
		members = append(members, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	got, err := pretty([]byte(`[{"a":{"b":1,"c":[1,2]},"text":"` + strings.Repeat("é", 150) +
		`","all":{` + strings.Join(members, ",") + `},"none":[]}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := "[\n  {\n    \"a\": {\"b\":1,\"c\":[1,2]},\n    \"text\": \"" + strings.Repeat("é", 100) + "…\",\n    \"all\": {\n" +
		"      \"m0\": 0,\n      \"m1\": 1,\n      \"m2\": 2,\n      \"m3\": 3,\n      \"m4\": 4,\n      \"m5\": 5,\n      …\n    },\n" +
		"    \"none\": []\n  }\n]"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCommandsAreSafeForAShell(t *testing.T) {
	t.Parallel()
	w := &writer{Options: Options{BaseURL: "http://svc.test"}}
	o := operation{op: ordered.New("security", []any{ordered.New("accessToken", []any{})})}
	for _, c := range []struct {
		e    examples.Example
		want string
	}{
		{
			examples.Example{Method: "GET", Path: "/api/v4/x?a[]=$(id)"},
			"curl --globoff --header \"PRIVATE-TOKEN: $TOKEN\" 'http://svc.test/api/v4/x?a[]=$(id)'",
		},
		{
			examples.Example{Method: "PUT", Path: "/x", Request: []byte(`{"a":"it's $HOME"}`)},
			"curl --request PUT --header \"PRIVATE-TOKEN: $TOKEN\" --header 'Content-Type: application/json' \\\n" +
				"  --data '{\"a\":\"it'\\''s $HOME\"}' 'http://svc.test/x'",
		},
		{
			examples.Example{Method: "POST", Path: "/x", ContentType: "multipart/form-data", Request: []byte(`{"file":"@a.png","n":1}`)},
			"curl --request POST --header \"PRIVATE-TOKEN: $TOKEN\" --form 'file=@a.png' --form 'n=1' 'http://svc.test/x'",
		},
		{
			examples.Example{Method: "POST", Path: "/x", ContentType: "application/x-www-form-urlencoded", Request: []byte(`{"a":"b c"}`)},
			"curl --request POST --header \"PRIVATE-TOKEN: $TOKEN\" --data-urlencode 'a=b c' 'http://svc.test/x'",
		},
		{
			examples.Example{Method: "PATCH", Path: "/x", ContentType: "text/plain", RequestText: "a\nb"},
			"curl --request PATCH --header \"PRIVATE-TOKEN: $TOKEN\" --header 'Content-Type: text/plain' " +
				"--data-binary 'a\nb' 'http://svc.test/x'",
		},
	} {
		if got := strings.ReplaceAll(w.command(o, c.e), " \\\n  ", " "); got != strings.ReplaceAll(c.want, " \\\n  ", " ") {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
