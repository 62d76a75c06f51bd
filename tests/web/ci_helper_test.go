package web

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"testing"

	"svc/server/domain/ci/artifacts"
	"svc/store/model"
	"svc/tests/harness"
)

// ciPlace is a project whose owner, maintainer, developer and reporter have browsers.
type ciPlace struct {
	*harness.H
	t                                      *testing.T
	project                                model.Project
	ownerUser                              *harness.Caller
	owner, maintainer, developer, reporter *harness.Browser
	stranger, nobody                       *harness.Browser
}

// newCIPlace makes a private project and its members.
func newCIPlace(t *testing.T) *ciPlace {
	t.Helper()
	h := harness.New(t)
	p := &ciPlace{H: h, t: t, ownerUser: h.NewUserWithPassword()}
	p.project = h.Project(*p.ownerUser.User.NamespaceID, func(project *model.Project) { project.Path = "roof" })
	member := func(role model.Access) *harness.Browser {
		user := h.NewUserWithPassword()
		h.JoinProject(p.project, user.User, role)
		return h.SignedIn(user.User)
	}
	p.owner, p.maintainer, p.developer = h.SignedIn(p.ownerUser.User), member(model.Maintainer), member(model.Developer)
	p.reporter, p.stranger, p.nobody = member(model.Reporter), h.SignedIn(h.NewUserWithPassword().User), h.Browser()
	return p
}

// at returns the path of a page of the project.
func (p *ciPlace) at(format string, values ...any) string {
	return "/" + p.project.FullPath + "/-/" + fmt.Sprintf(format, values...)
}

// commit commits a file to the branch main.
func (p *ciPlace) commit(path, content string) {
	p.t.Helper()
	body := fmt.Sprintf(
		`{"branch":"main","commit_message":"Add it","actions":[{"action":"create","file_path":%q,"content":%q}]}`, path, content,
	)
	if got := p.ownerUser.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", p.project.ID), body); got.Status != 201 {
		p.t.Fatal(got.Status, got.Body)
	}
}

// hides checks that a page exists for some browsers and for no others.
func (p *ciPlace) hides(path string, from ...*harness.Browser) {
	p.t.Helper()
	for _, b := range append(from, p.stranger, p.nobody) {
		hidden(p.t, b, path)
	}
}

// addArchive adds files, given as pairs of name and content, as the artifacts of a job.
func (p *ciPlace) addArchive(j model.Job, files ...string) {
	p.t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		p.t.Fatal(err)
	}
	p.AddArtifact(j, artifacts.Upload{FileType: "archive", FileFormat: "zip", Filename: "artifacts.zip"}, out.String())
}

// gzipped returns a text in gzip format.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := io.WriteString(w, text)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
