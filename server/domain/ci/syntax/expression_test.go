package syntax

import (
	"strings"
	"testing"
)

func TestExpressions(t *testing.T) {
	t.Parallel()
	known := map[string]string{"A": "a", "EMPTY": "", "BRANCH": "feature/x", "RE": "/^feat/", "BAD": "/(/", "N": "1", "LINES": "one\ntwo"}
	find := func(name string) (string, bool, error) {
		v, ok := known[name]
		return v, ok, nil
	}
	for source, want := range map[string]bool{
		`$A`: true, `$EMPTY`: false, `$NONE`: false, `"x"`: true, `""`: false, `null`: false, `($A)`: true,
		`$A == "a"`: true, `$A == 'a'`: true, `$A == "b"`: false, `$A != "b"`: true, `"a" == $A`: true, `$A==$A`: true,
		`$NONE == null`: true, `$EMPTY == null`: false, `$NONE == ""`: false, `$EMPTY == ""`: true, `$A != null`: true,
		`null == null`: true, `$NONE != null`: false,
		`$BRANCH =~ /^feature\/.*/`: true, `$BRANCH =~ /FEATURE/`: false, `$BRANCH =~ /FEATURE/i`: true, `$BRANCH !~ /x$/`: false,
		`$NONE =~ /./`: false, `$NONE !~ /./`: true, `$EMPTY =~ /^$/`: true, `$BRANCH =~ $RE`: true, `$A =~ $RE`: false,
		`$A =~ $BAD`: false, `$A !~ $BAD`: true, `$A =~ $NONE`: false, `"ab" =~ /b/`: true, `$LINES =~ /^two/`: false,
		`$LINES =~ /^two/m`: true, `$LINES =~ /one.two/s`: true, `$A =~ "/a/"`: true,
		`$A && $NONE`: false, `$A && $N`: true, `$NONE || $A`: true, `$NONE || $EMPTY`: false,
		`$NONE && $NONE || $A`: true, `$A || $NONE && $NONE`: true, `($A || $NONE) && $NONE`: false, `$A && ($NONE || $N)`: true,
		`$A == "a" && $N == "1" || $NONE`: true, `$A == "b" || $BRANCH =~ /^f/ && $N`: true, `(($A == "a") && (($N)))`: true,
		"$A\n  ==\t\"a\"": true, `$A == "a" == "true"`: true,
	} {
		e, err := parseExpression(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := e.evaluate(evaluator{find, newWork()}); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", source, got, err, want)
		}
	}
}

func TestExpressionsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"", " ", "$", "$1", "A", "$A ==", "== $A", "$A = $B", "$A == b", `"a`, "'a", "/a", "//", "$A =~ /(/",
		"$A =~ null", "$A &&", "|| $A",
		"($A", "$A)", "()", "$A $B", "$A & $B", "$A | $B", "nullx", "$A =~ /a/x", "!$A", "$A == \"a\" && ()", "$A =~ /a{1001}/",
		strings.Repeat("(", 60) + "$A" + strings.Repeat(")", 60), strings.Repeat("$A && ", 5000) + "$A",
	} {
		if e, err := parseExpression(source); err == nil {
			t.Errorf("%q was read as %+v", source, e)
		}
	}
}

func FuzzExpression(f *testing.F) {
	for _, seed := range []string{`$A == "a" && ($B =~ /x/i || $C != null)`, `$A !~ $B`, `null`, `"/(/" =~ $A`, `((((`, `$A=~/\//`} {
		f.Add(seed, "value")
	}
	f.Fuzz(func(t *testing.T, source, value string) {
		e, err := parseExpression(source)
		if err != nil {
			return
		}
		find := func(name string) (string, bool, error) { return value, len(name)%2 == 0, nil }
		first, err := e.evaluate(evaluator{find, newWork()})
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := e.evaluate(evaluator{find, newWork()}); again != first {
			t.Fatalf("%q: %v, then %v", source, first, again)
		}
		if not, err := parseExpression("(" + source + ") == null"); err == nil && !strings.ContainsAny(source, "\"'/") {
			if negated, _ := not.evaluate(evaluator{find, newWork()}); negated && first {
				t.Fatalf("%q is true and null", source)
			}
		}
	})
}

func TestGlobs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pattern, yes, no string }{
		{"a.txt", "a.txt", "b/a.txt a_txt A.txt"},
		{"*.txt", "a.txt .txt", "b/a.txt a.txt.x"},
		{"**/*.txt", "a.txt b/a.txt b/c/a.txt", "a.md"},
		{"src/**/*", "src/a src/b/c", "src lib/a"},
		{"src/**", "src/a src/b/c", "src lib/a"},
		{"a?c", "abc a-c", "ac a/c abbc"},
		{"[abc].go", "a.go c.go", "d.go ab.go"},
		{"[!a].go", "b.go", "a.go"},
		{"[^a].go", "b.go", "a.go"},
		{"[a-c]x", "ax cx", "dx"},
		{"{a,b/*}.md", "a.md b/c.md", "c.md b.md"},
		{"{a,{b,c}}", "a b c", "d"},
		{"a{b", "a{b", "ab"},
		{`a\*`, "a*", "ab"},
		{"./a", "a", "b"},
		{"ä*", "äö", "ao"},
		{"a+(b)", "a+(b)", "ab"},
	} {
		g, ok := newGlob(c.pattern)
		if !ok {
			t.Errorf("%s was refused", c.pattern)
			continue
		}
		prefix, suffix := globEnds(c.pattern)
		for _, path := range strings.Fields(c.yes) {
			if c.pattern != "./a" && (!strings.HasPrefix(path, prefix) || !strings.HasSuffix(path, suffix)) {
				t.Errorf("%s: %s neither begins with %q nor ends with %q", c.pattern, path, prefix, suffix)
			}
			if !g.match(path) {
				t.Errorf("%s does not match %s", c.pattern, path)
			}
		}
		for _, path := range strings.Fields(c.no) {
			if g.match(path) {
				t.Errorf("%s matches %s", c.pattern, path)
			}
		}
	}
	if _, ok := newGlob(strings.Repeat("*", maxGlob+1)); ok {
		t.Error("a pattern of any length")
	}
}

func TestDurations(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"1h 30m": "1h30m0s", "1h30m": "1h30m0s", "3600": "1h0m0s", "90 seconds": "1m30s", "2 hours 5 minutes": "2h5m0s",
		"1 day": "24h0m0s", "1 week": "168h0m0s", "3 hrs and 5 mins": "3h5m0s", "1.5h": "1h30m0s", "10:30": "10m30s", "1:00:00": "1h0m0s",
		"1 mo": "720h0m0s", "2 Weeks": "336h0m0s", "1d, 2h": "26h0m0s", "3 mins 4 sec": "3m4s", "0": "0s", "1 year": "8766h0m0s",
	} {
		if got, ok := ParseDuration(source); !ok || got.String() != want {
			t.Errorf("%q: %s %v, want %s", source, got, ok, want)
		}
	}
	for _, source := range []string{
		"", "soon", "1x", "h", "-1h", "1 h x", "1h 30", "1000 years", "99999999999999999999", "1..2h", "1:2:3:4", "a:b",
		"and", "never",
	} {
		if got, ok := ParseDuration(source); ok {
			t.Errorf("%q: %s", source, got)
		}
	}
}
