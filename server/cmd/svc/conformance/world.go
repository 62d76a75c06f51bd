package conformance

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// roles has the callers that are members of the group, with the numbers of their roles.
var roles = map[Caller]int{Owner: 50, Maintainer: 40, Developer: 30, Reporter: 20, Guest: 10}

// noSuchID is an ID that no installation has.
const noSuchID = "2000000017"

// createWorld creates what most cases use, as the administrator:
//
//   - a user for each role, and one without a role (<owner_id>, <owner_username>, <owner_token> …)
//   - a private group (<group>) with a private project (<project>) that has commits, a branch and a tag
//   - a public group and a public project (<public_group>, <public_project>)
//
// Every name begins with one random prefix (<prefix>).
func (s *suite) createWorld(ctx context.Context) error {
	random := make([]byte, 5)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	s.prefix = "conformance-" + hex.EncodeToString(random)
	now := time.Now().UTC()
	for name, value := range map[string]string{
		"prefix": s.prefix, "key_prefix": strings.ToUpper(strings.ReplaceAll(s.prefix, "-", "_")), "missing": noSuchID,
		"today": now.Format(time.DateOnly), "tomorrow": now.AddDate(0, 0, 1).Format(time.DateOnly),
		"yesterday": now.AddDate(0, 0, -1).Format(time.DateOnly), "next_month": now.AddDate(0, 0, 30).Format(time.DateOnly),
	} {
		s.values.set(name, value)
	}
	session := s.session("preparation", "preparation")
	session.values = s.values
	if err := session.createUsers(ctx); err != nil {
		return fmt.Errorf("create users: %w", err)
	}
	for _, scope := range narrowScopes {
		if err := session.createToken(ctx, string(Outsider), scope, "only_"+scope+"_token"); err != nil {
			return fmt.Errorf("create tokens: %w", err)
		}
	}
	if err := session.createGroups(ctx); err != nil {
		return fmt.Errorf("create groups and projects: %w", err)
	}
	if err := session.createHistory(ctx); err != nil {
		return fmt.Errorf("create commits: %w", err)
	}
	return nil
}

// createUsers creates a user with a token for each caller.
func (s *Session) createUsers(ctx context.Context) error {
	var wait sync.WaitGroup
	callers := []Caller{Owner, Maintainer, Developer, Reporter, Guest, Outsider}
	problems := make([]error, len(callers))
	for i, caller := range callers {
		wait.Go(func() {
			own := &Session{suite: s.suite, area: s.area, scenario: s.scenario, values: s.values}
			problems[i] = own.createUser(ctx, string(caller), `"force_random_password":true`)
		})
	}
	wait.Wait()
	return errors.Join(problems...)
}

// createUser creates a user and a token for it, and sets <name_id>, <name_username> and <name_token>.
func (s *Session) createUser(ctx context.Context, name, more string) error {
	made, err := s.Call(ctx, Admin, "POST /users", `{"name":"Conformance `+name+`","username":"<prefix>-`+name+`",
		"email":"<prefix>-`+name+`@example.com","skip_confirmation":true,`+more+`}`, 201)
	if err != nil {
		return err
	}
	s.values.set(name+"_id", made.Member("id"))
	s.values.set(name+"_username", made.Member("username"))
	return s.createToken(ctx, name, "api", name+"_token")
}

// createToken creates a token with one scope for a user, and keeps it as a value.
func (s *Session) createToken(ctx context.Context, user, scope, keep string) error {
	made, err := s.Call(ctx, Admin, "POST /users/<"+user+"_id>/personal_access_tokens",
		`{"name":"<prefix>-`+scope+`","scopes":["`+scope+`"],"expires_at":"<next_month>"}`, 201)
	if err != nil {
		return err
	}
	s.values.set(keep, made.Member("token"))
	return nil
}

func (s *Session) createGroups(ctx context.Context) error {
	for _, g := range []struct{ group, project, path, visibility string }{
		{"group", "project", "<prefix>-group", "private"},
		{"public_group", "public_project", "<prefix>-public", "public"},
	} {
		made, err := s.Call(ctx, Admin, "POST /groups", `{"name":"`+g.path+`","path":"`+g.path+`","visibility":"`+g.visibility+`"}`, 201)
		if err != nil {
			return err
		}
		s.values.set(g.group, made.Member("id"))
		s.values.set(g.group+"_path", made.Member("full_path"))
		for caller, level := range roles {
			body := fmt.Sprintf(`{"user_id":<%s_id>,"access_level":%d}`, caller, level)
			if _, err := s.Call(ctx, Admin, "POST /groups/<"+g.group+">/members", body, 201); err != nil {
				return err
			}
		}
		made, err = s.Call(ctx, Admin, "POST /projects", `{"name":"Web","path":"web","namespace_id":<`+g.group+`>,
			"visibility":"`+g.visibility+`","initialize_with_readme":true,"default_branch":"main","public_jobs":false}`, 201)
		if err != nil {
			return err
		}
		s.values.set(g.project, made.Member("id"))
		s.values.set("project_with_code", made.Member("id"))
		s.values.set(g.project+"_path", made.Member("path_with_namespace"))
		s.values.set(g.project+"_storage", made.Member("repository_storage"))
		s.values.set(g.project+"_git", made.Member("http_url_to_repo"))
	}
	return nil
}

// createHistory commits to both projects: a tag on the first commit, a second commit, and a branch.
func (s *Session) createHistory(ctx context.Context) error {
	for _, project := range []string{"project", "public_project"} {
		at := "/projects/<" + project + ">/repository"
		tag, err := s.Call(ctx, Admin, "POST "+at+"/tags", `{"tag_name":"v1.0.0","ref":"main"}`, 201)
		if err != nil {
			return err
		}
		s.values.set(project+"_first_sha", tag.Member("commit.id"))
		commit, err := s.Call(ctx, Admin, "POST "+at+"/commits", `{"branch":"main","commit_message":"Add a guide\n\nChangelog: added",
			"actions":[{"action":"create","file_path":"docs/guide.md","content":"# Guide\n"},
			{"action":"create","file_path":"src/main.go","content":"package main\n"}]}`, 201)
		if err != nil {
			return err
		}
		s.values.set(project+"_sha", commit.Member("id"))
		s.values.set("code_sha", commit.Member("id"))
		if _, err = s.Call(ctx, Admin, "POST "+at+"/commits", `{"branch":"feature/one","start_branch":"main",
			"commit_message":"Change the guide","actions":[{"action":"update","file_path":"docs/guide.md","content":"# The guide\n"}]}`,
			201); err != nil {
			return err
		}
		tree, err := s.Call(ctx, Admin, "GET "+at+"/tree?path=docs&ref=main", "", 200)
		if err != nil {
			return err
		}
		s.values.set(project+"_blob", tree.Member("0.id"))
	}
	return nil
}
