package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Member shows a member; the address only to administrators.
func (p Presenter) Member(withEmail bool) func(model.MemberRow) gen.Member {
	return func(m model.MemberRow) gen.Member {
		shown := gen.Member{
			ID:              m.User.ID,
			Username:        m.User.Username,
			Name:            m.User.Name,
			State:           gen.UserState(m.User.State),
			Locked:          m.User.LockedAt != nil,
			AvatarURL:       nil,
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
		if withEmail {
			shown.Email = &m.User.Email
		}
		return shown
	}
}
