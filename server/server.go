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
	"svc/server/api/keys"
	"svc/server/api/members"
	"svc/server/api/metadata"
	"svc/server/api/namespaces"
	"svc/server/api/probes"
	"svc/server/api/profiles"
	"svc/server/api/projects"
	"svc/server/api/protections"
	"svc/server/api/repositories"
	"svc/server/api/resourcegroups"
	"svc/server/api/tags"
	"svc/server/api/tokens"
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
	*keys.Keys
	*members.Members
	*metadata.Metadata
	*namespaces.Namespaces
	*probes.Probes
	*profiles.Profiles
	*projects.Projects
	*protections.Protections
	*tags.Tags
	*repositories.Repositories
	*resourcegroups.ResourceGroups
	*tokens.Tokens
	*users.Users
	*variables.Variables
}

var _ gen.StrictServerInterface = (*api)(nil)
