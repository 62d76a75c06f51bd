package git

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// asks builds a request: a dot is the packet between its parts, an empty string its end, and four digits are a packet
// of that kind.
func asks(all ...string) string {
	var b strings.Builder
	for _, line := range all {
		switch line {
		case "":
			b.WriteString("0000")
		case ".":
			b.WriteString("0001")
		case "0002", "0003", "0004":
			b.WriteString(line)
		default:
			fmt.Fprintf(&b, "%04x%s", len(line)+4, line)
		}
	}
	return b.String()
}

// guarded returns what a guard lets through, and which ids it asks about.
func guarded(two bool, in io.Reader, allowed ...string) (passed string, asked []string, err error) {
	g := &wantChecker{in: bufio.NewReader(in), two: two}
	g.has = func(id string) bool { return id != never }
	g.check = func(ids []string) error {
		for _, id := range ids {
			if asked = append(asked, id); !slices.Contains(allowed, id) {
				return &refusedWant{id}
			}
		}
		return nil
	}
	var out bytes.Buffer
	_, err = io.Copy(&out, struct{ io.Reader }{g})
	return out.String(), asked, err
}

const never = "1234567890123456789012345678901234567890"

func TestAGuardLooksAtEveryWant(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	for name, c := range map[string]struct {
		in    string
		asked []string
		cut   int // how many bytes at the end are not passed on; -1 for all
	}{
		"a clone by version 0": {asks("want "+a+" side-band-64k agent=git/2\n", "want "+a+"\n", "", "done\n"), []string{a, a}, 0},
		"a fetch by version 0": {asks("want "+a+"\n", "", "have "+b+"\n", "", "have "+b+"\n", "done\n"), []string{a}, 0},
		"a fetch by version 2": {
			asks("command=fetch", "agent=x", ".", "thin-pack", "want "+a+"\n", "have "+b+"\n", "done\n", ""),
			[]string{a},
			0,
		},
		"two requests": {
			asks("command=ls-refs", ".", "ref-prefix HEAD", "", "command=fetch", ".", "want "+a, ""), []string{a}, 0,
		},
		"haves are not asked for":       {asks("command=fetch", ".", "have "+b, ""), nil, 0},
		"one that is not shown":         {asks("command=fetch", ".", "want "+a, "want "+b, "done", ""), []string{a, b}, 4},
		"in capitals":                   {asks("want "+strings.ToUpper(b)+"\n", ""), []string{b}, 4},
		"with something behind":         {asks("want "+b+"xyz", ""), []string{b}, 4},
		"a history that ends":           {asks("want "+a, "shallow "+b, "deepen 50", ""), []string{a}, 0},
		"and is to go on":               {asks("want "+a, "shallow "+b, "deepen 2147483647", ""), []string{a, b}, 4},
		"the same in another way":       {asks("want "+a, "shallow "+b, "deepen 0x7fffffff\n", ""), []string{a, b}, 4},
		"at a place we do not know":     {asks("want "+a, "shallow "+never, "deepen 2147483647", ""), []string{a}, 0},
		"an id that is none":            {asks("want main", ""), nil, 4},
		"a length that is none":         {"00zz" + a, nil, -1},
		"a line that breaks off":        {asks("want " + a)[:20], nil, -1},
		"nothing":                       {"", nil, 0},
		"nothing wanted":                {"0000", nil, 0},
		"a line without content":        {"0004" + asks("want "+a, ""), []string{a}, 0},
		"the mark of an answer":         {"0002" + asks("want "+a, ""), nil, -1},
		"the same, of version 2":        {asks("command=fetch", ".", "want "+a, "0002", "0000"), nil, 8},
		"a mark of version 2":           {asks("want "+b, ".", "done\n"), nil, 13},
		"the same, for a good object":   {asks("want "+a, ".", "done\n"), nil, 13},
		"the mark of an answer, at end": {asks("want "+b, "0002", "done\n"), nil, 13},
		"a mark twice in version 2":     {asks("command=fetch", ".", "want "+b, ".", "done", ""), []string{b}, 16},
		"a list without an end":         {asks("want " + a), nil, 1},
		"the same in version 2":         {asks("command=fetch", ".", "want "+a, "done"), nil, 1},
		"a head without an end":         {asks("command=fetch"), nil, 1},
		"a mark that there is not":      {"0003" + asks("want "+a, ""), nil, -1},
		"a line longer than allowed":    {"fff1" + strings.Repeat("x", 70000), nil, -1},
	} {
		for _, slow := range []bool{false, true} {
			in := io.Reader(strings.NewReader(c.in))
			if slow {
				in = iotest.OneByteReader(in)
			}
			passed, asked, err := guarded(strings.Contains(c.in, "command="), in, a)
			whole := passed == c.in && err == nil
			if (c.cut == 0) != whole || !slices.Equal(asked, c.asked) || !strings.HasPrefix(c.in, passed) {
				t.Errorf("%s, slow %t: %q was passed on of %q, asked was %v, %v", name, slow, passed, c.in, asked, err)
			}
			if c.cut != 0 && (strings.HasSuffix(passed, "0000") || strings.HasSuffix(passed, "0002") ||
				c.cut > 0 && len(passed) > len(c.in)-c.cut+1) {
				t.Errorf("%s, slow %t: the end was passed on: %q", name, slow, passed)
			}
		}
	}
}

func TestAGuardBoundsWhatItKeeps(t *testing.T) {
	t.Parallel()
	many := strings.NewReader(strings.Repeat(asks("want "+never), maxWants+1))
	if _, _, err := guarded(false, many); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Error(err)
	}
}

func TestWantsMustBeBehindARef(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		r, ids := scattered(t)
		move(t, r, "refs/heads/topic", Zero)
		nested := ask(t, r, "rev-parse", ids["second"]+"^{tree}")
		if packed {
			ask(t, r, "repack", "-adq", "--keep-unreachable", "--write-bitmap-index")
		}
		good := []string{ids["first"], ids["second"], ids["old"], ids["new"], ids["tagged"], nested}
		if err := r.checkWants(t.Context(), good); err != nil {
			t.Errorf("packed %t: all that refs lead to: %v", packed, err)
		}
		for _, id := range good {
			if err := r.checkWants(t.Context(), []string{id}); err != nil {
				t.Errorf("packed %t, %s: %v", packed, id, err)
			}
		}
		for _, bad := range []string{ids["topic"], ids["secret"], never} {
			for _, asked := range [][]string{{bad}, append(slices.Clone(good), bad)} {
				var refused *refusedWant
				if err := r.checkWants(t.Context(), asked); !errors.As(err, &refused) || refused.id != bad {
					t.Errorf("packed %t, %v: %v", packed, asked, err)
				}
			}
		}
	}
}

func FuzzGuard(f *testing.F) {
	a := strings.Repeat("a", 40)
	f.Add(asks("command=fetch", ".", "want "+a, "deepen 1", ""))
	f.Add(asks("want "+never+" x\n", "shallow "+a, "deepen 2147483647", ""))
	f.Fuzz(func(t *testing.T, in string) {
		passed, asked, err := guarded(strings.Contains(in, "command="), strings.NewReader(in), a)
		if !strings.HasPrefix(in, passed) {
			t.Errorf("%q became %q", in, passed)
		}
		if len(asked) > 0 && asked[len(asked)-1] != a && (passed == in && err == nil) {
			t.Errorf("%q was passed on whole", in)
		}
	})
}
