package present

import (
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
	"svc/store/model"
)

const shortID = 8 // characters of an id that people read

// Commit shows a commit of a project.
func (p Presenter) Commit(project model.Project, c git.Commit) gen.Commit {
	last, all := trailers(c.Message)
	return gen.Commit{
		ID:               c.ID,
		ShortID:          c.ID[:shortID],
		CreatedAt:        wire.Time{Time: c.Committer.When},
		ParentIds:        append([]string{}, c.Parents...),
		Title:            c.Title(),
		Message:          c.Message,
		AuthorName:       c.Author.Name,
		AuthorEmail:      c.Author.Email,
		AuthoredDate:     wire.Time{Time: c.Author.When},
		CommitterName:    c.Committer.Name,
		CommitterEmail:   c.Committer.Email,
		CommittedDate:    wire.Time{Time: c.Committer.When},
		Trailers:         last,
		ExtendedTrailers: all,
		WebURL:           p.Base + "/" + project.FullPath + "/-/commit/" + c.ID,
	}
}

// CommitDetail shows a single commit, with its lines if they are counted.
func (p Presenter) CommitDetail(project model.Project, c git.Commit, lines *git.Lines) gen.CommitDetail {
	s := p.Commit(project, c)
	shown := gen.CommitDetail{
		ID: s.ID, ShortID: s.ShortID, CreatedAt: s.CreatedAt, ParentIds: s.ParentIds, Title: s.Title, Message: s.Message,
		AuthorName: s.AuthorName, AuthorEmail: s.AuthorEmail, AuthoredDate: s.AuthoredDate,
		CommitterName: s.CommitterName, CommitterEmail: s.CommitterEmail, CommittedDate: s.CommittedDate,
		Trailers: s.Trailers, ExtendedTrailers: s.ExtendedTrailers, WebURL: s.WebURL, ProjectID: project.ID,
	}
	if lines != nil {
		shown.Stats = &gen.CommitStats{Additions: lines.Added, Deletions: lines.Deleted, Total: lines.Added + lines.Deleted}
	}
	return shown
}

// trailers are the lines «Name: value» that a message ends with; of several with one name the first map has the last.
func trailers(message string) (last map[string]string, all map[string][]string) {
	last, all = map[string]string{}, map[string][]string{}
	paragraphs := strings.Split(strings.TrimRight(message, "\n"), "\n\n")
	if len(paragraphs) < 2 {
		return last, all
	}
	lines := strings.Split(paragraphs[len(paragraphs)-1], "\n")
	for _, line := range lines {
		if _, _, ok := trailer(line); !ok {
			return last, all
		}
	}
	for _, line := range lines {
		name, value, _ := trailer(line)
		last[name] = value
		all[name] = append(all[name], value)
	}
	return last, all
}

func trailer(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(line, ":")
	bad := func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return name, strings.TrimSpace(value), ok && name != "" && !strings.ContainsFunc(name, bad)
}

// Blame shows lines of a file with the commit that brought them.
func Blame(b git.Blamed, c git.Commit) gen.Blame {
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
