package svctest_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"svc/tests/launchers/svctest"
)

// api sends a request and returns its status.
func api(t *testing.T, w *svctest.World, method, path, body string) int {
	t.Helper()
	req, err := http.NewRequest(method, w.URL+"/api/v4"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", w.Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func TestEveryMethodWorks(t *testing.T) {
	t.Parallel()
	w := svctest.Shared(t).NewWorld(t, svctest.NewWorld{Name: "every-method", TokenTTL: 60})
	jane := `{"name":"Jane","username":"jane","email":"j@example.com","reset_password":true}`
	if status := api(t, w, "POST", "/users", jane); status != 201 {
		t.Fatal(status)
	}
	w.Settle(t)
	if mails := w.Mails(t, 1); mails[0].To != "j@example.com" {
		t.Errorf("%+v", mails)
	}
	if status := api(t, w, "POST", "/hooks", `{"url":"https://receiver.example","push_events":true}`); status != 201 {
		t.Fatal(status)
	}
	if status := api(t, w, "POST", "/projects", `{"name":"Web"}`); status != 201 {
		t.Fatal(status)
	}
	w.Settle(t)
	if sent := w.Webhooks(t, 1); sent[0].URL != "https://receiver.example" || sent[0].Status != 200 {
		t.Errorf("%+v", sent)
	}
	w.Forward(t, 24*time.Hour)
	w.SetClock(t, time.Now().Add(-time.Hour))
	w.RealTime(t)
	w.AddFault(t, svctest.Fault{Kind: "status", Status: 503})
	if status := api(t, w, "GET", "/user", ""); status != 503 {
		t.Error(status)
	}
	w.ClearFaults(t)
	w.Reset(t)
	if status := api(t, w, "GET", "/projects/root%2Fweb", ""); status != 404 {
		t.Error(status)
	}
}

func TestAServiceEndsWithItsTest(t *testing.T) {
	t.Parallel()
	var data string
	t.Run("inside", func(t *testing.T) {
		s := svctest.Start(t, svctest.Options{Args: []string{"--seed=1"}})
		data = s.Data
		if s.UserToken(t, "ada") == "" || api(t, s.World, "GET", "/user", "") != 200 {
			t.Errorf("%+v", s.World)
		}
	})
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("its folder is still there: %v", err)
	}
}

func TestTheReadmeAndTheGuideHaveTheExample(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"README.md", "../../../docs/testing-clients.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\n```go\n"+string(example)+"```\n") {
			t.Errorf("%s does not have example_test.go as it is", page)
		}
	}
}
