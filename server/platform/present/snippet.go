package present

import (
	"net/url"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Snippet presents a snippet; only administrators see the storage of its repository.
func (p Presenter) Snippet(admin bool) func(model.SnippetRow) gen.Snippet {
	return func(row model.SnippetRow) gen.Snippet {
		s, id := row.Snippet, strconv.FormatInt(row.Snippet.ID, 10)
		web, api, path := p.Base+"/-/snippets/"+id, p.Base+"/api/v4/snippets/"+id, "snippets/"+id
		if row.Project != nil {
			web, path = p.Base+"/"+row.Project.FullPath+"/-/snippets/"+id, row.Project.FullPath+"/snippets/"+id
			api = p.Base + "/api/v4/projects/" + strconv.FormatInt(row.Project.ID, 10) + "/snippets/" + id
		}
		shown := gen.Snippet{
			ID: s.ID, Title: s.Title, Description: s.Description, Visibility: gen.Visibility(s.Visibility.String()),
			Author:    p.UserBasic(row.Author),
			CreatedAt: wire.NewTime(s.CreatedAt), UpdatedAt: wire.NewTime(s.UpdatedAt), ProjectID: s.ProjectID,
			WebURL: web, RawURL: api + "/raw",
			HTTPURLToRepo: p.Base + "/" + path + ".git", ImportedFrom: "none",
			Files: All(s.Paths(), func(file string) gen.SnippetFile {
				return gen.SnippetFile{Path: file, RawURL: api + "/files/" + model.SideBranch + "/" + url.PathEscape(file) + "/raw"}
			}),
		}
		if len(shown.Files) > 0 {
			shown.FileName = shown.Files[0].Path
		}
		if admin {
			shown.RepositoryStorage = &s.RepositoryStorage
		}
		return shown
	}
}

// WikiPage presents a page of a wiki, with its content unless that is nil.
func WikiPage(slug, title, format string, content *string) gen.WikiPage {
	shown := gen.WikiPage{Slug: slug, Title: title, Format: gen.WikiFormat(format), Content: content}
	if content != nil {
		shown.Encoding = ptr("UTF-8")
	}
	return shown
}
