package snapshot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"svc/server/domain/fixture"
	"svc/store/model"
)

type note struct {
	ID         int64      `json:"id"`
	Body       string     `json:"body"`
	Author     *user      `json:"author"`
	System     bool       `json:"system"`
	Internal   bool       `json:"internal"`
	Resolvable bool       `json:"resolvable"`
	ResolvedBy *user      `json:"resolved_by"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  *time.Time `json:"updated_at"`

	thread string
}

// readNotes reads the notes of an issue or merge request in the order in which they were written.
func (p *project) readNotes(ctx context.Context, kind string, iid int64, target string) ([]fixture.Note, error) {
	threads, err := all[struct {
		Individual bool   `json:"individual_note"`
		Notes      []note `json:"notes"`
	}](ctx, p.client, fmt.Sprintf("%s/%s/%d/discussions", p.base, kind, iid))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(threads, func(a, b struct {
		Individual bool   `json:"individual_note"`
		Notes      []note `json:"notes"`
	},
	) int {
		return cmp.Compare(a.Notes[0].ID, b.Notes[0].ID)
	})
	var notes []note
	count := 0
	for _, t := range threads {
		name := ""
		if !t.Individual {
			count++
			name = fmt.Sprintf("thread %d", count)
		}
		for _, n := range t.Notes {
			n.thread = name
			notes = append(notes, n)
		}
	}
	slices.SortFunc(notes, func(a, b note) int { return cmp.Compare(a.ID, b.ID) })
	var found []fixture.Note
	for i, n := range notes {
		p.notes[n.ID] = fmt.Sprintf("%s note %d", target, i+1)
		made := fixture.Note{
			Author: p.username(n.Author), Body: n.Body, System: n.System, Internal: n.Internal, Thread: n.thread,
			ResolvedBy: p.username(n.ResolvedBy), CreatedAt: fixture.At(n.CreatedAt),
		}
		if n.UpdatedAt != nil && !n.UpdatedAt.Equal(n.CreatedAt) {
			made.UpdatedAt = fixture.At(*n.UpdatedAt)
		}
		found = append(found, made)
	}
	return found, nil
}

type mergeRequest struct {
	IID             int64      `json:"iid"`
	Title           string     `json:"title"`
	Description     *string    `json:"description"`
	State           string     `json:"state"`
	SourceBranch    string     `json:"source_branch"`
	TargetBranch    string     `json:"target_branch"`
	Author          *user      `json:"author"`
	Assignees       []user     `json:"assignees"`
	Reviewers       []user     `json:"reviewers"`
	Labels          []string   `json:"labels"`
	Milestone       *titled    `json:"milestone"`
	SHA             string     `json:"sha"`
	MergeCommitSHA  *string    `json:"merge_commit_sha"`
	SquashCommitSHA *string    `json:"squash_commit_sha"`
	Squash          bool       `json:"squash"`
	Locked          *bool      `json:"discussion_locked"`
	RemoveBranch    *bool      `json:"force_remove_source_branch"`
	MergeUser       *user      `json:"merge_user"`
	ClosedBy        *user      `json:"closed_by"`
	CreatedAt       time.Time  `json:"created_at"`
	UpdatedAt       time.Time  `json:"updated_at"`
	MergedAt        *time.Time `json:"merged_at"`
	ClosedAt        *time.Time `json:"closed_at"`
	DiffRefs        *struct {
		StartSHA string `json:"start_sha"`
	} `json:"diff_refs"`
}

func (p *project) mergeRequests(ctx context.Context) error {
	rows, err := all[mergeRequest](ctx, p.client, p.base+"/merge_requests?state=all&order_by=created_at&sort=asc")
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b mergeRequest) int { return cmp.Compare(a.IID, b.IID) })
	for _, listed := range rows {
		row, err := one[mergeRequest](ctx, p.client, fmt.Sprintf("%s/merge_requests/%d", p.base, listed.IID))
		if err != nil {
			return err
		}
		start := ""
		if row.DiffRefs != nil {
			start = row.DiffRefs.StartSHA
		}
		complete := true
		for _, id := range []string{row.SHA, start} {
			there, err := p.need(ctx, id)
			if err != nil {
				return err
			}
			complete = complete && there
		}
		if !complete {
			p.left("%s!%d, whose commits are gone", p.Path, row.IID)
			continue
		}
		p.requests[row.IID] = len(p.MergeRequests) + 1
		if p.requests[row.IID] != int(row.IID) {
			p.left("%s: the number of !%d, which becomes !%d", p.Path, row.IID, p.requests[row.IID])
		}
		made, err := p.mergeRequest(ctx, row, start)
		if err != nil {
			return err
		}
		p.MergeRequests = append(p.MergeRequests, made)
	}
	return nil
}

func (p *project) mergeRequest(ctx context.Context, row mergeRequest, start string) (fixture.MergeRequest, error) {
	m := fixture.MergeRequest{
		Title: row.Title, Description: text(row.Description), Author: p.username(row.Author), SourceBranch: row.SourceBranch,
		TargetBranch: row.TargetBranch, Head: row.SHA, Base: start, Squash: row.Squash, Locked: row.Locked != nil && *row.Locked,
		RemoveSourceBranch: row.RemoveBranch, Labels: row.Labels, Milestone: row.Milestone.title(),
		Assignees: p.usernamesOf(row.Assignees), Reviewers: p.usernamesOf(row.Reviewers),
		CreatedAt: fixture.At(row.CreatedAt), UpdatedAt: fixture.At(row.UpdatedAt),
	}
	switch row.State {
	case model.Merged:
		m.State, m.MergedAt, m.MergedBy = row.State, at(row.MergedAt), p.username(row.MergeUser)
		for _, pair := range []struct {
			id *string
			to *string
		}{{row.MergeCommitSHA, &m.MergeCommit}, {row.SquashCommitSHA, &m.SquashCommit}} {
			there, err := p.need(ctx, text(pair.id))
			if err != nil {
				return m, err
			}
			if there {
				*pair.to = *pair.id
			}
		}
	case model.Closed:
		m.State, m.ClosedAt, m.ClosedBy = row.State, at(row.ClosedAt), p.username(row.ClosedBy)
	}
	approvals, err := one[struct {
		ApprovedBy []struct {
			User user `json:"user"`
		} `json:"approved_by"`
	}](ctx, p.client, fmt.Sprintf("%s/merge_requests/%d/approvals", p.base, row.IID))
	if err != nil {
		return m, err
	}
	for _, a := range approvals.ApprovedBy {
		m.ApprovedBy = append(m.ApprovedBy, p.username(&a.User))
	}
	m.Notes, err = p.readNotes(ctx, "merge_requests", row.IID, fmt.Sprintf("merge_request %d", p.requests[row.IID]))
	return m, err
}
