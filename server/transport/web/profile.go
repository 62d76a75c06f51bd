package web

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/domain/avatar"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// profilePage is the page with the profile of a user.
type profilePage struct {
	User   model.User
	Avatar string
	Form   Form
	Photo  Form
	Status Form

	Username Form
}

// maxAddresses is the largest number of addresses from which a user can choose the public one.
const maxAddresses = 50

// profileTexts lists the columns of the profile that are plain text, with their labels.
var profileTexts = []struct{ column, label, kind, hint string }{
	{"bio", "About you", "textarea", ""},
	{"pronouns", "Pronouns", "text", ""},
	{"location", "Location", "text", ""},
	{"organization", "Organization", "text", ""},
	{"website_url", "Website", "url", "Starts with https://"},
}

// profileForm shows the profile.
func (w *Web) profileForm(v *Visit) error { return v.showProfile(profileMistakes{}) }

// profileMistakes holds the errors of the forms, and the input of the first form.
type profileMistakes struct {
	profile, photo, status, username map[string][]string
	given                            map[string]string
}

func (v *Visit) showProfile(m profileMistakes) error {
	ctx := v.Request().Context()
	u, err := v.currentUser()
	if err != nil {
		return err
	}
	further, _, err := v.web.store.Emails.ListByUser(ctx, u.ID, store.Page{Limit: maxAddresses})
	if err != nil {
		return err
	}
	status, err := v.web.store.UserStatuses.Get(ctx, u.ID, clock.Now(ctx))
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	page := profilePage{
		User: u, Form: profileFields(u, further, m.given).With(m.profile), Status: statusFields(status).With(m.status),
		Photo: Form{Action: "/-/profile/avatar", Submit: "Upload", Files: true, Fields: []Field{
			{Name: "avatar", Label: "Picture", Type: "file", Hint: "PNG, JPEG, GIF, WebP, BMP or ICO, at most 200 KiB"},
		}}.With(m.photo),
		Username: usernameFields(u, v.Value("username")).With(m.username),
	}
	if u.Avatar != nil {
		page.Avatar = "/uploads/-/system/user/avatar/" + strconv.FormatInt(u.ID, 10) + "/" + *u.Avatar
	}
	return v.Show(max(statusOf(m.profile), statusOf(m.photo), statusOf(m.status), statusOf(m.username)), "profile", "Profile", page)
}

func profileFields(u model.User, further []model.Email, given map[string]string) Form {
	now := map[string]string{
		"name": u.Name, "bio": u.Bio, "pronouns": wire.Value(u.Pronouns), "location": wire.Value(u.Location),
		"organization": wire.Value(u.Organization),
		"website_url":  u.WebsiteURL, "public_email": wire.Value(u.PublicEmail),
	}
	private := u.PrivateProfile
	if given != nil {
		now, private = given, given["private_profile"] == "1"
	}
	form := Form{
		Action: "/-/profile", Submit: "Save",
		Fields: []Field{{Name: "name", Label: "Full name", Type: "text", Value: now["name"], Autocomplete: "name", Required: true}},
	}
	for _, f := range profileTexts {
		form.Fields = append(form.Fields, Field{Name: f.column, Label: f.label, Type: f.kind, Value: now[f.column], Hint: f.hint})
	}
	options := []Option{{Label: "None"}}
	for _, address := range confirmed(u, further) {
		options = append(options, Option{Value: address, Label: address, Chosen: strings.EqualFold(address, now["public_email"])})
	}
	form.Fields = append(form.Fields,
		Field{Name: "public_email", Label: "Public mail address", Type: "select", Options: options},
		Field{Name: "private_profile", Label: "Hide my activity on my public profile", Type: "checkbox", Checked: private})
	return form
}

// confirmed returns the confirmed addresses of a user.
func confirmed(u model.User, further []model.Email) []string {
	var all []string
	if u.ConfirmedAt != nil {
		all = append(all, u.Email)
	}
	for _, row := range further {
		if row.ConfirmedAt != nil {
			all = append(all, row.Email)
		}
	}
	return all
}

