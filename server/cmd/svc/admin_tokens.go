package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/token"
	"svc/store"
	"svc/store/model"
)

// tokenCommands list and revoke access tokens.
var tokenCommands = []adminCommand{
	{
		"list-tokens", "", "[--user USERNAME] [--search TEXT] [--impersonation-tokens] [--all] [--limit 100]",
		"lists personal, project and group access tokens that are neither revoked nor expired. It never shows the tokens themselves.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.user, "user", "", "only tokens of this user")
			set.StringVar(&f.search, "search", "", "a part of the name of the token")
			set.BoolVar(&f.impersonation, "impersonation-tokens", false, "list impersonation tokens instead")
			set.BoolVar(&f.all, "all", false, "list revoked and expired tokens, too")
			f.addLimit(set)
		}, listTokens,
	},
	{
		"revoke-token", "ID", "", "revokes an access token; list-tokens shows the IDs.",
		nil, revokeToken,
	},
}

// shownToken is an access token in the output of svc admin.
type shownToken struct {
	ID            int64      `json:"id"`
	User          string     `json:"user"`
	Name          string     `json:"name"`
	Scopes        []string   `json:"scopes"`
	Impersonation bool       `json:"impersonation"`
	Revoked       bool       `json:"revoked"`
	CreatedAt     time.Time  `json:"created_at"`
	LastUsedAt    *time.Time `json:"last_used_at"`
	ExpiresAt     *time.Time `json:"expires_at"`
}

func listTokens(ctx context.Context, c adminCall) error {
	f := store.TokenFilter{Search: c.search, Impersonation: c.impersonation, Sort: "created_desc"}
	if !c.all {
		active := true
		f.Active = &active
	}
	if c.user != "" {
		u, err := c.findUser(ctx, c.user)
		if err != nil {
			return err
		}
		f.UserID = &u.ID
	}
	tokens, total, err := c.store.Tokens.List(ctx, f, store.Page{Limit: c.limit})
	if err != nil {
		return err
	}
	var ids []int64
	for _, t := range tokens {
		ids = append(ids, t.UserID)
	}
	users, err := c.store.Users.ByID(ctx, ids)
	if err != nil {
		return err
	}
	shown, rows := make([]shownToken, len(tokens)), make([][]string, len(tokens))
	for i, t := range tokens {
		owner := users[t.UserID].Username
		shown[i] = shownToken{
			t.ID, owner, t.Name, t.ScopeList(), t.Impersonation, t.Revoked, t.CreatedAt, t.LastUsedAt, t.ExpiresAt,
		}
		rows[i] = []string{
			strconv.FormatInt(t.ID, 10), owner, t.Name, strings.Join(t.ScopeList(), ","), minute(t.LastUsedAt), day(t.ExpiresAt),
			yesNo(t.Revoked),
		}
	}
	return c.printList(shown, "ID USER NAME SCOPES LAST-USED EXPIRES REVOKED", rows, total.More)
}

// number returns the argument as an id.
func (c adminCall) number(noun string) (int64, error) {
	id, err := strconv.ParseInt(c.name, 10, 64)
	if err != nil || id <= 0 {
		return 0, fmt.Errorf("%q is not the ID of %s", c.name, noun)
	}
	return id, nil
}

func revokeToken(ctx context.Context, c adminCall) error {
	id, err := c.number("an access token")
	if err != nil {
		return err
	}
	row, err := c.store.Tokens.Get(ctx, id)
	if store.IsNotFound(err) {
		return fmt.Errorf("there is no access token %d; svc admin list-tokens lists the tokens", id)
	}
	if err != nil {
		return err
	}
	done, err := token.Revoke(ctx, c.store, row, nil)
	if err != nil {
		return err
	}
	text := "Revoked the token %d (%s)."
	if !done {
		text = "Nothing to do: the token %d (%s) is already revoked."
	}
	return c.printDone(map[string]any{"id": id, "name": row.Name, "changed": done}, text, id, row.Name)
}

// runnerCommands list runners.
var runnerCommands = []adminCommand{{
	"list-runners", "", "[--kind instance_type|group_type|project_type] [--state STATE] [--limit 100]",
	"lists the runners, the newest first.",
	func(f *adminFlags, set *flag.FlagSet) {
		set.StringVar(&f.kind, "kind", "", "only runners of this type: "+strings.Join(runnerTypes, ", "))
		set.StringVar(&f.state, "state", "", "only runners in this state: "+strings.Join(runnerStates, ", "))
		f.addLimit(set)
	}, listRunners,
}}

var (
	runnerTypes  = []string{"instance_type", "group_type", "project_type"}
	runnerStates = []string{"online", "offline", "stale", "never_contacted", "paused", "active"}
)

// shownRunner is a runner in the output of svc admin.
type shownRunner struct {
	ID          int64           `json:"id"`
	Type        string          `json:"runner_type"`
	Description *string         `json:"description"`
	Paused      bool            `json:"paused"`
	Tags        json.RawMessage `json:"tag_list"`
	Version     *string         `json:"version"`
	IPAddress   *string         `json:"ip_address"`
	ContactedAt *time.Time      `json:"contacted_at"`
}

func listRunners(ctx context.Context, c adminCall) error {
	if c.kind != "" && !slices.Contains(runnerTypes, c.kind) {
		return fmt.Errorf("--kind %q is not one of %s", c.kind, strings.Join(runnerTypes, ", "))
	}
	if c.state != "" && !slices.Contains(runnerStates, c.state) {
		return fmt.Errorf("--state %q is not one of %s", c.state, strings.Join(runnerStates, ", "))
	}
	runners, total, err := c.store.Runners.List(ctx, store.RunnerFilter{Type: c.kind, Status: c.state}, store.Page{Limit: c.limit})
	if err != nil {
		return err
	}
	shown, rows := make([]shownRunner, len(runners)), make([][]string, len(runners))
	for i, r := range runners {
		shown[i] = shownRunner{
			r.ID, r.RunnerType, r.Description, r.Paused, tagList(r), r.Version, r.IPAddress, r.ContactedAt,
		}
		rows[i] = []string{
			strconv.FormatInt(r.ID, 10), r.RunnerType, wire.Value(r.Description), yesNo(r.Paused), tagText(r), wire.Value(r.Version),
			minute(r.ContactedAt),
		}
	}
	return c.printList(shown, "ID TYPE DESCRIPTION PAUSED TAGS VERSION LAST-CONTACT", rows, total.More)
}

// tagList returns the tags of a runner as JSON.
func tagList(r model.Runner) json.RawMessage {
	if !json.Valid([]byte(r.Tags)) {
		return json.RawMessage("[]")
	}
	return json.RawMessage(r.Tags)
}

// tagText returns the tags of a runner, separated by commas.
func tagText(r model.Runner) string {
	var tags []string
	if json.Unmarshal([]byte(r.Tags), &tags) != nil {
		return ""
	}
	return strings.Join(tags, ",")
}
