package graphql

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// The query of the functional tests of python-gitlab.
func TestPythonGitlabFindsTheCurrentUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	const query = "query { currentUser { active } }"
	expectData(t, h.NewUser(), query, nil, `{"currentUser":{"active":true}}`)
	expectData(t, h.Anonymous(), query, nil, `{"currentUser":null}`)
}

func TestSonarQubeFindsGroupsAndProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(named("acme", model.Private))
	sub := h.Group(named("sub", model.Private), inside(acme))
	h.Group(named("other", model.Public))
	user := h.Member(acme, model.Developer)
	web := h.Project(sub.ID, called("web", model.Private))
	hidden := h.Project(h.Group(named("hidden", model.Private)).ID, called("secret", model.Private))
	const groups = `query ($search: String, $after: String) {
		currentUser { groups(search: $search, first: 100, after: $after) { nodes { fullPath } pageInfo { hasNextPage endCursor } } }
	}`
	got := ask(t, user, groups, vars{"search": "acme"})
	if !strings.Contains(got, `"nodes":[{"fullPath":"acme"},{"fullPath":"acme/sub"}],"pageInfo":{"hasNextPage":false,`) {
		t.Error(got)
	}
	const projects = `query ($ids: [ID!], $after: String) {
		projects(ids: $ids, first: 100, after: $after) { nodes { id name visibility } pageInfo { hasNextPage endCursor } }
	}`
	ids := []string{fmt.Sprintf("gid://gitlab/Project/%d", web.ID), fmt.Sprintf("gid://gitlab/Project/%d", hidden.ID)}
	want := fmt.Sprintf(
		`{"data":{"projects":{"nodes":[{"id":%q,"name":"web","visibility":"private"}],"pageInfo":{"hasNextPage":false,`, ids[0],
	)
	if got := ask(t, user, projects, vars{"ids": ids}); !strings.HasPrefix(got, want) {
		t.Error(got)
	}
	expectData(t, h.NewUser(), projects, vars{"ids": ids},
		`{"projects":{"nodes":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}`)
}

func TestBackstageReadsGroupsAndTheirMembers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(named("acme", model.Private))
	sub := h.Group(named("sub", model.Private), inside(acme), func(n *model.Namespace) { n.Description = "A part." })
	deep := h.Group(named("deep", model.Private), inside(sub))
	lead, dev := h.Member(acme, model.Owner), h.Member(sub, model.Developer)
	guest := h.Member(deep, model.Guest)
	const descendants = `query ($group: ID!, $endCursor: String) {
		group(fullPath: $group) {
			descendantGroups(first: 100, after: $endCursor) {
				nodes { id name description fullPath visibility parent { id } }
				pageInfo { endCursor hasNextPage }
			}
		}
	}`
	got := ask(t, lead, descendants, vars{"group": "acme"})
	for _, want := range []string{
		fmt.Sprintf(`{"id":"gid://gitlab/Group/%d","name":"sub","description":"A part.","fullPath":"acme/sub","visibility":"private",`+
			`"parent":{"id":"gid://gitlab/Group/%d"}}`, sub.ID, acme.ID),
		fmt.Sprintf(`{"id":"gid://gitlab/Group/%d","name":"deep","description":"","fullPath":"acme/sub/deep","visibility":"private",`+
			`"parent":{"id":"gid://gitlab/Group/%d"}}`, deep.ID, sub.ID),
		`"hasNextPage":false`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	expectData(t, h.NewUser(), descendants, vars{"group": "acme"}, `{"group":null}`)
	expectData(t, h.Anonymous(), descendants, vars{"group": "nothing"}, `{"group":null}`)
	const members = `query ($group: ID!, $relations: [GroupMemberRelation!], $endCursor: String) {
		group(fullPath: $group) {
			groupMembers(first: 100, relations: $relations, after: $endCursor) {
				nodes { user { id username publicEmail name state webUrl avatarUrl } accessLevel { integerValue stringValue } }
				pageInfo { endCursor hasNextPage }
			}
		}
	}`
	for relations, want := range map[string][]*harness.Caller{
		"DIRECT":                       {dev},
		"INHERITED":                    {lead},
		"DIRECT INHERITED":             {lead, dev},
		"DESCENDANTS":                  {guest},
		"DIRECT INHERITED DESCENDANTS": {lead, dev, guest},
		"SHARED_FROM_GROUPS":           {},
	} {
		got := ask(t, lead, members, vars{"group": "acme/sub", "relations": strings.Fields(relations)})
		for _, c := range []*harness.Caller{lead, dev, guest} {
			wanted := false
			for _, w := range want {
				wanted = wanted || w == c
			}
			person := fmt.Sprintf(`"id":"gid://gitlab/User/%d","username":%q,`, c.User.ID, c.User.Username)
			if strings.Contains(got, person) != wanted {
				t.Errorf("%s: %s is listed: %t\n%s", relations, c.User.Username, !wanted, got)
			}
		}
	}
	if got := ask(t, dev, members, vars{"group": "acme/sub", "relations": []string{"DIRECT"}}); !strings.Contains(got,
		`"state":"active","webUrl":"`+h.URL+"/"+dev.User.Username+`","avatarUrl":null},`+
			`"accessLevel":{"integerValue":30,"stringValue":"DEVELOPER"}`) {
		t.Error(got)
	}
}