// profile changes the profile.
func (w *Web) profile(v *Visit) error {
	ctx, broken, set, given := v.Request().Context(), account.FieldErrors{}, map[string]any{}, map[string]string{}
	name := v.Value("name")
	account.CheckName(broken, name)
	set["name"], given["name"] = name, name
	for _, f := range profileTexts {
		value := strings.ReplaceAll(v.Value(f.column), "\r\n", "\n")
		given[f.column], set[f.column] = value, account.TextColumn(broken, f.column, value)
	}
	given["public_email"], given["private_profile"] = v.Value("public_email"), v.Value("private_profile")
	set["private_profile"], set["public_email"] = given["private_profile"] == "1", nil
	err := events.AuditedAll(ctx, w.store, func(ctx context.Context) ([]events.Change, error) {
		u, further, err := w.store.Emails.LockUser(ctx, v.Actor.User.ID)
		if err != nil {
			return nil, err
		}
		for _, address := range confirmed(u, further) {
			if strings.EqualFold(address, given["public_email"]) {
				set["public_email"] = address
			}
		}
		if set["public_email"] == nil && given["public_email"] != "" {
			broken.Add("public_email", "must be an email you own")
		}
		if len(broken) > 0 {
			return nil, nil
		}
		if u.NamespaceID != nil {
			if err := w.store.Namespaces.Rename(ctx, *u.NamespaceID, &name, nil); err != nil {
				return nil, err
			}
		}
		if err := w.store.Users.Update(ctx, u.ID, set); err != nil {
			return nil, err
		}
		after, err := w.store.Users.Get(ctx, u.ID)
		return events.Differences(u, after, events.OfUser(u, "user_updated", "")), err
	})
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return v.showProfile(profileMistakes{profile: broken, given: given})
	}
	return v.Done("/-/profile", "Your profile was saved.")
}

// picture changes or removes the avatar.
func (w *Web) picture(v *Visit) error {
	data := wire.Some([]byte{})
	if v.Value("remove") == "" {
		file, _, err := v.Request().FormFile("avatar")
		if err != nil {
			return v.showProfile(profileMistakes{photo: map[string][]string{"avatar": {"is missing"}}})
		}
		defer file.Close()
		content, err := io.ReadAll(file)
		if err != nil {
			return badForm(err)
		}
		if len(content) == 0 {
			return v.showProfile(profileMistakes{photo: map[string][]string{"avatar": {"is missing"}}})
		}
		data = wire.Some(content)
	}
	picture, err := avatar.Read(data)
	var bad *apierr.Error
	if errors.As(err, &bad) {
		texts, _ := bad.Body.Message.(map[string][]string)
		return v.showProfile(profileMistakes{photo: texts})
	}
	if err != nil {
		return err
	}
	if err := w.store.Avatars.Put(v.Request().Context(), model.AvatarUser, v.Actor.User.ID, picture); err != nil {
		return err
	}
	return v.Done("/-/profile", "Your picture was saved.")
}

var lasts = []struct{ value, label string }{
	{"", "Never"},
	{"30_minutes", "30 minutes"},
	{"3_hours", "3 hours"},
	{"8_hours", "8 hours"},
	{"1_day", "1 day"},
	{"3_days", "3 days"},
	{"7_days", "7 days"},
	{"30_days", "30 days"},
}

func statusFields(s model.UserStatus) Form {
	ends := make([]Option, len(lasts))
	for i, l := range lasts {
		ends[i] = Option{Value: l.value, Label: l.label}
	}
	return Form{Action: "/-/profile/status", Submit: "Set status", Fields: []Field{
		{
			Name: "message", Label: "Status", Type: "text", Value: wire.Value(s.Message),
			Hint: "What are you doing? Leave empty to clear the status.",
		},
		{Name: "emoji", Label: "Emoji", Type: "text", Value: s.Emoji, Hint: "Name of the emoji, such as coffee"},
		{Name: "busy", Label: "Busy", Type: "checkbox", Checked: s.Availability == model.AvailabilityBusy},
		{Name: "clear_after", Label: "Clear after", Type: "select", Options: ends},
	}}
}

// status changes the status of the current user.
func (w *Web) status(v *Visit) error {
	status := account.Status{
		Emoji: given(v.Value("emoji")), Message: given(v.Value("message")), ClearAfter: v.Value("clear_after"),
	}
	if busy := model.AvailabilityBusy; v.Value("busy") == "1" {
		status.Availability = &busy
	}
	row, broken := status.Row(v.Actor.User.ID, v.Now())
	if len(broken) > 0 {
		return v.showProfile(profileMistakes{status: broken})
	}
	if err := account.SetStatus(v.Request().Context(), w.store, row, status.HasContent()); err != nil {
		return err
	}
	return v.Done("/-/profile", "Your status was saved.")
}

// given returns nil for an empty text.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
