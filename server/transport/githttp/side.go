package githttp

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

const wikiEnding = ".wiki"

// WithWikisAndSnippets also serves the repositories of wikis and snippets, read-only: they are changed through the API.
func (h *Handler) WithWikisAndSnippets(s *lifecycle.SideRepositories) *Handler {
	h.sides = s
	return h
}

// wikiOrSnippetRepository finds the repository of a wiki or snippet for reading, if the path is not that of a project. cause is the error
// of looking for the project.
func (h *Handler) wikiOrSnippetRepository(c echo.Context, path string, service git.Service, cause error) (git.Repo, error) {
	var e *apierr.Error
	if h.sides == nil || !errors.As(cause, &e) || e.Status != http.StatusNotFound {
		return git.Repo{}, cause
	}
	side, err := h.wikiOrSnippet(c, path)
	if err != nil {
		return git.Repo{}, err
	}
	if service != git.UploadPack {
		return git.Repo{}, apierr.Forbidden("Wikis and snippets can only be changed through the API")
	}
	return h.sides.OpenForGit(c.Request().Context(), side)
}

// wikiOrSnippet returns the wiki or snippet at a path, if the caller can see it. A job token only gives access to those of
// projects, by the rules of the project's job token allowlist.
func (h *Handler) wikiOrSnippet(c echo.Context, path string) (lifecycle.Owner, error) {
	ctx := c.Request().Context()
	actor := reqctx.Of(ctx).Actor
	job := actor != nil && actor.Kind == reqctx.JobToken
	if owner, ok := strings.CutSuffix(path, wikiEnding); ok {
		if strings.Contains(owner, "/") {
			if row, err := h.access.Project(ctx, owner, access.ReadWiki); err == nil {
				return lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: row.Project.ID}, nil
			}
		}
		if job {
			return lifecycle.Owner{}, apierr.NotFound("Project")
		}
		g, _, err := h.access.GroupAt(ctx, owner, access.ReadGroupWiki)
		return lifecycle.Owner{Kind: model.GroupWikiRepository, ID: g.ID}, err
	}
	in, number, ok := cutLast(path, "snippets/")
	id, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil {
		return lifecycle.Owner{}, apierr.NotFound("Project")
	}
	row, project, err := h.access.Snippet(ctx, id, access.ReadProjectSnippet)
	switch {
	case store.IsNotFound(err):
		return lifecycle.Owner{}, apierr.NotFound("Snippet")
	case err != nil:
		return lifecycle.Owner{}, err
	case job && project == nil:
		return lifecycle.Owner{}, apierr.NotFound("Snippet")
	case (project == nil) != (in == "") || project != nil && project.Project.FullPath+"/" != in:
		return lifecycle.Owner{}, apierr.NotFound("Snippet")
	}
	return lifecycle.Owner{Kind: model.SnippetRepository, ID: row.Snippet.ID}, nil
}

// cutLast cuts a text at the last occurrence of part, which must be at the beginning or after a slash.
func cutLast(text, part string) (before, after string, found bool) {
	at := strings.LastIndex(text, part)
	if at < 0 || at > 0 && text[at-1] != '/' {
		return "", "", false
	}
	return text[:at], text[at+len(part):], true
}
