// Package sdk tests the server with public client libraries. The official Go library is part of the tests. make sdk
// also installs and runs python-gitlab and gitbeaker, and generates clients in Go and TypeScript.
//
//	go_test.go           the official Go library
//	worlds_test.go       clients in three languages at the same time, each in its own world
//	guide_test.go        docs/sdks.md has the commands and programs that make sdk runs
//	run                  starts a service and runs the clients against it
//	check.py, check.mjs  python-gitlab and gitbeaker
//	go.sh, main.go.txt   commands and program of the Go client that oapi-codegen generates
//	small.sh, small.go.txt  the same with the configuration docs/go-client.yaml
//	fetch.sh, fetch.ts   the same in TypeScript, with openapi-typescript and openapi-fetch
//	hey.sh, hey.ts       the same in TypeScript, with hey-api
package sdk

import (
	"fmt"
	"net/http"
	"testing"

	"svc/tests/harness"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// connect returns a client with a token; an empty token makes an anonymous caller.
func connect(t *testing.T, h *harness.H, token string) *gitlab.Client {
	t.Helper()
	sdk, err := gitlab.NewClient(token, gitlab.WithBaseURL(h.URL+"/api/v4"), gitlab.WithoutRetries())
	if err != nil {
		t.Fatal(err)
	}
	return sdk
}

func must[T any](t *testing.T) func(T, *gitlab.Response, error) T {
	t.Helper()
	return func(value T, _ *gitlab.Response, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func TestTheGoLibraryManagesUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	sdk := connect(t, h, h.Root().Token)
	for i := range 5 {
		must[*gitlab.User](t)(sdk.Users.CreateUser(&gitlab.CreateUserOptions{
			Name: new(fmt.Sprintf("User %d", i)), Username: new(fmt.Sprintf("user%d", i)), Email: new(fmt.Sprintf("user%d@example.com", i)),
			Password: new("correct horse battery"), SkipConfirmation: new(true),
		}))
	}
	found := must[[]*gitlab.User](t)(sdk.Users.ListUsers(&gitlab.ListUsersOptions{Username: new("USER3")}))
	if len(found) != 1 || found[0].Email != "user3@example.com" {
		t.Fatalf("found %+v", found)
	}
	for name, options := range map[string]gitlab.ListOptions{
		"offset": {PerPage: 2}, "keyset": {PerPage: 2, Pagination: "keyset", OrderBy: "id", Sort: "asc"},
	} {
		all, err := gitlab.ScanAndCollect(func(p gitlab.PaginationOptionFunc) ([]*gitlab.User, *gitlab.Response, error) {
			return sdk.Users.ListUsers(&gitlab.ListUsersOptions{ListOptions: options}, p)
		})
		if err != nil || len(all) != 6 {
			t.Errorf("%s: %d users, %v", name, len(all), err)
		}
	}
	changed := must[*gitlab.User](t)(sdk.Users.ModifyUser(found[0].ID, &gitlab.ModifyUserOptions{Name: new("Renamed"), Bio: new("about")}))
	if changed.Name != "Renamed" || changed.Bio != "about" {
		t.Errorf("changed to %+v", changed)
	}
	if _, err := sdk.Users.DeleteUser(found[0].ID); err != nil {
		t.Error(err)
	}
}

func TestTheGoLibraryManagesGroupsAndMembers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	sdk, ann := connect(t, h, h.Root().Token), h.NewUser()
	top := must[*gitlab.Group](t)(sdk.Groups.CreateGroup(
		&gitlab.CreateGroupOptions{Name: new("Top"), Path: new("top"), Visibility: new(gitlab.PublicVisibility)},
	))
	for i := range 4 {
		must[*gitlab.Group](t)(sdk.Groups.CreateGroup(&gitlab.CreateGroupOptions{
			Name: new(fmt.Sprintf("G%d", i)), Path: new(fmt.Sprintf("g%d", i)), ParentID: &top.ID,
			Visibility: new(gitlab.PublicVisibility),
		}))
	}
	all, err := gitlab.ScanAndCollect(func(p gitlab.PaginationOptionFunc) ([]*gitlab.Group, *gitlab.Response, error) {
		return sdk.Groups.ListGroups(&gitlab.ListGroupsOptions{ListOptions: gitlab.ListOptions{PerPage: 2}}, p)
	})
	if err != nil || len(all) != 5 {
		t.Errorf("%d groups, %v", len(all), err)
	}
	// Keyset pagination is for anonymous callers.
	anonymous := connect(t, h, "")
	all, err = gitlab.ScanAndCollect(func(p gitlab.PaginationOptionFunc) ([]*gitlab.Group, *gitlab.Response, error) {
		return anonymous.Groups.ListGroups(&gitlab.ListGroupsOptions{ListOptions: gitlab.ListOptions{
			PerPage: 2, Pagination: "keyset", OrderBy: "name", Sort: "asc",
		}}, p)
	})
	if err != nil || len(all) != 5 {
		t.Errorf("by keyset %d groups, %v", len(all), err)
	}
	changed := must[*gitlab.Group](t)(sdk.Groups.UpdateGroup("top", &gitlab.UpdateGroupOptions{Description: new("new")}))
	if changed.Description != "new" {
		t.Errorf("changed to %+v", changed)
	}
	member := must[*gitlab.GroupMember](t)(sdk.GroupMembers.AddGroupMember(
		top.ID, &gitlab.AddGroupMemberOptions{UserID: &ann.User.ID, AccessLevel: new(gitlab.DeveloperPermissions)},
	))
	if member.AccessLevel != gitlab.DeveloperPermissions {
		t.Errorf("the member is %+v", member)
	}
	must[*gitlab.GroupMember](t)(sdk.GroupMembers.EditGroupMember(
		top.ID, ann.User.ID, &gitlab.EditGroupMemberOptions{AccessLevel: new(gitlab.MaintainerPermissions)},
	))
	if below := must[[]*gitlab.GroupMember](t)(sdk.Groups.ListAllGroupMembers("top/g1", nil)); len(below) != 2 {
		t.Errorf("%d members below", len(below))
	}
	if _, err := sdk.GroupMembers.RemoveGroupMember(top.ID, ann.User.ID, nil); err != nil {
		t.Error(err)
	}
	if _, err := sdk.Groups.DeleteGroup("top", nil); err != nil {
		t.Error(err)
	}
}

func TestTheGoLibraryManagesProjectsAndMembers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	sdk, ann := connect(t, h, h.Root().Token), h.NewUser()
	for i := range 5 {
		must[*gitlab.Project](t)(sdk.Projects.CreateProject(&gitlab.CreateProjectOptions{
			Name: new(fmt.Sprintf("Project %d", i)), Visibility: new(gitlab.PublicVisibility), Topics: &[]string{"go"},
		}))
	}
	for name, options := range map[string]gitlab.ListOptions{
		"offset": {PerPage: 2}, "keyset": {PerPage: 2, Pagination: "keyset", OrderBy: "id", Sort: "asc"},
		"keyset, backwards": {PerPage: 2, Pagination: "keyset", OrderBy: "id", Sort: "desc"},
	} {
		all, err := gitlab.ScanAndCollect(func(p gitlab.PaginationOptionFunc) ([]*gitlab.Project, *gitlab.Response, error) {
			return sdk.Projects.ListProjects(&gitlab.ListProjectsOptions{ListOptions: options, Topic: new("Go")}, p)
		})
		if err != nil || len(all) != 5 {
			t.Errorf("%s: %d projects, %v", name, len(all), err)
		}
	}
	changed := must[*gitlab.Project](t)(sdk.Projects.EditProject(
		"root/project-1", &gitlab.EditProjectOptions{Path: new("moved"), MergeMethod: new(gitlab.FastForwardMerge)},
	))
	if changed.PathWithNamespace != "root/moved" || changed.MergeMethod != gitlab.FastForwardMerge {
		t.Errorf("changed to %+v", changed)
	}
	// The library follows the redirect from the old path.
	if old := must[*gitlab.Project](t)(sdk.Projects.GetProject("root/project-1", nil)); old.ID != changed.ID {
		t.Errorf("the old path leads to %+v", old)
	}
	must[*gitlab.ProjectMember](t)(sdk.ProjectMembers.AddProjectMember(
		changed.ID, &gitlab.AddProjectMemberOptions{UserID: ann.User.ID, AccessLevel: new(gitlab.ReporterPermissions)},
	))
	must[*gitlab.ProjectMember](t)(sdk.ProjectMembers.EditProjectMember(
		changed.ID, ann.User.ID, &gitlab.EditProjectMemberOptions{AccessLevel: new(gitlab.DeveloperPermissions)},
	))
	if members := must[[]*gitlab.ProjectMember](t)(sdk.ProjectMembers.ListAllProjectMembers(changed.ID, nil)); len(members) != 2 {
		t.Errorf("%d members", len(members))
	}
	if _, err := sdk.ProjectMembers.DeleteProjectMember(changed.ID, ann.User.ID); err != nil {
		t.Error(err)
	}
	if _, err := sdk.Projects.DeleteProject(changed.ID, nil); err != nil {
		t.Error(err)
	}
	_, res, err := sdk.Projects.GetProject(changed.ID, nil)
	if err == nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("a deleted project: %v", err)
	}
}
