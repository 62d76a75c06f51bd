package profiles

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// GetCurrentUserPreferences shows the caller's preferences.
// GET /user/preferences
func (p *Profiles) GetCurrentUserPreferences(
	ctx context.Context, _ gen.GetCurrentUserPreferencesRequestObject,
) (gen.GetCurrentUserPreferencesResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnPreferences)
	if err != nil {
		return nil, err
	}
	row, err := p.store.UserPreferences.Get(ctx, actor.User.ID)
	return gen.GetCurrentUserPreferences200JSONResponse(present.UserPreferences(row)), err
}

// UpdateCurrentUserPreferences changes the given preferences of the caller.
// PUT /user/preferences
func (p *Profiles) UpdateCurrentUserPreferences(
	ctx context.Context, req gen.UpdateCurrentUserPreferencesRequestObject,
) (gen.UpdateCurrentUserPreferencesResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateOwnPreferences)
	if err != nil {
		return nil, err
	}
	row := model.DefaultPreference(actor.User.ID)
	var columns []string
	for _, c := range []struct {
		column string
		given  *bool
		to     *bool
	}{
		{"view_diffs_file_by_file", req.Body.ViewDiffsFileByFile, &row.ViewDiffsFileByFile},
		{"show_whitespace_in_diffs", req.Body.ShowWhitespaceInDiffs, &row.ShowWhitespaceInDiffs},
		{"pass_user_identities_to_ci_jwt", req.Body.PassUserIdentitiesToCiJwt, &row.PassUserIdentitiesToCiJwt},
	} {
		if c.given != nil {
			*c.to = *c.given
			columns = append(columns, c.column)
		}
	}
	if len(columns) == 0 {
		return nil, apierr.BadParameter("view_diffs_file_by_file, show_whitespace_in_diffs, " +
			"pass_user_identities_to_ci_jwt are missing, at least one parameter must be provided")
	}
	row, err = p.store.UserPreferences.Change(ctx, row, columns)
	return gen.UpdateCurrentUserPreferences200JSONResponse(present.UserPreferences(row)), err
}
