package graphql

import (
	"bytes"
	"context"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/server/domain/snippet"
	"svc/server/platform/access"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// blobNode is a file of a snippet.
type blobNode struct {
	row  model.SnippetRow
	path string
}

const (
	maxBlobs    = 10      // files whose texts are read at a time
	maxBlobSize = 1 << 20 // of a text
)

func (h *Handler) snippetTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Query":   {"snippets": engine.One(h.snippets)},
		"Project": {"snippets": engine.One(h.snippetsOfProject)},
		"Snippet": h.snippetFields(),
		"SnippetBlob": {
			"name": engine.Value(func(b blobNode) any { return path.Base(b.path) }),
			"path": engine.Value(func(b blobNode) any { return b.path }),
			"rawPath": engine.Value(func(b blobNode) any {
				return h.path(snippetPath(b.row) + "/raw/" + strings.ReplaceAll(url.PathEscape(b.path), "%2F", "/"))
			}),
			"rawPlainData": engine.Batch(h.blobTexts),
		},
		"Mutation": {
			"createSnippet":  mutation(h.createSnippet),
			"updateSnippet":  mutation(h.updateSnippet),
			"destroySnippet": mutation(h.destroySnippet),
		},
	}
}

// snippetPath returns the path of the page of a snippet.
func snippetPath(row model.SnippetRow) string {
	at := ""
	if row.Project != nil {
		at = "/" + row.Project.FullPath
	}
	return at + "/-/snippets/" + strconv.FormatInt(row.Snippet.ID, 10)
}

func ofSnippet(read func(model.Snippet) any) engine.Resolver {
	return engine.Value(func(r model.SnippetRow) any { return read(r.Snippet) })
}

func (h *Handler) snippetFields() engine.Resolvers {
	return engine.Resolvers{
		"id": engine.Value(func(r model.SnippetRow) any {
			if r.Snippet.ProjectID != nil {
				return gid("ProjectSnippet", r.Snippet.ID)
			}
			return gid("PersonalSnippet", r.Snippet.ID)
		}),
		"title":           ofSnippet(func(s model.Snippet) any { return s.Title }),
		"description":     ofSnippet(func(s model.Snippet) any { return s.Description }),
		"visibilityLevel": ofSnippet(func(s model.Snippet) any { return s.Visibility.String() }),
		"createdAt":       ofSnippet(func(s model.Snippet) any { return s.CreatedAt }),
		"updatedAt":       ofSnippet(func(s model.Snippet) any { return s.UpdatedAt }),
		"fileName": ofSnippet(func(s model.Snippet) any {
			if paths := s.Paths(); len(paths) > 0 {
				return paths[0]
			}
			return nil
		}),
		"webUrl": engine.Value(func(r model.SnippetRow) any { return h.Base + snippetPath(r) }),
		"rawUrl": engine.Value(func(r model.SnippetRow) any {
			id := strconv.FormatInt(r.Snippet.ID, 10)
			if r.Project == nil {
				return h.Base + "/api/v4/snippets/" + id + "/raw"
			}
			return h.Base + "/api/v4/projects/" + strconv.FormatInt(r.Project.ID, 10) + "/snippets/" + id + "/raw"
		}),
		"httpUrlToRepo": engine.Value(func(r model.SnippetRow) any {
			return h.Base + strings.Replace(snippetPath(r), "/-/", "/", 1) + ".git"
		}),
		"author": engine.Value(func(r model.SnippetRow) any { return r.Author }),
		"project": engine.Lookup(func(r model.SnippetRow) (int64, bool) {
			if r.Snippet.ProjectID == nil {
				return 0, false
			}
			return *r.Snippet.ProjectID, true
		}, h.visibleProjects),
		"blobs": sliceOf(func(r model.SnippetRow) []any {
			out := []any{}
			for _, p := range r.Snippet.Paths() {
				out = append(out, blobNode{r, p})
			}
			return out
		}),
	}
}

// blobTexts reads files. The caller can see their snippets.
func (h *Handler) blobTexts(ctx context.Context, call engine.Call, all []blobNode) ([]any, error) {
	if len(all) > maxBlobs {
		return nil, call.TooMany(maxBlobs)
	}
	values := make([]any, len(all))
	for i, b := range all {
		text, err := h.blobText(ctx, b)
		if err != nil {
			values[i] = err
			continue
		}
		values[i] = text
	}
	return values, nil
}

func (h *Handler) blobText(ctx context.Context, b blobNode) (any, error) {
	file, err := h.Snippets.Find(ctx, b.row, "", b.path)
	if err != nil {
		return nil, err
	}
	data, err := file.Read(ctx, maxBlobSize)
	if err != nil || !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, err
	}
	return string(data), nil
}

func (h *Handler) snippetsOfProject(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadProjectSnippet); err != nil {
		return nil, err
	}
	f := store.SnippetFilter{ProjectID: row.Project.ID, Everyone: row.Role() >= model.Guest}
	return page(call.Args, func(p store.Page) ([]model.SnippetRow, store.Total, error) {
		return h.Store.Snippets.List(ctx, f, access.Reader(ctx), p)
	})
}

var snippetClasses = []string{"Snippet", "PersonalSnippet", "ProjectSnippet"}

