package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"svc/gen"
	"svc/oauth"
	"svc/server/api/agents"
	"svc/server/api/alerts"
	"svc/server/api/applications"
	"svc/server/api/artifacts"
	"svc/server/api/auditevents"
	"svc/server/api/avatars"
	"svc/server/api/awards"
	"svc/server/api/badges"
	"svc/server/api/boards"
	"svc/server/api/branches"
	"svc/server/api/changelogs"
	"svc/server/api/commits"
	"svc/server/api/deploytokens"
	"svc/server/api/discussions"
	"svc/server/api/environments"
	"svc/server/api/errortracking"
	"svc/server/api/events"
	"svc/server/api/files"
	"svc/server/api/groups"
	"svc/server/api/issues"
	"svc/server/api/jobs"
	"svc/server/api/jobtokenscopes"
	"svc/server/api/keys"
	"svc/server/api/labels"
	"svc/server/api/lint"
	"svc/server/api/members"
	"svc/server/api/mergerequests"
	"svc/server/api/metadata"
	"svc/server/api/milestones"
	"svc/server/api/namespaces"
	"svc/server/api/notes"
	"svc/server/api/notifications"
	"svc/server/api/pages"
	"svc/server/api/pipelines"
	"svc/server/api/probes"
	"svc/server/api/profiles"
	"svc/server/api/projects"
	"svc/server/api/protections"
	"svc/server/api/repositories"
	"svc/server/api/resourcegroups"
	"svc/server/api/runners"
	"svc/server/api/schedules"
	"svc/server/api/snippets"
	"svc/server/api/storagemoves"
	"svc/server/api/tags"
	"svc/server/api/todos"
	"svc/server/api/tokens"
	"svc/server/api/triggers"
	"svc/server/api/users"
	"svc/server/api/variables"
	"svc/server/api/wikis"
	jobfiles "svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/queue"
	"svc/server/domain/discussion/note"
	"svc/server/domain/mergerequest"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/server/platform/worker"
	"svc/server/transport/alerthttp"
	"svc/server/transport/githttp"
	"svc/server/transport/gitssh"
	"svc/server/transport/middleware"
	"svc/server/transport/middleware/limit"
	"svc/store"
	"svc/store/git"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Server is the whole service, ready to be started.
type Server struct {
	Handler    http.Handler
	Worker     *worker.Worker
	usage      *access.Usage
	repos      *git.Repositories
	push       *push.Pusher
	keeper     *lifecycle.Repositories
	queue      *queue.Queue
	ssh        *gitssh.Server // nil if SSH is off
	sites      *siteServers   // nil if sites are off
	logger     *slog.Logger
	http       *http.Server
	cancel     context.CancelFunc
	background sync.WaitGroup
}

// LoadOperations reads the part of the embedded OpenAPI document that is needed to validate requests.
func LoadOperations() (*middleware.Operations, error) { return middleware.LoadOperations(gen.Requests) }

// New builds the service, from the store upwards. The database must be migrated.
func New(cfg config.Config, st *store.Store, ops *middleware.Operations, logger *slog.Logger) (*Server, error) {
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	paid := cfg.Tier != "free"
	built := build.Read()
	usage := access.NewUsage(st)
	auth := access.NewAuthenticator(st, usage, cfg.Impersonation)

	places, err := openStorages(context.Background(), cfg, st, logger)
	if err != nil {
		return nil, err
	}
	storages := places.repos
	show := present.Presenter{Base: cfg.URL, SSH: cfg.SSHURLPort(), Paid: paid}
	limiter := limit.New(st)
	provider, err := newProvider(cfg, st, auth, limiter, show)
	if err != nil {
		return nil, err
	}
	hand, err := newServices(cfg, st, places, logger, provider)
	if err != nil {
		return nil, err
	}
	registry := newRegistry(st, built)
	hand.work.Measure(registry)

	judge := access.New(st)
	site, err := newWeb(cfg, st, auth, judge, limiter, provider, hand)
	if err != nil {
		return nil, err
	}
	handler, err := routes(parts{
		cfg: cfg, logger: logger, registry: registry, auth: auth, limiter: limiter, ops: ops,
		git: githttp.New(auth, judge, storages, hand.pusher).WithLFS(githttp.LFSOptions{Files: hand.lfs, Store: st, Tickets: hand.tickets}).
			WithWikisAndSnippets(hand.sides).
			WithMinRate(push.MinSpeed{Rate: int64(cfg.MinTransferRate), Pause: cfg.TransferPause}).
			WithPasswordLimit(passwordLimit(limiter)),
		oauth: provider, web: site,
		project: st.Projects.IDByPath, store: st,
		alerts: alerthttp.New(hand.alerts.Intake, limiter,
			limit.Rule{Name: "throttle_alerts", Max: cfg.ThrottleAlerts, Window: cfg.ThrottleAlertsPeriod}),
		api: newAPI(dependencies{
			cfg: cfg, store: st, host: base.Hostname(), auth: auth, built: built, judge: judge, show: show,
			pages:    pagination.MaxOffset(cfg.MaxOffset),
			storages: storages, places: places, limiter: limiter, provider: provider, hand: hand,
			writer: commit.New(st, hand.pusher, show.AuthorEmail),
		}),
	})
	if err != nil {
		return nil, err
	}
	s := &Server{
		Handler: handler, Worker: hand.work, usage: usage, repos: storages, push: hand.pusher, keeper: hand.keeper,
		queue: hand.queue, logger: logger,
	}
	if cfg.SSHListen != "" {
		if s.ssh, err = gitssh.New(auth, judge, hand.pusher, cfg.Data, logger); err != nil {
			return nil, err
		}
		s.ssh.WithLFS(hand.tickets, cfg.URL)
		s.ssh.WithMinRate(push.MinSpeed{Rate: int64(cfg.MinTransferRate), Pause: cfg.SSHTransferPause})
	}
	s.sites, err = newSiteServers(cfg, st, auth, judge, hand, logger)
	return s, err
}

