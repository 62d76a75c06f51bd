package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"svc/gen"
	"svc/server/domain/ci/queue"
	"svc/server/domain/fixture"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/platform/mail"
	"svc/server/platform/outbound"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/worker"
	"svc/server/transport/alerthttp"
	"svc/server/transport/codehttp"
	"svc/server/transport/githttp"
	"svc/server/transport/gitssh"
	"svc/server/transport/middleware"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/packagehttp"
	"svc/store"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Server is the whole service, ready to be started.
type Server struct {
	Handler      http.Handler
	Worker       *worker.Worker
	store        *store.Store
	usage        *access.Usage
	storages     *fileStorages
	pusher       *push.Pusher
	repositories *lifecycle.Repositories
	jobQueue     *queue.Queue
	fixtures     fixture.Target
	ssh          *gitssh.Server // nil if SSH is off
	sites        *siteServers   // nil if sites are off
	logger       *slog.Logger
	http         *http.Server
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
	shared, err := newServices(cfg, st, storages, logger, provider, testing)
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
		repositories: shared.repositories, jobQueue: shared.jobQueue, logger: logger,
		fixtures: fixture.Target{
			Store: st, Repositories: storages.repositories, Blobs: storages.blobs, Hooks: shared.hooks, Issuables: shared.issuables,
		},
	}
	handler, err := newHandler(d, ops)
	if err != nil {
		return nil, err
	}
	s.Handler = withClock(st.Clock(), handler)
	if s.ssh, err = newSSH(d); err != nil {
		return nil, err
	}
	s.sites, err = newSiteServers(shared, auth, permissions)
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
func newHandler(d dependencies, ops *middleware.Operations) (http.Handler, error) {
	registry := newRegistry(d.store, d.built)
	d.worker.Measure(registry)
	pages, err := newWeb(d.services, d.auth, d.access, d.limiter)
	if err != nil {
		return nil, err
	}
	gits := newGitHTTP(d)
	return newRouter(routeDependencies{
		cfg: d.cfg, logger: d.logger, registry: registry, auth: d.auth, limiter: d.limiter, ops: ops, api: newAPI(d),
		git: gits, code: newCodeHTTP(d, gits), packages: newPackageHTTP(d), oauth: d.provider, web: pages,
		project: d.store.Projects.IDByPath, store: d.store,
		alerts: alerthttp.New(d.alertIntake, d.limiter, limit.Rule{
			Name: "throttle_alerts", Max: d.cfg.ThrottleAlerts, Window: d.cfg.ThrottleAlertsPeriod,
		}),
	})
}

// newGitHTTP returns the handler of git over HTTP.
func newGitHTTP(d dependencies) *githttp.Handler {
	return githttp.New(d.auth, d.access, d.storages.repositories, d.pusher).
		WithLFS(githttp.LFSOptions{Files: d.lfs, Store: d.store, Tickets: d.lfsTickets}).
		WithWikisAndSnippets(d.sideRepositories).
		WithMinRate(push.MinSpeed{Rate: int64(d.cfg.MinTransferRate), Pause: d.cfg.TransferPause}).
		WithPasswordLimit(passwordLimit(d.limiter))
}

// newCodeHTTP returns the handler of archives, files and pages for the go command.
func newCodeHTTP(d dependencies, gits *githttp.Handler) *codehttp.Handler {
	return codehttp.New(codehttp.Dependencies{
		Auth: d.auth, Access: d.access, Store: d.store, Repos: d.storages.repositories, Git: gits, LFS: d.lfs,
		Archives: perCaller(d.limiter, limit.Sizes(d.cfg.Limits()).Rule("archive")),
		Files: func(ctx context.Context, projectID int64, path string) error {
			res, err := d.limiter.Take(ctx, limit.RawFile, strconv.FormatInt(projectID, 10)+":"+path)
			if err == nil && res.Over() {
				err = apierr.TooMany(limit.RawFile.Text, res.Header())
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

// newSSH returns the server of git over SSH, or nil if SSH is off.
func newSSH(d dependencies) (*gitssh.Server, error) {
	if d.cfg.SSHListen == "" {
		return nil, nil
	}
	ssh, err := gitssh.New(d.auth, d.access, d.pusher, d.cfg.Data, d.logger)
	if err != nil {
		return nil, err
	}
	ssh.WithClock(d.store.Clock())
	ssh.WithLFS(d.lfsTickets, d.cfg.URL)
	ssh.WithMinRate(push.MinSpeed{Rate: int64(d.cfg.MinTransferRate), Pause: d.cfg.SSHTransferPause})
	return ssh, nil
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
