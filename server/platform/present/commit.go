package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
	"svc/store/model"
)

const shortID = 8

// Commit presents a commit of a project, with its trailers.
func (p Presenter) Commit(project model.Project, c git.Commit) gen.Commit {
	trailers, extended := trailers(c)
	return gen.Commit{
		ID:               c.ID,
		ShortID:          c.ID[:min(shortID, len(c.ID))],
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
		Trailers:         trailers,
		ExtendedTrailers: extended,
		WebURL:           p.Base + "/" + project.FullPath + "/-/commit/" + c.ID,
	}
}

// CommitDetail presents a single commit; nil stats are left out.
func (p Presenter) CommitDetail(project model.Project, c git.Commit, stats *git.Stats) gen.CommitDetail {
	shown := p.Commit(project, c)
	return gen.CommitDetail{
		ID:               shown.ID,
		ShortID:          shown.ShortID,
		CreatedAt:        shown.CreatedAt,
		ParentIds:        shown.ParentIds,
		Title:            shown.Title,
		Message:          shown.Message,
		AuthorName:       shown.AuthorName,
		AuthorEmail:      shown.AuthorEmail,
		AuthoredDate:     shown.AuthoredDate,
		CommitterName:    shown.CommitterName,
		CommitterEmail:   shown.CommitterEmail,
		CommittedDate:    shown.CommittedDate,
		Trailers:         shown.Trailers,
		ExtendedTrailers: shown.ExtendedTrailers,
		WebURL:           shown.WebURL,
		Stats:            CommitStats(stats),
		ProjectID:        project.ID,
	}
}

// CommitPipeline adds the last pipeline of a commit to its details; nil if there is none.
func (p Presenter) CommitPipeline(shown *gen.CommitDetail, project model.Project, last *model.Pipeline) {
	if last != nil {
		shown.LastPipeline = ptr(p.Pipeline(project.FullPath, *last))
		shown.Status = &shown.LastPipeline.Status
	}
}

// CommitStats presents the number of lines that a commit changes; nil if it is unknown.
func CommitStats(s *git.Stats) *gen.CommitStats {
	if s == nil {
		return nil
	}
	return &gen.CommitStats{Additions: s.Additions, Deletions: s.Deletions, Total: s.Additions + s.Deletions}
}

func trailers(c git.Commit) (last map[string]string, all map[string][]string) {
	last, all = map[string]string{}, map[string][]string{}
	for _, t := range c.Trailers() {
		last[t.Key] = t.Value
		all[t.Key] = append(all[t.Key], t.Value)
	}
	return last, all
}
