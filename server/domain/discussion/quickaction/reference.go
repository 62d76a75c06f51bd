package note

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/duration"
	"svc/store"
	"svc/store/model"
)

func merges(_ context.Context, p *plan, _ quickAction) error {
	p.merge = true
	return nil
}

func approve(_ context.Context, p *plan, o quickAction) error {
	agree := o.name == "approve"
	text := map[bool]string{true: "Approved this merge request.", false: "Unapproved this merge request."}[agree]
	p.addStep("approval_event", o.name, text, func(ctx context.Context) error {
		return p.writers.Approve(ctx, p.place.Row, p.place.On.IID, agree)
	})
	return nil
}

func estimate(_ context.Context, p *plan, o quickAction) error {
	if seconds, ok := duration.Parse(o.with); !ok || seconds < 0 {
		p.fail(o, "that is not a valid duration")
		return nil
	}
	p.addStep("time_estimate", o.with, "Set the time estimate to "+o.with+".", func(ctx context.Context) error {
		return p.issuables.Estimate(ctx, p.target, p.place.Caller, o.with)
	})
	return nil
}

func unestimate(_ context.Context, p *plan, _ quickAction) error {
	p.addStep(
		"time_estimate", 0, "Removed the time estimate.",
		func(ctx context.Context) error { return p.issuables.ResetEstimate(ctx, p.target, p.place.Caller) },
	)
	return nil
}

func spend(_ context.Context, p *plan, o quickAction) error {
	text, at := o.with, time.Now()
	if i := strings.LastIndexAny(text, " \t"); i > 0 { // a day may follow
		if day, err := time.Parse(time.DateOnly, text[i+1:]); err == nil {
			text, at = strings.TrimSpace(text[:i]), day
		}
	}
	if seconds, ok := duration.Parse(text); !ok || seconds == 0 || at.After(time.Now()) || at.Year() < 1970 {
		p.fail(o, "that is not a valid amount of spent time")
		return nil
	}
	p.addStep("spend_time", text, "Added "+text+" of spent time.", func(ctx context.Context) error {
		return p.issuables.Spend(ctx, p.target, p.place.Caller, text, nil, at)
	})
	return nil
}

func unspend(_ context.Context, p *plan, _ quickAction) error {
	p.addStep(
		"spend_time", "reset", "Removed the time spent.",
		func(ctx context.Context) error { return p.issuables.ResetSpent(ctx, p.target, p.place.Caller) },
	)
	return nil
}

// reference matches an issue or a merge request: the full path of its project (optional for the same project), # or !,
// and the IID.
var reference = regexp.MustCompile(`^((?:[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)+)?)([#!])(\d{1,12})$`)

// referenced is the result of look: an issue, a merge request, or neither.
type referenced struct {
	issue   *model.IssueRow
	request *model.MergeRequestRow
}

// findReference finds an issue or a merge request that the caller may read. It returns an empty result if there is none.
func (p *plan) findReference(ctx context.Context, text string) (referenced, error) {
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
		path = strconv.FormatInt(p.place.Row.Project.ID, 10)
	}
	row, err := p.access.Project(ctx, path, ability)
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
		i, err := p.store.Issues.Get(ctx, store.InProject(row, access.Reader(ctx)), iid)
		if store.IsNotFound(err) {
			return referenced{}, nil
		}
		return referenced{issue: &i}, err
	}
	r, err := p.store.MergeRequests.GetShown(ctx, row.Project.ID, iid)
	if store.IsNotFound(err) {
		return referenced{}, nil
	}
	return referenced{request: &r}, err
}

func copyMetadata(ctx context.Context, p *plan, o quickAction) error {
	other, err := p.findReference(ctx, o.with)
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
		p.fail(o, "the issue or merge request was not found")
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
		_, err := p.store.Milestones.Find(ctx, store.OwnedByProject(p.place.Row.Project), *milestone)
		switch {
		case err == nil:
			p.setMilestone(milestone)
		case !store.IsNotFound(err):
			return err
		}
	}
	p.recordChange("copy_metadata", o.with, "Copied labels and milestone from "+o.with+".")
	return nil
}

func relate(ctx context.Context, p *plan, o quickAction) error {
	names := strings.Fields(o.with)
	if o.name == "duplicate" {
		names = names[:1]
	}
	for _, name := range names[:min(len(names), mostNames)] {
		other, err := p.findReference(ctx, name)
		if err != nil {
			return err
		}
		if other.issue == nil || other.issue.Issue.ID == p.place.On.ID {
			p.fail(o, "the other issue was not found")
			continue
		}
		text := "Marked this issue as related to " + name + "."
		if o.name == "duplicate" {
			text = "Closed this issue as a duplicate of " + name + "."
			if p.place.On.State == model.Opened {
				p.change.State = "close"
			}
		}
		p.addStep(o.name, name, text, func(ctx context.Context) error {
			return p.writers.Relate(ctx, p.place.Row, p.place.On.IID, *other.issue, o.name == "duplicate")
		})
	}
	return nil
}
