package api

import (
	"fmt"
	"net/url"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

type badge struct {
	ID            int64
	Name          *string
	Kind          string
	LinkURL       string `json:"link_url"`
	RenderedLink  string `json:"rendered_link_url"`
	RenderedImage string `json:"rendered_image_url"`
}

func TestBadgesOfProjectsAndGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path, g.Name = "acme", "Acme & Sons" })
	p := h.Project(g.ID, func(p *model.Project) { p.Path, p.Name = "web", "Web" })
	owner, maintainer, guest := h.Member(g, model.Owner), h.Member(g, model.Maintainer), h.Member(g, model.Guest)
	inProject, inGroup := fmt.Sprintf("/projects/%d/badges", p.ID), fmt.Sprintf("/groups/%d/badges", g.ID)
	body := `{"name":"build","link_url":"https://example.com/%{project_path}/%{project_id}?g=%{group_name}",` +
		`"image_url":"https://example.com/%{project_namespace}/%{project_name}/%{default_branch}/%{unknown}.svg"}`
	ofGroup := owner.JSON("POST", inGroup, body)
	expect(t, ofGroup, 201, "")
	expect(t, maintainer.JSON("POST", inGroup, body), 403, "")
	ofProject := maintainer.JSON("POST", inProject,
		`{"link_url":"https://example.com/%{project_title}","image_url":"http://example.com/x.svg"}`)
	expect(t, ofProject, 201, "")
	h.Golden("createProjectBadge/badge", ofProject.Body)
	expect(t, guest.JSON("POST", inProject, body), 403, "")

	own := read[badge](t, ofGroup, 201)
	if own.Kind != "group" || own.RenderedLink != "https://example.com/%{project_path}/%{project_id}?g=Acme%20&%20Sons" {
		t.Errorf("%+v", own)
	}
	shown := read[[]badge](t, guest.Send("GET", inProject, ""), 200)
	if len(shown) != 2 || shown[0].Kind != "group" || shown[1].Kind != "project" || shown[1].Name != nil ||
		shown[0].RenderedLink != fmt.Sprintf("https://example.com/acme/web/%d?g=Acme%%20&%%20Sons", p.ID) {
		t.Errorf("%+v", shown)
	}
	// Guests cannot read the repository, so the name of its default branch is not shown to them.
	if got := shown[0].RenderedImage; got != "https://example.com/acme/web/%{default_branch}/%{unknown}.svg" {
		t.Error(got)
	}
	if got := read[[]badge](t, maintainer.Send("GET", inProject+"?name=build", ""), 200); len(got) != 1 ||
		got[0].RenderedImage != "https://example.com/acme/web/main/%{unknown}.svg" {
		t.Errorf("%+v", got)
	}
	if got := read[[]badge](t, guest.Send("GET", inGroup+"?name=other", ""), 200); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	// A project lists the badges of its groups but cannot change them.
	there := fmt.Sprintf("%s/%d", inProject, own.ID)
	expect(t, guest.Send("GET", there, ""), 200, "")
	expect(t, maintainer.JSON("PUT", there, `{"name":"x"}`), 404, `{"message":"404 Badge Not Found"}`)
	expect(t, maintainer.Send("DELETE", there, ""), 404, `{"message":"404 Badge Not Found"}`)
	expect(t, owner.Send("GET", fmt.Sprintf("%s/%d", inGroup, shown[1].ID), ""), 404, `{"message":"404 Badge Not Found"}`)

	mine := fmt.Sprintf("%s/%d", inProject, shown[1].ID)
	if got := read[badge](t, maintainer.JSON("PUT", mine, `{"name":"new","link_url":"https://example.com/new"}`),
		200); *got.Name != "new" || got.LinkURL != "https://example.com/new" {
		t.Errorf("%+v", got)
	}
	expect(t, owner.JSON("PUT", fmt.Sprintf("%s/%d", inGroup, own.ID), `{"name":null}`), 200, "")
	expect(t, guest.Send("GET", fmt.Sprintf("%s/%d", inGroup, own.ID), ""), 200, "")
	expect(t, guest.Send("DELETE", mine, ""), 403, "")
	expect(t, maintainer.Send("DELETE", mine, ""), 204, "")
	expect(t, maintainer.Send("GET", mine, ""), 404, `{"message":"404 Badge Not Found"}`)
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/%d", inGroup, own.ID), ""), 204, "")
	expect(t, h.NewUser().Send("GET", inGroup, ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, h.NewUser().Send("GET", inProject, ""), 404, `{"message":"404 Project Not Found"}`)
}

func TestInvalidBadgesAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	owner, in := h.Member(g, model.Owner), fmt.Sprintf("/groups/%d/badges", g.ID)
	made := read[badge](t, owner.JSON("POST", in, `{"link_url":"https://example.com","image_url":"https://example.com/x"}`), 201)
	const blocked = `"is blocked: Only allowed schemes are http, https"`
	for body, want := range map[string]string{
		`{"image_url":"https://example.com"}`:                                       `{"error":"link_url is missing"}`,
		`{"link_url":"","image_url":"https://example.com"}`:                         `{"error":"link_url is empty"}`,
		`{"link_url":"javascript:alert(1)","image_url":"https://example.com"}`:      `{"message":{"link_url":[` + blocked + `]}}`,
		`{"link_url":"https://example.com","image_url":"data:x"}`:                   `{"message":{"image_url":[` + blocked + `]}}`,
		`{"link_url":"https://%{project_name}/","image_url":"https://example.com"}`: `{"message":{"link_url":["must be a valid URL"]}}`,
	} {
		expect(t, owner.JSON("POST", in, body), 400, want)
	}
	expect(t, owner.JSON("PUT", fmt.Sprintf("%s/%d", in, made.ID), `{"image_url":"ftp://example.com"}`), 400,
		`{"message":{"image_url":[`+blocked+`]}}`)
	if got := read[[]badge](t, owner.Send("GET", in, ""), 200); len(got) != 1 || got[0].RenderedImage != "https://example.com/x" {
		t.Errorf("%+v", got)
	}
	for range 99 {
		expect(t, owner.JSON("POST", in, `{"link_url":"https://example.com","image_url":"https://example.com/x"}`), 201, "")
	}
	expect(t, owner.JSON("POST", in, `{"link_url":"https://example.com","image_url":"https://example.com/x"}`), 400,
		`{"message":"Maximum number of badges (100) exceeded"}`)
}

func TestABadgeIsRendered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path, g.Name = "acme", "Acme" })
	owner := h.Member(g, model.Owner)
	made := read[struct{ ID int64 }](t, owner.JSON("POST", "/projects",
		fmt.Sprintf(`{"name":"Web","path":"web","namespace_id":%d,"initialize_with_readme":true}`, g.ID)), 201)
	project := fmt.Sprintf("/projects/%d", made.ID)
	head := read[[]struct{ ID string }](t, owner.Send("GET", project+"/repository/commits", ""), 200)[0].ID
	query := "?" + url.Values{
		"link_url":  {"https://example.com/%{commit_sha}/%{latest_tag}"},
		"image_url": {"https://example.com/%{project_path}"},
	}.Encode()
	if got := read[badge](t, owner.Send("GET", project+"/badges/render"+query, ""), 200); got.RenderedLink != "https://example.com/"+
		head+"/%{latest_tag}" || got.RenderedImage != "https://example.com/acme/web" {
		t.Errorf("%+v", got)
	}
	expect(t, owner.JSON("POST", project+"/repository/tags", `{"tag_name":"v1.0","ref":"main"}`), 201, "")
	if got := read[badge](t, owner.Send("GET", project+"/badges/render"+query, ""), 200); got.RenderedLink != "https://example.com/"+
		head+"/v1.0" {
		t.Errorf("%+v", got)
	}
	shown := owner.Send("GET", fmt.Sprintf("/groups/%d/badges/render", g.ID)+query, "")
	expect(t, shown, 200,
		`{"name":null,"link_url":"https://example.com/%{commit_sha}/%{latest_tag}","image_url":"https://example.com/%{project_path}",`+
			`"rendered_link_url":"https://example.com/%{commit_sha}/%{latest_tag}",`+
			`"rendered_image_url":"https://example.com/%{project_path}"}`)
	bad := "?" + url.Values{"link_url": {"file:///etc/passwd"}, "image_url": {"https://example.com"}}.Encode()
	expect(t, owner.Send("GET", project+"/badges/render"+bad, ""), 400,
		`{"message":{"link_url":["is blocked: Only allowed schemes are http, https"]}}`)
	expect(t, owner.Send("GET", project+"/badges/render", ""), 400, `{"error":"link_url is missing, image_url is missing"}`)
	expect(t, h.Member(g, model.Developer).Send("GET", project+"/badges/render"+query, ""), 403, "")
}
