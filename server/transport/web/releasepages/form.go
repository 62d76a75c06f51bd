package releasepages

import (
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/release"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const (
	maxName  = 255
	maxText  = 1000000
	timeForm = "2006-01-02T15:04" // of inputs for a day and a time
)

// draft is the form of a release.
type draft struct {
	tag, ref, message             string // only of a new release
	name, description, releasedAt string
	milestones                    string // one title per line
}

func draftOf(v *page.Visit) draft {
	return draft{
		tag: strings.TrimSpace(v.Value("tag_name")), ref: strings.TrimSpace(v.Value("ref")), message: unix(v.Value("tag_message")),
		name: strings.TrimSpace(v.Value("name")), description: unix(v.Value("description")),
		releasedAt: strings.TrimSpace(v.Value("released_at")), milestones: unix(v.Value("milestones")),
	}
}

func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// draftFrom returns the form of a release that exists.
func draftFrom(row model.ReleaseRow) draft {
	var titles []string
	for _, m := range row.Milestones {
		titles = append(titles, m.Milestone.Title)
	}
	return draft{
		name: text(row.Release.Name), description: text(row.Release.Description),
		releasedAt: row.Release.ReleasedAt.UTC().Format(timeForm), milestones: strings.Join(titles, "\n"),
	}
}

// broken returns the rules that the form breaks. The domain checks the rest.
func (d draft) broken(isNew bool) map[string][]string {
	broken := map[string][]string{}
	if isNew && d.tag == "" {
		broken["tag_name"] = []string{"can't be blank"}
	}
	if utf8.RuneCountInString(d.name) > maxName {
		broken["name"] = []string{"is too long (maximum is 255 characters)"}
	}
	if utf8.RuneCountInString(d.description) > maxText {
		broken["description"] = []string{"is too long (maximum is 1000000 characters)"}
	}
	if _, ok := d.time(); !ok {
		broken["released_at"] = []string{"is not a time"}
	}
	return broken
}

// time returns the time of the release; nil if none is given.
func (d draft) time() (*time.Time, bool) {
	if d.releasedAt == "" {
		return nil, true
	}
	t, err := time.Parse(timeForm, d.releasedAt)
	return &t, err == nil
}

// titles returns the milestones of the release.
func (d draft) titles() release.Milestones {
	titles := []string{}
	for line := range strings.SplitSeq(d.milestones, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			titles = append(titles, line)
		}
	}
	return release.Milestones{Titles: &titles}
}

// form returns the form of a release.
func (d draft) form(action, submit string, isNew bool) page.Form {
	form := page.Form{Action: action, Submit: submit}
	if isNew {
		form.Fields = append(
			form.Fields,
			page.Field{
				Name: "tag_name", Label: "Tag", Type: "text", Value: d.tag, Required: true, Autocomplete: "off",
				Hint: "For example v1.0.0.",
			},
			page.Field{
				Name: "ref", Label: "Branch or commit", Type: "text", Value: d.ref, Autocomplete: "off",
				Hint: "Where a new tag is made. It is not used if the tag exists.",
			},
			page.Field{
				Name: "tag_message", Label: "Message of a new tag", Type: "textarea", Value: d.message, Rows: 2,
				Hint: "With a message, the new tag is annotated.",
			},
		)
	}
	form.Fields = append(
		form.Fields,
		page.Field{Name: "name", Label: "Title", Type: "text", Value: d.name, Autocomplete: "off", Hint: "Without one, the tag is shown."},
		page.Field{Name: "description", Label: "Notes", Type: "textarea", Value: d.description, Rows: 12, Hint: "In Markdown."},
		page.Field{
			Name: "released_at", Label: "Time of the release, in UTC", Type: "datetime-local", Value: d.releasedAt,
			Hint: "It can be in the past or in the future.",
		},
		page.Field{
			Name: "milestones", Label: "Milestones", Type: "textarea", Value: d.milestones, Rows: 3, Hint: "One title in each line.",
		},
	)
	return form
}

// showForm shows the form of a release, again if it is broken.
func (p *Pages) showForm(v *page.Visit, title string, form page.Form) error {
	status := http.StatusOK
	if form.Broken() {
		status = http.StatusUnprocessableEntity
	}
	return v.Show(page.View{
		Name: "form_page", Status: status, Title: title, Tab: page.TabReleases, Crumbs: crumbs(v), Data: page.FormPage{Form: form},
	})
}
