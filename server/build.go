package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"svc/gen"
	"svc/server/access"
	"svc/server/api/applications"
	"svc/server/api/avatars"
	"svc/server/api/branches"
	"svc/server/api/changelogs"
	"svc/server/api/commits"
	"svc/server/api/commitwrites"
	"svc/server/api/deploytokens"
	"svc/server/api/files"
	"svc/server/api/groups"
	"svc/server/api/keys"
	"svc/server/api/members"
	"svc/server/api/metadata"
	"svc/server/api/namespaces"
	"svc/server/api/probes"
	"svc/server/api/profiles"
	"svc/server/api/projects"
	"svc/server/api/protections"
	"svc/server/api/repositories"
	"svc/server/api/tags"
	"svc/server/api/tokens"
	"svc/server/api/users"
	"svc/server/api/variables"
	"svc/server/apierr"
	"svc/server/build"
	"svc/server/commit"
	"svc/server/config"
	"svc/server/githttp"
	"svc/server/gitssh"
	"svc/server/limit"
	"svc/server/middleware"
	"svc/server/page"
	"svc/server/present"
	"svc/server/push"
	"svc/server/repos"
	"svc/server/request"
	"svc/server/worker"
	"svc/store"
	"svc/store/git"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Server is the whole service, ready to be started.
type Server struct {
	Handler http.Handler
	Worker  *worker.Worker
	usage   *access.Usage
	repos   *git.Repositories
	push    *push.Pusher
	keeper  *repos.Keeper
	ssh     *gitssh.Server // nil when it is off
	logger  *slog.Logger
	http    *http.Server
	cancel  context.CancelFunc
	noted   sync.WaitGroup
}

// LoadOperations reads the part of the embedded document that requests are validated by.
func LoadOperations() (*middleware.Operations, error) { return middleware.LoadOperations(gen.Requests) }

// New wires the service by hand, from the store upwards. The database must be migrated.
func New(cfg config.Config, st *store.Store, ops *middleware.Operations, logger *slog.Logger) (*Server, error) {
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	paid := cfg.Tier != "free"
	built := build.Read()
	usage := access.NewUsage(st)
	auth := access.NewAuthenticator(st, usage, cfg.Impersonation)

	storages, err := git.Open(cfg.Roots())
	if err != nil {
		return nil, err
	}
	show := present.Presenter{Base: cfg.URL, SSH: cfg.SSHURLPort(), Paid: paid}
	provider, err := newProvider(cfg, st, auth, show)
	if err != nil {
		return nil, err
	}
	hand, err := newHand(cfg, st, storages, logger, provider)
	if err != nil {
		return nil, err
	}
	work, pusher, writer := hand.work, hand.pusher, commit.New(st, hand.pusher)
	registry := newRegistry(st, built)
	work.Measure(registry)

	pages := page.MaxOffset(cfg.MaxOffset)
	judge := access.New(st)
	limiter := limit.New(st)
	site, err := newSite(cfg, st, auth, limiter, provider, hand)
	if err != nil {
		return nil, err
	}
	handler, err := routes(parts{
		cfg: cfg, logger: logger, registry: registry, auth: auth, limiter: limiter, ops: ops,
		git: githttp.New(auth, judge, storages, pusher).WithLFS(githttp.Large{Files: hand.large, Store: st}), oauth: provider, web: site,
		api: &api{
			Applications: applications.New(st, provider, pages),
			Avatars:      avatars.New(st, judge, show),
			Branches:     branches.New(st, judge, pusher, pages, show, func(ctx context.Context, job branches.Cleanup) error { return work.Enqueue(ctx, job) }),
			Changelogs:   changelogs.New(st, judge, pusher, show),
			Commits:      commits.New(st, judge, pusher, pages, show),
			CommitWrites: commitwrites.New(st, judge, writer, show),
			DeployTokens: deploytokens.New(st, judge, pages),
			Files:        files.New(judge, storages, writer, hand.large),
			Groups:       groups.New(st, judge, pages, show),
			Keys:         keys.New(st, pages, show),
			Members:      members.New(st, judge, pages, show),
			Metadata:     metadata.New(built, paid),
			Namespaces:   namespaces.New(st, judge, pages, show),
			Probes:       probes.New(st.Ping, work.Check),
			Profiles:     profiles.New(st, pages, show, hand.letters),
			Projects:     projects.New(st, hand.keeper, judge, pages, show, writer),
			Protections:  protections.New(st, judge, pages),
			Repositories: repositories.New(st, judge, storages, pages, show, largeBlobs(limiter)),
			Tags:         tags.New(st, judge, pusher, pages, show),
			Tokens:       tokens.New(st, judge, pages, access.Lifetime(cfg.MaxTokenLifetime), base.Hostname()),
			Users:        users.New(st, show, pages, func(ctx context.Context, d users.Deletion) error { return work.Enqueue(ctx, d) }, hand.letters, users.OwnsNoGroupAlone(st)),
			Variables:    variables.New(st, pages, cfg.MaxInstanceVariables),
		},
	})
	if err != nil {
		return nil, err
	}
	s := &Server{Handler: handler, Worker: work, usage: usage, repos: storages, push: pusher, keeper: hand.keeper, logger: logger}
	if cfg.SSHListen != "" {
		s.ssh, err = gitssh.New(auth, judge, pusher, cfg.Data, logger)
	}
	return s, err
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

// largeBlobs counts blobs that are large, by caller and project.
func largeBlobs(limiter *limit.Limiter) repositories.Limit {
	rule := limit.Named["large_blob"]
	rule.Name = "large_blob"
	return func(ctx context.Context, projectID int64) error {
		info := request.Of(ctx)
		caller := info.IP.String()
		if info.Actor != nil {
			caller = strconv.FormatInt(info.Actor.User.ID, 10)
		}
		res, err := limiter.Take(ctx, rule, caller+":"+strconv.FormatInt(projectID, 10))
		if err == nil && res.Over() {
			err = apierr.TooMany(rule.Text)
		}
		return err
	}
}
