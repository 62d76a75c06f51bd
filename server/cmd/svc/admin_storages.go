package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"

	"svc/server"
	"svc/server/domain/repository/lifecycle"
	"svc/store"
	"svc/store/model"
)

// storageCommands list, mark and empty storages.
var storageCommands = []adminCommand{
	{
		"list-storages", "", "", "lists the storages with their folders, free space and numbers of repositories.",
		nil, listStorages,
	},
	{
		"move-storage", "STORAGE", "[--to STORAGE] [--project PATH]",
		"schedules the move of all repositories of a storage to another one, or of one project only. The running service moves them; " +
			"a repository is read-only while it is being moved.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.to, "to", "", "storage to move to (default: any other)")
			set.StringVar(&f.project, "project", "", "path of the only project to move, such as group/project")
		}, moveStorage,
	},
	{
		"adopt-storage", "STORAGE", "",
		"marks a storage as a storage of this instance, whatever it contains. Missing repositories stay missing. " +
			"The name blobs stands for the blob store, which holds logs and artifacts.",
		nil, adoptStorage,
	},
}

func adoptStorage(ctx context.Context, c adminCall) error {
	if err := server.Adopt(ctx, c.cfg, c.store, c.name, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	return c.printDone(map[string]any{"storage": c.name, "marked": true},
		"The storage %s is now marked as a storage of this instance.", c.name)
}

// server returns the service with everything that it consists of, to use its parts. It serves nothing.
func (c adminCall) server(ctx context.Context) (*server.Server, error) {
	cfg := c.cfg
	cfg.SSHListen, cfg.Pages = "", false // host keys and sites are not needed
	if cfg.SecretKey == "" {
		key, err := readKey(filepath.Join(cfg.Data, keyFile))
		if err != nil {
			return nil, err
		}
		if key == "" {
			return nil, errors.New("the instance has no secret key yet: start svc serve once")
		}
		cfg.SecretKey = key
	}
	ops, err := server.LoadOperations()
	if err != nil {
		return nil, err
	}
	return server.New(cfg, c.store, ops, slog.New(slog.DiscardHandler))
}

// shownStorage is a storage in the output of svc admin.
type shownStorage struct {
	Name      string `json:"name"`
	Folder    string `json:"folder"`
	Marked    bool   `json:"marked"` // it belongs to this instance
	Problem   string `json:"problem,omitempty"`
	FreeBytes uint64 `json:"free_bytes"`
	Projects  int64  `json:"projects"`
	Snippets  int64  `json:"snippets"`
	Wikis     int64  `json:"group_wikis"`
}

func listStorages(ctx context.Context, c adminCall) error {
	states, err := lifecycle.StorageStates(ctx, c.store, c.cfg.Roots())
	if err != nil {
		return err
	}
	shown, rows := []shownStorage{}, [][]string{}
	for _, state := range states {
		s := shownStorage{
			Name: state.Name, Folder: state.Folder, Marked: state.Problem == "", Problem: state.Problem, FreeBytes: state.Free,
			Projects: state.Projects, Snippets: state.Snippets, Wikis: state.Wikis,
		}
		shown = append(shown, s)
		rows = append(rows, []string{
			s.Name, s.Folder, yesNo(s.Marked), fmt.Sprintf("%d MiB", s.FreeBytes>>20), strconv.FormatInt(s.Projects, 10),
			strconv.FormatInt(s.Snippets, 10), strconv.FormatInt(s.Wikis, 10),
		})
	}
	return c.printList(shown, "NAME FOLDER MARKED FREE PROJECTS SNIPPETS GROUP-WIKIS", rows, false)
}

func moveStorage(ctx context.Context, c adminCall) error {
	s, err := c.server(ctx)
	if err != nil {
		return err
	}
	repositories := s.Repositories()
	for _, name := range []string{c.name, c.to} {
		if name != "" && !repositories.HasStorage(name) {
			return fmt.Errorf("there is no storage %q; svc admin list-storages lists the storages", name)
		}
	}
	if c.name == c.to {
		return fmt.Errorf("the repositories are already on the storage %s", c.to)
	}
	if c.project != "" {
		return c.moveProject(ctx, repositories)
	}
	if len(repositories.Storages()) < 2 {
		return errors.New("there is only one storage; add another one with SVC_STORAGES first")
	}
	before, err := c.store.Instance.RepositoryCounts(ctx)
	if err != nil {
		return err
	}
	for _, kind := range []model.RepositoryKind{model.ProjectRepository, model.SnippetRepository, model.GroupWikiRepository} {
		if err := repositories.ScheduleAll(ctx, lifecycle.MoveAll{Source: c.name, Destination: c.to, Of: kind}); err != nil {
			return err
		}
	}
	n := before[c.name][model.ProjectRepository] + before[c.name][model.SnippetRepository] + before[c.name][model.GroupWikiRepository]
	return c.printDone(map[string]any{"source": c.name, "destination": c.to, "repositories": n},
		"Scheduled the moves of %d repositories from %s. The running service moves them; svc admin list-storages shows how far it is.",
		n, c.name)
}

// moveProject schedules the move of one project.
func (c adminCall) moveProject(ctx context.Context, repositories *lifecycle.Repositories) error {
	row, err := c.store.Projects.Get(ctx, 0, c.project, &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return fmt.Errorf("there is no project %q", c.project)
	}
	if err != nil {
		return err
	}
	if row.Project.RepositoryStorage != c.name {
		return fmt.Errorf("the project %s is on the storage %s, not on %s", row.Project.FullPath, row.Project.RepositoryStorage, c.name)
	}
	p := row.Project
	m, err := repositories.Schedule(ctx, p, c.to, repositories.Audit(lifecycle.ProjectMoveChange(p)))
	switch {
	case errors.Is(err, store.ErrReadOnly):
		return fmt.Errorf("the project %s is being moved already", p.FullPath)
	case errors.Is(err, lifecycle.ErrSameStorage):
		return errors.New("there is only one storage; add another one with SVC_STORAGES first")
	case err != nil:
		return err
	}
	return c.printDone(map[string]any{"project": p.FullPath, "source": m.SourceStorage, "destination": m.DestinationStorage},
		"Scheduled the move of %s from %s to %s. The running service moves it.", p.FullPath, m.SourceStorage, m.DestinationStorage)
}
