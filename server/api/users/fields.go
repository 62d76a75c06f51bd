package users

import (
	"fmt"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/account"
)

// fields are the settings of a user in a request, by column. Creating and changing a user have the same fields.
type fields struct {
	email, name, username    *string
	password                 *string
	random                   bool // a random password overrides the given one
	sendResetLink            bool // the user gets a link to choose a password
	publicEmail, commitEmail wire.Optional[string]
	skipReconfirmation       bool // a new primary address counts as confirmed
	fileByFile               *bool
	avatar                   wire.Optional[[]byte]
	provider, externUID      *string
	samlGroup                *int64 // the group whose SAML signs the user in
	texts                    map[string]wire.Optional[string]
	numbers                  map[string]wire.Optional[int64]
	flags                    map[string]*bool
	privateProfile           wire.Optional[bool]
	paidFlags                map[string]*bool
	paidNumbers              map[string]wire.Optional[int64]
}

func fieldsOfCreate(b gen.UserCreate) fields {
	return fields{
		email: &b.Email, name: &b.Name, username: &b.Username, password: b.Password,
		random: wire.Value(b.ForceRandomPassword) || wire.Value(b.ResetPassword), sendResetLink: wire.Value(b.ResetPassword),
		publicEmail: b.PublicEmail, commitEmail: b.CommitEmail,
		provider: samlProvider(b.Provider, b.GroupIDForSaml), externUID: b.ExternUID, samlGroup: b.GroupIDForSaml,
		privateProfile: b.PrivateProfile, fileByFile: b.ViewDiffsFileByFile, avatar: b.Avatar,
		texts: map[string]wire.Optional[string]{
			"bio": b.Bio, "discord": b.Discord, "linkedin": b.Linkedin, "location": b.Location, "note": b.Note,
			"organization": b.Organization, "pronouns": b.Pronouns, "skype": b.Skype, "twitter": b.Twitter, "website_url": b.WebsiteURL,
		},
		numbers: optionalNumbers(
			map[string]*int64{"color_scheme_id": b.ColorSchemeID, "projects_limit": b.ProjectsLimit, "theme_id": b.ThemeID},
		),
		flags:     map[string]*bool{"admin": b.Admin, "can_create_group": b.CanCreateGroup, "external": b.External},
		paidFlags: map[string]*bool{"auditor": b.Auditor},
		paidNumbers: map[string]wire.Optional[int64]{
			"extra_shared_runners_minutes_limit": b.ExtraSharedRunnersMinutesLimit,
			"shared_runners_minutes_limit":       b.SharedRunnersMinutesLimit,
		},
	}
}

func fieldsOfUpdate(b gen.UserUpdate) fields {
	return fields{
		skipReconfirmation: wire.Value(b.SkipReconfirmation),
		email:              b.Email, name: b.Name, username: b.Username, password: b.Password,
		random: wire.Value(b.ForceRandomPassword) || wire.Value(b.ResetPassword), sendResetLink: wire.Value(b.ResetPassword),
		publicEmail: b.PublicEmail, commitEmail: b.CommitEmail,
		provider: samlProvider(b.Provider, b.GroupIDForSaml), externUID: b.ExternUID, samlGroup: b.GroupIDForSaml,
		privateProfile: b.PrivateProfile, fileByFile: b.ViewDiffsFileByFile, avatar: b.Avatar,
		texts: map[string]wire.Optional[string]{
			"bio": b.Bio, "discord": b.Discord, "linkedin": b.Linkedin, "location": b.Location, "note": b.Note,
			"organization": b.Organization, "pronouns": b.Pronouns, "skype": b.Skype, "twitter": b.Twitter, "website_url": b.WebsiteURL,
		},
		numbers: optionalNumbers(
			map[string]*int64{"color_scheme_id": b.ColorSchemeID, "projects_limit": b.ProjectsLimit, "theme_id": b.ThemeID},
		),
		flags:     map[string]*bool{"admin": b.Admin, "can_create_group": b.CanCreateGroup, "external": b.External},
		paidFlags: map[string]*bool{"auditor": b.Auditor},
		paidNumbers: map[string]wire.Optional[int64]{
			"extra_shared_runners_minutes_limit": b.ExtraSharedRunnersMinutesLimit,
			"shared_runners_minutes_limit":       b.SharedRunnersMinutesLimit,
		},
	}
}

// optionalNumbers turns nullable pointers into optional numbers. nil means absent, not null.
func optionalNumbers(numbers map[string]*int64) map[string]wire.Optional[int64] {
	out := map[string]wire.Optional[int64]{}
	for column, n := range numbers {
		if n != nil {
			out[column] = wire.Some(*n)
		}
	}
	return out
}

var numberRules = map[string]struct{ least, most int64 }{
	"color_scheme_id": {1, 6}, "theme_id": {1, 11}, "projects_limit": {0, 1<<31 - 1},
	"shared_runners_minutes_limit": {0, 1<<31 - 1}, "extra_shared_runners_minutes_limit": {0, 1<<31 - 1},
}

// columns returns the changes of a user's plain columns. It adds the rules that they break to b.
func (f fields) columns(b account.FieldErrors, paid bool) map[string]any {
	set := map[string]any{}
	for column, value := range f.texts {
		if value.IsSet() {
			set[column] = account.TextColumn(b, column, wire.Value(value.Ptr()))
		}
	}
	setNumbers(b, set, f.numbers)
	setFlags(set, f.flags)
	if paid {
		setNumbers(b, set, f.paidNumbers)
		setFlags(set, f.paidFlags)
	}
	if f.privateProfile.IsSet() {
		set["private_profile"] = wire.Value(f.privateProfile.Ptr())
	}
	return set
}

func setNumbers(b account.FieldErrors, set map[string]any, numbers map[string]wire.Optional[int64]) {
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

// samlProvider returns the given identity provider, or the SAML provider of a group.
func samlProvider(given *string, group *int64) *string {
	if given == nil && group != nil {
		saml := "group_saml"
		return &saml
	}
	return given
}
