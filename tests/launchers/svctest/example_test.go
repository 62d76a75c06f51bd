package svctest_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"svc/tests/launchers/svctest"
)

// username is the client under test: it returns who has a token, and tries again after 429.
func username(t *testing.T, base, token string) string {
	t.Helper()
	for {
		req, err := http.NewRequest("GET", base+"/api/v4/user", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("PRIVATE-TOKEN", token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode == http.StatusTooManyRequests {
			time.Sleep(time.Second)
			continue
		}
		var user struct{ Username string }
		if err := json.NewDecoder(res.Body).Decode(&user); err != nil {
			t.Fatal(err)
		}
		return user.Username
	}
}

func TestTheClientTriesAgain(t *testing.T) {
	t.Parallel()
	world := svctest.Shared(t).NewWorld(t) // one process for all tests, one world for each
	world.AddFault(t, svctest.Fault{Kind: "status", Status: 429, RetryAfter: 1, Count: 1})
	if got := username(t, world.URL, world.Token); got != "root" {
		t.Errorf("signed in as %q", got)
	}
	if sent := world.Requests(t, "/api/v4/user", 2); sent[0].Status != 429 || sent[1].Status != 200 {
		t.Errorf("sent %+v", sent)
	}
}

func TestTheClientSeesTheDemonstrationData(t *testing.T) {
	t.Parallel()
	seed := 7
	world := svctest.Shared(t).NewWorld(t, svctest.NewWorld{Seed: &seed})
	if got := username(t, world.URL, world.UserToken(t, "ada")); got != "ada" {
		t.Errorf("signed in as %q", got)
	}
}
