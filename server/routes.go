package server

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"svc/gen"
	"svc/oauth"
	"svc/server/domain/fixture"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/config"
	"svc/server/platform/reqctx"
	"svc/server/transport/alerthttp"
	"svc/server/transport/codehttp"
	"svc/server/transport/docs"
	"svc/server/transport/githttp"
	"svc/server/transport/graphql"
	"svc/server/transport/middleware"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/packagehttp"
	"svc/server/transport/sitehttp"
	"svc/server/transport/web"
	"svc/store"
	"svc/store/observe"
	"svc/store/setting"

	"github.com/labstack/echo/v4"
)

// routeDependencies are the dependencies of the routes.
type routeDependencies struct {
	cfg      config.Config
	live     *config.Live
	logger   *slog.Logger
	registry *registry
	auth     *access.Authenticator
	limiter  *limit.Limiter
	ops      *middleware.Operations
	api      *api
	git      *githttp.Handler
	code     *codehttp.Handler
	packages *packagehttp.Handler
	graphql  *graphql.Handler
	oauth    *oauth.Provider
	web      *web.Web
	project  middleware.ProjectID // finds the ID of a project by its path
	alerts   *alerthttp.Handler
	store    *store.Store
	limits   func() limit.Sizes // of single operations
	tracer   *observe.Tracer    // nil if requests are not traced
}

// bodyTimeout is how long the body of a request may take to arrive. Operations with large bodies read them themselves.
const bodyTimeout = 30 * time.Second

// newRouter returns the router: the middleware in its order, then the operations, pages and files.
func newRouter(d routeDependencies) (*echo.Echo, error) {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = middleware.WriteError(d.logger, d.ops, d.web.Failure)
	throttles := d.throttles()
	first := []echo.MiddlewareFunc{
		middleware.Begin(d.cfg.URL, func() []netip.Prefix { return d.live.Get().TrustedProxies }),
	}
	if d.tracer != nil {
		first = append(first, middleware.Trace(d.tracer, d.cfg.SecretKey))
	}
	first = append(first,
		middleware.Log(d.logger),
		middleware.Slow(d.logger, d.registry, d.cfg.SlowRequest),
		middleware.Recover,
		middleware.Metrics(d.registry, d.ops),
		middleware.Secure, // before Size, so that its refusals have the security headers, too
		middleware.Size(d.ops),
		middleware.Compress,
	)
	e.Pre(
		packagehttp.Route(middleware.Wrap(d.packages.Serve, first...)), // first: a name can look like a git repository
		alertRoute(d.alerts, first), githttp.Route(middleware.Wrap(d.git.Serve, first...)),
		codeRoute(d.code, first),
		middleware.Aliases,
		middleware.Uploads(d.store.Projects.IDByPath),
		d.web.Places(func(h echo.HandlerFunc) echo.HandlerFunc { return middleware.Wrap(h, first...) }),
		middleware.Suffix(e),
	)
	e.Use(middleware.Chain(append(first,
		middleware.Exact(d.ops),
		middleware.CORS(d.cfg.URL),
		middleware.CORSForOAuth,
		middleware.Deprecation(d.ops),
		throttles.Addresses,
		middleware.Authenticate(d.ops, d.auth, throttles),
		throttles.Users,
		middleware.Sudo(d.ops, d.auth),
		middleware.Fold(d.ops, bodyTimeout),
		middleware.Validate(d.ops),
		middleware.OperationLimit(d.ops, d.limiter, d.limits, d.project),
		middleware.ETag,
	)...))
	gen.RegisterHandlers(router{e, d.ops}, gen.NewStrictHandler(d.api))
	registerOAuth(e, d.oauth)
	d.registerGraphQL(e, throttles)
	e.Any("/api/v3/*", func(echo.Context) error {
		return apierr.Gone("API V3 is no longer supported. Use API V4 instead.")
	})
	e.GET("/-/metrics", middleware.MetricsPage(d.registry.Registry, func() []netip.Prefix { return d.live.Get().MetricsAllow }))
	e.GET("/.well-known/acme-challenge/:token", d.challenge)
	registerDocs(e, d.cfg.URL)
	d.web.Register(e)
	return e, nil
}

// throttles returns the general rate limits, with the numbers of the settings in force.
func (d routeDependencies) throttles() middleware.Throttles {
	return middleware.Throttles{
		Limiter: d.limiter,
		Unauthenticated: throttleOf(d.store, "throttle_unauthenticated_api", func(v *setting.Values) (bool, int64, int64) {
			return v.ThrottleUnauthenticatedAPI, v.ThrottleUnauthenticatedAPIRequests, v.ThrottleUnauthenticatedAPIPeriod
		}),
		Authenticated: throttleOf(d.store, "throttle_authenticated_api", func(v *setting.Values) (bool, int64, int64) {
			return v.ThrottleAuthenticatedAPI, v.ThrottleAuthenticatedAPIRequests, v.ThrottleAuthenticatedAPIPeriod
		}),
	}
}

