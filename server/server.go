// Package server is everything that answers a request.
package server

import (
	"svc/gen"
	"svc/server/api/avatars"
	"svc/server/api/deploytokens"
	"svc/server/api/groups"
	"svc/server/api/keys"
	"svc/server/api/members"
	"svc/server/api/metadata"
	"svc/server/api/namespaces"
	"svc/server/api/probes"
	"svc/server/api/profiles"
	"svc/server/api/projects"
	"svc/server/api/repositories"
	"svc/server/api/tokens"
	"svc/server/api/users"
	"svc/server/api/variables"
)

// api embeds every area: a missing operation does not compile.
type api struct {
	*deploytokens.DeployTokens
	*avatars.Avatars
	*groups.Groups
	*keys.Keys
	*members.Members
	*metadata.Metadata
	*namespaces.Namespaces
	*probes.Probes
	*profiles.Profiles
	*projects.Projects
	*repositories.Repositories
	*tokens.Tokens
	*users.Users
	*variables.Variables
}

var _ gen.StrictServerInterface = (*api)(nil)
