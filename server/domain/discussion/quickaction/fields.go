package note

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/issuable"
	"svc/store"
	"svc/store/model"
)

const (
	mostTitle  = 255  // characters
	mostBranch = 1000 // bytes
	mostNames  = 100  // in one quick action
)

func state(_ context.Context, p *plan, o quickAction) error {
	want := map[string]string{"close": model.Closed, "reopen": model.Opened}[o.name]
	if p.place.On.State == want || p.place.On.State == model.Merged {
		p.fail(o, "this "+p.noun()+" is "+p.place.On.State)
		return nil
	}
	p.change.State = o.name
	p.recordChange("state_event", o.name, map[string]string{"close": "Closed", "reopen": "Reopened"}[o.name]+" this "+p.noun()+".")
	return nil
}

func title(_ context.Context, p *plan, o quickAction) error {
	if utf8.RuneCountInString(o.with) > mostTitle {
		p.fail(o, fmt.Sprintf("the title is too long (maximum is %d characters)", mostTitle))
		return nil
	}
	p.change.Title = &o.with
	p.recordChange("title", o.with, `Changed the title to "`+o.with+`".`)
	return nil
}

func draft(_ context.Context, p *plan, o quickAction) error {
	now := p.place.On.Title
	if p.change.Title != nil {
		now = *p.change.Title
	}
	after, text := issuable.WithoutDraft(now), "Marked this merge request as ready."
	if o.name == "draft" {
		after, text = "Draft: "+after, "Marked this merge request as a draft."
	}
	if issuable.WithoutDraft(now) == "" || utf8.RuneCountInString(after) > mostTitle {
		p.fail(o, "the title would be empty or too long")
		return nil
	}
	p.change.Title = &after
	p.recordChange("wip_event", o.name, text)
	return nil
}

var userName = regexp.MustCompile(`@?([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})`)

// named finds the users that a quick action names. If it finds none, it records that the action failed.
func (p *plan) named(ctx context.Context, o quickAction) ([]int64, string, error) {
	var names []string
	for _, m := range userName.FindAllStringSubmatch(o.with, mostNames) {
		names = append(names, strings.TrimRight(m[1], ".-"))
	}
	if i := slices.Index(names, "me"); i >= 0 {
		me, err := p.store.Users.Get(ctx, p.place.Caller)
		if err != nil {
			return nil, "", err
		}
		names[i] = me.Username
	}
	ids, found, err := p.people(ctx, names)
	if err == nil && len(ids) == 0 {
		p.fail(o, "the user was not found")
	}
	return ids, "@" + strings.Join(found, " @"), err
}

func assign(ctx context.Context, p *plan, o quickAction) error {
	ids, names, err := p.named(ctx, o)
	if err != nil || len(ids) == 0 {
		return err
	}
	if o.name == "reassign" {
		p.assignees = nil
	}
	p.assignees = union(p.assignees, ids)
	after := slices.Clone(p.assignees)
	p.change.Assignees = &after
	p.recordChange("assignee_ids", after, "Assigned "+names+".")
	return nil
}

func unassign(ctx context.Context, p *plan, o quickAction) error {
	gone, names := p.assignees, "all assignees"
	if o.with != "" {
		var err error
		if gone, names, err = p.named(ctx, o); err != nil || len(gone) == 0 {
			return err
		}
	}
	p.assignees = without(p.assignees, gone)
	after := slices.Clone(p.assignees)
	p.change.Assignees = &after
	p.recordChange("assignee_ids", after, "Removed "+names+".")
	return nil
}

// reviewers returns the reviewers of the merge request after the quick actions so far.
func (p *plan) reviewers(ctx context.Context) ([]int64, error) {
	if p.change.Reviewers != nil {
		return *p.change.Reviewers, nil
	}
	return p.store.MergeRequests.ReviewerIDs(ctx, p.place.On.ID)
}

func review(ctx context.Context, p *plan, o quickAction) error {
	ids, names, err := p.named(ctx, o)
	if err != nil || len(ids) == 0 {
		return err
	}
	now, err := p.reviewers(ctx)
	after := union(now, ids)
	p.change.Reviewers = &after
	p.recordChange("reviewer_ids", after, "Requested a review from "+names+".")
	return err
}

func unreview(ctx context.Context, p *plan, o quickAction) error {
	now, err := p.reviewers(ctx)
	if err != nil {
		return err
	}
	gone, names := now, "all reviewers"
	if o.with != "" {
		if gone, names, err = p.named(ctx, o); err != nil || len(gone) == 0 {
			return err
		}
	}
	after := without(now, gone)
	p.change.Reviewers = &after
	p.recordChange("reviewer_ids", after, "Removed "+names+".")
	return nil
}

func union(all, more []int64) []int64 {
	return append(slices.Clone(all), without(more, all)...)
}

func without(all, but []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return slices.Contains(but, id) })
}

