package codehttp

import (
	"html"
	"io"
	"net/http"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// maxParts is how many parts of a path may be the path of a project.
const maxParts = 25

// isGoGet reports whether the go command asks where a module is.
func isGoGet(r *http.Request) bool {
	return strings.Contains(r.URL.RawQuery, "go-get=1") && r.URL.Query().Get("go-get") == "1" && len(parts(r.URL.Path)) > 1
}

// parts returns the parts of a path that may be the path of a project.
func parts(path string) []string {
	all := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	return all[:min(len(all), maxParts)]
}

// goGet tells the go command where a module is: the project whose path is the longest beginning of the address. For a
// project that does not exist, or that the caller may not read, it answers as if the first two parts were a project, so
// that the answer does not say which projects exist.
func (h *Handler) goGet(w http.ResponseWriter, r *http.Request) error {
	all := parts(strings.TrimSuffix(r.URL.Path, ".git"))
	paths := make([]string, 0, len(all))
	for n := len(all); n > 1; n-- {
		paths = append(paths, strings.TrimSuffix(strings.Join(all[:n], "/"), ".git"))
	}
	found, err := h.Store.Projects.PathAmong(r.Context(), paths)
	if err != nil {
		return err
	}
	guess := model.Project{FullPath: strings.TrimSuffix(all[0]+"/"+all[1], ".git"), DefaultBranch: "master"}
	if found == "" {
		found = guess.FullPath // so that a wrong credential is refused whether the project exists or not
	}
	row, err := h.project(r, found)
	switch {
	case err == nil && row.Project.EmptyRepo:
		return writePage(w, http.StatusNotFound, "<html><body>go get "+html.EscapeString(webURL(r, found))+"</body></html>\n")
	case err == nil:
		return goPage(w, r, row.Project)
	case status(err) == http.StatusUnauthorized:
		return hide(w, err)
	case status(err) != 0:
		return goPage(w, r, guess)
	}
	return err
}

func webURL(r *http.Request, path string) string {
	return reqctx.Of(r.Context()).BaseURL + "/" + path
}

// goPage writes the page with the place of the repository and of its source.
func goPage(w http.ResponseWriter, r *http.Request, p model.Project) error {
	web := webURL(r, p.FullPath)
	_, prefix, found := strings.Cut(web, "://")
	if !found {
		return apierr.NoRoute()
	}
	source := strings.Join([]string{
		prefix, web, web + "/-/tree/" + p.DefaultBranch + "{/dir}", web + "/-/blob/" + p.DefaultBranch + "{/dir}/{file}#L{line}",
	}, " ")
	return writePage(w, http.StatusOK, `<html><head><meta name="go-import" content="`+html.EscapeString(prefix+" git "+web+".git")+`">`+
		`<meta name="go-source" content="`+html.EscapeString(source)+`"></head><body>go get `+html.EscapeString(web)+"</body></html>\n")
}

// writePage writes a page.
func writePage(w http.ResponseWriter, status int, page string) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := io.WriteString(w, page)
	return err
}
