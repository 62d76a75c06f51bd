package server

import (
	"context"
	"net/netip"
	"strconv"

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
	"svc/server/domain/broadcast"
	jobartifacts "svc/server/domain/ci/artifacts"
	"svc/server/domain/deploykey"
	"svc/server/domain/discussion/review"
	"svc/server/domain/feature"
	"svc/server/domain/group"
	"svc/server/domain/key"
	"svc/server/domain/member"
	"svc/server/domain/project"
	"svc/server/domain/repository/branch"
	"svc/server/domain/repository/wiki"
	"svc/server/domain/serviceaccount"
	"svc/server/domain/setting"
	"svc/server/domain/snippet"
	"svc/server/domain/token"
	"svc/server/domain/topic"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/middleware/limit"
)

// newAPI creates every area of the API.
func newAPI(d dependencies) *api {
	a := &api{}
	a.addInstance(d)
	a.addUsers(d)
	a.addGroupsAndProjects(d)
	a.addRepositories(d)
	a.addPipelines(d)
	a.addRunners(d)
	a.addMonitoring(d)
	a.addIssuables(d)
	return a
}

// addInstance creates the areas about the instance itself.
func (a *api) addInstance(d dependencies) {
	a.Applications = applications.New(d.store, d.provider, d.pages)
	a.AuditEvents = auditevents.New(d.store, d.access, d.show.Paid)
	a.Features = features.New(d.store, d.access, feature.New(d.store), d.pages)
	a.Markdown = markdown.New(d.access, d.cfg.URL)
	a.Metadata = metadata.New(d.built, d.show.Paid, d.cfg.URL)
	a.Probes = probes.New(d.store.Ping, d.worker.Check, d.storages.check, func() []netip.Prefix { return d.live.Get().MetricsAllow })
	a.Templates = templates.New(d.store, d.access, d.storages.repositories, d.pages)
	a.Topics = topics.New(d.store, topic.New(d.store), d.pages, d.show)
	a.BroadcastMessages = broadcastmessages.New(d.store, broadcast.New(d.store), d.pages)
	a.Settings = settings.New(setting.New(d.store))
	a.Statistics = statistics.New(d.store, d.access, d.worker.Numbers)
	a.StorageMoves = storagemoves.New(storagemoves.Dependencies{
		Store: d.store, Access: d.access, Repositories: d.repositories, Pages: d.pages, Presenter: d.show,
	})
}

// addUsers creates the areas about users and what belongs to them.
func (a *api) addUsers(d dependencies) {
	a.Avatars = avatars.New(d.store, d.access, d.show)
	a.Events = events.New(d.store, d.access, d.pages, d.show)
	a.Keys = keys.New(d.store, key.New(d.store, d.hookAnnouncer), d.pages, d.show)
	a.Notifications = notifications.New(d.store, d.access, d.cfg.Tier == "ultimate")
	a.Profiles = profiles.New(d.store, d.pages, d.show, d.accountMails)
	a.Todos = todos.New(d.store, d.pages, d.show)
	tokenService := token.New(d.store, access.Lifetime(d.cfg.MaxTokenLifetime), d.host)
	a.ServiceAccounts = serviceaccounts.New(
		d.store, d.access, serviceaccount.New(d.store, d.accounts, d.host), tokenService, d.pages, d.show,
	)
	a.Tokens = tokens.New(d.store, d.access, tokenService, d.pages)
	a.Users = users.New(d.store, d.accounts, d.pages, d.show)
}

