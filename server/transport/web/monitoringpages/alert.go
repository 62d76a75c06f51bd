package monitoringpages

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"svc/server/domain/monitoring/alert"
	"svc/server/domain/monitoring/alert/format"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// alertView is the content of the page of an alert.
type alertView struct {
	model.AlertRow
	Hosts     []string
	Incident  string // address of the issue; empty if there is none
	Details   format.Details
	Payload   string
	MayChange bool
	Form      page.Form
}

// findAlert returns the alert of an address.
func (p *Pages) findAlert(v *page.Visit) (model.AlertRow, error) {
	iid, err := v.Number("iid")
	if err != nil {
		return model.AlertRow{}, page.NotFound()
	}
	row, err := p.Store.Alerts.Get(v.Request().Context(), v.Project.Project.ID, iid)
	return row, page.Hide(apierr.OrNotFound(err))
}

// alert shows an alert.
// GET /{project}/-/alert_management/{iid}
func (p *Pages) alert(v *page.Visit) error {
	row, err := p.findAlert(v)
	if err != nil {
		return err
	}
	names := make([]string, len(row.Assignees))
	for i, user := range row.Assignees {
		names[i] = user.Username
	}
	return p.showAlert(v, row, alertForm(v, row, row.Alert.Status, strings.Join(names, " ")))
}

func (p *Pages) showAlert(v *page.Visit, row model.AlertRow, form page.Form) error {
	status := http.StatusOK
	if form.Broken() {
		status = http.StatusUnprocessableEntity
	}
	view := alertView{
		AlertRow: row, Details: format.ReadDetails(row.Alert.Format, []byte(row.Alert.Payload)),
		MayChange: v.May(access.UpdateAlert), Form: form,
	}
	_ = json.Unmarshal([]byte(row.Alert.Hosts), &view.Hosts) // the service wrote it
	view.Payload = pretty(view.Details.Payload)
	if row.IssueIID != nil {
		view.Incident = address(v, "issues/"+strconv.FormatInt(*row.IssueIID, 10))
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "alert", Status: status, Title: row.Alert.Title, Tab: page.TabMonitor, Data: view,
		Crumbs: []page.Link{{Path: address(v, alertsPattern), Label: "Alerts"}},
	})
}

func alertForm(v *page.Visit, row model.AlertRow, status, assignees string) page.Form {
	return page.Form{
		Action: address(v, alertsPattern) + "/" + strconv.FormatInt(row.Alert.IID, 10), Submit: "Save", Fields: []page.Field{
			page.Select("status", "Status", status, statuses...),
			{
				Name: "assignees", Label: "Assignees", Type: "text", Value: assignees, Autocomplete: "off",
				Hint: "Usernames of developers of the project, separated by spaces.",
			},
		},
	}
}

// changeAlert changes the status and the assignees of an alert.
// POST /{project}/-/alert_management/{iid}
func (p *Pages) changeAlert(v *page.Visit) error {
	row, err := p.findAlert(v)
	if err != nil {
		return err
	}
	status, names := v.Value("status"), strings.Fields(strings.ReplaceAll(v.Value("assignees"), ",", " "))
	form := alertForm(v, row, status, v.Value("assignees"))
	if !known(statuses, status) {
		return p.showAlert(v, row, form.With(map[string][]string{"status": {"is not a status"}}))
	}
	ids, missing, err := p.usersByName(v, names)
	if err != nil {
		return err
	}
	if missing != "" {
		return p.showAlert(v, row, form.With(map[string][]string{"assignees": {"names " + missing + ", who does not exist"}}))
	}
	change := alert.Change{Status: &status, AssigneeIDs: &ids}
	changed, err := p.Alerts.ChangeAlert(v.Request().Context(), v.Project.Project, row.Alert, change)
	if refused, ok := form.Refused(err); ok {
		return p.showAlert(v, row, refused)
	}
	if err != nil {
		return err
	}
	done := "The alert was saved."
	if len(changed.Assignees) < len(ids) {
		done = "The alert was saved. It was not assigned to users who are not developers of the project."
	}
	return v.Done(form.Action, done)
}

// usersByName returns the IDs of users, or the first name that no user has.
func (p *Pages) usersByName(v *page.Visit, names []string) (ids []int64, missing string, err error) {
	ids = []int64{}
	if len(names) == 0 {
		return ids, "", nil
	}
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "@")
	}
	users, err := p.Store.Users.ByUsername(v.Request().Context(), names)
	if err != nil {
		return nil, "", err
	}
	for _, name := range names {
		user, ok := users[name]
		if !ok {
			return nil, name, nil
		}
		ids = append(ids, user.ID)
	}
	return ids, "", nil
}

// known reports whether a value is one of the options.
func known(options []page.Option, value string) bool {
	for _, o := range options {
		if o.Value == value {
			return true
		}
	}
	return false
}
