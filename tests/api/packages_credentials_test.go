package api

import (
	"encoding/base64"
	"fmt"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// smallPackages limits files of packages to 1 MiB.
func smallPackages(c *config.Config) { c.MaxPackageSize = 1 }

func basicHeader(username, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(username+":"+password))
}

func TestEveryRoleWithPackages(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	f.upload("tools", "1.0", "a.txt", "hello")
	stranger, anonymous := f.h.NewUser(), f.h.Anonymous()
	path, list := f.generic("tools", "1.0", "a.txt"), f.base+"/packages"
	for role, want := range map[model.Access][2]int{
		model.Guest: {403, 403}, model.Reporter: {200, 403}, model.Developer: {200, 201}, model.Maintainer: {200, 201},
		model.Owner: {200, 201},
	} {
		c := f.members[role]
		expect(t, c.Send("GET", path, ""), want[0], "")
		expect(t, c.Send("GET", list, ""), want[0], "")
		expect(t, c.Send("PUT", path, "again"), want[1], "")
	}
	expect(t, stranger.Send("GET", path, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, stranger.Send("PUT", path, "x"), 404, `{"message":"404 Project Not Found"}`)
	for _, method := range []string{"GET", "PUT"} {
		got := anonymous.Send(method, path, "x")
		if expect(t, got, 401, ""); got.Header.Get("WWW-Authenticate") != `Basic realm="GitLab Packages Registry"` {
			t.Error(got.Header)
		}
	}
	expect(t, f.h.Root().Send("GET", path, ""), 200, "")

	outside := f.h.Group(seen(model.Public))
	f.h.Join(outside, f.members[model.Developer].User, model.Developer)
	public := f.h.Project(outside.ID, called("open", model.Public))
	open := fmt.Sprintf("/projects/%d/packages/generic/tools/1.0/a.txt", public.ID)
	expect(t, f.members[model.Developer].Send("PUT", open, "hello"), 201, "")
	expect(t, anonymous.Send("GET", open, ""), 200, "hello")
	expect(t, stranger.Send("PUT", open, "x"), 403, "")
	expect(t, anonymous.Send("PUT", open, "x"), 401, "")
	expect(t, anonymous.Send("GET", fmt.Sprintf("/projects/%d/packages", public.ID), ""), 200, "")

	expect(t, f.members[model.Maintainer].JSON("PUT", f.base, `{"packages_enabled":false}`), 200, "")
	expect(t, f.members[model.Owner].Send("GET", path, ""), 403, "")
	expect(t, f.members[model.Owner].Send("PUT", path, "x"), 403, "")
	expect(t, f.members[model.Owner].Send("GET", list, ""), 403, "")
}

func TestTokensOfUsersWithPackages(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	f.upload("tools", "1.0", "a.txt", "hello")
	path := f.generic("tools", "1.0", "a.txt")
	user := f.members[model.Developer].User
	whole, reading := f.h.WithToken(user, "api"), f.h.WithToken(user, "read_api")
	other := f.h.WithToken(user, "read_repository")
	for name, header := range map[string][]string{
		"private token": {"PRIVATE-TOKEN", whole.Token}, "bearer": {"Authorization", "Bearer " + whole.Token},
		"basic": {"Authorization", basicHeader("anything", whole.Token)}, "no username": {"Authorization", basicHeader("", whole.Token)},
	} {
		c := f.h.WithHeaders(header...)
		if got := c.Send("GET", path, ""); got.Status != 200 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
		if got := c.Send("PUT", path, "x"); got.Status != 201 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	expect(t, reading.Send("GET", path, ""), 200, "")
	expect(t, reading.Send("PUT", path, "x"), 403, "")
	expect(t, other.Send("GET", path, ""), 403, "")
	for _, header := range [][]string{
		{"PRIVATE-TOKEN", "wrong"},
		{"JOB-TOKEN", "wrong"},
		{"DEPLOY-TOKEN", "wrong"},
		{"Authorization", "Bearer wrong"},
		{"Authorization", basicHeader("ann", "wrong")},
		{"Authorization", "Digest x"},
		{"JOB-TOKEN", whole.Token},
		{"DEPLOY-TOKEN", whole.Token},
	} {
		got := f.h.WithHeaders(header...).Send("GET", path, "")
		if got.Status != 401 || got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%v: %d %s", header, got.Status, got.Body)
		}
	}
	if err := f.h.Store.Users.Update(t.Context(), user.ID, map[string]any{"state": model.UserBlocked}); err != nil {
		t.Fatal(err)
	}
	expect(t, whole.Send("GET", path, ""), 403, "")
}

func TestDeployTokensWithPackages(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	f.upload("tools", "1.0", "a.txt", "hello")
	path := f.generic("tools", "1.0", "a.txt")
	other := f.h.Project(f.h.Group().ID)
	elsewhere := fmt.Sprintf("/projects/%d/packages/generic/tools/1.0/a.txt", other.ID)
	for _, place := range []string{f.base, fmt.Sprintf("/groups/%d", f.group.ID)} {
		name, reads := f.deployToken(place, "read_package_registry")
		_, writes := f.deployToken(place, "write_package_registry")
		_, code := f.deployToken(place, "read_repository")
		reader, writer := f.h.WithHeaders("DEPLOY-TOKEN", reads), f.h.WithHeaders("Authorization", "Bearer "+writes)
		expect(t, reader.Send("GET", path, ""), 200, "hello")
		expect(t, reader.Send("PUT", path, "x"), 403, "")
		expect(t, writer.Send("GET", path, ""), 403, "")
		expect(t, writer.Send("PUT", path, "hello"), 201, "")
		expect(t, f.h.WithHeaders("DEPLOY-TOKEN", code).Send("GET", path, ""), 403, "")
		expect(t, f.h.WithHeaders("Authorization", basicHeader(name, reads)).Send("GET", path, ""), 200, "hello")
		expect(t, f.h.WithHeaders("Authorization", basicHeader("other", reads)).Send("GET", path, ""), 401, "")
		expect(t, reader.Send("GET", elsewhere, ""), 404, "")
		expect(t, writer.Send("PUT", elsewhere, "x"), 404, "")
		// Deploy tokens stay unusable with the API.
		expect(t, reader.Send("GET", f.base+"/packages", ""), 404, "")
		expect(t, f.h.WithHeaders("PRIVATE-TOKEN", reads).Send("GET", f.base+"/packages", ""), 401, "")
		expect(t, f.h.WithHeaders("PRIVATE-TOKEN", reads).Send("GET", path, ""), 401, "")
	}
	for _, row := range f.list("") {
		if row.Name == "tools" && row.CreatorID == nil {
			t.Error("the developer created the package")
		}
	}
}

func TestJobTokensWithPackages(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, n, m, g := runningJob(t, h)
	own := fmt.Sprintf("/projects/%d", n.Pipeline.ProjectID)
	path := own + "/packages/generic/tools/1.0/a.txt"
	job := h.WithHeaders("JOB-TOKEN", g.Token)
	expect(t, job.Send("PUT", path, "hello"), 201, "")
	for _, c := range []*harness.Caller{
		job, h.WithHeaders("Authorization", "Bearer "+g.Token), h.WithHeaders("Authorization", basicHeader("gitlab-ci-token", g.Token)),
		h.WithHeaders("Authorization", basicHeader("svc-ci-token", g.Token)),
	} {
		expect(t, c.Send("GET", path, ""), 200, "hello")
	}
	expect(t, h.WithHeaders("Authorization", basicHeader("ann", g.Token)).Send("GET", path, ""), 401, "")
	rows := read[[]shownPackage](t, job.Send("GET", own+"/packages", ""), 200)
	if len(rows) != 1 || rows[0].Pipeline == nil || rows[0].Pipeline.ID != n.Pipeline.ID {
		t.Errorf("%+v", rows)
	}

	// A private project must allow the project of the job; reading another project needs no permission.
	private := h.Project(*owner.User.NamespaceID, called("closed", model.Private))
	public := h.Project(*owner.User.NamespaceID, called("open", model.Public))
	for _, p := range []model.Project{private, public} {
		expect(t, owner.Send("PUT", fmt.Sprintf("/projects/%d/packages/generic/tools/1.0/a.txt", p.ID), "hello"), 201, "")
	}
	closed, open := fmt.Sprintf("/projects/%d", private.ID), fmt.Sprintf("/projects/%d", public.ID)
	file := "/packages/generic/tools/1.0/a.txt"
	expect(t, job.Send("GET", closed+file, ""), 404, "")
	expect(t, job.Send("PUT", closed+file, "x"), 404, "")
	expect(t, job.Send("GET", closed+"/packages", ""), 404, "")
	expect(t, job.Send("GET", open+file, ""), 200, "hello")
	expect(t, job.Send("GET", open+"/packages", ""), 200, "")
	expect(t, job.Send("PUT", open+file, "x"), 404, "")
	if err := h.Store.JobTokenScopes.AllowProject(t.Context(), private.ID, n.Pipeline.ProjectID); err != nil {
		t.Fatal(err)
	}
	expect(t, job.Send("GET", closed+file, ""), 200, "hello")
	expect(t, job.Send("PUT", closed+file, "again"), 201, "")

	expect(t, m.update(g, "success", ""), 200, "200")
	expect(t, job.Send("GET", path, ""), 401, "")
	expect(t, job.Send("PUT", path, "x"), 401, "")
	expect(t, h.WithHeaders("Authorization", basicHeader("gitlab-ci-token", g.Token)).Send("GET", path, ""), 401, "")
}
