package apierr

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestValuesAreListedInAHint(t *testing.T) {
	t.Parallel()
	many := make([]any, mostValues+1)
	for i := range many {
		many[i] = i
	}
	for want, values := range map[string][]any{
		"sort must be one of: asc, desc.": {"asc", "desc"},
		"sort must be one of: 10, 20.":    {10, 20, nil, ""},
		"":                                many,
	} {
		if got := HintValues("sort", values); got != want {
			t.Errorf("the hint of %v is %q, want %q", values, got, want)
		}
	}
}

func TestAHintComesLastAndLeavesTheFailureAsItIs(t *testing.T) {
	t.Parallel()
	plainly := Unauthorized()
	hinted := WithReason(WithHint(plainly, "Send a token."), "invalid_request", "There is none.")
	var e, before *Error
	if !errors.As(hinted, &e) || !errors.As(plainly, &before) {
		t.Fatalf("%T, %T", hinted, plainly)
	}
	data, err := json.Marshal(e.Body)
	if err != nil || string(data) != `{"message":"401 Unauthorized","hint":"Send a token."}` {
		t.Errorf("the body is %s, %v", data, err)
	}
	if got := e.Header["WWW-Authenticate"]; got != realm+`, error="invalid_request", error_description="There is none."` {
		t.Errorf("the challenge is %s", got)
	}
	if before.Body.Hint != "" || before.Header["WWW-Authenticate"] != realm {
		t.Errorf("the failure itself is changed: %+v", before)
	}
	if again := WithHint(hinted, "Something else."); !errors.As(again, &e) || e.Body.Hint != "Send a token." {
		t.Errorf("the hint is %q", e.Body.Hint)
	}
	if other := errors.New("a failure"); !errors.Is(WithHint(other, "x"), other) || !errors.Is(WithReason(other, "a", "b"), other) {
		t.Error("another failure is changed")
	}
}
