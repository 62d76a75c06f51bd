package users

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/domain/avatar"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// CreateUser creates a user.
// POST /users
func (u *Users) CreateUser(ctx context.Context, req gen.CreateUserRequestObject) (gen.CreateUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.AdminUser)
	if err != nil {
		return nil, err
	}
	body := *req.Body
	if body.Password == nil && body.ResetPassword == nil && body.ForceRandomPassword == nil {
		return nil, apierr.BadParameter(
			"password, reset_password, force_random_password are missing, at least one parameter must be provided",
		)
	}
	row := model.DefaultUser()
	row.Username, row.Name, row.Email, row.CreatedByID = body.Username, body.Name, body.Email, &actor.User.ID
	if wire.Value(body.SkipConfirmation) {
		now := time.Now().UTC()
		row.ConfirmedAt = &now
	}
	f := fieldsOfCreate(body)
	set, err := u.check(f, row, true)
	if err == nil {
		err = u.checkSamlGroup(ctx, f)
	}
	if err != nil {
		return nil, err
	}
	picture, err := avatar.Read(f.avatar)
	if err != nil {
		return nil, err
	}
	if row.PasswordHash, err = f.hash(ctx); err != nil {
		return nil, err
	}
	id, err := u.create(ctx, &row, set, f, picture)
	if err != nil {
		return nil, u.explainCreate(ctx, err, row.Email)
	}
	shown, err := u.afterWrite(ctx, id)
	return gen.CreateUser201JSONResponse(shown), err
}

// UpdateUser changes the given fields of a user.
// PUT /users/{id}
func (u *Users) UpdateUser(ctx context.Context, req gen.UpdateUserRequestObject) (gen.UpdateUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.AdminUser)
	if err != nil {
		return nil, err
	}
	row, err := access.UserByID(ctx, u.store, req.ID)
	if err != nil {
		return nil, err
	}
	f := fieldsOfUpdate(*req.Body)
	names := f.rename(&row)
	set, err := u.check(f, row, false)
	if err == nil {
		err = u.checkSamlGroup(ctx, f)
	}
	if err != nil {
		return nil, err
	}
	picture, err := avatar.Read(f.avatar)
	if err != nil {
		return nil, err
	}
	maps.Copy(set, names)
	if err := f.setPassword(ctx, set, actor, row); err != nil {
		return nil, err
	}
	if err := u.update(ctx, row, set, f, picture); err != nil {
		return nil, explainUpdate(err)
	}
	shown, err := u.afterWrite(ctx, row.ID)
	return gen.UpdateUser200JSONResponse(shown), err
}

// rename sets the new username, name and email address in the row, for validation. It returns the columns of username
// and name; the email address is written separately.
func (f fields) rename(row *model.User) map[string]any {
	set := map[string]any{}
	for _, c := range []struct {
		column string
		to     *string
		given  *string
	}{{"username", &row.Username, f.username}, {"name", &row.Name, f.name}} {
		if c.given != nil {
			*c.to, set[c.column] = *c.given, *c.given
		}
	}
	if f.email != nil {
		row.Email = *f.email
	}
	return set
}

// check validates the fields and returns the columns to set. row is the user with the new names.
func (u *Users) check(f fields, row model.User, isNew bool) (map[string]any, error) {
	if f.samlGroup != nil && f.externUID == nil {
		return nil, apierr.BadParameter("extern_uid is missing")
	}
	if (f.provider == nil) != (f.externUID == nil) {
		return nil, apierr.BadParameter("extern_uid, provider provide all or none of parameters")
	}
	broken := account.FieldErrors{}
	if f.username != nil {
		account.CheckUsername(broken, row.Username)
	}
	if f.name != nil {
		account.CheckName(broken, row.Name)
	}
	if f.email != nil {
		account.CheckEmail(broken, "email", row.Email)
	}
	if !f.random && (isNew || f.password != nil) {
		account.CheckPassword(broken, wire.Value(f.password), row.Username, row.Name, row.Email)
	}
	for field, value := range map[string]*string{"identities.provider": f.provider, "identities.extern_uid": f.externUID} {
		switch {
		case value == nil:
		case strings.TrimSpace(*value) == "":
			broken.Add(field, "can't be blank")
		case len(*value) > 255:
			broken.Add(field, "is too long (maximum is 255 characters)")
		}
	}
	set := f.columns(broken, u.show.Paid)
	if isNew {
		var confirmed []string
		if row.ConfirmedAt != nil {
			confirmed = append(confirmed, row.Email)
		}
		f.addresses(broken, set, confirmed)
	}
	if len(broken) > 0 {
		return nil, apierr.InvalidFields(broken)
	}
	return set, nil
}

