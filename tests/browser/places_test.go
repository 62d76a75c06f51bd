package browser

import (
	"context"
	"errors"
	"testing"
	"time"

	"svc/store/blob"
	"svc/store/model"
	"svc/tests/harness"
)

func TestThePagesOfGroupsPeopleAndSettingsAreAccessible(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword(func(u *model.User) { u.Name, u.Bio = "Ann Lee", "I build roofs." })
	group := h.Group(func(n *model.Namespace) {
		n.Name, n.Path, n.Description, n.Visibility = "Tools", "tools", "All our tools", model.Internal
	})
	below := h.Group(func(n *model.Namespace) { n.Name, n.Path, n.ParentID = "Saws", "saws", &group.ID })
	h.Join(group, owner.User, model.Owner)
	h.Project(below.ID, func(p *model.Project) { p.Name = "Chain saw" })
	project := codeProject(t, h, owner, func(p *model.Project) { p.NamespaceID = group.ID })
	h.JoinProject(project, h.NewUser().User, model.Developer)
	importProject(t, h, project)
	importGroup(t, h, group, owner.User)
	b := open(t, h)
	signIn(b, owner.User, "Your projects")
	root, groupRoot := "/"+project.FullPath+"/-/", "/groups/"+group.FullPath
	b.accessible("", []shown{
		{"/", "dashboard"},
		{"/-/explore", "explore"},
		{"/-/search?search=roof", "search-instance"},
		{"/-/help", "help"},
		{"/-/todos", "todos"},
		{"/-/groups", "groups"},
		{"/-/groups/new", "group-new"},
		{"/-/groups/import", "group-import"},
		{"/-/projects/new", "project-new"},
		{"/-/projects/import", "project-import"},
		{"/" + owner.User.Username, "profile-public"},
		{"/-/profile/notifications", "notifications"},
		{"/-/profile/gpg_keys", "gpg-keys"},
		{groupRoot, "group"},
		{"/-/explore?kind=groups", "explore-groups"},
		{"/-/search?kind=people&search=ann", "search-people"},
		{"/groups/" + below.FullPath, "subgroup"},
		{groupRoot + "?search=saw", "group-search"},
		{groupRoot + "/-/notifications", "group-notifications"},
		{groupRoot + "/-/settings/access_tokens", "group-tokens"},
		{groupRoot + "/-/settings/deploy_tokens", "group-deploy-tokens"},
		{groupRoot + "/-/issues", "group-issues"},
		{groupRoot + "/-/merge_requests", "group-merge-requests"},
		{groupRoot + "/-/milestones", "group-milestones"},
		{groupRoot + "/-/milestones/new", "group-milestone-new"},
		{groupRoot + "/-/epics", "group-epics"},
		{groupRoot + "/-/iterations", "group-iterations"},
		{groupRoot + "/-/iterations/new", "group-iteration-new"},
		{groupRoot + "/-/labels", "group-labels"},
		{groupRoot + "/-/labels/new", "group-label-new"},
		{groupRoot + "/-/packages", "group-packages"},
		{groupRoot + "/-/wikis", "group-wiki"},
		{groupRoot + "/-/wiki/new", "group-wiki-new"},
		{root + "notifications", "project-notifications"},
		{groupRoot + "/-/group_members", "group-members"},
		{groupRoot + "/-/edit", "group-settings"},
		{groupRoot + "/-/settings/advanced", "group-advanced"},
		{groupRoot + "/-/import", "group-imported"},
		{root + "project_members", "project-members"},
		{root + "edit", "project-settings"},
		{root + "settings/merge_requests", "project-merge"},
		{root + "settings/repository", "project-repository"},
		{root + "settings/mirrors", "project-mirrors"},
		{root + "settings/mirrors/pull", "project-mirror-pull"},
		{root + "settings/access_tokens", "project-tokens"},
		{root + "settings/deploy_tokens", "project-deploy-tokens"},
		{root + "settings/advanced", "project-advanced"},
		{root + "branches/new", "branch-new"},
		{root + "tags/new", "tag-new"},
		{root + "new/main", "file-new"},
		{root + "edit/main/main.go", "file-edit"},
		{root + "delete/main/main.go", "file-delete"},
		{root + "upload/main", "file-upload"},
		{root + "import", "project-imported"},
		{root + "forks/new", "fork-new"},
	})
}

// importProject makes a project one that was imported from a file, with a record that could not be imported.
func importProject(t *testing.T, h *harness.H, p model.Project) {
	t.Helper()
	ctx, imports := t.Context(), h.Store.ProjectFileImports
	failure := model.ProjectImportFailure{ProjectID: p.ID, Relation: "issues", Line: 3, Message: "two issues have the same number"}
	failed := "The archive is damaged."
	err := errors.Join(
		imports.Create(ctx, &model.ProjectFileImport{ProjectID: p.ID, Overrides: "[]"}, nil), imports.AddFailure(ctx, failure, 9),
		imports.End(ctx, p.ID, &failed, func(context.Context) error { return nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
}

// importGroup makes a group one that was imported from a file, with members that could not be imported.
func importGroup(t *testing.T, h *harness.H, g model.Namespace, by model.User) {
	t.Helper()
	ctx, imports, key := t.Context(), h.Store.GroupImports, blob.ExportKey()
	i := model.GroupImport{GroupID: g.ID, UserID: by.ID, State: model.ExportScheduled, Key: &key, Records: 12}
	err := errors.Join(h.Store.ScheduleBlobRemoval(ctx, key, time.Now().UTC().Add(time.Hour)), imports.Create(ctx, &i))
	i.State, i.Imported, i.SkippedMembers = model.ExportFinished, 12, 2
	if err = errors.Join(err, imports.End(ctx, i)); err != nil {
		t.Fatal(err)
	}
}
