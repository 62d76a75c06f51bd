package process

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// uploadLFS uploads a large file and reports whether the server accepted it.
func uploadLFS(ctx context.Context, s *Server, project, text string) bool {
	sum := sha256.Sum256([]byte(text))
	url := fmt.Sprintf("%s/%s.git/svc-lfs/objects/%s/%d", s.URL, project, hex.EncodeToString(sum[:]), len(text))
	req, err := http.NewRequestWithContext(ctx, "PUT", url, strings.NewReader(text))
	if err != nil {
		return false
	}
	req.SetBasicAuth("x", Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// uploadUntilKilled uploads different files, several at once, until the server is killed. It returns those that the
// server accepted.
func uploadUntilKilled(ctx context.Context, s *Server, project string) []string {
	var taken []string
	var mu sync.Mutex
	var senders sync.WaitGroup
	for w := range 4 {
		senders.Go(func() {
			for i := 0; ; i++ {
				text := strings.Repeat(fmt.Sprintf("%d of %d\n", i, w), 2000)
				if !uploadLFS(ctx, s, project, text) {
					return
				}
				mu.Lock()
				taken = append(taken, text)
				mu.Unlock()
			}
		})
	}
	time.AfterFunc(700*time.Millisecond, func() { s.Signal(syscall.SIGKILL) })
	senders.Wait()
	s.End() //nolint:errcheck // killed
	return taken
}

// hasLFS checks that a project has a large file with the given content.
func hasLFS(ctx context.Context, t *testing.T, s *Server, project, text string) {
	t.Helper()
	sum := sha256.Sum256([]byte(text))
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/"+project+".git/svc-lfs/objects/"+hex.EncodeToString(sum[:]), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("x", Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || string(got) != text {
		t.Errorf("a file that was taken: %d with %d bytes, %v", res.StatusCode, len(got), err)
	}
}

// checkStoredObjects checks that every file in a folder is a draft or complete: no object has only a part of its
// content.
func checkStoredObjects(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || len(entry.Name()) != 2*sha256.Size {
			return err
		}
		data, err := os.ReadFile(path)
		if sum := sha256.Sum256(data); err == nil && hex.EncodeToString(sum[:]) != entry.Name() {
			t.Errorf("%s has other content", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAKilledServerKeepsEveryLargeFileThatItAccepted(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var project struct {
		ID   int64
		Path string `json:"path_with_namespace"`
	}
	s.ask("POST", "/api/v4/projects", `{"name":"large"}`, 201, &project)
	taken := uploadUntilKilled(ctx, s, project.Path)
	if len(taken) < 3 {
		t.Fatalf("too few files to prove anything: %d", len(taken))
	}
	s = Start(t, p)
	size := 0
	for _, text := range taken {
		size += len(text)
		hasLFS(ctx, t, s, project.Path, text)
	}
	_, body, err := s.Do(ctx, "GET", fmt.Sprintf("/api/v4/projects/%d?statistics=true", project.ID), "")
	var shown struct {
		Statistics struct {
			Size int `json:"lfs_objects_size"`
		}
	}
	// The server may have accepted the last files although the answer did not arrive.
	if err != nil || json.Unmarshal([]byte(body), &shown) != nil || shown.Statistics.Size < size {
		t.Errorf("%d bytes were taken, %d are counted; %v", size, shown.Statistics.Size, err)
	}
	checkStoredObjects(t, filepath.Join(p.Data, "repositories", "@lfs"))
}
