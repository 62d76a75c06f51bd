package codehttp

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store/git"
	"svc/store/model"
)

// archiveEndings are the endings of archives in addresses, the longer ones first.
var archiveEndings = []struct {
	ending string
	format git.Format
}{
	{".tar.gz", git.TarGz},
	{".tar.bz2", git.TarBz},
	{".tbz2", git.TarBz},
	{".tgz", git.TarGz},
	{".tbz", git.TarBz},
	{".tb2", git.TarBz},
	{".bz2", git.TarBz},
	{".tar", git.Tar},
	{".zip", git.Zip},
	{".gz", git.TarGz},
}

// archive sends the files of a commit. rest is «ref/name.format» or, in its short form, «ref.format».
func (h *Handler) archive(w http.ResponseWriter, r *http.Request, project model.Project, rest string) error {
	ctx := r.Context()
	plain, format, known := cutEnding(rest)
	if !known {
		return apierr.NoRoute()
	}
	if err := h.Archives(ctx, project.ID); err != nil {
		return err
	}
	repo, err := h.Repos.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
	if err != nil {
		return err
	}
	ref, commit, err := resolveArchive(ctx, repo, plain)
	if err != nil {
		return err
	}
	folder, ok := git.CleanPath(r.URL.Query().Get("path"))
	if !ok {
		return apierr.NotFound("File")
	}
	if folder != "" {
		if _, err := repo.TreeAt(ctx, commit, folder); err != nil {
			return orNotFound(err, "File")
		}
	}
	a := git.Archive{Commit: commit, Path: folder, Format: format, Stem: respond.ArchiveStem(project.Path, ref, folder)}
	return respond.Archive{Context: ctx, Repo: repo, Of: a}.Send(w)
}

// cutEnding returns an address without the ending of its format.
func cutEnding(rest string) (string, git.Format, bool) {
	for _, e := range archiveEndings {
		if plain, ok := strings.CutSuffix(rest, e.ending); ok && plain != "" {
			return plain, e.format, true
		}
	}
	return "", "", false
}

// resolveArchive finds the commit of an archive: the ref before the name of the file or, in the short form, the whole.
func resolveArchive(ctx context.Context, repo git.Repo, plain string) (ref, commit string, err error) {
	if at := strings.LastIndexByte(plain, '/'); at > 0 {
		commit, err = repo.Resolve(ctx, plain[:at])
		if !errors.Is(err, git.ErrNotFound) {
			return plain[:at], commit, err
		}
	}
	commit, err = repo.Resolve(ctx, plain)
	return plain, commit, orNotFound(err, "File")
}
