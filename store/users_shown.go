package store

import (
	"context"
	"maps"
	"slices"

	"svc/store/internal/query"
	"svc/store/model"
)

// shownUserColumns are the columns of a user that other resources show.
const shownUserColumns = "id, username, name, state, kind, locked_at, avatar, private_profile, bio, location, " +
	"public_email, skype, linkedin, twitter, discord, " +
	"website_url, organization, job_title, pronouns, time_zone, followers, following, created_at"

func shownUserFields(u *model.User) []any {
	return []any{
		&u.ID, &u.Username, &u.Name, &u.State, &u.Kind, &u.LockedAt, &u.Avatar, &u.PrivateProfile, &u.Bio, &u.Location,
		&u.PublicEmail, &u.Skype, &u.Linkedin,
		&u.Twitter, &u.Discord, &u.WebsiteURL, &u.Organization, &u.JobTitle, &u.Pronouns, &u.TimeZone, &u.Followers,
		&u.Following, &u.CreatedAt,
	}
}

// shown returns users as other resources show them, keyed by id. The ghost user stands for users who were removed since
// their id was read.
func (s Users) shown(ctx context.Context, wanted map[int64]bool) (map[int64]*model.User, error) {
	found := make(map[int64]*model.User, len(wanted))
	if len(wanted) == 0 {
		return found, nil
	}
	in := s.inIDs(slices.Collect(maps.Keys(wanted)))
	err := s.db.Rows(ctx, "SELECT "+shownUserColumns+" FROM users WHERE id "+in.text, in.args, func(row query.Scanner) error {
		u := &model.User{}
		err := row.Scan(shownUserFields(u)...)
		found[u.ID] = u
		return err
	})
	if err != nil || len(found) == len(wanted) {
		return found, query.Translate(err)
	}
	ghost, err := s.Ghost(ctx)
	for id := range wanted {
		if found[id] == nil {
			found[id] = &ghost
		}
	}
	return found, err
}

// Shown returns users by id, with the columns that other resources show.
func (s Users) Shown(ctx context.Context, wanted map[int64]bool) (map[int64]*model.User, error) {
	return s.shown(ctx, wanted)
}
