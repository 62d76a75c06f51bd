package present

import (
	"testing"

	"svc/store/model"
)

func TestDetailsOfAnAuditEventAreShownAsWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"b":12345678901234567890,"a":"x"}`: `{"b":12345678901234567890,"a":"x"}`,
		"":                                   "{}",
		"[1]":                                "{}",
		`{"a":`:                              "{}",
	} {
		if got := string(AuditEvent(model.AuditEvent{Details: text}).Details); got != want {
			t.Errorf("%q is shown as %s, not %s", text, got, want)
		}
	}
}
