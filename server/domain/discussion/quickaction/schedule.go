package quickaction

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"

	"svc/store"
	"svc/store/clock"
)

func milestone(ctx context.Context, p *Plan, c Command) error {
	name := strings.Trim(strings.TrimPrefix(c.Argument, "%"), `"`)
	rows, _, err := p.service.store.Milestones.List(
		ctx, store.OwnedByProject(p.Item.Row.Project), store.MilestoneFilter{Title: name, Ancestors: true},
		store.Page{Limit: 1},
	)
	if err != nil {
		return err
	}
	if len(rows) == 0 || name == "" {
		p.fail(c, "the milestone was not found")
		return nil
	}
	p.setMilestone(&rows[0].Milestone.ID)
	p.record("milestone_id", rows[0].Milestone.ID, "Set the milestone to %"+name+".")
	return nil
}

func (p *Plan) setMilestone(id *int64) { p.Change.Milestone = &id }

func removeMilestone(_ context.Context, p *Plan, _ Command) error {
	p.setMilestone(nil)
	p.record("milestone_id", nil, "Removed the milestone.")
	return nil
}

// iteration plans the iteration of an issue, which is named as *iteration:ID or by its ID.
func iteration(ctx context.Context, p *Plan, c Command) error {
	id, err := strconv.ParseInt(strings.TrimPrefix(c.Argument, "*iteration:"), 10, 64)
	if err != nil {
		p.fail(c, "the iteration was not found")
		return nil //nolint:nilerr // the summary says so
	}
	row, err := p.service.store.Iterations.Find(ctx, p.Item.Row.Project.NamespaceID, id)
	if store.IsNotFound(err) {
		p.fail(c, "the iteration was not found")
		return nil
	}
	if err != nil {
		return err
	}
	found := &row.Iteration.ID
	p.Change.Iteration = &found
	p.record("iteration_id", id, "Set the iteration to "+row.Iteration.Name()+".")
	return nil
}

func removeIteration(_ context.Context, p *Plan, _ Command) error {
	var none *int64
	p.Change.Iteration = &none
	p.record("iteration_id", nil, "Removed the iteration.")
	return nil
}

var inDays = regexp.MustCompile(`(?i)^in (\d{1,4}) (day|week|month|year)s?$`)

// dayOf parses a day as users write it, such as "tomorrow" or "in 3 days".
func dayOf(text string, now time.Time) (time.Time, bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch strings.ToLower(text) {
	case "today":
		return today, true
	case "tomorrow":
		return today.AddDate(0, 0, 1), true
	}
	if m := inDays.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		switch strings.ToLower(m[2]) {
		case "day":
			return today.AddDate(0, 0, n), true
		case "week":
			return today.AddDate(0, 0, 7*n), true
		case "month":
			return today.AddDate(0, n, 0), true
		}
		return today.AddDate(n, 0, 0), today.Year()+n <= 9999
	}
	at, err := time.Parse(time.DateOnly, text)
	return at, err == nil && at.Year() >= 1
}

func due(ctx context.Context, p *Plan, c Command) error {
	at, ok := dayOf(c.Argument, clock.Now(ctx).UTC())
	if !ok {
		p.fail(c, "that is not a valid date")
		return nil
	}
	day := &at
	p.Change.Due = &day
	p.record("due_date", at.Format(time.DateOnly), "Set the due date to "+at.Format("January 2, 2006")+".")
	return nil
}

func removeDueDate(_ context.Context, p *Plan, _ Command) error {
	var none *time.Time
	p.Change.Due = &none
	p.record("due_date", nil, "Removed the due date.")
	return nil
}
