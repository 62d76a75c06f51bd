package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/account"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// userCommands list and change users.
var userCommands = []adminCommand{
	{
		"list-users", "", "[--search TEXT] [--state active|blocked|pending] [--admins] [--external] [--without-second-factor] " +
			"[--limit 100]",
		"lists users, the newest first.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.search, "search", "", "a part of the name or the username, or the whole mail address")
			set.StringVar(&f.state, "state", "", "only users in this state: active, blocked or pending (waiting for approval)")
			set.BoolVar(&f.admins, "admins", false, "only administrators")
			set.BoolVar(&f.external, "external", false, "only external users")
			set.BoolVar(&f.withoutSecondFactor, "without-second-factor", false, "only users who sign in with a password alone")
			f.addLimit(set)
		}, listUsers,
	},
	{
		"block-user", "USERNAME", "", "blocks a user: sessions and tokens of the user stop working.",
		nil, func(ctx context.Context, c adminCall) error { return c.moveUser(ctx, account.Block, "blocked") },
	},
	{
		"unblock-user", "USERNAME", "", "lets a blocked user in again.",
		nil, func(ctx context.Context, c adminCall) error { return c.moveUser(ctx, account.Unblock, "active") },
	},
	{
		"delete-user", "USERNAME", "[--hard]",
		"deletes a user. Contributions such as issues go to the ghost user; with --hard they are deleted, too, and groups that " +
			"only this user owns. The running service does it in the background.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.BoolVar(&f.hard, "hard", false, "delete contributions and solely owned groups, too")
		}, deleteUser,
	},
	{
		"reset-second-factor", "USERNAME", "",
		"removes the second factor of a user who lost it. The user signs in with the password alone and can set up a new one.",
		nil, resetSecondFactor,
	},
}

// shownUser is a user in the output of svc admin.
type shownUser struct {
	ID             int64      `json:"id"`
	Username       string     `json:"username"`
	Name           string     `json:"name"`
	Email          string     `json:"email"`
	State          string     `json:"state"`
	Admin          bool       `json:"admin"`
	External       bool       `json:"external"`
	SecondFactor   bool       `json:"second_factor"`
	CreatedAt      time.Time  `json:"created_at"`
	LastActivityOn *time.Time `json:"last_activity_on"`
}

func listUsers(ctx context.Context, c adminCall) error {
	f := store.UserFilter{
		Search: c.search, SearchPrivateEmail: true, Admins: c.admins, External: c.external, ExcludeInternal: true, WithoutProjectBots: true,
	}
	switch c.state {
	case "":
	case "active":
		f.Active = true
	case "blocked":
		f.Blocked = true
	case "pending":
		f.Pending = true
	default:
		return fmt.Errorf("--state %q is not one of active, blocked, pending", c.state)
	}
	if c.withoutSecondFactor {
		without := false
		f.TwoFactor = &without
	}
	users, total, err := c.store.Users.List(ctx, f, store.UserOrder{Column: "id", Desc: true}, store.Page{Limit: c.limit})
	if err != nil {
		return err
	}
	shown, rows := make([]shownUser, len(users)), make([][]string, len(users))
	for i, u := range users {
		shown[i] = shownUser{
			u.ID, u.Username, u.Name, u.Email, string(u.State), u.Admin, u.External, u.TwoFactor, u.CreatedAt, u.LastActivityOn,
		}
		rows[i] = []string{
			strconv.FormatInt(u.ID, 10), u.Username, u.Email, string(u.State), roles(u), yesNo(u.TwoFactor), day(u.LastActivityOn),
		}
	}
	return c.printList(shown, "ID USERNAME EMAIL STATE ROLE SECOND-FACTOR LAST-ACTIVITY", rows, total.More)
}

// roles names what distinguishes a user from others.
func roles(u model.User) string {
	var names []string
	if u.Admin {
		names = append(names, "admin")
	}
	if u.Auditor {
		names = append(names, "auditor")
	}
	if u.External {
		names = append(names, "external")
	}
	return strings.Join(names, ",")
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// findUser returns the user that the argument names.
func (c adminCall) findUser(ctx context.Context, username string) (model.User, error) {
	u, err := c.store.Users.GetByUsername(ctx, username)
	if store.IsNotFound(err) {
		err = fmt.Errorf("there is no user %q; svc admin list-users lists the users", username)
	}
	return u, err
}

// moveUser changes the state of a user.
func (c adminCall) moveUser(ctx context.Context, t account.Transition, state string) error {
	u, err := c.findUser(ctx, c.name)
	if err != nil {
		return err
	}
	done, err := account.ApplyTransition(ctx, c.store, &reqctx.Actor{}, u.ID, t)
	if err != nil {
		return fmt.Errorf("%s: %w", u.Username, err)
	}
	text := "%s is now %s."
	if !done {
		text = "Nothing to do: %s is already %s."
	}
	return c.printDone(map[string]any{"id": u.ID, "username": u.Username, "state": state, "changed": done}, text, u.Username, state)
}

func deleteUser(ctx context.Context, c adminCall) error {
	u, err := c.findUser(ctx, c.name)
	if err != nil {
		return err
	}
	s, err := c.server(ctx)
	if err != nil {
		return err
	}
	if err := s.Accounts().Delete(ctx, u.ID, c.hard, nil); err != nil {
		return fmt.Errorf("%s: %w", u.Username, err)
	}
	return c.printDone(map[string]any{"id": u.ID, "username": u.Username, "hard": c.hard},
		"%s is blocked and will be deleted by the running service.", u.Username)
}

func resetSecondFactor(ctx context.Context, c adminCall) error {
	u, err := c.findUser(ctx, c.name)
	if err != nil {
		return err
	}
	had, err := account.New(c.store, nil, nil, false).DisableTwoFactor(ctx, u)
	if err != nil {
		return err
	}
	text := "Removed the second factor of %s."
	if !had {
		text = "Nothing to do: %s has no second factor."
	}
	return c.printDone(map[string]any{"id": u.ID, "username": u.Username, "changed": had}, text, u.Username)
}
