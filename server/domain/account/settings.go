package account

import (
	"context"
	"fmt"
	"strings"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/store/secret"
)

// Settings are the fields that an administrator sets in a user, new or old. What is not set stays as it is.
type Settings struct {
	Email, Name, Username    *string
	Password                 *string
	RandomPassword           bool // a random password overrides the given one
	SendResetLink            bool // the user gets a link to choose a password
	PublicEmail, CommitEmail wire.Optional[string]
	SkipReconfirmation       bool // a new primary address counts as confirmed
	FileByFile               *bool
	Avatar                   wire.Optional[[]byte]
	Provider, ExternUID      *string
	SamlGroup                *int64 // the group whose SAML signs the user in
	PrivateProfile           wire.Optional[bool]

	// The other fields, by column.
	Texts       map[string]wire.Optional[string]
	Numbers     map[string]wire.Optional[int64]
	Flags       map[string]*bool
	PaidFlags   map[string]*bool
	PaidNumbers map[string]wire.Optional[int64]
}

// check validates the settings and returns the columns to set. row is the user with the new names.
func (s *Service) check(in Settings, row model.User, isNew bool) (map[string]any, error) {
	if in.SamlGroup != nil && in.ExternUID == nil {
		return nil, apierr.BadParameter("extern_uid is missing")
	}
	if (in.Provider == nil) != (in.ExternUID == nil) {
		return nil, apierr.BadParameter("extern_uid, provider provide all or none of parameters")
	}
	broken := FieldErrors{}
	in.checkNames(broken, row)
	if !in.RandomPassword && (isNew || in.Password != nil) {
		CheckPassword(broken, &s.store.Settings.Current().Values, wire.Value(in.Password), row.Username, row.Name, row.Email)
	}
	in.checkIdentity(broken)
	set := in.columns(broken, s.paid)
	if isNew {
		var confirmed []string
		if row.ConfirmedAt != nil {
			confirmed = append(confirmed, row.Email)
		}
		in.setAddresses(broken, set, confirmed)
	}
	if len(broken) > 0 {
		return nil, apierr.InvalidFields(broken)
	}
	return set, nil
}

// checkNames checks the username, name and address that are set.
func (in Settings) checkNames(b FieldErrors, row model.User) {
	if in.Username != nil {
		CheckUsername(b, row.Username)
	}
	if in.Name != nil {
		CheckName(b, row.Name)
	}
	if in.Email != nil {
		CheckEmail(b, "email", row.Email)
	}
}

// checkIdentity checks the identity at an external provider.
func (in Settings) checkIdentity(b FieldErrors) {
	for field, value := range map[string]*string{
		"identities.provider": in.Provider, "identities.extern_uid": in.ExternUID,
	} {
		switch {
		case value == nil:
		case strings.TrimSpace(*value) == "":
			b.Add(field, "can't be blank")
		case len(*value) > 255:
			b.Add(field, "is too long (maximum is 255 characters)")
		}
	}
}

var numberRules = map[string]struct{ least, most int64 }{
	"color_scheme_id": {1, 6}, "theme_id": {1, 11}, "projects_limit": {0, 1<<31 - 1},
	"shared_runners_minutes_limit": {0, 1<<31 - 1}, "extra_shared_runners_minutes_limit": {0, 1<<31 - 1},
}

// columns returns the changes of a user's plain columns. It adds the rules that they break to b.
func (in Settings) columns(b FieldErrors, paid bool) map[string]any {
	set := map[string]any{}
	for column, value := range in.Texts {
		if value.IsSet() {
			set[column] = TextColumn(b, column, wire.Value(value.Ptr()))
		}
	}
	setNumbers(b, set, in.Numbers)
	setFlags(set, in.Flags)
	if paid {
		setNumbers(b, set, in.PaidNumbers)
		setFlags(set, in.PaidFlags)
	}
	if in.PrivateProfile.IsSet() {
		set["private_profile"] = wire.Value(in.PrivateProfile.Ptr())
	}
	return set
}

func setNumbers(b FieldErrors, set map[string]any, numbers map[string]wire.Optional[int64]) {
	for column, value := range numbers {
		if !value.IsSet() {
			continue
		}
		n := value.Ptr()
		if n == nil {
			set[column] = nil
			continue
		}
		switch rule := numberRules[column]; {
		case *n < rule.least:
			b.Add(column, fmt.Sprintf("must be greater than or equal to %d", rule.least))
		case *n > rule.most:
			b.Add(column, fmt.Sprintf("must be less than or equal to %d", rule.most))
		}
		set[column] = *n
	}
}

func setFlags(set map[string]any, flags map[string]*bool) {
	for column, flag := range flags {
		if flag != nil {
			set[column] = *flag
		}
	}
}

// hash returns the hash of the given password, or of a random one that nobody can use.
func (in Settings) hash(ctx context.Context) (string, error) {
	if in.RandomPassword {
		return secret.HashPassword(ctx, secret.Random())
	}
	return secret.HashPassword(ctx, *in.Password)
}

// attach writes the settings that are stored outside the user's row.
func (s *Service) attach(ctx context.Context, userID int64, in Settings, picture *model.Avatar) error {
	if in.FileByFile != nil {
		row := model.DefaultPreference(userID)
		row.ViewDiffsFileByFile = *in.FileByFile
		if _, err := s.store.UserPreferences.Change(ctx, row, []string{"view_diffs_file_by_file"}); err != nil {
			return err
		}
	}
	if in.Provider != nil {
		row := model.Identity{UserID: userID, Provider: *in.Provider, ExternUID: *in.ExternUID}
		if s.paid {
			row.SamlProviderID = in.SamlGroup
		}
		if err := s.store.Identities.Put(ctx, &row); err != nil {
			return err
		}
	}
	return s.store.Avatars.Put(ctx, model.AvatarUser, userID, picture)
}
