package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
)

// Blame presents lines of a file with the commit that introduced them.
func Blame(b git.BlameRange, c git.Commit) gen.Blame {
	return gen.Blame{Lines: b.Lines, Commit: gen.BlameCommit{
		ID:             c.ID,
		ParentIds:      append([]string{}, c.Parents...),
		Message:        c.Message,
		AuthoredDate:   wire.Time{Time: c.Author.When},
		AuthorName:     c.Author.Name,
		AuthorEmail:    c.Author.Email,
		CommittedDate:  wire.Time{Time: c.Committer.When},
		CommitterName:  c.Committer.Name,
		CommitterEmail: c.Committer.Email,
	}}
}
