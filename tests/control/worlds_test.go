package control

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const newProject = `{"name":"Web","initialize_with_readme":true}`

func TestWorldsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	a, b := newWorld(t, ""), newWorld(t, `{"seed":7}`)
	if a.URL == b.URL || a.Token == b.Token || len(a.Users) != 0 || len(b.Users) == 0 || b.Seed != 7 {
		t.Errorf("%+v %+v", a, b)
	}
	a.send("POST", "/api/v4/projects", newProject, 201)
	a.send("GET", "/api/v4/projects/root%2Fweb", "", 200)
	a.send("GET", "/api/v4/projects/root%2Fweb/repository/files/README.md?ref=main", "", 200)
	b.send("GET", "/api/v4/projects/root%2Fweb", "", 404)
	a.send("GET", "/api/v4/users?username="+b.Users[0].Username, "", 200)
	stranger := *a
	stranger.Token = b.Token
	stranger.send("GET", "/api/v4/user", "", 401)
	seeded := *b
	seeded.Token = b.Users[0].Token
	if me := seeded.send("GET", "/api/v4/user", "", 200); !strings.Contains(me.body, `"username":"`+b.Users[0].Username+`"`) {
		t.Error(me.body)
	}
}

func TestAResetGoesBackToTheBeginning(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"token_ttl":60}`)
	w.send("POST", "/api/v4/projects", newProject, 201)
	w.plane("POST", "/faults", `{"kind":"status","status":500}`, 201, nil)
	w.send("GET", "/api/v4/user", "", 500)
	var after world
	w.plane("POST", "/reset", "", 200, &after)
	if after.URL != w.URL || after.Token != w.Token || after.TokenTTL != 60 {
		t.Errorf("%+v", after)
	}
	w.send("GET", "/api/v4/projects/root%2Fweb", "", 404)
	var requests []struct{ Path string }
	w.plane("GET", "/requests", "", 200, &requests)
	if len(requests) != 1 {
		t.Errorf("%+v", requests)
	}
	project := w.send("POST", "/api/v4/projects", newProject, 201) // the repository is new, too
	if !strings.Contains(project.body, `"id":1,`) {
		t.Error(project.body)
	}
}

func TestAWorldThatIsDeletedIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"name":"short-lived"}`)
	plane(t, "POST", "/worlds", `{"name":"short-lived"}`, http.StatusConflict, nil)
	w.plane("GET", "", "", 200, nil)
	w.plane("DELETE", "", "", 204, nil)
	w.plane("GET", "", "", 404, nil)
	if _, err := w.try("GET", "/api/v4/user", ""); err == nil {
		t.Error("its address still answers")
	}
	plane(t, "DELETE", "/worlds/main", "", 400, nil)
	var all []world
	plane(t, "GET", "/worlds", "", 200, &all)
	if all[0].Name != "main" {
		t.Errorf("%+v", all)
	}
}

func TestWorldsThatSleepKeepTheirData(t *testing.T) {
	t.Parallel()
	first := newWorld(t, "")
	first.send("POST", "/api/v4/projects", newProject, 201)
	first.plane("POST", "/settle", `{"timeout":60}`, 200, nil)
	for range 12 { // more than stay awake
		newWorld(t, "").send("GET", "/api/v4/user", "", 200)
	}
	first.send("GET", "/api/v4/projects/root%2Fweb", "", 200)
	first.send("GET", "/api/v4/projects/root%2Fweb/repository/branches/main", "", 200)
}

func TestSettingsOfAWorldCanChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	if lifetime := w.signIn(); lifetime != 7200 {
		t.Error(lifetime)
	}
	var changed world
	w.plane("PATCH", "", `{"token_ttl":3,"send_webhooks":true}`, 200, &changed)
	if changed.TokenTTL != 3 || !changed.SendWebhooks {
		t.Errorf("%+v", changed)
	}
	if lifetime := w.signIn(); lifetime != 3 {
		t.Error(lifetime)
	}
}

// signIn gets a token with the password of the administrator, and returns its lifetime.
func (w *world) signIn() int {
	w.t.Helper()
	res, err := http.PostForm(w.URL+"/oauth/token", url.Values{
		"grant_type": {"password"}, "username": {w.Username}, "password": {w.Password},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	var token struct {
		ExpiresIn int `json:"expires_in"`
	}
	if err := json.NewDecoder(res.Body).Decode(&token); err != nil || res.StatusCode != 200 {
		w.t.Fatal(res.StatusCode, err)
	}
	return token.ExpiresIn
}

func TestBadRequestsToTheControlPlaneAreRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/nothing", "", 404},
		{"PUT", "/worlds", "", 405},
		{"POST", "/worlds", `{"name":"no spaces"}`, 400},
		{"POST", "/worlds", `{"sead":1}`, 400},
		{"POST", "/worlds", `{"seed":-1}`, 400},
		{"POST", "/worlds", `{`, 400},
		{"PATCH", "/worlds/main", `{"token_ttl":0}`, 400},
		{"PATCH", "/worlds/main", "", 400},
		{"POST", "/worlds/nobody/reset", "", 404},
		{"POST", "/worlds/main/faults", `{"kind":"earthquake"}`, 400},
		{"POST", "/worlds/main/faults", `{"kind":"status"}`, 400},
		{"POST", "/worlds/main/faults", `{"kind":"status","status":200}`, 400},
		{"POST", "/worlds/main/faults", `{"kind":"delay"}`, 400},
		{"POST", "/worlds/main/faults", `{"kind":"slow"}`, 400},
		{"DELETE", "/worlds/main/faults/77", "", 404},
		{"GET", "/worlds/main/requests?count=many", "", 400},
		{"GET", "/worlds/main/mails?count=1&timeout=0.01", "", 504},
	} {
		var told struct{ Message string }
		plane(t, bad.method, bad.path, bad.body, bad.want, &told)
		if told.Message == "" {
			t.Errorf("%s %s has no message", bad.method, bad.path)
		}
	}
}

func TestWebPagesCannotUseTheControlPlane(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*http.Request){
		"origin":     func(r *http.Request) { r.Header.Set("Origin", "https://example.com") },
		"other name": func(r *http.Request) { r.Host = "control.example.com" },
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", controlURL+"/worlds", nil)
		if err != nil {
			t.Fatal(err)
		}
		change(req)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}

func TestTheControlPlaneServesItsDocument(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/openapi.yaml", "/openapi.json"} {
		res, err := http.Get(controlURL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 200 {
			t.Error(path, res.StatusCode)
		}
	}
}
