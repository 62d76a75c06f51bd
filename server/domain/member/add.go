package member

import (
	"context"

	"svc/store/model"
)

// Add adds a user to a group or project. row is from NewMember.
func (s *Service) Add(ctx context.Context, in Source, u model.User, row model.Member) error {
	return explain(s.add(ctx, in, u, row))
}

func (s *Service) add(ctx context.Context, in Source, u model.User, row model.Member) error {
	row.UserID = u.ID
	return memberExists(s.join(ctx, in, &row))
}

// AddEach adds each user separately, so that one refusal does not affect the others. It records the refusals by name.
// people has the users that exist, by name.
func (s *Service) AddEach(
	ctx context.Context, in Source, names []string, people map[string]model.User, row model.Member,
	refused map[string]string,
) error {
	for _, name := range names {
		u, found := people[name]
		if !found {
			refused[name] = "User not found"
			continue
		}
		if err := recordRefusal(refused, name, s.add(ctx, in, u, row)); err != nil {
			return err
		}
	}
	return nil
}

// join adds a member. The role must not be lower than the role that the user inherits from a group above.
func (s *Service) join(ctx context.Context, in Source, row *model.Member) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		err := s.store.Members.CheckInherited(ctx, row.SourceType, row.SourceID, row.UserID, row.AccessLevel)
		if err != nil {
			return err
		}
		if err := s.store.Members.Add(ctx, row); err != nil {
			return err
		}
		return s.recordJoined(ctx, in, *row)
	})
}
