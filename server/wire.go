package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/domain/auditstream"
	"svc/server/domain/ci/queue"
	"svc/server/domain/fixture"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/domain/snippet"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/platform/mail"
	"svc/server/platform/outbound"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/server/platform/telemetry"
	"svc/server/platform/worker"
	"svc/server/transport/alerthttp"
	"svc/server/transport/codehttp"
	"svc/server/transport/githttp"
	"svc/server/transport/gitssh"
	"svc/server/transport/graphql"
	"svc/server/transport/middleware"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/packagehttp"
	"svc/server/transport/web"
	"svc/server/transport/web/page"
	"svc/store"
)

// Server is the whole service, ready to be started.
type Server struct {
	Handler      http.Handler
	Worker       *worker.Worker
	Pages        *page.Kit // knows the addresses of all pages
	store        *store.Store
	usage        *access.Usage
	storages     *fileStorages
	pusher       *push.Pusher
	repositories *lifecycle.Repositories
	accounts     *account.Service
	jobQueue     *queue.Queue
	fixtures     fixture.Target
	ssh          *gitssh.Server // nil if SSH is off
	sites        *siteServers   // nil if sites are off
	services     *services
	certificate  *certificate        // nil without TLS
	exporter     *telemetry.Exporter // nil if traces are off
	auditStream  *auditstream.Stream // nil if it is off
	metrics      *registry
	logger       *slog.Logger
	http         *http.Server
	redirect     *http.Server // nil without TLS
	cancel       context.CancelFunc
	background   sync.WaitGroup
}

// LoadOperations reads the part of the embedded OpenAPI document that is needed to validate requests.
func LoadOperations() (*middleware.Operations, error) { return middleware.LoadOperations(gen.Requests) }

// New builds the service, from the store upwards: what every service stands on, then the services, then the API and the
// protocols. The database must be migrated.
func New(cfg config.Config, st *store.Store, ops *middleware.Operations, logger *slog.Logger) (*Server, error) {
	return NewForTests(cfg, st, ops, logger, Testing{})
}

// Testing changes a service that is started for tests of clients. The zero value changes nothing.
type Testing struct {
	// Mail gets the mails instead of a mail server.
	Mail func(id string, m mail.Message)
	// Webhook gets the webhook deliveries, and can send them.
	Webhook func(ctx context.Context, r outbound.Request, send outbound.Send) (outbound.Response, error)
	// NoJobsAtStart leaves periodic jobs to their next time, instead of running them at the start.
	NoJobsAtStart bool
}

// NewForTests is New for a service that is started for tests of clients.
func NewForTests(
	cfg config.Config, st *store.Store, ops *middleware.Operations, logger *slog.Logger, testing Testing,
) (*Server, error) {
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	storages, err := openFileStorages(context.Background(), cfg, st, logger)
	if err != nil {
		return nil, err
	}
	usage, limiter := access.NewUsage(st), limit.New(st)
	auth, permissions := access.NewAuthenticator(st, usage, cfg.Impersonation), access.New(st)
	show := present.Presenter{Base: cfg.URL, SSH: cfg.SSHURLPort(), Paid: cfg.Tier != "free"}
	provider, err := newProvider(cfg, st, auth, limiter, show)
	if err != nil {
		return nil, err
	}
	shared, err := newServices(config.NewLive(cfg), st, storages, logger, provider, testing)
	if err != nil {
		return nil, err
	}
	auth.OnLock(shared.accountMails.SendLocked)
	auth.OnBlocked(shared.hookAnnouncer.FailedLogin)
	d := dependencies{
		services: shared, host: base.Hostname(), auth: auth, access: permissions, limiter: limiter, show: show,
		built: build.Read(), pages: pagination.MaxOffset(cfg.MaxOffset),
		writer: commit.New(st, shared.pusher, cfg.URL),
	}
	s := &Server{
		Worker: shared.worker, store: st, usage: usage, storages: storages, pusher: shared.pusher,
		repositories: shared.repositories, accounts: shared.accounts, jobQueue: shared.jobQueue, logger: logger,
		services: shared, exporter: shared.exporter, auditStream: shared.auditStream,
		fixtures: fixture.Target{
			Store: st, Repositories: storages.repositories, Blobs: storages.blobs, Hooks: shared.hooks, Issuables: shared.issuables,
		},
	}
	s.metrics = newRegistry(shared, d.built)
	pages, err := newWeb(d)
	if err != nil {
		return nil, err
	}
	handler, err := newHandler(d, ops, s.metrics, pages)
	if err != nil {
		return nil, err
	}
	s.Pages = pages.Kit()
	s.Handler = withClock(st.Clock(), handler)
	if s.ssh, err = newSSH(d); err != nil {
		return nil, err
	}
	if s.sites, err = newSiteServers(shared, auth, permissions); err != nil {
		return nil, err
	}
	if s.certificate, err = newCertificate(shared); err != nil || s.certificate == nil {
		return s, err
	}
	s.redirect, err = s.newRedirect()
	return s, err
}

// dependencies are what the API areas and the protocols depend on.
type dependencies struct {
	*services
	host    string // host of the service's own URL
	auth    *access.Authenticator
	access  *access.Access
	limiter *limit.Limiter
	show    present.Presenter
	built   build.Info
	pages   pagination.MaxOffset
	writer  *commit.Writer
}

