package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const moveTimes = 3

// moves compares the move of a large repository to another storage, from the request until svc switches over, with git
// clone --mirror. The clone uses --no-local, because git checks objects only if it copies them instead of linking them.
// A move always checks them.
func (b *gitBench) moves(ctx context.Context) error {
	large, to := filepath.Join(b.folder, "large.git"), filepath.Join(b.folder, "mirror.git")
	var moved, mirrored []time.Duration
	for range moveTimes {
		began := time.Now()
		if err := runGit(ctx, "", "clone", "-q", "--mirror", "--no-local", large, to); err != nil {
			return err
		}
		mirrored = append(mirrored, time.Since(began))
		if err := os.RemoveAll(to); err != nil {
			return err
		}
		took, err := b.move(ctx)
		if err != nil {
			return err
		}
		moved = append(moved, took)
	}
	slices.Sort(moved)
	slices.Sort(mirrored)
	ours, floor := moved[moveTimes/2], mirrored[moveTimes/2]
	r := float64(ours) / float64(floor)
	fmt.Fprintf(b.rep.out, "%-34s %10.0f ms, %.2f x git clone --mirror (%.0f ms)\n", "move of 300 MB", millis(ours), r, millis(floor))
	b.rep.compared("", "git: a move to another storage", "git clone --mirror", overOnce(ours, floor), 1.5, "")
	return nil
}

// move moves the large repository to the other storage and returns the time until svc switched over. It waits until the
// old copy is deleted as well.
func (b *gitBench) move(ctx context.Context) (took time.Duration, err error) {
	moves := "/api/v4/projects/root%2Flarge/repository_storage_moves"
	var m struct {
		ID    int64
		State string
		Error string `json:"error_message"`
	}
	began := time.Now()
	data, err := b.ask(ctx, http.MethodPost, moves, "")
	for err == nil {
		if err := json.Unmarshal(data, &m); err != nil {
			return 0, err
		}
		if took == 0 && (m.State == "replicated" || m.State == "finished") {
			took = time.Since(began)
		}
		switch m.State {
		case "finished":
			return took, nil
		case "failed", "cleanup failed":
			return 0, fmt.Errorf("the move %s: %s", m.State, m.Error)
		}
		time.Sleep(5 * time.Millisecond)
		data, err = b.ask(ctx, http.MethodGet, fmt.Sprintf("%s/%d", moves, m.ID), "")
	}
	return 0, err
}
