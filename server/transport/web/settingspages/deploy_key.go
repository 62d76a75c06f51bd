package settingspages

import (
	"svc/server/domain/deploykey"
	"svc/server/transport/web/page"
)

// keyForm is the form that adds a deploy key.
func keyForm(v *page.Visit) page.Form {
	return page.Form{Action: at(v, repository+"/deploy_keys"), Submit: "Add key", Fields: []page.Field{
		{Name: "title", Label: "Title", Type: "text", Required: true, Hint: "The machine that has the key"},
		{Name: "key", Label: "Key", Type: "textarea", Required: true, Hint: "The public SSH key. It must not be the key of a user."},
		{Name: "can_push", Label: "The key may push", Type: "checkbox"},
		{Name: "key_until", Label: "Expires on", Type: "date", Hint: "Leave empty for a key that does not expire"},
	}}
}

// addDeployKey gives a key access to the repository.
// POST /{project}/-/settings/repository/deploy_keys
func (p *Pages) addDeployKey(v *page.Visit) error {
	until, err := v.Day("key_until")
	if err == nil {
		draft := deploykey.Draft{Title: v.Value("title"), Key: v.Value("key"), ExpiresAt: until}
		_, err = p.DeployKeys.Add(v.Request().Context(), v.Project.Project, draft, v.Value("can_push") != "")
	}
	if err != nil {
		return p.showRepository(v, err)
	}
	return v.Done(at(v, repository), "The key was added.")
}

// removeDeployKey ends the access of a key.
// POST /{project}/-/settings/repository/deploy_keys/{id}/remove
func (p *Pages) removeDeployKey(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	if err := p.DeployKeys.Remove(v.Request().Context(), v.Project.Project, id, nil); err != nil {
		return err
	}
	return v.Done(at(v, repository), "The key was removed.")
}
