package cipages

import (
	"fmt"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const triggersPath = "settings/triggers"

func (p *Pages) registerTriggers(r *page.Router) {
	r.Project("GET", triggersPath, access.ReadTrigger, p.triggers)
	r.Project("POST", triggersPath, access.AdminTrigger, p.createTrigger)
	r.Project("POST", triggersPath+"/:id/delete", access.AdminTrigger, p.deleteTrigger)
	r.ProjectSettings(triggersPath, "Trigger tokens", access.ReadTrigger)
}

// triggersView is the content of the list of trigger tokens.
type triggersView struct {
	Triggers []triggerLine
	Pager    page.Pager
	Form     page.Form
	MayMake  bool
	Command  string // starts a pipeline with a token
}

// triggerLine is a line of the list of trigger tokens.
type triggerLine struct {
	model.PipelineTrigger
	Owner  model.User
	Remove page.Button
}

// triggers lists the trigger tokens of a project. A token is shown in full only after its creation.
// GET /{project}/-/settings/triggers
func (p *Pages) triggers(v *page.Visit) error { return p.showTriggers(v, nil) }

func (p *Pages) showTriggers(v *page.Visit, refused error) error {
	ctx, pager, project := v.Request().Context(), v.Pager(), v.Project.Project
	view := triggersView{
		MayMake: v.May(access.AdminTrigger),
		Form: page.Form{Action: at(v, triggersPath), Submit: "Create a token", Fields: []page.Field{
			{Name: "description", Label: "Description", Type: "text", Required: true, Hint: "Where the token is used."},
		}},
		Command: fmt.Sprintf("curl --request POST --form token=TOKEN --form ref=%s %s/api/v4/projects/%d/trigger/pipeline",
			shellQuoted(project.DefaultBranch), p.URL, project.ID),
	}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	rows, total, err := p.Store.PipelineTriggers.List(ctx, project.ID, pager.Page)
	if err != nil {
		return err
	}
	var owners []int64
	for _, row := range rows {
		owners = append(owners, row.OwnerID)
	}
	users, err := p.Store.Users.ByID(ctx, owners)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Triggers = append(view.Triggers, triggerLine{row, users[row.OwnerID], page.Button{
			Action: numbered(project, triggersPath, row.ID) + "/delete", Label: "Revoke", Class: "danger", Confirm: "Revoke it for good",
		}})
	}
	view.Pager = pager.Of(total.More)
	return v.Show(page.View{
		Templates: p.templates, Name: "triggers", Status: status, Title: "Trigger tokens", Tab: page.TabSettings,
		Nav: v.SettingsNav(triggersPath), Data: view,
	})
}

// shellQuoted returns a text as one word of a command: branches can have names that a shell would run.
func shellQuoted(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(plainLetters, r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// plainLetters need no quotes in a command.
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-"

// createTrigger creates a trigger token and shows it once.
// POST /{project}/-/settings/triggers
func (p *Pages) createTrigger(v *page.Visit) error {
	ctx := v.Request().Context()
	_, token, err := p.Triggers.Create(ctx, v.Project.Project, reqctx.Of(ctx).Actor.User.ID, v.Value("description"))
	if err != nil {
		return p.showTriggers(v, err)
	}
	if err := v.Tell(page.Flash{Text: "The token was created. It is not shown again.", Secret: token}); err != nil {
		return err
	}
	return v.Redirect(at(v, triggersPath))
}

// deleteTrigger deletes a trigger token.
// POST /{project}/-/settings/triggers/{id}/delete
func (p *Pages) deleteTrigger(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	row, err := p.Store.PipelineTriggers.Get(ctx, v.Project.Project.ID, id)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	if err := p.Triggers.Delete(ctx, v.Project.Project, row, nil); err != nil {
		return err
	}
	return v.Done(at(v, triggersPath), "The token “"+row.Description+"” was revoked.")
}
