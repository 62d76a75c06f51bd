package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
)

// Commit shows a commit of the project with that path.
func (p Presenter) Commit(project string, c git.Commit) gen.Commit {
	parents := c.Parents
	if parents == nil {
		parents = []string{}
	}
	return gen.Commit{
		ID: c.ID, ShortID: c.ID[:8], CreatedAt: wire.Time{Time: c.Committer.When}, ParentIds: parents, Title: c.Title(), Message: c.Message,
		AuthorName: c.Author.Name, AuthorEmail: c.Author.Email, AuthoredDate: wire.Time{Time: c.Author.When},
		CommitterName: c.Committer.Name, CommitterEmail: c.Committer.Email, CommittedDate: wire.Time{Time: c.Committer.When},
		Trailers: map[string]string{}, ExtendedTrailers: map[string][]string{}, WebURL: p.Base + "/" + project + "/-/commit/" + c.ID,
	}
}
