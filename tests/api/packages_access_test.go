package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

func TestTheAccessLevelOfPackagesSaysWhoReadsThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		visibility model.Visibility
		level      string
		readers    string // who reads, of: anonymous external outsider guest reporter
	}{
		{model.Private, "disabled", ""},
		{model.Private, "private", "reporter"},
		{model.Private, "enabled", "reporter"},
		{model.Private, "public", "anonymous external outsider guest reporter"},
		{model.Internal, "private", "reporter"},
		{model.Internal, "enabled", "outsider guest reporter"},
		{model.Internal, "public", "anonymous external outsider guest reporter"},
		{model.Public, "disabled", ""},
		{model.Public, "private", "reporter"},
		{model.Public, "enabled", "anonymous external outsider guest reporter"},
	} {
		f := newPackagesFixture(t)
		expect(t, f.h.Root().JSON("PUT", fmt.Sprintf("/groups/%d", f.group.ID), `{"visibility":"public"}`), 200, "")
		expect(t, f.h.Root().JSON("PUT", f.base, fmt.Sprintf(`{"visibility":%q}`, c.visibility)), 200, "")
		f.upload("tools", "1.0", "a.txt", "hello")
		set := fmt.Sprintf(`{"package_registry_access_level":%q}`, c.level)
		shown := read[struct {
			Level   string `json:"package_registry_access_level"`
			Enabled bool   `json:"packages_enabled"`
		}](t, f.members[model.Maintainer].JSON("PUT", f.base, set), 200)
		if shown.Level != c.level || shown.Enabled != (c.level != "disabled") {
			t.Errorf("%s: %+v", c.level, shown)
		}
		for name, caller := range map[string]*harness.Caller{
			"anonymous": f.h.Anonymous(), "external": f.h.NewUser(harness.External), "outsider": f.h.NewUser(),
			"guest": f.members[model.Guest], "reporter": f.members[model.Reporter],
		} {
			want := strings.Contains(c.readers, name)
			for _, path := range []string{f.generic("tools", "1.0", "a.txt"), f.base + "/packages"} {
				if got := caller.Send("GET", path, ""); (got.Status == 200) != want {
					t.Errorf("%s of a %s project: %s gets %d of %s", c.level, c.visibility, name, got.Status, path)
				}
			}
		}
	}
}

func TestPublicPackagesShowNothingElseOfAPrivateProject(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t, func(p *model.Project) { p.PackageRegistryAccessLevel = model.FeaturePublic })
	f.h.Pipeline(f.project, f.members[model.Developer].User, []syntax.Job{aJob("publish", 0)})
	job := newFakeRunner(t, f.h, anyJobs).job()
	expect(t, f.h.WithHeaders("JOB-TOKEN", job.Token).Send("PUT", f.generic("tools", "1.0", "a.txt"), "hello"), 201, "")
	outsider := f.h.NewUser()
	id := f.list("")[0].ID
	one := fmt.Sprintf("%s/packages/%d", f.base, id)
	for _, caller := range []*harness.Caller{outsider, f.h.Anonymous()} {
		for _, path := range []string{"/packages", fmt.Sprintf("/packages/%d", id), fmt.Sprintf("/packages/%d/package_files", id)} {
			a := caller.Send("GET", f.base+path, "")
			if a.Status != 200 || strings.Contains(a.Body, `"sha"`) {
				t.Errorf("%s: %d %s", path, a.Status, a.Body)
			}
		}
		expect(t, caller.Send("GET", f.base, ""), 404, "")
		expect(t, caller.Send("GET", f.base+"/releases", ""), 404, "")
		expect(t, caller.Send("GET", f.base+"/packages/go/x/@v/list", ""), 404, "")
	}
	expect(t, outsider.Send("GET", one+"/pipelines", ""), 404, "")
	expect(t, outsider.Send("DELETE", one, ""), 404, "")
	expect(t, outsider.Send("PUT", f.generic("tools", "1.0", "b.txt"), "hello"), 404, "")
	expect(t, f.h.Anonymous().Send("PUT", f.generic("tools", "1.0", "b.txt"), "hello"), 401, "")
	expect(t, f.members[model.Reporter].Send("GET", one+"/pipelines", ""), 200, "")
}

func TestTheOlderSwitchOfPackagesStillWorks(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	maintainer := f.members[model.Maintainer]
	for body, want := range map[string]string{
		`{"packages_enabled":false}`: "disabled", `{"packages_enabled":true}`: "enabled",
		`{"packages_enabled":false,"package_registry_access_level":"private"}`: "private",
	} {
		a := maintainer.JSON("PUT", f.base, body)
		if a.Status != 200 || !strings.Contains(a.Body, `"package_registry_access_level":"`+want+`"`) {
			t.Errorf("%s: %d %s", body, a.Status, a.Body)
		}
	}
	expect(t, maintainer.JSON("PUT", f.base, `{"package_registry_access_level":"everyone"}`), 400, "")
}