// newHandler returns the handler of all requests except those for sites.
func newHandler(d dependencies, ops *middleware.Operations, metrics *registry, pages *web.Web) (http.Handler, error) {
	d.worker.Measure(metrics)
	gits, operations := newGitHTTP(d), newAPI(d)
	d.caches = append(d.caches, operations.Projects.CacheSizes, operations.Repositories.CacheSizes)
	queries, err := newGraphQL(d)
	if err != nil {
		return nil, err
	}
	return newRouter(routeDependencies{
		cfg: d.cfg, live: d.live, logger: d.logger, registry: metrics, auth: d.auth, limiter: d.limiter, ops: ops, api: operations,
		git: gits, code: newCodeHTTP(d, gits), packages: newPackageHTTP(d), graphql: queries, oauth: d.provider, web: pages,
		project: d.store.Projects.IDByPath, store: d.store, limits: d.limits, tracer: d.tracer,
		alerts: alerthttp.New(d.alertIntake, d.limiter, func() limit.Rule {
			cfg := d.live.Get()
			return limit.Rule{Name: "throttle_alerts", Max: cfg.ThrottleAlerts, Window: cfg.ThrottleAlertsPeriod}
		}),
	})
}

// namedLimit returns the limit of single operations with a name, with the number of the settings in force.
func (d dependencies) namedLimit(name string) limit.Current {
	return func() limit.Rule { return d.limits().Rule(name) }
}

// newGitHTTP returns the handler of git over HTTP.
func newGitHTTP(d dependencies) *githttp.Handler {
	return githttp.New(d.auth, d.access, d.storages.repositories, d.pusher).
		WithLFS(githttp.LFSOptions{Files: d.lfs, Store: d.store, Tickets: d.lfsTickets}).
		WithWikisAndSnippets(d.sideRepositories).
		WithFetchCounts(d.store, d.logger).
		WithMinRate(push.MinSpeed{Rate: int64(d.cfg.MinTransferRate), Pause: d.cfg.TransferPause}).
		WithPasswordLimit(passwordLimit(d.limiter))
}

// newCodeHTTP returns the handler of archives, files and pages for the go command.
func newCodeHTTP(d dependencies, gits *githttp.Handler) *codehttp.Handler {
	return codehttp.New(codehttp.Dependencies{
		Auth: d.auth, Access: d.access, Store: d.store, Repos: d.storages.repositories, Git: gits, LFS: d.lfs,
		Archives: perCaller(d.limiter, d.namedLimit("archive")),
		Files: func(ctx context.Context, projectID int64, path string) error {
			rule := limit.RawFile
			rule.Max = int(d.store.Settings.Current().RawBlobRequestLimit)
			res, err := d.limiter.Take(ctx, rule, strconv.FormatInt(projectID, 10)+":"+path)
			if err == nil && res.Over() {
				err = apierr.TooMany(rule.Text, res.Header())
			}
			return err
		},
	})
}

// newPackageHTTP returns the handler of package managers.
func newPackageHTTP(d dependencies) *packagehttp.Handler {
	return packagehttp.New(packagehttp.Dependencies{
		Auth: d.auth, Access: d.access, Store: d.store, Packages: d.packages,
		MinSpeed:   push.MinSpeed{Rate: int64(d.cfg.MinTransferRate), Pause: d.cfg.TransferPause},
		Repository: d.pusher.Repo,
	})
}

// newGraphQL returns the handler of GraphQL.
func newGraphQL(d dependencies) (*graphql.Handler, error) {
	on := newIssuableServices(d)
	return graphql.New(graphql.Dependencies{
		Notes: on.notes, Issues: on.issues, MergeRequests: on.mergeRequests, Viewer: on.viewer, Awards: on.awards,
		Snippets: snippet.New(d.store, d.sideRepositories, d.writer),
		Access:   d.access, Store: d.store, Build: d.built, Base: d.show.Base, SSH: d.show.SSH, Paid: d.show.Paid, Pages: d.pages,
		Report: func(ctx context.Context, err error) {
			d.logger.ErrorContext(ctx, "GraphQL field failed", "error", err.Error(), "request_id", reqctx.Of(ctx).ID)
		},
	})
}

// newSSH returns the server of git over SSH, or nil if SSH is off.
func newSSH(d dependencies) (*gitssh.Server, error) {
	if d.cfg.SSHListen == "" {
		return nil, nil
	}
	shared, err := gitssh.NewSharedKeys(d.store, d.cfg.SecretKey)
	if err != nil {
		return nil, err
	}
	ssh, err := gitssh.New(d.auth, d.access, d.pusher, d.cfg.Data, shared, d.logger)
	if err != nil {
		return nil, err
	}
	ssh.WithClock(d.store.Clock())
	ssh.WithTracer(d.tracer)
	ssh.WithCounts(&d.served.ssh)
	ssh.WithLFS(d.lfsTickets, d.cfg.URL)
	ssh.WithMinRate(push.MinSpeed{Rate: int64(d.cfg.MinTransferRate), Pause: d.cfg.SSHTransferPause})
	return ssh, nil
}
