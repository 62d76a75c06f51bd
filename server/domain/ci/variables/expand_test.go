package variables

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var sample = NewSet(
	Layer{"LOW": {Value: "low"}, "BOTH": {Value: "below"}, "EMPTY": {}},
	NewLayer([]Variable{
		{Key: "BOTH", Value: "above"},
		{Key: "URL", Value: "http://$HOST:${PORT}/"},
		{Key: "HOST", Value: "svc"},
		{Key: "PORT", Value: "80"},
		{Key: "RAW", Value: "$HOST", Raw: true},
		{Key: "PRICE", Value: "5$$"},
		{Key: "SELF", Value: "$SELF:x"},
		{Key: "A", Value: "$B"},
		{Key: "B", Value: "$A"},
		{Key: "VIA", Value: "[$RAW]"},
	}),
)

func TestExpand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "",
		"plain":                 "plain",
		"$HOST":                 "svc",
		"${HOST}name":           "svcname",
		"$HOSTname|$HOST-name":  "|svc-name",
		"$URL":                  "http://svc:80/",
		"$MISSING|${MISSING}|":  "||",
		"$EMPTY|":               "|",
		"$BOTH $LOW":            "above low",
		"$$HOST $${HOST} $$$$":  "$HOST ${HOST} $$",
		"$ $1 ${ ${} ${1} $- $": "$ $1 ${ ${} ${1} $- $",
		"${HOST":                "${HOST",
		"$RAW $VIA":             "$HOST [$HOST]",
		"$PRICE":                "5$",
		"$SELF":                 "$SELF:x",
		"$A":                    "$A",
	} {
		if got, err := sample.With(nil).Expand(text); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestExpandKnown(t *testing.T) {
	t.Parallel()
	if got, err := sample.With(nil).ExpandKnown("$HOST $NONE ${NONE} $$X $EMPTY."); err != nil || got != "svc $NONE ${NONE} $X ." {
		t.Errorf("%q, %v", got, err)
	}
}

// bomb returns 40 variables that each name the next one twice.
func bomb(last string) []Variable {
	var list []Variable
	for i := range 40 {
		list = append(list, Variable{Key: fmt.Sprintf("V%d", i), Value: fmt.Sprintf("$V%d$V%d", i+1, i+1)})
	}
	return append(list, Variable{Key: "V40", Value: last})
}

func TestExpandingIsBounded(t *testing.T) {
	t.Parallel()
	var long *TooLongError
	if _, err := NewSet(NewLayer(bomb("x"))).Expand("$V0"); !errors.As(err, &long) {
		t.Errorf("Expand: %v", err)
	}
	if _, err := ResolveForRunner(bomb("x")); !errors.As(err, &long) {
		t.Errorf("Resolve: %v", err)
	}
	if got, err := NewSet(NewLayer(bomb(""))).Expand("$V0"); err != nil || got != "" {
		t.Errorf("many empty ones: %q, %v", got, err)
	}
	if _, err := ResolveForRunner(bomb("")); err != nil {
		t.Errorf("many empty ones: %v", err)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	got, err := ResolveForRunner([]Variable{
		{Key: "PATH", Value: "$PATH:/opt"},
		{Key: "DIR", Value: "$BASE/src"},
		{Key: "BASE", Value: "/work/$WHO"},
		{Key: "RAW", Value: "a$BASE", Raw: true},
		{Key: "USE", Value: "<$RAW>"},
		{Key: "KEEP", Value: "$$BASE"},
		{Key: "CERT", Value: "pem", File: true},
		{Key: "OPT", Value: "--ca $CERT"},
	})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, v := range got {
		values[v.Key] = v.Value
	}
	want := map[string]string{
		"PATH": "$PATH:/opt", "DIR": "/work/$WHO/src", "BASE": "/work/$WHO", "RAW": "a$BASE", "USE": "<a$$BASE>", "KEEP": "$$BASE",
		"CERT": "pem", "OPT": "--ca $CERT",
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Error(diff)
	}
}

func TestCycle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A=1 B=$A":               "",
		"A=$A":                   "",
		"A=$B B=$A":              "A B",
		"X=$A A=$B B=$C C=x$A":   "A B C",
		"A=$B B=$C C=$D D=$NONE": "",
		"A=$$B B=$$A":            "",
	} {
		var list []Variable
		for _, pair := range strings.Fields(text) {
			key, value, _ := strings.Cut(pair, "=")
			list = append(list, Variable{Key: key, Value: value})
		}
		if got := strings.Join(Cycle(list), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := Cycle(bomb("")); got != nil {
		t.Errorf("no circle: %v", got)
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	got := Merge([]Variable{{Key: "A", Value: "1"}, {Key: "B", Value: "1"}}, []Variable{{Key: "C", Value: "2"}, {Key: "A", Value: "2"}})
	if diff := cmp.Diff([]Variable{{Key: "A", Value: "2"}, {Key: "B", Value: "1"}, {Key: "C", Value: "2"}}, got); diff != "" {
		t.Error(diff)
	}
}
