package payload

import "svc/store/model"

// WikiPageInput is what the body of a wiki page is made of.
type WikiPageInput struct {
	Project model.Project
	User    model.User
	Title   string
	Content string // empty for a deleted page
	Format  string // markdown, rdoc, asciidoc or org
	Message string // of the commit; may be empty
	Slug    string
	Version string // the id of the commit
	Action  string // create, update or delete
}

// WikiPage is the body of a wiki page.
type WikiPage struct {
	ObjectKind       string             `json:"object_kind"`
	User             User               `json:"user"`
	Project          Project            `json:"project"`
	Wiki             Wiki               `json:"wiki"`
	ObjectAttributes WikiPageAttributes `json:"object_attributes"`
}

// Wiki is the wiki of a project.
type Wiki struct {
	WebURL            string `json:"web_url"`
	GitSSHURL         string `json:"git_ssh_url"`
	GitHTTPURL        string `json:"git_http_url"`
	PathWithNamespace string `json:"path_with_namespace"`
	DefaultBranch     string `json:"default_branch"`
}

// WikiPageAttributes are the attributes of a wiki page.
type WikiPageAttributes struct {
	Title     string  `json:"title"`
	Content   string  `json:"content"`
	Format    string  `json:"format"`
	Message   *string `json:"message"`
	Slug      string  `json:"slug"`
	URL       string  `json:"url"`
	Action    string  `json:"action"`
	DiffURL   string  `json:"diff_url"`
	VersionID string  `json:"version_id"`
}

// WikiPage builds the body of a wiki page.
func (i Instance) WikiPage(in WikiPageInput) WikiPage {
	wiki := in.Project
	wiki.FullPath += ".wiki"
	url := i.web(in.Project) + "/-/wikis/" + escape(in.Slug)
	body := WikiPage{
		ObjectKind: "wiki_page", User: i.user(in.User), Project: i.project(in.Project),
		Wiki: Wiki{
			WebURL: i.web(in.Project) + "/-/wikis/home", GitSSHURL: i.gitSSH(wiki), GitHTTPURL: i.gitHTTP(wiki),
			PathWithNamespace: wiki.FullPath, DefaultBranch: model.SideBranch,
		},
		ObjectAttributes: WikiPageAttributes{
			Title: in.Title, Content: i.absolute(in.Project, in.Content), Format: in.Format, Slug: in.Slug, URL: url, Action: in.Action,
			DiffURL: url + "/diff?version_id=" + in.Version, VersionID: in.Version,
		},
	}
	if in.Message != "" {
		body.ObjectAttributes.Message = &in.Message
	}
	return body
}