// labelName matches the name of a label in a quick action: after an optional tilde, in quotes if it has spaces.
var labelName = regexp.MustCompile(`~?(?:"([^"\n]+)"|([^\s,"~]+))`)

// labelled finds the existing labels that a quick action names.
func (p *plan) labelled(ctx context.Context, o quickAction) ([]string, error) {
	var names []string
	for _, m := range labelName.FindAllStringSubmatch(o.with, mostNames) {
		if name := m[1] + m[2]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	found, err := p.existing(ctx, names)
	if err == nil && len(found) == 0 {
		p.fail(o, "the label was not found")
	}
	return found, err
}

func (p *plan) existing(ctx context.Context, names []string) ([]string, error) {
	rows, err := p.store.Labels.Named(ctx, store.OwnedByProject(p.place.Row.Project), names, false)
	found := make([]string, len(rows))
	for i, l := range rows {
		found[i] = l.Name
	}
	return found, err
}

func label(ctx context.Context, p *plan, o quickAction) error {
	names, err := p.labelled(ctx, o)
	if err != nil || len(names) == 0 {
		return err
	}
	if o.name == "relabel" {
		p.change.Labels = issuable.LabelInput{Set: &names}
		p.recordChange("label_ids", names, "Replaced all labels with "+tilde(names)+".")
		return nil
	}
	p.addLabels(names)
	p.recordChange("add_label_ids", names, "Added "+tilde(names)+".")
	return nil
}

// addLabels adds labels to the change so far. If an earlier quick action removes a label, the last action wins.
func (p *plan) addLabels(names []string) {
	in := &p.change.Labels
	all := slices.Clone(names)
	if in.Add != nil {
		all = append(slices.Clone(*in.Add), names...)
	}
	in.Add = &all
	if in.Remove != nil {
		kept := slices.DeleteFunc(slices.Clone(*in.Remove), func(name string) bool { return slices.Contains(names, name) })
		in.Remove = &kept
	}
}

func tilde(names []string) string { return "~" + strings.Join(names, " ~") }

func unlabel(ctx context.Context, p *plan, o quickAction) error {
	if o.with == "" {
		p.change.Labels = issuable.LabelInput{Set: &[]string{}}
		p.recordChange("label_ids", []string{}, "Removed all labels.")
		return nil
	}
	names, err := p.labelled(ctx, o)
	if err != nil || len(names) == 0 {
		return err
	}
	all := slices.Clone(names)
	if gone := p.change.Labels.Remove; gone != nil {
		all = append(slices.Clone(*gone), names...)
	}
	p.change.Labels.Remove = &all
	p.recordChange("remove_label_ids", names, "Removed "+tilde(names)+".")
	return nil
}

func milestone(ctx context.Context, p *plan, o quickAction) error {
	name := strings.Trim(strings.TrimPrefix(o.with, "%"), `"`)
	rows, _, err := p.store.Milestones.List(
		ctx, store.OwnedByProject(p.place.Row.Project), store.MilestoneFilter{Title: name, Ancestors: true},
		store.Page{Limit: 1},
	)
	if err != nil {
		return err
	}
	if len(rows) == 0 || name == "" {
		p.fail(o, "the milestone was not found")
		return nil
	}
	p.setMilestone(&rows[0].Milestone.ID)
	p.recordChange("milestone_id", rows[0].Milestone.ID, "Set the milestone to %"+name+".")
	return nil
}

func (p *plan) setMilestone(id *int64) { p.change.Milestone = &id }

func removeMilestone(_ context.Context, p *plan, _ quickAction) error {
	p.setMilestone(nil)
	p.recordChange("milestone_id", nil, "Removed the milestone.")
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

func due(_ context.Context, p *plan, o quickAction) error {
	at, ok := dayOf(o.with, time.Now().UTC())
	if !ok {
		p.fail(o, "that is not a valid date")
		return nil
	}
	day := &at
	p.change.Due = &day
	p.recordChange("due_date", at.Format(time.DateOnly), "Set the due date to "+at.Format("January 2, 2006")+".")
	return nil
}

func removeDueDate(_ context.Context, p *plan, _ quickAction) error {
	var none *time.Time
	p.change.Due = &none
	p.recordChange("due_date", nil, "Removed the due date.")
	return nil
}

func lock(_ context.Context, p *plan, o quickAction) error {
	locked := o.name == "lock"
	p.change.Locked = &locked
	p.recordChange("discussion_locked", locked, map[bool]string{true: "Locked", false: "Unlocked"}[locked]+" the discussion.")
	return nil
}

func confidential(_ context.Context, p *plan, _ quickAction) error {
	yes := true
	p.change.Confidential = &yes
	p.recordChange("confidential", true, "Made this issue confidential.")
	return nil
}

func retarget(_ context.Context, p *plan, o quickAction) error {
	if len(o.with) > mostBranch {
		p.fail(o, "the branch was not found")
		return nil
	}
	p.change.TargetBranch = &o.with
	p.recordChange("target_branch", o.with, "Set the target branch to "+o.with+".")
	return nil
}
