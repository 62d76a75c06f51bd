package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
)

// metricImage is a picture of an alert.
type metricImage struct {
	ID       int64
	Filename string
	FilePath string  `json:"file_path"`
	URL      *string `json:"url"`
	URLText  *string `json:"url_text"`
}

func TestPicturesAreAttachedToAlerts(t *testing.T) {
	t.Parallel()
	h, owner, p, base, i := projectWithAlertIntegration(t)
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"Down"}`), 200, "")
	developer, reporter := h.ProjectMember(p, model.Developer), h.ProjectMember(p, model.Reporter)
	images := base + "/alert_management_alerts/1/metric_images"
	expect(t, developer.Send("GET", images, ""), 200, "[]")
	fields := map[string]string{"url": "https://metrics.example.com/d/1", "url_text": "Load"}
	made := read[metricImage](t, developer.File("POST", images, fields, "file", "my chart.png", "image/png", "a picture"), 201)
	if made.Filename != "my_chart.png" || *made.URL != fields["url"] || *made.URLText != "Load" {
		t.Errorf("%+v", made)
	}
	expect(t, developer.Send("GET", made.FilePath, ""), 200, "a picture")
	plain := read[metricImage](t, owner.File("POST", images, nil, "file", "b.jpg", "image/jpeg", "b"), 201)
	if plain.URL != nil || plain.URLText != nil {
		t.Errorf("%+v", plain)
	}
	all := developer.Send("GET", images, "")
	if rows := read[[]metricImage](t, all, 200); len(rows) != 2 || rows[0].ID != made.ID || all.Header.Get("X-Total") != "2" {
		t.Errorf("%s", all.Body)
	}
	second := read[[]metricImage](t, developer.Send("GET", images+"?per_page=1&page=2", ""), 200)
	if len(second) != 1 || second[0].ID != plain.ID {
		t.Errorf("%+v", second)
	}
	at := fmt.Sprintf("%s/%d", images, made.ID)
	changed := read[metricImage](t, developer.JSON("PUT", at, `{"url_text":"Memory"}`), 200)
	if *changed.URLText != "Memory" || *changed.URL != fields["url"] {
		t.Errorf("%+v", changed)
	}
	changed = read[metricImage](t, developer.JSON("PUT", at, `{"url":"","url_text":null}`), 200)
	if changed.URL != nil || changed.URLText != nil {
		t.Errorf("%+v", changed)
	}
	expect(t, developer.JSON("PUT", at, `{"url":"javascript:alert(1)"}`), 400, `{"message":{"url":["must be a valid URL"]}}`)
	expect(t, developer.JSON("PUT", at, `{"url_text":"`+strings.Repeat("x", 129)+`"}`), 400, "")
	none := `{"message":"404 Not found"}`
	expect(t, developer.JSON("PUT", images+"/999999", `{"url_text":"x"}`), 404, none)
	expect(t, developer.Send("DELETE", images+"/999999", ""), 404, none)
	expect(t, developer.Send("GET", base+"/alert_management_alerts/99/metric_images", ""), 404, none)
	for _, c := range []struct {
		send func() int
		want int
	}{
		{func() int { return reporter.Send("GET", images, "").Status }, 403},
		{func() int { return reporter.JSON("PUT", at, `{"url_text":"x"}`).Status }, 403},
		{func() int { return reporter.Send("DELETE", at, "").Status }, 403},
		{func() int { return reporter.File("POST", images, nil, "file", "a.png", "image/png", "x").Status }, 403},
		{func() int { return h.NewUser().Send("GET", images, "").Status }, 404},
		{func() int { return h.NewUser().Send("DELETE", at, "").Status }, 404},
		{func() int { return h.Anonymous().Send("GET", images, "").Status }, 401},
	} {
		if got := c.send(); got != c.want {
			t.Errorf("the answer is %d, want %d", got, c.want)
		}
	}
	expect(t, developer.Send("DELETE", at, ""), 204, "")
	expect(t, developer.Send("GET", made.FilePath, ""), 404, "")
	// The file of a picture is an upload of the project, which a maintainer can delete.
	secret := strings.TrimPrefix(plain.FilePath, fmt.Sprintf("/-/project/%d", p.ID))
	expect(t, owner.Send("DELETE", base+secret, ""), 204, "")
	expect(t, developer.Send("GET", images, ""), 200, "[]")
}

func TestOnlyPicturesAreAttachedToAlerts(t *testing.T) {
	t.Parallel()
	h, owner, _, base, i := projectWithAlertIntegration(t)
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"Down"}`), 200, "")
	images := base + "/alert_management_alerts/1/metric_images"
	for _, name := range []string{"a.txt", "a.svg", "a.html", "a", "a.pdf"} {
		expect(t, owner.File("POST", images, nil, "file", name, "image/png", "x"), 400,
			`{"message":{"file":["does not have a supported extension. Only pictures can be attached"]}}`)
	}
	for field, text := range map[string]string{"url": "ftp://x", "url_text": strings.Repeat("x", 129)} {
		expect(t, owner.File("POST", images, map[string]string{field: text}, "file", "a.png", "image/png", "x"), 400, "")
	}
	expect(t, owner.File("POST", images, map[string]string{"url": "https://x.example"}, "other", "a.png", "image/png", "x"), 400, "")
	expect(t, owner.JSON("POST", images, `{"url":"https://x.example"}`), 415, "")
	expect(t, owner.Send("GET", images, ""), 200, "[]")
	if n := count(t, h, "SELECT count(*) FROM uploads"); n != 0 {
		t.Errorf("%d uploads stay of what was refused", n)
	}
}
