package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// BillableMember presents a person who takes part in a group; only administrators see the email address.
func (p Presenter) BillableMember(m model.BillableMember, lastOwner, withEmail bool) gen.BillableMember {
	u := m.User
	shown := gen.BillableMember{
		ID: u.ID, Username: u.Username, Name: u.Name, State: gen.UserState(u.State), Locked: u.LockedAt != nil,
		AvatarURL: p.UserAvatar(u), WebURL: p.userURL(u), LastActivityOn: wire.DatePtr(u.LastActivityOn),
		LastLoginAt: wire.TimePtr(u.CurrentSignInAt), MembershipType: m.MembershipType,
		Removable: m.MembershipType == model.InGroup || m.MembershipType == model.InProjectOfGroup,
		CreatedAt: wire.NewTime(u.CreatedAt), IsLastOwner: lastOwner, MembershipState: "active",
	}
	if withEmail {
		shown.Email = &u.Email
	}
	return shown
}

// BillableMembership presents a membership in a group or project.
func (p Presenter) BillableMembership(m model.PlaceMembership) gen.BillableMembership {
	address := p.Base + "/" + m.FullPath + "/-/project_members"
	if m.SourceType == model.SourceGroup {
		address = p.Base + "/groups/" + m.FullPath + "/-/group_members"
	}
	shown := gen.BillableMembership{
		ID: m.ID, SourceID: m.SourceID, SourceFullName: m.FullName, SourceMembersURL: address, CreatedAt: wire.NewTime(m.CreatedAt),
		ExpiresAt: wire.DatePtr(m.ExpiresAt),
	}
	shown.AccessLevel.StringValue, shown.AccessLevel.IntegerValue = m.AccessLevel.String(), int64(m.AccessLevel)
	return shown
}