func (u *Users) create(ctx context.Context, row *model.User, set map[string]any, f fields, picture *model.Avatar) (int64, error) {
	err := u.store.Tx(ctx, func(ctx context.Context) error {
		if err := u.store.Users.Create(ctx, row); err != nil {
			return err
		}
		if len(set) > 0 {
			if err := u.store.Users.Update(ctx, row.ID, set); err != nil {
				return err
			}
		}
		if row.ConfirmedAt == nil {
			if err := u.letters.SendConfirmation(ctx, *row, row.Email); err != nil {
				return err
			}
		}
		if f.sendResetLink {
			if err := u.letters.SendReset(ctx, *row); err != nil {
				return err
			}
		}
		if err := u.attach(ctx, row.ID, f, picture); err != nil {
			return err
		}
		return events.Audit(ctx, u.store, events.OfUser(*row, "user_created", "Created user"))
	})
	return row.ID, err
}

func (u *Users) update(ctx context.Context, row model.User, set map[string]any, f fields, picture *model.Avatar) error {
	return u.store.Tx(ctx, func(ctx context.Context) error {
		before, err := u.store.Users.Get(ctx, row.ID)
		if err != nil {
			return err
		}
		if err := u.changeAddresses(ctx, row.ID, set, f); err != nil {
			return err
		}
		if len(set) > 0 {
			if err := u.store.Users.Update(ctx, row.ID, set); err != nil {
				return err
			}
		}
		if row.NamespaceID != nil && (f.name != nil || f.username != nil) {
			if err := u.store.Namespaces.Rename(ctx, *row.NamespaceID, f.name, f.username); err != nil {
				return err
			}
		}
		if _, changed := set["password_hash"]; changed {
			if err := u.store.MailedTokens.DeleteOf(ctx, row.ID, model.MailedReset); err != nil {
				return err
			}
			if err := u.store.Sessions.DeleteByUser(ctx, row.ID); err != nil {
				return err
			}
			if err := u.mailPassword(ctx, row.ID, f, set["password_expires_at"] != nil); err != nil {
				return err
			}
		}
		if err := u.attach(ctx, row.ID, f, picture); err != nil {
			return err
		}
		_, password := set["password_hash"]
		return u.noteChanges(ctx, before, password, f.provider, picture != nil)
	})
}

// noteChanges records the audit events of a change. Of a password, they only say that it changed.
func (u *Users) noteChanges(ctx context.Context, before model.User, password bool, provider *string, picture bool) error {
	after, err := u.store.Users.Get(ctx, before.ID)
	if err != nil {
		return err
	}
	changes := events.Differences(before, after, events.OfUser(before, "user_updated", ""))
	if password {
		changes = append(changes, events.OfUser(before, "user_password_updated", "Changed password"))
	}
	if provider != nil {
		c := events.OfUser(before, "user_identity_created", "Added identity")
		c.Add = *provider
		changes = append(changes, c)
	}
	if picture {
		changes = append(changes, events.OfUser(before, "user_updated", "Changed the picture"))
	}
	return events.Audit(ctx, u.store, changes...)
}

