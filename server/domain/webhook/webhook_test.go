package webhook

import (
	"testing"
	"time"

	"svc/store/model"
)

func TestTemplates(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":{"b":"x \"y\"\n","n":12345678901234567890,"l":[1,2],"o":{"c":true}},"e":"","h":"<&>"}`)
	for template, want := range map[string]string{
		`{"v":"{{a.b}}"}`:               `{"v":"x \"y\"\n"}`,
		`{"v":{{a.n}}}`:                 `{"v":12345678901234567890}`,
		`{"v":{{ a.l }}}`:               `{"v":[1,2]}`,
		`{"v":{{a.o}},"w":{{a.l.0}}}`:   `{"v":{"c":true},"w":null}`,
		`{"v":{{no.such}},"e":"{{e}}"}`: `{"v":null,"e":""}`,
		`{"v":"{{h}}"}`:                 `{"v":"<&>"}`,
		`{"v":{{a.b}}}`:                 "",
		`plain`:                         "",
	} {
		got, err := render(template, body)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v", template, got, err)
		}
	}
}

func TestPausesGrow(t *testing.T) {
	t.Parallel()
	project, now := int64(1), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	h := model.Hook{ProjectID: &project}
	for n, want := range map[int]time.Duration{
		3: 0, 4: time.Minute, 5: 2 * time.Minute, 14: 1024 * time.Minute, 15: 24 * time.Hour, 39: 24 * time.Hour,
	} {
		h.Failures = int64(n - 1)
		after := next(h, result{}, now)
		if want == 0 && after.DisabledUntil != nil || want != 0 && !after.DisabledUntil.Equal(now.Add(want)) {
			t.Error(n, after.DisabledUntil)
		}
		if state := after.State(now); n >= 4 && state != model.HookTemporarilyDisabled {
			t.Error(n, state)
		}
	}
	h.Failures = 39
	if after := next(h, result{}, now); after.State(now.AddDate(1, 0, 0)) != model.HookDisabled {
		t.Error("not disabled for good")
	}
	if after := next(h, result{success: true}, now); after.Failures != 0 || after.DisabledUntil != nil ||
		after.State(now) != model.HookExecutable {
		t.Errorf("%+v", after)
	}
	if after := next(model.Hook{Failures: 50}, result{}, now); after.State(now) != model.HookExecutable {
		t.Error("a system hook is never disabled")
	}
}

func TestBranchFilters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		strategy, filter, branch string
		want                     bool
	}{
		{model.FilterWildcard, "", "any", true},
		{model.FilterWildcard, "main", "main", true},
		{model.FilterWildcard, "main", "main2", false},
		{model.FilterWildcard, "*-stable", "1-stable", true},
		{model.FilterWildcard, "production/*", "production/a/b", true},
		{model.FilterWildcard, "a.b", "axb", false},
		{model.FilterRegex, "^(feat|fix)/", "fix/1", true},
		{model.FilterRegex, "x", "axb", true},
		{model.FilterRegex, "(", "(", false},
		{model.FilterAllBranches, "main", "other", true},
	} {
		h := model.Hook{BranchFilterStrategy: c.strategy, PushEventsBranchFilter: &c.filter}
		if h.WantsBranch(c.branch) != c.want {
			t.Errorf("%+v", c)
		}
	}
}

func TestURLsAreMasked(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://x.example/{a}?b={c}":     "https://x.example/{a}?b={c}",
		"https://u:p@x.example/y":         "https://*****:*****@x.example/y",
		"https://{user}@x.example:81/{a}": "https://*****:*****@x.example:81/{a}",
	} {
		if got := maskURL(url); got != want {
			t.Errorf("%s: %s", url, got)
		}
	}
}