// addGroupsAndProjects creates the areas about groups and projects, their members and their settings.
func (a *api) addGroupsAndProjects(d dependencies) {
	projectService := project.NewService(d.store, d.access, d.repositories, d.writer, d.recorder, d.hookAnnouncer)
	a.Badges = badges.New(d.store, d.access, d.storages.repositories, d.pages)
	a.DeployKeys = deploykeys.New(d.store, d.access, deploykey.New(d.store, d.hookAnnouncer), d.pages)
	a.DeployTokens = deploytokens.New(d.store, d.access, d.pages)
	a.Groups = groups.New(groups.Dependencies{
		Store: d.store, Access: d.access, Groups: group.NewService(d.store, d.access, d.groupExports, d.hookAnnouncer),
		Exports: d.groupExports, Relations: d.relationExports, Projects: projectService,
		LimitDownload: perCaller(d.limiter, d.namedLimit("export_download")),
		Pages:         d.pages, Presenter: d.show,
	})
	a.Hooks = hooks.New(d.store, d.access, d.hooks, d.pages)
	a.Integrations = integrations.New(d.access, d.hooks)
	a.Members = members.New(d.store, d.access, member.New(d.store, d.hookAnnouncer), d.pages, d.show)
	a.Mirrors = mirrors.New(d.store, d.access, d.remotes, d.pages)
	a.BulkImports = bulkimports.New(d.store, d.bulkImports, d.pages)
	a.Namespaces = namespaces.New(d.store, d.access, d.pages, d.show)
	a.Packages = packages.New(d.store, d.access, d.packages, d.pages, d.show)
	a.Pages = pages.New(pages.Dependencies{
		Store: d.store, Access: d.access, Sites: d.sites, URL: d.cfg.PagesURL, OwnURL: d.cfg.PagesOwnURL,
		Names:   d.siteNames,
		TLSOnly: d.cfg.PagesTLSListen != "" && d.cfg.PagesTLSCert != "", Enabled: d.cfg.Pages, MaxOffset: d.pages,
	})
	a.Projects = projects.New(projects.Dependencies{
		Store: d.store, Access: d.access, Projects: projectService, Remotes: d.remotes, Exports: d.projectExports,
		Relations:     d.relationExports,
		LimitDownload: perCaller(d.limiter, d.namedLimit("export_download")), Pages: d.pages, Presenter: d.show, URL: d.cfg.URL,
	})
	a.Snippets = snippets.New(d.store, d.access, snippet.New(d.store, d.sideRepositories, d.writer), d.pages, d.show)
	a.Uploads = uploads.New(d.store, d.access, d.uploads, d.pages)
	wikiService := wiki.NewService(d.store, d.sideRepositories, d.writer, d.hookAnnouncer)
	a.Wikis = wikis.New(d.access, d.sideRepositories, wikiService, d.pages)
}

// addRepositories creates the areas about repositories, except those that show notes.
func (a *api) addRepositories(d dependencies) {
	largeBlobs := perCaller(d.limiter, d.namedLimit("large_blob"))
	a.Branches = branches.New(
		d.access, d.pusher, d.writer, d.pages, d.show, enqueue[branch.DeleteMergedJob](d.services),
	)
	a.Changelogs = changelogs.New(d.store, d.access, d.pusher, d.writer, d.show, d.cfg.ChangelogLimitation)
	a.Files = files.New(d.access, d.storages.repositories, d.writer, d.lfs, largeBlobs)
	a.Protections = protections.New(d.store, d.access, d.pages)
	a.Releases = releases.New(d.store, d.access, d.pusher, d.releases, d.pages, d.show)
	a.Repositories = repositories.New(repositories.Dependencies{
		Store: d.store, Access: d.access, Repositories: d.storages.repositories, Wikis: d.sideRepositories, Pages: d.pages,
		Presenter: d.show, LargeBlobs: largeBlobs,
	})
	a.Tags = tags.New(d.store, d.access, d.pusher, d.pages, d.show)
}

// addPipelines creates the areas about pipelines and their jobs.
func (a *api) addPipelines(d dependencies) {
	a.Artifacts = artifacts.New(
		d.store, d.access, d.artifacts, d.pusher, enqueue[jobartifacts.EmptyJob](d.services), d.show,
	)
	a.Environments = environments.New(d.store, d.access, d.environments, d.pages, d.show)
	a.JobTokenScopes = jobtokenscopes.New(d.store, d.access, d.pages, d.show)
	a.Jobs = jobs.New(jobs.Dependencies{
		Store: d.store, Access: d.access, Engine: d.engine, Logs: d.jobLogs, Pusher: d.pusher, Pages: d.pages,
		Presenter: d.show,
	})
	a.Lint = lint.New(d.store, d.access, d.launcher)
	a.Pipelines = pipelines.New(pipelines.Dependencies{
		Store: d.store, Access: d.access, Repositories: d.storages.repositories, Engine: d.engine, Launcher: d.launcher,
		Reports: d.reports, Pusher: d.pusher, Pages: d.pages, Presenter: d.show,
	})
	a.ResourceGroups = resourcegroups.New(d.store, d.access, d.engine, d.pages, d.show)
	a.Schedules = schedules.New(d.store, d.access, d.schedules, d.pages, d.show)
	a.Triggers = triggers.New(triggers.Dependencies{
		Store: d.store, Access: d.access, Authenticator: d.auth, Triggers: d.triggers, Launcher: d.launcher,
		Pages: d.pages, Presenter: d.show,
	})
	a.Variables = variables.New(d.store, d.access, d.variables, d.pages)
}

