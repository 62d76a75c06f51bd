// Package server builds and runs the whole service: the API, git over HTTP and SSH, web pages, Pages sites and
// background jobs.
//
//	server.go    the API: all areas in one type
//	wire.go      construction of the server, from the store upwards
//	services.go  the services that background jobs and requests share
//	areas.go     construction of every area of the API
//	jobs.go      what follows a push, and all background jobs
//	routes.go    the order of middleware, and all routes
//	run.go       start, serve and stop
//	reload.go    settings that change while the service runs
//	settings.go  the settings of administrators, whose defaults are those of the service
//	tls.go       the certificate of the service itself
//	redirect.go  redirects from http to https
//	oauth.go     the OAuth provider and the web pages
//	pages.go     the servers of Pages sites
//	storage.go   the storages of repositories and files
//	adopt.go     the admin command that marks a storage
package server

import (
	"svc/gen"
	"svc/server/api/agents"
	"svc/server/api/alerts"
	"svc/server/api/applications"
	"svc/server/api/approvals"
	"svc/server/api/artifacts"
	"svc/server/api/auditevents"
	"svc/server/api/avatars"
	"svc/server/api/awards"
	"svc/server/api/badges"
	"svc/server/api/boards"
	"svc/server/api/branches"
	"svc/server/api/broadcastmessages"
	"svc/server/api/bulkimports"
	"svc/server/api/changelogs"
	"svc/server/api/commits"
	"svc/server/api/deploykeys"
	"svc/server/api/deploytokens"
	"svc/server/api/discussions"
	"svc/server/api/draftnotes"
	"svc/server/api/environments"
	"svc/server/api/epics"
	"svc/server/api/errortracking"
	"svc/server/api/events"
	"svc/server/api/featureflags"
	"svc/server/api/features"
	"svc/server/api/files"
	"svc/server/api/groups"
	"svc/server/api/hooks"
	"svc/server/api/integrations"
	"svc/server/api/issues"
	"svc/server/api/iterations"
	"svc/server/api/jobs"
	"svc/server/api/jobtokenscopes"
	"svc/server/api/keys"
	"svc/server/api/labels"
	"svc/server/api/lint"
	"svc/server/api/markdown"
	"svc/server/api/members"
	"svc/server/api/mergerequests"
	"svc/server/api/metadata"
	"svc/server/api/milestones"
	"svc/server/api/mirrors"
	"svc/server/api/namespaces"
	"svc/server/api/notes"
	"svc/server/api/notifications"
	"svc/server/api/packages"
	"svc/server/api/pages"
	"svc/server/api/pipelines"
	"svc/server/api/probes"
	"svc/server/api/profiles"
	"svc/server/api/projects"
	"svc/server/api/protections"
	"svc/server/api/releases"
	"svc/server/api/repositories"
	"svc/server/api/resourceevents"
	"svc/server/api/resourcegroups"
	"svc/server/api/runners"
	"svc/server/api/schedules"
	"svc/server/api/search"
	"svc/server/api/securefiles"
	"svc/server/api/serviceaccounts"
	"svc/server/api/settings"
	"svc/server/api/snippets"
	"svc/server/api/statistics"
	"svc/server/api/storagemoves"
	"svc/server/api/suggestions"
	"svc/server/api/tags"
	"svc/server/api/templates"
	"svc/server/api/terraform"
	"svc/server/api/todos"
	"svc/server/api/tokens"
	"svc/server/api/topics"
	"svc/server/api/triggers"
	"svc/server/api/uploads"
	"svc/server/api/users"
	"svc/server/api/variables"
	"svc/server/api/wikis"
)

// api embeds every area: a missing operation does not compile.
type api struct {
	*agents.Agents
	*alerts.Alerts
	*applications.Applications
	*approvals.Approvals
	*artifacts.Artifacts
	*auditevents.AuditEvents
	*deploykeys.DeployKeys
	*deploytokens.DeployTokens
	*avatars.Avatars
	*awards.Awards
	*changelogs.Changelogs
	*badges.Badges
	*boards.Boards
	*branches.Branches
	*broadcastmessages.BroadcastMessages
	*commits.Commits
	*discussions.Discussions
	*environments.Environments
	*epics.Epics
	*events.Events
	*errortracking.ErrorTracking
	*featureflags.FeatureFlags
	*securefiles.SecureFiles
	*terraform.Terraform
	*features.Features
	*files.Files
	*groups.Groups
	*hooks.Hooks
	*integrations.Integrations
	*issues.Issues
	*iterations.Iterations
	*jobs.Jobs
	*jobtokenscopes.JobTokenScopes
	*keys.Keys
	*labels.Labels
	*lint.Lint
	*markdown.Markdown
	*members.Members
	*mergerequests.MergeRequests
	*metadata.Metadata
	*milestones.Milestones
	*mirrors.Mirrors
	*bulkimports.BulkImports
	*namespaces.Namespaces
	*draftnotes.DraftNotes
	*notes.Notes
	*resourceevents.ResourceEvents
	*suggestions.Suggestions
	*notifications.Notifications
	*packages.Packages
	*pages.Pages
	*pipelines.Pipelines
	*probes.Probes
	*profiles.Profiles
	*projects.Projects
	*protections.Protections
	*releases.Releases
	*search.Search
	*serviceaccounts.ServiceAccounts
	*settings.Settings
	*snippets.Snippets
	*statistics.Statistics
	*storagemoves.StorageMoves
	*tags.Tags
	*repositories.Repositories
	*schedules.Schedules
	*runners.Runners
	*resourcegroups.ResourceGroups
	*templates.Templates
	*todos.Todos
	*tokens.Tokens
	*topics.Topics
	*triggers.Triggers
	*uploads.Uploads
	*users.Users
	*variables.Variables
	*wikis.Wikis
}

var _ gen.StrictServerInterface = (*api)(nil)
