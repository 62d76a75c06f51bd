package present

import (
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Membership presents a role of a user, with its number as a text.
func Membership(m model.Membership) gen.Membership {
	return gen.Membership{
		SourceID:    m.SourceID,
		SourceName:  m.SourceName,
		SourceType:  gen.MembershipType(m.SourceType),
		AccessLevel: strconv.FormatInt(int64(m.AccessLevel), 10),
	}
}

// Member presents a member; only administrators see the email address.
func (p Presenter) Member(withEmail bool) func(model.MemberRow) gen.Member {
	return func(m model.MemberRow) gen.Member {
		shown := gen.Member{
			ID:              m.User.ID,
			Username:        m.User.Username,
			Name:            m.User.Name,
			State:           gen.UserState(m.User.State),
			Locked:          m.User.LockedAt != nil,
			AvatarURL:       p.UserAvatar(m.User),
			WebURL:          p.userURL(m.User),
			AccessLevel:     gen.AccessLevel(m.Member.AccessLevel),
			CreatedAt:       wire.NewTime(m.Member.CreatedAt),
			ExpiresAt:       wire.DatePtr(m.Member.ExpiresAt),
			MembershipState: gen.MemberMembershipStateActive,
		}
		if m.Maker != nil {
			maker := p.UserBasic(*m.Maker)
			shown.CreatedBy = &maker
		}
		if m.Role != nil {
			custom := MemberRole(*m.Role)
			shown.MemberRole = &custom
		}
		if withEmail {
			shown.Email = &m.User.Email
		}
		return shown
	}
}

// AccessRequest presents a user who requests access.
func (p Presenter) AccessRequest(r model.AccessRequestRow) gen.AccessRequest {
	return gen.AccessRequest{
		ID:          r.User.ID,
		Username:    r.User.Username,
		Name:        r.User.Name,
		State:       gen.UserState(r.User.State),
		Locked:      r.User.LockedAt != nil,
		AvatarURL:   p.UserAvatar(r.User),
		WebURL:      p.userURL(r.User),
		RequestedAt: wire.NewTime(r.Request.CreatedAt),
	}
}

// Invitation presents an invited email address. Nobody sees its token.
func Invitation(i model.InvitationRow) gen.Invitation {
	shown := gen.Invitation{
		ID:          i.Invitation.ID,
		InviteEmail: i.Invitation.Email,
		CreatedAt:   wire.NewTime(i.Invitation.CreatedAt),
		AccessLevel: gen.AccessLevel(i.Invitation.AccessLevel),
		ExpiresAt:   wire.DatePtr(i.Invitation.ExpiresAt),
	}
	if i.Maker != nil {
		shown.CreatedByName = &i.Maker.Name
	}
	return shown
}
