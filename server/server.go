// Package server is everything that answers a request.
package server

import (
	"svc/gen"
	"svc/server/api/agents"
	"svc/server/api/applications"
	"svc/server/api/artifacts"
	"svc/server/api/avatars"
	"svc/server/api/branches"
	"svc/server/api/changelogs"
	"svc/server/api/commits"
	"svc/server/api/commitwrites"
	"svc/server/api/deploytokens"
	"svc/server/api/environments"
	"svc/server/api/files"
	"svc/server/api/groups"
	"svc/server/api/jobs"
	"svc/server/api/jobtokenscopes"
	"svc/server/api/keys"
	"svc/server/api/lint"
	"svc/server/api/members"
	"svc/server/api/mergerequests"
	"svc/server/api/merges"
	"svc/server/api/metadata"
	"svc/server/api/namespaces"
	"svc/server/api/pipelines"
	"svc/server/api/probes"
	"svc/server/api/profiles"
	"svc/server/api/projects"
	"svc/server/api/protections"
	"svc/server/api/repositories"
	"svc/server/api/resourcegroups"
	"svc/server/api/runners"
	"svc/server/api/schedules"
	"svc/server/api/tags"
	"svc/server/api/tokens"
	"svc/server/api/triggers"
	"svc/server/api/users"
	"svc/server/api/variables"
)

// api embeds every area: a missing operation does not compile.
type api struct {
	*agents.Agents
	*applications.Applications
	*artifacts.Artifacts
	*deploytokens.DeployTokens
	*avatars.Avatars
	*changelogs.Changelogs
	*branches.Branches
	*commits.Commits
	*commitwrites.CommitWrites
	*environments.Environments
	*files.Files
	*groups.Groups
	*jobs.Jobs
	*jobtokenscopes.JobTokenScopes
	*keys.Keys
	*lint.Lint
	*members.Members
	*mergerequests.MergeRequests
	*merges.Merges
	*metadata.Metadata
	*namespaces.Namespaces
	*pipelines.Pipelines
	*probes.Probes
	*profiles.Profiles
	*projects.Projects
	*protections.Protections
	*tags.Tags
	*repositories.Repositories
	*schedules.Schedules
	*runners.Runners
	*resourcegroups.ResourceGroups
	*tokens.Tokens
	*triggers.Triggers
	*users.Users
	*variables.Variables
}

var _ gen.StrictServerInterface = (*api)(nil)