func TestAnonymousCallersDoNotReadMembers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.Project(h.Group(named("open", model.Public)).ID, called("web", model.Public))
	expectData(t, h.Anonymous(), `{ group(fullPath: "open") { groupMembers { nodes { id } } }
		project(fullPath: "open/web") { projectMembers { nodes { id } } } metadata { version } }`, nil,
		`{"group":{"groupMembers":null},"project":{"projectMembers":null},"metadata":null}`)
}

func TestVisualStudioCodeReadsAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(named("acme", model.Private))
	web := h.Project(acme.ID, called("web", model.Private))
	dev, guest := h.Member(acme, model.Developer), h.Member(acme, model.Guest)
	const query = `
    fragment projectDetails on Project {
      id
      name
      description
      httpUrlToRepo
      sshUrlToRepo
      fullPath
      webUrl
      wikiEnabled
      group { id }
      repository { empty rootRef }
    }
    query GetProject($namespaceWithPath: ID!) {
      project(fullPath: $namespaceWithPath) { ...projectDetails }
    }`
	const form = `{"project":{"id":"gid://gitlab/Project/%d","name":"web","description":null,"httpUrlToRepo":"%s/acme/web.git",` +
		`"sshUrlToRepo":"git@127.0.0.1:acme/web.git","fullPath":"acme/web","webUrl":"%s/acme/web","wikiEnabled":true,` +
		`"group":{"id":"gid://gitlab/Group/%d"},"repository":%s}}`
	path := vars{"namespaceWithPath": "acme/web"}
	expectData(t, dev, query, path, fmt.Sprintf(form, web.ID, h.URL, h.URL, acme.ID, `{"empty":true,"rootRef":null}`))
	expectData(t, guest, query, path, fmt.Sprintf(form, web.ID, h.URL, h.URL, acme.ID, "null"))
	for _, outsider := range []*harness.Caller{h.NewUser(), h.Anonymous()} {
		expectData(t, outsider, query, path, `{"project":null}`)
	}
	own := h.Project(*dev.User.NamespaceID, called("mine", model.Private))
	expectData(t, dev, `query ($p: ID!) { project(fullPath: $p) { group { id } namespace { id fullPath } maxAccessLevel { `+
		`integerValue } } }`,
		vars{"p": own.FullPath}, fmt.Sprintf(
			`{"project":{"group":null,"namespace":{"id":"gid://gitlab/Namespaces::UserNamespace/%d","fullPath":%q},"maxAccessLevel":{`+
				`"integerValue":50}}}`,
			*dev.User.NamespaceID, dev.User.Username))
	expectData(t, dev, `query ($s: String, $m: Boolean) { projects(search: $s, membership: $m, searchNamespaces: true, first: 20) { `+
		`nodes { fullPath } } }`,
		vars{"s": "web", "m": true}, `{"projects":{"nodes":[{"fullPath":"acme/web"}]}}`)
}

// gitlabform asks for custom roles and for settings of AI features.
func TestGitlabformReadsRolesAndSettings(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.Project(h.Group(named("acme", model.Public)).ID, called("web", model.Public))
	expectData(t, h.Root(), `{ group(fullPath: "acme") { memberRoles { nodes { id name } } } memberRoles { nodes { id name } }
		project(fullPath: "acme/web") { duoFeaturesEnabled } }`, nil,
		`{"group":{"memberRoles":{"nodes":[]}},"memberRoles":{"nodes":[]},"project":{"duoFeaturesEnabled":false}}`)
}

// Another instance reads a group in order to copy it.
func TestAnotherInstanceReadsAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(named("acme", model.Private))
	h.Project(acme.ID, called("web", model.Private))
	h.Project(h.Group(named("sub", model.Private), inside(acme)).ID, called("inner", model.Private))
	owner := h.Member(acme, model.Owner)
	expectData(t, owner, `{ group(fullPath: "acme") { name path fullPath description visibility emailsEnabled lfsEnabled mentionsDisabled
		projectCreationLevel requestAccessEnabled requireTwoFactorAuthentication shareWithGroupLock
		subgroupCreationLevel twoFactorGracePeriod
		projects(includeSubgroups: false, notAimedForDeletion: true) { nodes { name fullPath } }
		all: projects(includeSubgroups: true, sort: "id_asc") { count nodes { fullPath } } } }`, nil,
		`{"group":{"name":"acme","path":"acme","fullPath":"acme","description":"","visibility":"private","emailsEnabled":true,`+
			`"lfsEnabled":true,`+
			`"mentionsDisabled":null,"projectCreationLevel":"developer","requestAccessEnabled":true,`+
			`"requireTwoFactorAuthentication":false,`+
			`"shareWithGroupLock":false,"subgroupCreationLevel":"maintainer","twoFactorGracePeriod":48,`+
			`"projects":{"nodes":[{"name":"web","fullPath":"acme/web"}]},`+
			`"all":{"count":2,"nodes":[{"fullPath":"acme/web"},{"fullPath":"acme/sub/inner"}]}}}`)
}
