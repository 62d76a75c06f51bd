package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// packagesFixture is a private project with a member of every role.
type packagesFixture struct {
	t       *testing.T
	h       *harness.H
	group   model.Namespace
	project model.Project
	base    string // URL of the project
	members map[model.Access]*harness.Caller
}

func newPackagesFixture(t *testing.T, edit ...func(*model.Project)) packagesFixture {
	t.Helper()
	h := harness.New(t)
	f := packagesFixture{t: t, h: h, group: h.Group(at("acme")), members: map[model.Access]*harness.Caller{}}
	edit = append([]func(*model.Project){func(p *model.Project) { p.Path, p.Name = "web", "web" }}, edit...)
	f.project = h.Project(f.group.ID, edit...)
	f.base = fmt.Sprintf("/projects/%d", f.project.ID)
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
		f.members[role] = h.Member(f.group, role)
	}
	return f
}

// upload uploads a generic file as a developer.
func (f packagesFixture) upload(name, version, file, content string) {
	f.t.Helper()
	a := f.members[model.Developer].Send("PUT", f.generic(name, version, file), content)
	expect(f.t, a, 201, `{"message":"201 Created"}`)
}

func (f packagesFixture) generic(name, version, file string) string {
	return f.base + "/packages/generic/" + name + "/" + version + "/" + file
}

// list returns the packages of the project, as a reporter sees them.
func (f packagesFixture) list(query string) []shownPackage {
	f.t.Helper()
	return read[[]shownPackage](f.t, f.members[model.Reporter].Send("GET", f.base+"/packages"+query, ""), 200)
}

// deployToken makes a deploy token of a project or group and returns its username and its secret.
func (f packagesFixture) deployToken(place string, scopes ...string) (username, token string) {
	f.t.Helper()
	made := read[struct{ Username, Token string }](f.t, f.members[model.Owner].JSON("POST", place+"/deploy_tokens",
		`{"name":"d","scopes":["`+strings.Join(scopes, `","`)+`"]}`), 201)
	return made.Username, made.Token
}

// shownPackage is a package in an answer.
type shownPackage struct {
	ID          int64
	Name        string
	Version     *string
	PackageType string `json:"package_type"`
	Status      string
	Links       struct {
		WebPath       *string `json:"web_path"`
		DeleteAPIPath *string `json:"delete_api_path"`
	} `json:"_links"`
	LastDownloadedAt *string `json:"last_downloaded_at"`
	CreatorID        *int64  `json:"creator_id"`
	ProjectPath      *string `json:"project_path"`
	Tags             []struct{ Name string }
	Pipeline         *struct{ ID int64 }
	Versions         []struct {
		ID      int64
		Version string
	}
}

// shownPackageFile is a file of a package in an answer.
type shownPackageFile struct {
	ID         int64
	PackageID  int64  `json:"package_id"`
	FileName   string `json:"file_name"`
	Size       int64
	FileMD5    string `json:"file_md5"`
	FileSHA1   string `json:"file_sha1"`
	FileSHA256 string `json:"file_sha256"`
	Pipelines  []struct{ ID int64 }
	File       struct{ URL string }
}

// files returns the files of a package, as a reporter sees them.
func (f packagesFixture) files(id int64) []shownPackageFile {
	f.t.Helper()
	return read[[]shownPackageFile](f.t,
		f.members[model.Reporter].Send("GET", fmt.Sprintf("%s/packages/%d/package_files", f.base, id), ""), 200)
}
