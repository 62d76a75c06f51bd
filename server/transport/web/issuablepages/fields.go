package issuablepages

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// choices is how many labels, milestones and users a form offers.
const choices = 200

// Chosen is what the fields of a form show as chosen.
type Chosen struct {
	Labels    []model.Label
	Assignees []*model.User
	Reviewers []*model.User
	Milestone *model.MilestoneRow
}

// Fields returns the fields for the assignees, reviewers (of merge requests), labels and milestone of an item of a project.
func (p *Parts) Fields(ctx context.Context, k Kind, project model.Project, c Chosen) ([]page.Field, error) {
	users, _, err := p.Store.Projects.ListUsers(ctx, project.ID, "", nil, store.Page{Limit: choices})
	if err != nil {
		return nil, err
	}
	owner := store.OwnedByProject(project)
	labels, _, err := p.Store.Labels.List(ctx, owner, store.LabelFilter{Ancestors: true}, store.Page{Limit: choices})
	if err != nil {
		return nil, err
	}
	milestones, _, err := p.Store.Milestones.List(
		ctx, owner, store.MilestoneFilter{Ancestors: true, State: model.MilestoneActive}, store.Page{Limit: choices},
	)
	if err != nil {
		return nil, err
	}
	fields := []page.Field{usersField("assignee_ids", "Assignees", users, c.Assignees)}
	if k.Type == model.OnMergeRequest {
		fields = append(fields, usersField("reviewer_ids", "Reviewers", users, c.Reviewers))
	}
	fields = append(fields, labelsField(labels, c.Labels), milestoneField(milestones, c.Milestone))
	for i := range fields {
		fields[i].Options = Fit(fields[i].Options)
	}
	return fields, nil
}

// choiceBytes is how many bytes the choices of a field may have on a page.
const choiceBytes = 12_000

// Fit returns as many choices of a field as fit on a page. The chosen ones come first.
func Fit(options []page.Option) []page.Option {
	size := 0
	for i, o := range options {
		if size += 2*len(o.Label) + 40; size > choiceBytes && !o.Chosen {
			return options[:i]
		}
	}
	return options
}

const several = "Hold Ctrl or Command to choose several."

func usersField(name, label string, users []model.User, chosen []*model.User) page.Field {
	f := page.Field{Name: name, Label: label, Type: "select", Multiple: true, Hint: several}
	add := func(u model.User, on bool) {
		f.Options = append(f.Options, page.Option{Value: strconv.FormatInt(u.ID, 10), Label: u.Name + " @" + u.Username, Chosen: on})
	}
	for _, u := range chosen {
		add(*u, true)
	}
	for _, u := range users {
		if !slices.ContainsFunc(chosen, func(c *model.User) bool { return c.ID == u.ID }) {
			add(u, false)
		}
	}
	return f
}

func labelsField(labels []model.LabelRow, chosen []model.Label) page.Field {
	f := page.Field{Name: "labels", Label: "Labels", Type: "select", Multiple: true, Hint: several}
	for _, l := range chosen {
		f.Options = append(f.Options, page.Option{Value: l.Name, Label: l.Name, Chosen: true})
	}
	for _, row := range labels {
		if !slices.ContainsFunc(chosen, func(c model.Label) bool { return c.Name == row.Label.Name }) {
			f.Options = append(f.Options, page.Option{Value: row.Label.Name, Label: row.Label.Name})
		}
	}
	return f
}

func milestoneField(rows []model.MilestoneRow, chosen *model.MilestoneRow) page.Field {
	f := page.Field{Name: "milestone_id", Label: "Milestone", Type: "select", Options: []page.Option{{Value: "", Label: "None"}}}
	if chosen != nil {
		rows = append([]model.MilestoneRow{*chosen}, rows...)
	}
	for i, row := range rows {
		if i > 0 && chosen != nil && row.Milestone.ID == chosen.Milestone.ID {
			continue
		}
		f.Options = append(f.Options, page.Option{
			Value: strconv.FormatInt(row.Milestone.ID, 10), Label: row.Milestone.Title, Chosen: chosen != nil && i == 0,
		})
	}
	return f
}

// Sent is what the fields of a form send.
type Sent struct {
	Title       string
	Description string
	Labels      []string
	Assignees   []int64
	Reviewers   []int64
	MilestoneID *int64 // nil for none
}

// The limits of the API, in characters.
const (
	maxTitle       = 255
	maxDescription = 1 << 20
)

// ReadFields reads what a form sends.
func ReadFields(v *page.Visit) (Sent, error) {
	s := Sent{Title: strings.TrimSpace(v.Value("title")), Description: lines(v.Value("description")), Labels: []string{}}
	if utf8.RuneCountInString(s.Title) > maxTitle {
		return s, apierr.Invalid("title", fmt.Sprintf("is too long (maximum is %d characters)", maxTitle))
	}
	if utf8.RuneCountInString(s.Description) > maxDescription {
		return s, apierr.Invalid("description", fmt.Sprintf("is too long (maximum is %d characters)", maxDescription))
	}
	for _, name := range v.Values("labels") {
		if name = strings.TrimSpace(name); name != "" {
			s.Labels = append(s.Labels, name)
		}
	}
	var err error
	if s.Assignees, err = numbers(v, "assignee_ids"); err != nil {
		return s, err
	}
	if s.Reviewers, err = numbers(v, "reviewer_ids"); err != nil {
		return s, err
	}
	if text := v.Value("milestone_id"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return s, apierr.Invalid("milestone_id", "is invalid")
		}
		s.MilestoneID = &id
	}
	return s, nil
}

func numbers(v *page.Visit, name string) ([]int64, error) {
	ids := []int64{}
	for _, text := range v.Values(name) {
		if text == "" {
			continue
		}
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, apierr.Invalid(name, "must be users")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// ReadDay reads a day that a form sends; nil if the field is empty.
func ReadDay(v *page.Visit, name string) (*time.Time, error) {
	text := strings.TrimSpace(v.Value(name))
	if text == "" {
		return nil, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return nil, apierr.Invalid(name, "must be a day such as 2027-01-31")
	}
	return &day, nil
}