// registerGraphQL registers GraphQL, also with a slash at the end, which some clients send. Queries need a scope that
// reads, mutations one that writes.
func (d routeDependencies) registerGraphQL(e *echo.Echo, throttles middleware.Throttles) {
	serve := func(c echo.Context) error {
		// Not every writer has a connection behind it, so an error here does not matter.
		_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(bodyTimeout))
		return d.graphql.Serve(c.Response(), c.Request(), func(writes bool) (*reqctx.Actor, error) {
			accepted := []string{"api", "read_api"}
			if writes {
				accepted = accepted[:1]
			}
			return middleware.Identify(c, d.auth, throttles, writes, accepted...)
		})
	}
	for _, path := range []string{"/api/graphql", "/api/graphql/"} {
		e.Match([]string{http.MethodGet, http.MethodHead, http.MethodPost}, path, serve)
	}
}

// registerDocs registers the documentation.
func registerDocs(e *echo.Echo, url string) {
	h := docs.New(docs.Options{
		Document: gen.SpecJSON, URL: url, WhoMay: access.WhoMay, Style: web.StyleSheet(), Icon: web.Icon(),
		Fixtures: fixture.Schema,
	})
	serve := func(c echo.Context) error { return h.Serve(c.Response(), c.Request()) }
	for _, path := range []string{docs.Root, docs.Root + "/*"} {
		e.GET(path, serve)
		e.HEAD(path, serve)
	}
}

// alertRoute handles the messages of monitoring programs before routing: their URLs begin with the path of a project,
// which can have any number of segments.
func alertRoute(h *alerthttp.Handler, first []echo.MiddlewareFunc) echo.MiddlewareFunc {
	return matched(alerthttp.Match, h.Serve, first)
}

// codeRoute handles requests for archives, files and pages for the go command before routing, for the same reason.
func codeRoute(h *codehttp.Handler, first []echo.MiddlewareFunc) echo.MiddlewareFunc {
	return matched(codehttp.Match, h.Serve, first)
}

// matched passes the requests that match to a handler, after the first middleware, and all others on to the router.
func matched(
	match func(*http.Request) bool, handler func(http.ResponseWriter, *http.Request) error, first []echo.MiddlewareFunc,
) echo.MiddlewareFunc {
	serve := middleware.Wrap(func(c echo.Context) error { return handler(c.Response(), c.Request()) }, first...)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if match(c.Request()) {
				return serve(c)
			}
			return next(c)
		}
	}
}

// challenge answers the ACME challenge of a certificate authority for a custom domain that points to this server.
func (d routeDependencies) challenge(c echo.Context) error {
	host := c.Request().Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	answered, err := sitehttp.Answer(c.Request().Context(), c.Response(), d.store, strings.ToLower(host), c.Param("token"))
	if err == nil && !answered {
		err = apierr.NotFound("")
	}
	return err
}

// router registers the generated routes below the base path that the OpenAPI document gives, and HEAD for each GET.
type router struct {
	*echo.Echo
	ops *middleware.Operations
}

func (r router) add(method, path string, h echo.HandlerFunc, m []echo.MiddlewareFunc) *echo.Route {
	return r.Add(method, r.ops.Base(path)+path, h, m...)
}

// GET registers GET and HEAD. net/http drops the body of the answer to HEAD.
func (r router) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	r.add(http.MethodHead, path, h, m)
	return r.add(http.MethodGet, path, h, m)
}

// POST registers POST.
func (r router) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodPost, path, h, m)
}

// PUT registers PUT.
func (r router) PUT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodPut, path, h, m)
}

// PATCH registers PATCH.
func (r router) PATCH(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodPatch, path, h, m)
}

// DELETE registers DELETE.
func (r router) DELETE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Route {
	return r.add(http.MethodDelete, path, h, m)
}

// registerOAuth registers the endpoints of the OAuth provider, which write their answers themselves.
func registerOAuth(e *echo.Echo, p *oauth.Provider) {
	type handler = func(http.ResponseWriter, *http.Request) error
	add := func(method, path string, h handler) {
		e.Add(method, path, func(c echo.Context) error { return h(c.Response(), c.Request()) })
	}
	for path, h := range map[string]handler{
		"/oauth/token": p.Token, "/oauth/revoke": p.Revoke, "/oauth/introspect": p.Introspect,
		"/oauth/userinfo": p.UserInfo,
	} {
		add(http.MethodPost, path, h)
	}
	for path, h := range map[string]handler{
		"/oauth/token/info": p.TokenInfo, "/oauth/userinfo": p.UserInfo, "/oauth/discovery/keys": p.Keys,
		"/.well-known/webfinger":            p.Webfinger,
		"/.well-known/openid-configuration": p.Discovery, "/.well-known/oauth-authorization-server": p.Discovery,
	} {
		add(http.MethodGet, path, h)
		add(http.MethodHead, path, h)
	}
}
