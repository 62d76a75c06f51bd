package quickaction

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// reference matches an issue or a merge request: the full path of its project (optional for the same project), # or !,
// and the IID.
var reference = regexp.MustCompile(`^((?:[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)+)?)([#!])(\d{1,12})$`)

// referenced is the result of findReference: an issue, a merge request, or neither.
type referenced struct {
	issue   *model.IssueRow
	request *model.MergeRequestRow
}

// findReference finds an issue or a merge request that the caller may read. It returns an empty result if there is
// none.
func (p *Plan) findReference(ctx context.Context, text string) (referenced, error) {
	m := reference.FindStringSubmatch(text)
	if m == nil {
		return referenced{}, nil
	}
	ability := access.ReadIssue
	if m[2] == "!" {
		ability = access.ReadMergeRequest
	}
	path := m[1]
	if path == "" {
		path = strconv.FormatInt(p.Item.Row.Project.ID, 10)
	}
	row, err := p.service.access.Project(ctx, path, ability)
	if err != nil {
		if _, refused := refusal(err); refused {
			err = nil
		}
		return referenced{}, err
	}
	iid, err := strconv.ParseInt(m[3], 10, 64)
	if err != nil {
		return referenced{}, nil //nolint:nilerr // no number is that large
	}
	if m[2] == "#" {
		i, err := p.service.store.Issues.Get(ctx, store.InProject(row, access.Reader(ctx)), iid)
		if store.IsNotFound(err) {
			return referenced{}, nil
		}
		return referenced{issue: &i}, err
	}
	r, err := p.service.store.MergeRequests.GetShown(ctx, row.Project.ID, iid)
	if store.IsNotFound(err) {
		return referenced{}, nil
	}
	return referenced{request: &r}, err
}

func copyMetadata(ctx context.Context, p *Plan, c Command) error {
	other, err := p.findReference(ctx, c.Argument)
	if err != nil {
		return err
	}
	var labels []model.Label
	var milestone *int64
	switch {
	case other.issue != nil:
		labels, milestone = other.issue.Labels, other.issue.Issue.MilestoneID
	case other.request != nil:
		labels, milestone = other.request.Labels, other.request.MergeRequest.MilestoneID
	default:
		p.fail(c, "the issue or merge request was not found")
		return nil
	}
	wanted := make([]string, len(labels))
	for i, l := range labels {
		wanted[i] = l.Name
	}
	names, err := p.existing(ctx, wanted)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		p.addLabels(names)
	}
	if milestone != nil {
		_, err := p.service.store.Milestones.Find(ctx, store.OwnedByProject(p.Item.Row.Project), *milestone)
		switch {
		case err == nil:
			p.setMilestone(milestone)
		case !store.IsNotFound(err):
			return err
		}
	}
	p.record("copy_metadata", c.Argument, "Copied labels and milestone from "+c.Argument+".")
	return nil
}

func relate(ctx context.Context, p *Plan, c Command) error {
	names := strings.Fields(c.Argument)
	if c.Name == "duplicate" {
		names = names[:1]
	}
	for _, name := range names[:min(len(names), maxNames)] {
		other, err := p.findReference(ctx, name)
		if err != nil {
			return err
		}
		if other.issue == nil || other.issue.Issue.ID == p.Item.On.ID {
			p.fail(c, "the other issue was not found")
			continue
		}
		text := "Marked this issue as related to " + name + "."
		if c.Name == "duplicate" {
			text = "Closed this issue as a duplicate of " + name + "."
			if p.Item.On.State == model.Opened {
				p.Change.State = "close"
			}
		}
		p.Steps = append(p.Steps, Step{
			Relate: &Relation{Other: *other.issue, Duplicate: c.Name == "duplicate"},
			name:   c.Name, value: name, summary: text,
		})
	}
	return nil
}