// snippets lists snippets by ID or, without IDs, the caller's own.
func (h *Handler) snippets(ctx context.Context, call engine.Call, _ root) (any, error) {
	ids, err := readGIDs(call.Args.Texts("ids"), snippetClasses...)
	if err != nil {
		return nil, err
	}
	if len(ids) > maxBlobs {
		return nil, &engine.Error{Message: "Too many IDs; the most is " + strconv.Itoa(maxBlobs)}
	}
	if len(ids) > 0 {
		found, err := h.snippetsByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		return engine.Slice(call.Args, found)
	}
	actor, err := access.Allow(ctx, access.ReadSnippets)
	if err != nil {
		return nil, err
	}
	f := store.SnippetFilter{AuthorID: actor.User.ID}
	return page(call.Args, func(p store.Page) ([]model.SnippetRow, store.Total, error) {
		return h.Store.Snippets.List(ctx, f, access.Reader(ctx), p)
	})
}

// snippetsByID returns the snippets that the caller can see, with one statement for all and one for their projects.
func (h *Handler) snippetsByID(ctx context.Context, ids []int64) ([]model.SnippetRow, error) {
	wanted := map[int64]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	rows, err := h.Store.Snippets.ByID(ctx, wanted)
	if err != nil {
		return nil, err
	}
	var projects []int64
	for _, row := range rows {
		if row.Snippet.ProjectID != nil {
			projects = append(projects, *row.Snippet.ProjectID)
		}
	}
	in, err := h.visibleProjects(ctx, projects)
	if err != nil {
		return nil, err
	}
	found := []model.SnippetRow{}
	for _, id := range ids {
		row, ok := rows[id]
		if !ok {
			continue
		}
		var project *model.ProjectRow
		if at := row.Snippet.ProjectID; at != nil {
			seen, ok := in[*at]
			if !ok || access.InProject(ctx, seen, access.ReadProjectSnippet) != nil {
				continue
			}
			project = &seen
		}
		if access.ReadsSnippet(row.Snippet, project, access.Reader(ctx)) {
			found = append(found, row)
		}
	}
	return found, nil
}

func visibilityOf(name string) *model.Visibility {
	level, ok := map[string]model.Visibility{"private": model.Private, "internal": model.Internal, "public": model.Public}[name]
	if !ok {
		return nil
	}
	return &level
}

func (h *Handler) createSnippet(ctx context.Context, in engine.Args) (payload, error) {
	d := snippet.Draft{
		Title: in.Text("title"), Description: in.TextPtr("description"), Visibility: visibilityOf(in.Text("visibilityLevel")),
	}
	if at := in.Text("projectPath"); at != "" {
		row, err := h.findProject(ctx, at, access.CreateProjectSnippet)
		if err != nil {
			return nil, err
		}
		d.Project = &row.Project
	} else if _, err := access.Allow(ctx, access.CreateSnippet); err != nil {
		return nil, err
	}
	for _, a := range in.Inputs("blobActions") {
		if a.Text("action") != git.ActionCreate {
			return payload{"errors": []string{"Snippet actions of a new snippet must create files"}}, nil
		}
		d.Files = append(d.Files, git.Change{Action: git.ActionCreate, Path: a.Text("filePath"), Content: []byte(a.Text("content"))})
	}
	if len(d.Files) == 0 {
		return payload{"errors": []string{"Snippet actions have invalid data"}}, nil
	}
	row, err := h.Snippets.Create(ctx, d)
	return payload{"snippet": row}, err
}

// ownSnippet returns a snippet that the caller may change.
func (h *Handler) ownSnippet(ctx context.Context, in engine.Args) (model.SnippetRow, error) {
	id, err := readGID(in.Text("id"), snippetClasses...)
	if err != nil {
		return model.SnippetRow{}, err
	}
	if _, err := access.Allow(ctx, access.UpdateSnippet); err != nil {
		return model.SnippetRow{}, err
	}
	row, project, err := h.Access.Snippet(ctx, id, access.UpdateProjectSnippet)
	if err != nil {
		return row, err
	}
	return row, snippet.MayChange(ctx, row, project)
}

func (h *Handler) updateSnippet(ctx context.Context, in engine.Args) (payload, error) {
	row, err := h.ownSnippet(ctx, in)
	if err != nil {
		return nil, err
	}
	c := snippet.Change{
		Title: in.TextPtr("title"), Description: in.TextPtr("description"), Visibility: visibilityOf(in.Text("visibilityLevel")),
	}
	if actions := in.Inputs("blobActions"); len(actions) > 0 {
		files := make([]snippet.FileAction, len(actions))
		for i, a := range actions {
			files[i] = snippet.FileAction{
				Action: a.Text("action"), Path: a.TextPtr("filePath"), Previous: a.TextPtr("previousPath"), Content: a.TextPtr("content"),
			}
		}
		c.Files = &files
	}
	row, err = h.Snippets.Apply(ctx, row, c)
	return payload{"snippet": row}, err
}

func (h *Handler) destroySnippet(ctx context.Context, in engine.Args) (payload, error) {
	row, err := h.ownSnippet(ctx, in)
	if err != nil {
		return nil, err
	}
	return nil, h.Snippets.Delete(ctx, row, nil)
}
