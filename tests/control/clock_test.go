package control

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

type clock struct {
	Now    time.Time
	Ahead  float64
	Frozen bool
}

func TestTokensExpireWhenTheClockIsMoved(t *testing.T) {
	t.Parallel()
	w, other := newWorld(t, ""), newWorld(t, "")
	res, err := http.PostForm(w.URL+"/oauth/token", url.Values{
		"grant_type": {"password"}, "username": {w.Username}, "password": {w.Password},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(res.Body).Decode(&token); err != nil {
		t.Fatal(err)
	}
	signedIn := func() int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), "GET", w.URL+"/api/v4/user", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token.AccessToken)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if status := signedIn(); status != 200 {
		t.Fatal(status)
	}
	var moved clock
	w.plane("PUT", "/clock", `{"forward":7201,"timeout":60}`, 200, &moved)
	if moved.Ahead < 7200 || moved.Ahead > 7300 || moved.Frozen {
		t.Errorf("%+v", moved)
	}
	if status := signedIn(); status != 401 {
		t.Errorf("after two hours: %d", status)
	}
	var elsewhere clock
	other.plane("GET", "/clock", "", 200, &elsewhere)
	if elsewhere.Ahead > 1 || elsewhere.Ahead < -1 {
		t.Errorf("another world: %+v", elsewhere)
	}
	w.plane("DELETE", "/clock", "", 200, &moved)
	if moved.Ahead > 1 || moved.Ahead < -1 {
		t.Errorf("%+v", moved)
	}
	w.plane("PUT", "/clock", `{"now":"2031-05-06T07:08:09Z","frozen":true,"timeout":60}`, 200, &moved)
	if !moved.Frozen || !moved.Now.Equal(time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)) {
		t.Errorf("%+v", moved)
	}
	made := w.send("POST", "/api/v4/projects", newProject, 201)
	if !strings.Contains(made.body, `"created_at":"2031-05-06T07:08:09.`) {
		t.Error(made.body)
	}
	w.plane("POST", "/reset", "", 200, nil)
	w.plane("GET", "/clock", "", 200, &moved)
	if moved.Frozen || moved.Ahead > 1 {
		t.Errorf("after a reset: %+v", moved)
	}
	w.plane("PUT", "/clock", `{"now":"2031-05-06T07:08:09Z","forward":1}`, 400, nil)
	w.plane("PUT", "/clock", `{}`, 400, nil)
}

const shop = `version: 1
users:
  - username: maria
    name: Maria
    tokens:
      - name: test
        token: glpat-maria-0123456789
        scopes: [api]
projects:
  - path: maria/shop
    commits:
      - message: Begin
        author: maria
        files:
          README.md: "# Shop"
`

func TestAWorldBeginsWithFixtures(t *testing.T) {
	t.Parallel()
	body, err := json.Marshal(map[string]string{"fixtures": shop})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, string(body))
	if len(w.Users) != 1 || w.Users[0].Username != "maria" {
		t.Fatalf("%+v", w)
	}
	maria := *w
	maria.Token = w.Users[0].Token
	for range 2 {
		maria.send("GET", "/api/v4/projects/maria%2Fshop/repository/files/README.md?ref=main", "", 200)
		maria.send("PUT", "/api/v4/projects/maria%2Fshop/repository/files/README.md",
			`{"branch":"main","content":"# Market","commit_message":"Rename"}`, 200)
		maria.send("DELETE", "/api/v4/projects/maria%2Fshop", "", 202)
		w.plane("POST", "/reset", "", 200, nil)
	}
	file := maria.send("GET", "/api/v4/projects/maria%2Fshop/repository/files/README.md/raw?ref=main", "", 200)
	if file.body != "# Shop" {
		t.Error(file.body)
	}
	var told struct{ Message string }
	plane(t, "POST", "/worlds", `{"fixtures":"users:\n  - nickname: x\nprojets: []\n"}`, 400, &told)
	if !strings.Contains(told.Message, "nickname") || !strings.Contains(told.Message, "projets") {
		t.Error(told.Message)
	}
	plane(t, "POST", "/worlds", `{"fixtures":"","seed":1}`, 400, nil)
}
