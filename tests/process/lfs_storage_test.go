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

func TestAKilledServerKeepsEveryLargeFileThatItAccepted(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	status, body, err := s.Do(ctx, "POST", "/api/v4/projects", `{"name":"large"}`)
	var project struct {
		ID   int64
		Path string `json:"path_with_namespace"`
	}
	if err != nil || status != 201 || json.Unmarshal([]byte(body), &project) != nil {
		t.Fatal(status, body, err)
	}
	var taken []string
	var mu sync.Mutex
	var senders sync.WaitGroup
	for w := range 4 {
		senders.Go(func() {
			for i := 0; ; i++ {
				text := strings.Repeat(fmt.Sprintf("%d of %d\n", i, w), 2000)
				if !uploadLFS(ctx, s, project.Path, text) {
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
	if len(taken) < 3 {
		t.Fatalf("too few files to prove anything: %d", len(taken))
	}
	s = Start(t, p)
	size := 0
	for _, text := range taken {
		size += len(text)
		sum := sha256.Sum256([]byte(text))
		req, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/"+project.Path+".git/svc-lfs/objects/"+hex.EncodeToString(sum[:]), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth("x", Token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK || string(got) != text {
			t.Errorf("a file that was taken: %d with %d bytes, %v", res.StatusCode, len(got), err)
		}
	}
	_, body, err = s.Do(ctx, "GET", fmt.Sprintf("/api/v4/projects/%d?statistics=true", project.ID), "")
	var shown struct {
		Statistics struct {
			Size int `json:"lfs_objects_size"`
		}
	}
	// The server may have accepted the last files although the answer did not arrive.
	if err != nil || json.Unmarshal([]byte(body), &shown) != nil || shown.Statistics.Size < size {
		t.Errorf("%d bytes were taken, %d are counted; %v", size, shown.Statistics.Size, err)
	}
	// All other files are drafts or complete: no object has only a part of its content.
	err = filepath.WalkDir(filepath.Join(p.Data, "repositories", "@lfs"), func(path string, entry fs.DirEntry, err error) error {
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
