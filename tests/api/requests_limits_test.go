package api

import (
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/tests/harness"
)

func TestReadsOfSingleUsersAreRateLimited(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.LimitUsers = 2 })
	harness.WaitForMinute(time.Second)
	ann := h.NewUser()
	for range 2 {
		expect(t, ann.Send("GET", "/users/1", ""), 200, "")
	}
	over := ann.Send("GET", "/users/1", "")
	expect(t, over, 429, `{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`)
	for _, name := range []string{
		"Retry-After", "RateLimit-Limit", "RateLimit-Name", "RateLimit-Observed", "RateLimit-Remaining",
		"RateLimit-Reset", "RateLimit-ResetTime",
	} {
		if over.Header.Get(name) == "" {
			t.Errorf("%s is missing", name)
		}
	}
	for range 3 {
		expect(t, h.Root().Send("GET", "/users/1", ""), 200, "")
	}
}