// dependencies are the dependencies of the API areas.
type dependencies struct {
	cfg      config.Config
	store    *store.Store
	host     string
	auth     *access.Authenticator
	built    build.Info
	judge    *access.Access
	show     present.Presenter
	pages    pagination.MaxOffset
	storages *git.Repositories
	places   *fileStorages
	limiter  *limit.Limiter
	provider *oauth.Provider
	hand     *services
	writer   *commit.Writer
}

// newAPI creates every area of the API.
func newAPI(w dependencies) *api {
	said := note.New(w.store, w.judge, w.hand.events, w.hand.pusher, w.hand.desk)
	view := mergerequest.NewViewer(w.store, w.hand.merger, w.show)
	return (&api{
		Agents:       agents.New(w.store, w.judge, w.pages),
		Alerts:       alerts.New(w.store, w.judge, w.hand.alerts, w.pages, w.show),
		Applications: applications.New(w.store, w.provider, w.pages),
		Artifacts: artifacts.New(w.store, w.judge, w.hand.files, w.hand.pusher,
			func(ctx context.Context, job jobfiles.EmptyJob) error { return w.hand.work.Enqueue(ctx, job) }, w.show),
		AuditEvents: auditevents.New(w.store, w.judge, w.show.Paid),
		Avatars:     avatars.New(w.store, w.judge, w.show),
		Awards:      awards.New(w.store, said, w.pages, w.show),
		Badges:      badges.New(w.store, w.judge, w.storages, w.pages),
		Boards:      boards.New(w.store, w.judge, w.pages, w.show),
		Branches: branches.New(
			w.store, w.judge, w.hand.pusher, w.pages, w.show,
			func(ctx context.Context, job branches.Cleanup) error { return w.hand.work.Enqueue(ctx, job) },
		).WithWriter(w.writer),
		Changelogs: changelogs.New(w.store, w.judge, w.hand.pusher, w.writer, w.show, w.cfg.ChangelogLimitation),
		Commits: commits.New(commits.Dependencies{
			Store: w.store, Access: w.judge, Pusher: w.hand.pusher, Writer: w.writer, Notes: said, MergeRequests: view,
			MaxOffset: w.pages, Presenter: w.show,
		}),
		DeployTokens:  deploytokens.New(w.store, w.judge, w.pages),
		Discussions:   discussions.New(w.store, said, w.pages, w.show),
		Environments:  environments.New(w.store, w.judge, w.hand.engine, w.hand.pusher, w.pages, w.show),
		ErrorTracking: errortracking.New(w.store, w.judge, w.hand.events, w.hand.errorKeys, w.pages, w.show),
		Events:        events.New(w.store, w.judge, w.pages, w.show),
		Files:         files.New(w.judge, w.storages, w.writer, w.hand.lfs, files.Limit(largeBlobs(w.limiter, w.cfg.Limits()))),
		Groups: groups.New(
			w.store, w.judge, w.pages, w.show, w.hand.exports,
			perCaller(w.limiter, limit.Sizes(w.cfg.Limits()).Rule("export_download")),
		),
		Issues:         issues.New(w.store, w.judge, w.hand.desk, w.hand.events, w.pages, w.show, view, said),
		JobTokenScopes: jobtokenscopes.New(w.store, w.judge, w.pages, w.show),
		Jobs:           jobs.New(w.store, w.judge, w.hand.engine, w.hand.logs, w.hand.pusher, w.pages, w.show),
		Keys:           keys.New(w.store, w.pages, w.show),
		Labels:         labels.New(w.store, w.judge, w.pages),
		Lint:           lint.New(w.store, w.judge, w.storages, w.hand.launch),
		Members:        members.New(w.store, w.judge, w.pages, w.show),
		MergeRequests: mergerequests.New(mergerequests.Dependencies{
			Store: w.store, Access: w.judge, Merger: w.hand.merger, Viewer: view, Issuables: w.hand.desk,
			Events: w.hand.events, Notes: said, MaxOffset: w.pages,
		}),
		Metadata:      metadata.New(w.built, w.show.Paid),
		Milestones:    milestones.New(w.store, w.judge, w.hand.events, w.pages, w.show, view),
		Namespaces:    namespaces.New(w.store, w.judge, w.pages, w.show),
		Notes:         notes.New(w.store, said, w.pages, w.show),
		Notifications: notifications.New(w.store, w.judge, w.cfg.Tier == "ultimate"),
		Pages:         pages.New(w.hand.sites(w.cfg, w.store, w.judge), w.pages),
		Pipelines: pipelines.New(
			w.store, w.judge, w.storages, w.hand.engine, w.hand.launch, w.hand.files, w.hand.pusher, w.pages, w.show,
		),
		Probes:       probes.New(w.store.Ping, w.hand.work.Check, w.places.check),
		Profiles:     profiles.New(w.store, w.pages, w.show, w.hand.letters),
		Projects:     projects.New(w.store, w.hand.keeper, w.judge, w.pages, w.show, w.writer, w.hand.events),
		Protections:  protections.New(w.store, w.judge, w.pages),
		Repositories: repositories.New(w.store, w.judge, w.storages, w.pages, w.show, largeBlobs(w.limiter, w.cfg.Limits())),
		ResourceGroups: resourcegroups.New(w.store, w.judge, w.pages, w.show,
			func(ctx context.Context, job engine.AssignResource) error { return w.hand.work.Enqueue(ctx, job) }),
		Runners:   runners.New(w.store, w.judge, w.pages, w.show, w.hand.runners(w.cfg)),
		Schedules: schedules.New(w.store, w.judge, w.hand.launch, w.hand.pusher, w.pages, w.show),
		Snippets:  snippets.New(w.store, w.judge, w.hand.sides, w.writer, w.pages, w.show),
		StorageMoves: storagemoves.New(w.store, w.judge, w.hand.events, w.hand.keeper,
			func(ctx context.Context, job lifecycle.MoveAll) error { return w.hand.work.Enqueue(ctx, job) }, w.pages, w.show),
		Tags:     tags.New(w.store, w.judge, w.hand.pusher, w.pages, w.show),
		Todos:    todos.New(w.store, w.pages, w.show),
		Tokens:   tokens.New(w.store, w.judge, w.pages, access.Lifetime(w.cfg.MaxTokenLifetime), w.host),
		Triggers: triggers.New(w.store, w.judge, w.hand.launch, w.auth.Job, w.pages, w.show),
		Users: users.New(
			w.store, w.show, w.pages,
			func(ctx context.Context, d users.Deletion) error { return w.hand.work.Enqueue(ctx, d) }, w.hand.letters,
			users.RefuseSoleOwner(w.store),
		),
		Variables: variables.New(w.store, w.judge, w.pages, w.cfg.MaxInstanceVariables),
		Wikis:     wikis.New(w.store, w.judge, w.hand.sides, w.writer, w.pages),
	}).connectQuickActions(said)
}

