package middleware

import (
	"strings"
	"testing"
)

func TestEditsAreCounted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"issues", "issues", 0},
		{"isues", "issues", 1},
		{"issuess", "issues", 1},
		{"issuse", "issues", 1},
		{"jbos", "jobs", 1},
		{"visibilty", "visibility", 1},
		{"member", "numbers", 3},
		{"abc", "cab", 2},
		{"a", "abcd", 3},
		{strings.Repeat("x", 65), strings.Repeat("x", 65), 3},
		{"", "ab", 2},
		{"ab", "", 2},
		{"ab", "ba", 1},
	} {
		if got := edits(c.a, c.b, 2); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func FuzzEdits(f *testing.F) {
	f.Add("isues", "issues")
	f.Add("", strings.Repeat("é", 40))
	f.Fuzz(func(t *testing.T, a, b string) {
		there, back := edits(a, b, 2), edits(b, a, 2)
		if there != back || there < 0 || there > 3 || (there == 0) != (a == b && len(a) <= longestWord) {
			t.Errorf("%q and %q: %d, %d", a, b, there, back)
		}
	})
}

func TestMisspeltParametersAreMentionedOnlyBesideAnError(t *testing.T) {
	t.Parallel()
	e := things(t)
	wantAnswer(t, ask(e, "PUT", "/api/v4/things/1", `{"name":"n","email":"e","sizee":3}`, "Content-Type", "application/json"), 200,
		`{"email":"e","name":"n","sizee":3}`)
	for body, want := range map[string]string{
		`{"name":"n","emial":"e"}`:        "emial is not a parameter of this operation: did you mean email?",
		`{"name":"n","Email":"e"}`:        "Email is not a parameter of this operation: did you mean email?",
		`{"name":"n","sizes":3,"size":3}`: "",
		`{"name":"n","nothing":3}`:        "",
	} {
		rec := ask(e, "PUT", "/api/v4/things/1", body, "Content-Type", "application/json")
		answer := `{"error":"email is missing"}`
		if want != "" {
			answer = `{"error":"email is missing","hint":"` + want + `"}`
		}
		wantAnswer(t, rec, 400, answer)
		if want == "" && strings.Contains(rec.Body.String(), "hint") {
			t.Errorf("%s: %s", body, rec.Body)
		}
	}
	wantAnswer(t, ask(e, "GET", "/api/v4/things/1?per_pag=1", ""), 400,
		`{"error":"ref is missing","hint":"per_pag is not a parameter of this operation: did you mean per_page?"}`)
}
