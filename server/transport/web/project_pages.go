package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"svc/server/domain/ci/engine"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// projectPage matches the path of a page of a project: the project's path, a dash, the kind of page, an id, and an
// action.
var projectPage = regexp.MustCompile(`^/(.+)/-/(jobs|pipelines)/([1-9]\d{0,17})(?:/(\w+))?$`)

// fetching lets the script of a page make requests to the service.
const fetching = " connect-src 'self';"

// place is the project and the id of a project page.
type place struct {
	project string
	id      int64
}

// Route passes requests for project pages to serve. They begin with the project's path, which no route can distinguish
// from others. The API and our own pages come first.
func Route(serve echo.HandlerFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			u := c.Request().URL
			if strings.Contains(u.Path, "/-/") && !strings.HasPrefix(u.Path, "/api/") &&
				(projectPage.MatchString(u.Path) || releaseAddress.MatchString(u.EscapedPath())) {
				return serve(c)
			}
			return next(c)
		}
	}
}

// Project answers a request for a project page.
func (w *Web) Project(c echo.Context) error {
	if at := releaseAddress.FindStringSubmatch(c.Request().URL.EscapedPath()); at != nil {
		return w.release(c, at[1], at[2])
	}
	named := projectPage.FindStringSubmatch(c.Request().URL.Path)
	if named == nil {
		return apierr.NoRoute()
	}
	method, key := c.Request().Method, named[2]
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if named[4] != "" {
		key += " " + named[4]
	}
	page, ok := w.projectPages[method+" "+key]
	if !ok {
		return apierr.NoRoute()
	}
	id, _ := strconv.ParseInt(named[3], 10, 64) // the pattern only allows as many digits as fit
	may := anyone
	if method == http.MethodPost {
		may = members
	}
	return w.serve(c, method, "", page(place{named[1], id}), may)
}

// release answers a request for an address of a release.
func (w *Web) release(c echo.Context, escaped, rest string) error {
	method := c.Request().Method
	project, err := url.PathUnescape(escaped)
	if err != nil || (method != http.MethodGet && method != http.MethodHead) {
		return apierr.NoRoute()
	}
	return w.serve(c, http.MethodGet, "", w.releases(project, rest), anyone)
}

// pagesOfProjects returns the project pages, by method, kind and action.
func (w *Web) pagesOfProjects() map[string]func(place) Handler {
	return map[string]func(place) Handler{
		"GET jobs":         w.jobPage,
		"GET jobs log":     w.jobLog,
		"GET pipelines":    w.pipelinePage,
		"POST jobs cancel": w.jobAction(w.cancelJob), "POST jobs retry": w.jobAction(w.retryJob), "POST jobs play": w.jobAction(w.playJob),
		"POST pipelines cancel": w.pipelineAction(func(ctx context.Context, id, _ int64) error { return w.engine.CancelAll(ctx, id) }),
		"POST pipelines retry": w.pipelineAction(
			func(ctx context.Context, id, user int64) error { return w.engine.RetryAll(ctx, id, user) },
		),
	}
}

// open finds a project in which the visitor has an ability. An anonymous visitor is redirected to the sign-in page,
// whether or not the project exists, because they may be able to see it after signing in. The response is then already
// written, and the row is nil.
func (w *Web) open(v *Visit, path string, ability access.Ability) (*model.ProjectRow, error) {
	row, err := w.access.Project(v.Request().Context(), path, ability)
	if isRefusal(err) && v.Actor == nil {
		return nil, v.askToSignIn()
	}
	if err != nil {
		return nil, err
	}
	return &row, nil
}

// jobAction handles a form about a job, for users who may run jobs on its ref.
func (w *Web) jobAction(do func(ctx context.Context, job model.Job, user int64) (model.Job, error)) func(place) Handler {
	return func(at place) Handler {
		return func(v *Visit) error {
			ctx := v.Request().Context()
			row, err := w.access.Project(ctx, at.project, access.UpdateJob)
			if err != nil {
				return err
			}
			job, err := w.store.Jobs.GetAny(ctx, row.Project.ID, at.id)
			if err != nil {
				return apierr.OrNotFound(err, "")
			}
			if err := w.mayRun(ctx, row, job.Ref, job.Tag); err != nil {
				return err
			}
			shown, err := do(ctx, job, reqctx.Of(ctx).Actor.User.ID)
			if errors.Is(err, engine.ErrWrongStatus) {
				shown, err = job, v.Tell(Flash{Text: "The state of the job has changed in the meantime.", Alert: true})
			}
			if err != nil {
				return err
			}
			return v.Redirect(jobPath(row.Project, shown))
		}
	}
}

func (w *Web) mayRun(ctx context.Context, row model.ProjectRow, ref string, tag bool) error {
	allowed, err := w.pusher.MayRun(ctx, row, ref, tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return err
}

func (w *Web) cancelJob(ctx context.Context, job model.Job, _ int64) (model.Job, error) {
	return job, w.engine.Cancel(ctx, job)
}

func (w *Web) retryJob(ctx context.Context, job model.Job, user int64) (model.Job, error) {
	return w.engine.Retry(ctx, job, user)
}

func (w *Web) playJob(ctx context.Context, job model.Job, user int64) (model.Job, error) {
	return job, w.engine.Play(ctx, job, user, nil)
}

// pipelineAction handles a form about a pipeline.
func (w *Web) pipelineAction(do func(ctx context.Context, id, user int64) error) func(place) Handler {
	return func(at place) Handler {
		return func(v *Visit) error {
			ctx := v.Request().Context()
			row, err := w.access.Project(ctx, at.project, access.UpdateJob)
			if err != nil {
				return err
			}
			pipeline, err := w.store.Pipelines.Get(ctx, row.Project.ID, at.id)
			if err != nil {
				return apierr.OrNotFound(err, "")
			}
			if err := w.mayRun(ctx, row, pipeline.Ref, pipeline.Tag); err != nil {
				return err
			}
			if err := do(ctx, pipeline.ID, reqctx.Of(ctx).Actor.User.ID); err != nil {
				return err
			}
			return v.Redirect(pipelinePath(row.Project, pipeline.ID))
		}
	}
}

func jobPath(p model.Project, j model.Job) string {
	return "/" + p.FullPath + "/-/jobs/" + strconv.FormatInt(j.ID, 10)
}

func pipelinePath(p model.Project, id int64) string {
	return "/" + p.FullPath + "/-/pipelines/" + strconv.FormatInt(id, 10)
}