// connectQuickActions connects quick actions in notes and descriptions with the areas that carry them out.
func (a *api) connectQuickActions(said *note.Service) *api {
	said.SetWriters(note.Writers{
		Issue: a.ApplyIssueCommands, MergeRequest: a.ApplyMergeRequestCommands, Relate: a.LinkByCommand, Approve: a.ApproveByCommand,
		Merge: a.MergeByCommand,
	})
	return a
}

func newRegistry(st *store.Store, built build.Info) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for name, pool := range st.Pools() {
		registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "svc_build_info", Help: "What this program was built from."},
		[]string{"version", "revision", "go"})
	info.WithLabelValues(built.Version, built.Revision, built.Go).Set(1)
	registry.MustRegister(info)
	return registry
}

// largeBlobs limits how often a caller can download large blobs of a project.
func largeBlobs(limiter *limit.Limiter, sizes limit.Sizes) repositories.Limit {
	return perCaller(limiter, sizes.Rule("large_blob"))
}

// perCaller returns a limit for requests of one caller to one project or group. Operations call it themselves, because
// not every request counts.
func perCaller(limiter *limit.Limiter, rule limit.Rule) func(ctx context.Context, id int64) error {
	return func(ctx context.Context, id int64) error {
		info := reqctx.Of(ctx)
		caller := info.IP.String()
		if info.Actor != nil {
			caller = strconv.FormatInt(info.Actor.User.ID, 10)
		}
		res, err := limiter.Take(ctx, rule, caller+":"+strconv.FormatInt(id, 10))
		if err == nil && res.Over() {
			err = apierr.TooMany(rule.Text, res.Header())
		}
		return err
	}
}