// mailPassword sends an email to a user with a new password: a link to choose one, or a notice that it was changed.
func (u *Users) mailPassword(ctx context.Context, id int64, f fields, another bool) error {
	row, err := u.store.Users.Get(ctx, id) // the address may have changed, too
	switch {
	case err != nil:
		return err
	case f.sendResetLink:
		return u.letters.SendReset(ctx, row)
	case another:
		return u.letters.SendNotice(
			ctx, row, "You have a new password",
			"An administrator set a new password for your account. When you sign in with it, you will be asked to choose your own password.",
		)
	}
	return u.letters.SendNotice(ctx, row, "Your password was changed", "The password of your account was changed.")
}

// attach writes the settings that are stored outside the user's row.
func (u *Users) attach(ctx context.Context, userID int64, f fields, picture *model.Avatar) error {
	if f.fileByFile != nil {
		row := model.DefaultPreference(userID)
		row.ViewDiffsFileByFile = *f.fileByFile
		if _, err := u.store.UserPreferences.Change(ctx, row, []string{"view_diffs_file_by_file"}); err != nil {
			return err
		}
	}
	if f.provider != nil {
		row := model.Identity{UserID: userID, Provider: *f.provider, ExternUID: *f.externUID}
		if u.show.Paid {
			row.SamlProviderID = f.samlGroup
		}
		if err := u.store.Identities.Put(ctx, &row); err != nil {
			return err
		}
	}
	return u.store.Avatars.Put(ctx, model.AvatarUser, userID, picture)
}

// hash returns the hash of the given password, or of a random one that nobody can use.
func (f fields) hash(ctx context.Context) (string, error) {
	if f.random {
		return secret.HashPassword(ctx, secret.Random())
	}
	return secret.HashPassword(ctx, *f.password)
}

// setPassword sets a new password. If another user has chosen it, it must be changed at the next sign-in.
func (f fields) setPassword(ctx context.Context, set map[string]any, actor *reqctx.Actor, row model.User) error {
	if !f.random && f.password == nil {
		return nil
	}
	hash, err := f.hash(ctx)
	if err != nil {
		return err
	}
	set["password_hash"], set["password_expires_at"] = hash, nil
	if row.ID != actor.User.ID {
		set["password_expires_at"] = time.Now().UTC()
	}
	return nil
}

// afterWrite reads a user after a change and presents the fields for administrators.
func (u *Users) afterWrite(ctx context.Context, id int64) (gen.User, error) {
	row, err := u.store.Users.Get(ctx, id)
	if err != nil {
		return gen.User{}, err
	}
	parts, err := u.parts(ctx, []model.User{row}, false)
	if err != nil {
		return gen.User{}, err
	}
	followed, err := u.followed(ctx, []model.User{row})
	if err != nil {
		return gen.User{}, err
	}
	return u.show.UserAdmin(row, parts(row), followed[row.ID], time.Now()), nil
}

const identityTaken = "identities_extern_uid"

// explainCreate turns a conflict at creation into the error for the taken value. The email address is checked before the
// username.
func (u *Users) explainCreate(ctx context.Context, err error, email string) error {
	var conflict *store.ConflictError
	if !errors.As(err, &conflict) {
		return err
	}
	if conflict.Constraint == identityTaken {
		return apierr.Invalid("identities.extern_uid", "has already been taken")
	}
	used, failed := u.store.Users.EmailTaken(ctx, email)
	switch {
	case failed != nil:
		return failed
	case used:
		return apierr.Conflict("Email has already been taken")
	}
	return apierr.Conflict("Username has already been taken")
}

// explainUpdate turns a conflict at a change into a 404. The API promises it: «the endpoint returns 404 even where 409 would
// fit».
func explainUpdate(err error) error {
	var conflict *store.ConflictError
	switch {
	case !errors.As(err, &conflict):
		return err
	case conflict.Constraint == identityTaken:
		return apierr.Invalid("identities.extern_uid", "has already been taken")
	}
	return apierr.NotFound("")
}
