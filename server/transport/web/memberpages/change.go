package memberpages

import (
	"svc/server/domain/member"
	"svc/server/transport/web/page"
)

// change changes the role of a member, and when it ends.
// POST …_members/{user_id}
func (p *Pages) change(v *page.Visit) error {
	in := sourceOf(v)
	id, err := v.Number("user_id")
	if err != nil {
		return err
	}
	role, err := v.Role("role")
	if err != nil {
		return err
	}
	until, err := v.Day("expires_at")
	if err != nil {
		return err
	}
	change := member.Change{Role: role, SetExpiry: len(v.Values("expires_at")) > 0, Expires: until}
	if err := p.Members.Update(v.Request().Context(), in.Source, id, change); err != nil {
		return err
	}
	return v.Done(in.Base, "The member was changed.")
}

// remove ends a membership; in a group also in its subgroups and projects, as the API does.
// POST …_members/{user_id}/remove
func (p *Pages) remove(v *page.Visit) error {
	id, err := v.Number("user_id")
	if err != nil {
		return err
	}
	in := sourceOf(v)
	err = p.Members.Remove(v.Request().Context(), in.Source, member.Removal{UserID: id, Below: in.Project == nil})
	if err != nil {
		return err
	}
	return v.Done(in.Base, "The member was removed.")
}

// leave ends the membership of the caller.
// POST …_members/leave
func (p *Pages) leave(v *page.Visit) error {
	in := sourceOf(v)
	err := p.Members.Remove(v.Request().Context(), in.Source, member.Removal{
		UserID: v.Actor.User.ID, Own: true, Below: in.Project == nil,
	})
	if err != nil {
		return err
	}
	return v.Done("/", "You have left "+in.Path+".")
}

// withdraw withdraws an invitation.
// POST …_members/invitations/withdraw
func (p *Pages) withdraw(v *page.Visit) error {
	in := sourceOf(v)
	if err := p.Members.DeleteInvitation(v.Request().Context(), in.Source, v.Value("email"), nil); err != nil {
		return err
	}
	return v.Done(in.Base, "The invitation was withdrawn.")
}
