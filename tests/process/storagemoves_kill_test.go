package process

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/tests/wait"
)

// otherDisk returns a folder on another disk, if there is one. Files are copied there, not linked.
func otherDisk(t testing.TB) string {
	t.Helper()
	path, err := os.MkdirTemp("/dev/shm", "svc-move-")
	if err != nil {
		return folder(t)
	}
	t.Cleanup(func() { os.RemoveAll(path) })
	return path
}

// fill adds many files, and some large ones, to a repository.
func fill(t testing.TB, p pusher) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{7})
	cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet")
	cmd.Dir = p.folder
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(in, "commit refs/heads/main\ncommitter Ann <ann@example.com> 1800000000 +0000\ndata 4\nMany\n")
	for i := range 8000 {
		fmt.Fprintf(in, "M 100644 inline dir%d/file%d\ndata <<END\n%d\nEND\n\n", i%100, i, i)
	}
	data := make([]byte, 1<<20)
	for i := range 40 {
		_, _ = random.Read(data)
		fmt.Fprintf(in, "M 100644 inline large/file%d\ndata %d\n%s\n", i, len(data), data)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

type storageMove struct {
	ID    int64
	State string
}

// ask sends a request as the administrator, checks the status and decodes the answer unless into is nil.
func (s *Server) ask(method, path, body string, want int, into any) {
	s.t.Helper()
	status, text, err := s.Do(s.t.Context(), method, path, body)
	if err != nil || status != want {
		s.t.Fatalf("%s %s: %d %s %v", method, path, status, text, err)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			s.t.Fatal(err)
		}
	}
}

// waitForMove waits until a move has finished or failed, and returns its state.
func (s *Server) waitForMove(path string) string {
	s.t.Helper()
	var m storageMove
	wait.Until(s.t, path+" has finished or failed", func() bool {
		s.ask("GET", path, "", 200, &m)
		return m.State == "finished" || m.State == "failed"
	})
	return m.State
}

// The server is killed while it moves a large repository and that of a snippet. The next one ends both moves,
// successfully or not, and both repositories are still complete.
func TestAServerKilledInTheMiddleOfAMoveLosesNothing(t *testing.T) {
	t.Parallel()
	place := NewPlace(t)
	storages := []string{"SVC_STORAGES=fast=" + otherDisk(t), "SVC_MOVE_GRACE=0s"}
	s := Start(t, place, storages...)
	s.ask("POST", "/api/v4/projects", `{"name":"p"}`, 201, nil)
	var snippet struct{ ID int64 }
	text := strings.Repeat("0123456789abcdef", 1<<16)
	s.ask("POST", "/api/v4/snippets", `{"title":"t","content":"`+text+`"}`, 201, &snippet)
	p := newPusher(t, "main")
	fill(t, p)
	if err := p.git("push", "-q", s.remote(), "main"); err != nil {
		t.Fatal(err)
	}
	ended := map[string]int{}
	for round := range 4 {
		var ofProject, ofSnippet storageMove
		s.ask("POST", fmt.Sprintf("/api/v4/snippets/%d/repository_storage_moves", snippet.ID), `{}`, 201, &ofSnippet)
		s.ask("POST", "/api/v4/projects/root%2Fp/repository_storage_moves", `{}`, 201, &ofProject)
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond) // the kill comes at a random moment of the moves
		s.Signal(syscall.SIGKILL)
		s.End() //nolint:errcheck // killed
		s = Start(t, place, storages...)
		ended[s.waitForMove(fmt.Sprintf("/api/v4/project_repository_storage_moves/%d", ofProject.ID))]++
		ended[s.waitForMove(fmt.Sprintf("/api/v4/snippet_repository_storage_moves/%d", ofSnippet.ID))]++
		clone := filepath.Join(t.TempDir(), fmt.Sprint("clone", round))
		if err := p.git("clone", "-q", "--mirror", s.remote(), clone); err != nil {
			t.Fatal(err)
		}
		if err := p.git("--git-dir", clone, "fsck", "--full", "--strict"); err != nil {
			t.Fatal(err)
		}
		if err := p.git("--git-dir", clone, "rev-parse", "--verify", "-q", "main:dir99/file7999"); err != nil {
			t.Fatal(err)
		}
		if status, body, err := s.Do(t.Context(), "GET", fmt.Sprintf("/api/v4/snippets/%d/raw", snippet.ID), ""); status != 200 ||
			body != text {
			t.Fatalf("%d, %d bytes, %v", status, len(body), err)
		}
		// Both repositories can be written to again. The raw operation shows the first file by name.
		s.ask(
			"PUT", fmt.Sprintf("/api/v4/snippets/%d", snippet.ID),
			fmt.Sprintf(`{"files":[{"action":"create","file_path":"zround%d","content":"x"}]}`, round), 200, nil,
		)
		if err := p.git("push", "-q", s.remote(), fmt.Sprintf("main:refs/heads/round%d", round)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the moves ended: %v", ended)
}
