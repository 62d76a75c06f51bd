package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"strconv"
	"time"

	"svc/gen"
	"svc/server/platform/present"
	"svc/store/model"
	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

// floor runs the command bench floor: a server that does only the work that no server could leave out, as a careful programmer
// writes it by hand. It reads only the columns that are shown, and times as text where that is cheaper. It encodes answers with
// encoding/json, by Echo, whatever encoder svc has.
func floor(ctx context.Context, args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("bench floor", flag.ContinueOnError)
	listen := flags.String("listen", "", "address to serve on")
	path := flags.String("sqlite", "", "SQLite file")
	url := flags.String("postgres", "", "PostgreSQL to use instead")
	files := flags.String("files", "", "folder to serve instead of answers")
	blobs := flags.String("blobs", "", "folder of files to copy instead of answers")
	lists := flags.String("lists", "", "file with lists to serve, too")
	writes := flags.String("writes", "", "file with writes to serve, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *files != "" {
		return serveFloor(ctx, *listen, http.FileServer(http.Dir(*files)))
	}
	if *blobs != "" {
		h, err := serveBlobs(*blobs)
		if err != nil {
			return err
		}
		return serveFloor(ctx, *listen, h)
	}
	q, err := openQueries(ctx, *path, *url)
	if err != nil {
		return err
	}
	defer q.close()
	e := floorRoutes(q)
	if *lists != "" {
		if err := serveLists(e, q, spelling(*url), *lists); err != nil {
			return err
		}
	}
	if *writes != "" {
		if err := serveWrites(e, q, spelling(*url), *writes); err != nil {
			return err
		}
	}
	return serveFloor(ctx, *listen, e)
}

// serveFloor serves until the context ends.
func serveFloor(ctx context.Context, listen string, h http.Handler) error {
	server := &http.Server{Addr: listen, Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.ListenAndServe() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		err := server.Shutdown(context.WithoutCancel(ctx))
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			return served
		}
		return err
	}
}

func floorRoutes(q *queries) *echo.Echo {
	e := echo.New()
	show := present.Presenter{Base: baseURL, Paid: true}
	known := sha256.Sum256([]byte(token))
	e.GET("/-/readiness", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	e.GET("/api/v4/user", func(c echo.Context) error {
		digest := sha256.Sum256([]byte(c.Request().Header.Get("PRIVATE-TOKEN")))
		_, u, err := q.user(c.Request().Context(), digest[:])
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, show.CurrentUser(u, nil, time.Now()))
	})
	e.GET(listPath, func(c echo.Context) error {
		if !checkToken(c, known[:]) {
			return echo.ErrUnauthorized
		}
		rows, err := q.list(c.Request().Context())
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, present.All(rows, present.InstanceVariable))
	})
	person := sha256.Sum256([]byte(personToken))
	e.GET(usersPath, func(c echo.Context) error {
		if !checkToken(c, person[:]) {
			return echo.ErrUnauthorized
		}
		behind, err := strconv.ParseInt(c.QueryParam("behind"), 10, 64)
		if err != nil {
			return err
		}
		rows, err := q.page(c.Request().Context(), behind)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, present.All(rows, show.UserBasic))
	})
	e.GET(projectsPath, projectsPage(q, show))
	e.GET(jobsPath, jobsPage(q, show))
	e.GET(eventsPath, eventsPage(q, show))
	e.GET(auditPath, auditPage(q))
	e.POST("/oauth/token", refreshToken(q))
	e.PUT(listPath+"/:key", func(c echo.Context) error {
		if !checkToken(c, known[:]) {
			return echo.ErrUnauthorized
		}
		var body gen.InstanceVariableUpdate
		if err := json.NewDecoder(c.Request().Body).Decode(&body); err != nil {
			return err
		}
		row := model.InstanceVariable{
			Key: c.Param("key"), Value: body.Value, Description: body.Description.Ptr(),
			Protected: body.Protected != nil && *body.Protected,
		}
		if err := q.update(c.Request().Context(), &row); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, present.InstanceVariable(row))
	})
	return e
}

// refreshToken answers a refresh of an OAuth token.
func refreshToken(q *queries) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, now := c.Request().Context(), time.Now().UTC().Truncate(time.Microsecond)
		app, err := q.app(ctx, c.FormValue("client_id"))
		if err != nil {
			return err
		}
		if subtle.ConstantTimeCompare(secret.Digest(c.FormValue("client_secret")), app.SecretDigest) != 1 {
			return echo.ErrUnauthorized
		}
		access, refresh := secret.Random(), secret.Random()
		old := secret.Digest(c.FormValue("refresh_token"))
		scopes, err := q.refresh(ctx, app.ID, old, secret.Digest(access), secret.Digest(refresh), now)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string]any{
			"access_token": access, "token_type": "Bearer", "expires_in": 7200, "refresh_token": refresh, "scope": scopes,
			"created_at": now.Unix(),
		})
	}
}

func projectsPage(q *queries, show present.Presenter) echo.HandlerFunc {
	stranger := sha256.Sum256([]byte(strangerToken))
	return func(c echo.Context) error {
		if !checkToken(c, stranger[:]) {
			return echo.ErrUnauthorized
		}
		behind, err := strconv.ParseInt(c.QueryParam("behind"), 10, 64)
		if err != nil {
			return err
		}
		rows, err := q.projects(c.Request().Context(), behind)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, present.All(rows, show.Project))
	}
}

func jobsPage(q *queries, base present.Presenter) echo.HandlerFunc {
	reader := sha256.Sum256([]byte(readerToken(0)))
	show := present.JobPresenter{Presenter: base, Project: model.Project{FullPath: "root/bench", CiJobTokenScopeEnabled: false}}
	return func(c echo.Context) error {
		if !checkToken(c, reader[:]) {
			return echo.ErrUnauthorized
		}
		behind, err := strconv.ParseInt(c.QueryParam("behind"), 10, 64)
		if err != nil {
			return err
		}
		rows, err := q.jobs(c.Request().Context(), behind)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, present.All(rows, show.Job))
	}
}

// checkToken checks the token of a request. It hashes the token even where no query needs the digest, because every request
// pays for that.
func checkToken(c echo.Context, known []byte) bool {
	digest := sha256.Sum256([]byte(c.Request().Header.Get("PRIVATE-TOKEN")))
	return subtle.ConstantTimeCompare(digest[:], known) == 1
}
