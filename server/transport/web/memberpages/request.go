package memberpages

import (
	"svc/server/transport/web/page"
	"svc/store/model"
)

// requestAccess asks for a role on behalf of the caller.
// POST …_members/request_access
func (p *Pages) requestAccess(v *page.Visit) error {
	in := sourceOf(v)
	if _, err := p.Members.RequestAccess(v.Request().Context(), in.Source); err != nil {
		return err
	}
	return v.Done(in.Base, "Your request was sent to those who manage the members.")
}

// approve makes a user who requested access a developer, as the API does without a role.
// POST …_members/requests/{user_id}/approve
func (p *Pages) approve(v *page.Visit) error {
	in := sourceOf(v)
	id, err := v.Number("user_id")
	if err != nil {
		return err
	}
	if err := p.Members.Approve(v.Request().Context(), in.Source, id, model.Developer); err != nil {
		return err
	}
	return v.Done(in.Base, "The user was added as a developer.")
}

// deny deletes a request for access.
// POST …_members/requests/{user_id}/deny
func (p *Pages) deny(v *page.Visit) error {
	in := sourceOf(v)
	id, err := v.Number("user_id")
	if err != nil {
		return err
	}
	if err := p.Members.Deny(v.Request().Context(), in.Source, id, nil); err != nil {
		return err
	}
	return v.Done(in.Base, "The request was denied.")
}
