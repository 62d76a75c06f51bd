package reqctx

import (
	"context"
	"testing"
	"time"

	"svc/store/observe"

	"github.com/google/go-cmp/cmp"
)

func TestTheRequestTravelsInTheContext(t *testing.T) {
	t.Parallel()
	info := &Info{ID: "one"}
	type other struct{}
	ctx := context.WithValue(With(t.Context(), info), other{}, "derived")
	if got := Of(ctx); got != info {
		t.Errorf("a derived context holds %v", got)
	}
	inner := &Info{ID: "two"}
	if got := Of(With(ctx, inner)); got != inner {
		t.Errorf("the inner request is %v", got)
	}
}

func TestOutsideARequestNothingIsKnown(t *testing.T) {
	t.Parallel()
	one := Of(t.Context())
	if one.ID != "" || one.Actor != nil || one.URL != nil {
		t.Errorf("got %v", one)
	}
	one.ID = "changed"
	if two := Of(t.Context()); two.ID != "" {
		t.Error("what one caller writes another reads")
	}
}

func TestOnlyAnHTTPDateIsACondition(t *testing.T) {
	t.Parallel()
	want := time.Date(1994, 11, 6, 8, 49, 37, 0, time.UTC)
	text := func(s string) *string { return &s }
	cases := []struct {
		name   string
		header *string
		want   *time.Time
	}{
		{"no header", nil, nil},
		{"RFC 9110", text("Sun, 06 Nov 1994 08:49:37 GMT"), &want},
		{"RFC 850", text("Sunday, 06-Nov-94 08:49:37 GMT"), &want},
		{"asctime", text("Sun Nov  6 08:49:37 1994"), &want},
		{"empty", text(""), nil},
		{"ISO 8601", text("1994-11-06T08:49:37Z"), nil},
		{"nonsense", text("yesterday"), nil},
		{"31st of November", text("Sun, 31 Nov 1994 08:49:37 GMT"), nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, UnmodifiedSince(c.header)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnActorHasTheScopesOfItsToken(t *testing.T) {
	t.Parallel()
	actor := &Actor{Scopes: []string{"read_api", "sudo"}}
	for scope, want := range map[string]bool{"read_api": true, "sudo": true, "api": false, "read": false, "": false} {
		if got := actor.HasScope(scope); got != want {
			t.Errorf("has %q: %v, want %v", scope, got, want)
		}
	}
}

// The context of a request carries its measurements, too, and needs one allocation for both.
func TestTheContextOfARequestCarriesItsWork(t *testing.T) {
	info := &Info{}
	ctx := With(t.Context(), info)
	if Of(ctx) != info || observe.Of(ctx) != &info.Work || observe.Of(t.Context()) != nil {
		t.Error("the context does not carry the request and its work")
	}
	if n := testing.AllocsPerRun(100, func() { kept = With(ctx, info) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

// kept makes sure that the context is on the heap.
var kept context.Context
