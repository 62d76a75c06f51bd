package push

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/store/git"
	"svc/store/model"
)

// maxLinks is how many branches of one push get a link. A push of many branches would bury the report under links.
const maxLinks = 10

// WithLinks makes the pusher send links to merge requests to clients that push. base is the URL of the service.
func (p *Pusher) WithLinks(base string) *Pusher {
	p.base = base
	return p
}

// links returns the lines about merge requests for the user who has pushed: for each branch, the URL of its open merge
// request or of the page that creates one. Projects can turn this off. There are no links for the default branch and
// for the first push to a project, because nothing could be merged.
func (p *Pusher) links(ctx context.Context, row model.ProjectRow, asked *git.Push) ([]string, error) {
	project := row.Project
	if p.base == "" || !project.PrintingMergeRequestLinkEnabled || project.EmptyRepo || !row.ReadsMergeRequests() {
		return nil, nil
	}
	var branches []string
	for _, c := range refUpdates(asked) {
		if branch, ok := branchOf(c.Ref); ok && branch != project.DefaultBranch && len(branches) < maxLinks {
			branches = append(branches, branch)
		}
	}
	if len(branches) == 0 {
		return nil, nil
	}
	open, err := p.store.MergeRequests.ListOpenFrom(ctx, project.ID, branches, access.Reader(ctx))
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, branch := range branches {
		if mr, ok := open[branch]; ok {
			lines = append(lines, "", "View the merge request for "+branch+":",
				"  "+naming.MergeRequestURL(p.base, mr.ProjectPath, mr.IID))
			continue
		}
		lines = append(lines, "", "To create a merge request for "+branch+", visit:",
			"  "+naming.NewMergeRequestURL(p.base, project.FullPath, branch))
	}
	return append(lines, ""), nil
}

// sendLinks sends the lines about merge requests. The push is complete by then, so it does not fail if the lines cannot
// be found out.
func (p *Pusher) sendLinks(ctx context.Context, row model.ProjectRow, asked *git.Push, say func(lines []string) error) error {
	lines, err := p.links(ctx, row, asked)
	if err != nil {
		p.logger.WarnContext(ctx, "cannot find the merge requests of a push", "project", row.Project.ID, "error", err)
		return nil
	}
	return say(lines)
}
