package broadcast

import (
	"testing"
	"time"

	"svc/store/model"
)

func TestAMessageIsShownToTheRightPeopleAtTheRightTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)
	path := "*/-/pipelines"
	message := func(change func(m *model.BroadcastMessage)) model.BroadcastMessage {
		m := model.BroadcastMessage{StartsAt: now, EndsAt: now.Add(time.Hour)}
		change(&m)
		return m
	}
	anybody := message(func(*model.BroadcastMessage) {})
	developers := message(func(m *model.BroadcastMessage) { m.TargetAccessLevels = "30,40" })
	pipelines := message(func(m *model.BroadcastMessage) { m.TargetPath = &path })
	for name, c := range map[string]struct {
		page Page
		m    model.BroadcastMessage
		want bool
	}{
		"everybody":                   {Page{"/", 0, now}, anybody, true},
		"before it starts":            {Page{"/", 0, now.Add(-time.Second)}, anybody, false},
		"when it ends":                {Page{"/", 0, now.Add(time.Hour)}, anybody, false},
		"a developer":                 {Page{"/acme/web", model.Developer, now}, developers, true},
		"a guest":                     {Page{"/acme/web", model.Guest, now}, developers, false},
		"a page without a project":    {Page{"/", 0, now}, developers, false},
		"a page with the path":        {Page{"/acme/web/-/pipelines", 0, now}, pipelines, true},
		"a page with another path":    {Page{"/acme/web/-/pipelines/1", 0, now}, pipelines, false},
		"a page with a part of it":    {Page{"/pipelines", 0, now}, pipelines, false},
		"a page of a longer pipeline": {Page{"/a/-/pipelinesx", 0, now}, pipelines, false},
	} {
		if got := len(c.page.Shown([]model.BroadcastMessage{c.m})) == 1; got != c.want {
			t.Errorf("%s: shown is %v, want %v", name, got, c.want)
		}
	}
}

func TestPatternsOfPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"/groups/acme", "/groups/acme", true},
		{"groups/acme", "/groups/acme", true},
		{"/groups/acme", "/groups/acme/x", false},
		{"/groups/*", "/groups/a/b", true},
		{"*", "/anything", true},
		{"/a*a", "/a", false},
		{"/a*b*c", "/a-c-b-c", true},
		{"/a*b*c", "/acb", false},
		{"", "/", true},
	} {
		if got := matches(c.pattern, c.path); got != c.want {
			t.Errorf("matches(%q, %q) = %v", c.pattern, c.path, got)
		}
	}
}