// addRunners creates the areas about runners and agents.
func (a *api) addRunners(d dependencies) {
	a.Agents = agents.New(d.store, d.access, d.pages)
	a.Runners = runners.New(runners.Dependencies{
		Store: d.store, Access: d.access, Artifacts: d.artifacts, Poll: d.cfg.RunnerPoll, Pages: d.pages, Presenter: d.show,
		Runners: d.runners,
	})
}

// addMonitoring creates the areas about alerts, tracked errors and feature flags.
func (a *api) addMonitoring(d dependencies) {
	a.Alerts = alerts.New(d.store, d.access, d.alerts, d.pages, d.show)
	a.ErrorTracking = errortracking.New(d.store, d.access, d.errorTracking, d.pages, d.show)
	a.Terraform = terraform.New(d.access, d.terraform)
	a.SecureFiles = securefiles.New(d.store, d.access, d.secureFiles, d.pages)
	a.FeatureFlags = featureflags.New(d.store, d.access, d.featureFlags, d.pages, d.show)
}

// addIssuables creates the areas about issues, merge requests and commits, and the notes on them.
func (a *api) addIssuables(d dependencies) {
	i := newIssuableServices(d)
	awardService, issueService, mergeRequests, noteService, viewer := i.awards, i.issues, i.mergeRequests, i.notes, i.viewer
	a.Iterations = iterations.New(d.store, d.access, d.pages, d.show)
	a.Approvals = approvals.New(d.store, d.access, mergeRequests, d.statusChecks, d.pages, d.show)
	a.Awards = awards.New(d.store, noteService, awardService, d.pages, d.show)
	a.Boards = boards.New(d.store, d.access, d.pages, d.show)
	a.Commits = commits.New(commits.Dependencies{
		Store: d.store, Access: d.access, Pusher: d.pusher, Writer: d.writer, Notes: noteService, MergeRequests: viewer,
		MaxOffset: d.pages, Presenter: d.show,
	})
	a.Discussions = discussions.New(d.store, noteService, d.pages, d.show)
	a.Epics = epics.New(d.store, d.access, i.epics, d.pages, d.show)
	a.Issues = issues.New(issues.Dependencies{
		Store: d.store, Access: d.access, Issues: issueService, Issuables: d.issuables, Pages: d.pages,
		Presenter: d.show, MergeRequests: viewer,
	})
	a.Labels = labels.New(d.store, d.access, i.labels, d.pages)
	a.MergeRequests = mergerequests.New(mergerequests.Dependencies{
		Store: d.store, Access: d.access, Service: mergeRequests, Merger: d.merger, Viewer: viewer,
		Deployed: d.environments, Issuables: d.issuables, MaxOffset: d.pages, Presenter: d.show,
	})
	a.Milestones = milestones.New(d.store, d.access, i.milestones, d.pages, d.show, viewer)
	a.Notes = notes.New(d.store, noteService, d.pages, d.show)
	a.Search = search.New(d.access, d.searcher, viewer, d.pages, d.show)
	reviews := review.New(d.store, d.access, noteService, d.pusher, d.writer, d.cfg.URL)
	a.DraftNotes = draftnotes.New(d.store, noteService, reviews, d.pages)
	a.ResourceEvents = resourceevents.New(d.store, noteService, d.pages, d.show)
	a.Suggestions = suggestions.New(reviews, d.show)
}

// perCaller returns a limit for requests of one caller to one project or group. Operations call it themselves, because
// not every request counts.
func perCaller(limiter *limit.Limiter, current limit.Current) func(ctx context.Context, id int64) error {
	return func(ctx context.Context, id int64) error {
		info, rule := reqctx.Of(ctx), current.Rule()
		caller := info.IP.String()
		if info.Actor != nil {
			caller = strconv.FormatInt(info.Actor.User.ID, 10)
		}
		res, err := limiter.Take(ctx, rule, caller+":"+strconv.FormatInt(id, 10))
		if err == nil && res.Over() {
			err = apierr.WithHint(apierr.TooMany(rule.Text, res.Header()), rule.Hint())
		}
		return err
	}
}
