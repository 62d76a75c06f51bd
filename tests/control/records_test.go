package control

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

type request struct {
	ID            int64
	Method        string
	Path, Query   string
	Headers       http.Header
	Body          string
	BodyTruncated bool `json:"body_truncated"`
	Status        int
	Fault         *int64
}

func TestRequestsAreRecordedWithoutSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.send("POST", "/api/v4/projects?private_token="+w.Token+"&x=1", newProject, 201)
	w.send("GET", "/api/v4/projects/root%2Fweb", "", 200)
	w.send("POST", "/api/v4/projects", `{"name":"`+strings.Repeat("x", 20000)+`"}`, 400)
	var all []request
	w.plane("GET", "/requests", "", 200, &all)
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	one := all[0]
	if one.Method != "POST" || one.Path != "/api/v4/projects" || one.Query != "private_token=%5Bhidden%5D&x=1" ||
		one.Headers.Get("Private-Token") != "[hidden]" || one.Body != newProject || one.Status != 201 || one.Fault != nil {
		t.Errorf("%+v", one)
	}
	if all[1].Path != "/api/v4/projects/root%2Fweb" || !all[2].BodyTruncated || len(all[2].Body) != 16<<10 {
		t.Errorf("%+v", all[1])
	}
	text, _ := json.Marshal(all)
	if strings.Contains(string(text), w.Token) {
		t.Error("the record has the token")
	}
	w.plane("GET", "/requests?method=get&path=/api/v4/projects/*&status=200", "", 200, &all)
	if len(all) != 1 {
		t.Errorf("%+v", all)
	}
	w.plane("DELETE", "/requests", "", 204, nil)
	w.plane("GET", "/requests", "", 200, &all)
	if len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestATestCanWaitForARequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	var sent sync.WaitGroup
	sent.Go(func() {
		time.Sleep(100 * time.Millisecond)
		w.send("GET", "/api/v4/version", "", 200)
	})
	var all []request
	w.plane("GET", "/requests?path=/api/v4/version&count=1&timeout=30", "", 200, &all)
	sent.Wait()
	if len(all) != 1 {
		t.Errorf("%+v", all)
	}
	w.plane("GET", "/requests?path=/api/v4/version&count=2&timeout=0.05", "", 504, nil)
}

func TestMailsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.send("POST", "/api/v4/users", `{"name":"Jane","username":"jane","email":"jane@example.com","reset_password":true}`, 201)
	w.plane("POST", "/settle", `{"timeout":60}`, 200, nil)
	var mails []struct {
		To, Subject, Text string
		MessageID         string `json:"message_id"`
	}
	w.plane("GET", "/mails?to=JANE@example.com&count=1&timeout=30", "", 200, &mails)
	if len(mails) == 0 || mails[0].To != "jane@example.com" || !strings.Contains(mails[0].Text, w.URL) || mails[0].MessageID == "" {
		t.Errorf("%+v", mails)
	}
	w.plane("DELETE", "/mails", "", 204, nil)
	w.plane("GET", "/mails", "", 200, &mails)
	if len(mails) != 0 {
		t.Errorf("%+v", mails)
	}
}

type delivery struct {
	URL     string
	Headers http.Header
	Body    string
	Status  int
	Error   string
}

func TestWebhookDeliveriesAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.send("POST", "/api/v4/projects", newProject, 201)
	w.send("POST", "/api/v4/projects/1/hooks", `{"url":"https://example.com/receiver","issues_events":true,"token":"s3cret"}`, 201)
	w.send("POST", "/api/v4/projects/1/issues", `{"title":"The roof leaks"}`, 201)
	w.plane("POST", "/settle", `{"timeout":60}`, 200, nil)
	var all []delivery
	w.plane("GET", "/webhooks?event=Issue%20Hook&count=1&timeout=30", "", 200, &all)
	if len(all) != 1 || all[0].URL != "https://example.com/receiver" || all[0].Headers.Get("X-Gitlab-Token") != "s3cret" ||
		!strings.Contains(all[0].Body, "The roof leaks") || all[0].Status != 200 {
		t.Errorf("%+v", all)
	}
	w.plane("DELETE", "/webhooks", "", 204, nil)
}

func TestWebhookDeliveriesAreSentIfTheTestWants(t *testing.T) {
	t.Parallel()
	got := make(chan string, 10)
	receiver := listen()
	defer receiver.Close()
	go http.Serve(receiver, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("X-Gitlab-Event")
		w.WriteHeader(http.StatusAccepted)
	}))
	w := newWorld(t, `{"send_webhooks":true}`)
	w.send("POST", "/api/v4/projects", newProject, 201)
	w.send("POST", "/api/v4/projects/1/hooks", `{"url":"http://`+receiver.Addr().String()+`","issues_events":true}`, 201)
	w.send("POST", "/api/v4/projects/1/issues", `{"title":"The roof leaks"}`, 201)
	w.plane("POST", "/settle", `{"timeout":60}`, 200, nil)
	if event := <-got; event != "Issue Hook" {
		t.Error(event)
	}
	var all []delivery
	w.plane("GET", "/webhooks", "", 200, &all)
	if len(all) != 1 || all[0].Status != 202 || all[0].Error != "" {
		t.Errorf("%+v", all)
	}
}

func TestSettleWaitsForBackgroundWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.send("POST", "/api/v4/projects", newProject, 201)
	w.send("POST", "/api/v4/projects/1/repository/branches?branch=topic&ref=main", "", 201)
	w.send("POST", "/api/v4/projects/1/repository/files/a.txt", `{"branch":"topic","content":"a","commit_message":"Add a"}`, 201)
	w.send("POST", "/api/v4/projects/1/merge_requests", `{"source_branch":"topic","target_branch":"main","title":"Add a"}`, 201)
	var settled struct{ Seconds float64 }
	w.plane("POST", "/settle", `{"timeout":60,"periodic":true}`, 200, &settled)
	if settled.Seconds <= 0 {
		t.Error(settled)
	}
	mr := w.send("GET", "/api/v4/projects/1/merge_requests/1", "", 200)
	if !strings.Contains(mr.body, `"detailed_merge_status":"mergeable"`) {
		t.Error(mr.body)
	}
}
