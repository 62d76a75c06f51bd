package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pushOf builds what a client sends: one command and a pack.
func pushOf(t testing.TB, c Command, pack io.Reader) *Push {
	t.Helper()
	var head bytes.Buffer
	if err := errors.Join(writePacket(&head, []byte(c.Old+" "+c.New+" "+c.Ref+"\x00report-status")), writeFlush(&head)); err != nil {
		t.Fatal(err)
	}
	p, err := ReadPush(io.MultiReader(&head, pack))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// packOf builds a pack with everything that a commit needs.
func packOf(t testing.TB, r Repo, id string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "--git-dir", r.dir, "pack-objects", "--revs", "--stdout", "-q")
	cmd.Stdin = strings.NewReader(id + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bomb builds a pack of one object that unpacks to a very large size, which it declares or lies about.
func bomb(kind byte, claimed, real int64) []byte {
	var b bytes.Buffer
	b.WriteString("PACK")
	binary.Write(&b, binary.BigEndian, []uint32{2, 1})
	rest := claimed >> 4
	first := kind<<4 | byte(claimed&15)
	for rest > 0 {
		b.WriteByte(first | 0x80)
		first, rest = byte(rest&0x7f), rest>>7
	}
	b.WriteByte(first)
	z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
	zeros := make([]byte, 1<<20)
	for left := real; left > 0; left -= int64(len(zeros)) {
		z.Write(zeros[:min(left, int64(len(zeros)))])
	}
	z.Close()
	sum := sha1.Sum(b.Bytes())
	return append(b.Bytes(), sum[:]...)
}

func incoming(t testing.TB, r Repo) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(r.dir, "objects", "incoming-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestPacksThatAreNotSoundLeaveNothing(t *testing.T) {
	t.Parallel()
	from := repo(t)
	id := commit(t, from, Change{Action: ActionCreate, Path: "a", Content: bytes.Repeat([]byte("abc\n"), 5000)})
	pack := packOf(t, from, id)
	spoiled := bytes.Clone(pack)
	spoiled[len(spoiled)/2] ^= 0xff
	const tree, blob = 2, 3
	for name, data := range map[string][]byte{
		"nothing": {}, "truncated": pack[:len(pack)-30], "spoiled": spoiled, "not a pack": []byte("PACK me up"),
		"a tree of 3 GiB": bomb(tree, 3<<30, 64<<20), "less than it says": bomb(blob, 1<<20, 1<<10),
		"more than it says": bomb(blob, 1<<10, 64<<20),
	} {
		r := repo(t)
		began := time.Now()
		p := pushOf(t, Command{Old: Zero, New: id, Ref: "refs/heads/main"}, bytes.NewReader(data))
		kept, err := r.Receive(t.Context(), p, 0)
		if err == nil {
			t.Errorf("%s is taken in", name)
		}
		kept.Discard()
		if left := incoming(t, r); len(left) > 0 || time.Since(began) > 20*time.Second {
			t.Errorf("%s: left are %v after %v", name, left, time.Since(began))
		}
	}
	r := repo(t)
	large := pushOf(t, Command{Old: Zero, New: id, Ref: "refs/heads/main"}, bytes.NewReader(pack))
	if _, err := r.Receive(t.Context(), large, 100); err == nil || !strings.Contains(err.Error(), "maximum allowed size") {
		t.Errorf("a push over the limit: %v", err)
	}
	// A valid pack that lacks objects of its commit is accepted, and the ref is refused.
	blobs := ask(t, from, "rev-parse", "main:a")
	cmd := exec.CommandContext(t.Context(), "git", "--git-dir", from.dir, "pack-objects", "--stdout", "-q")
	cmd.Stdin = strings.NewReader(blobs + "\n")
	part, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	p := pushOf(t, Command{Old: Zero, New: id, Ref: "refs/heads/main"}, bytes.NewReader(part))
	if _, err := r.Receive(t.Context(), p, 0); err != nil || p.Commands[0].Refused != "missing necessary objects" {
		t.Errorf("without its objects: %v, %q", err, p.Commands[0].Refused)
	}
}

func TestAPackEndsWhereItEndsAndNotWithTheConnection(t *testing.T) {
	t.Parallel()
	from, r := repo(t), repo(t)
	id := commit(t, from, Change{Action: ActionCreate, Path: "a", Content: []byte("1")})
	open, end := io.Pipe() // like SSH: the client waits for the answer
	defer end.Close()
	go end.Write(packOf(t, from, id))
	p := pushOf(t, Command{Old: Zero, New: id, Ref: "refs/heads/main"}, open)
	began := time.Now()
	kept, err := r.Receive(t.Context(), p, 0)
	if err != nil || kept.Accept() != nil || time.Since(began) > 1500*time.Millisecond {
		t.Fatalf("%v after %v", err, time.Since(began))
	}
	if err := r.Update(t.Context(), p); err != nil || ask(t, r, "rev-parse", "main") != id {
		t.Error(err)
	}
}

func TestOfTwoPushesToOneRefOneWins(t *testing.T) {
	t.Parallel()
	r := repo(t)
	base := commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("1")})
	const many = 8
	refusals := make(chan string, many)
	for i := range many {
		go func() {
			parent, _ := r.Commit(t.Context(), base)
			who := Person{Name: "x", Email: "x", When: time.Unix(int64(i), 0)}
			id, err := r.WriteCommit(
				t.Context(),
				NewCommit{Tree: parent.Tree, Parents: []string{base}, Author: who, Committer: who, Message: fmt.Sprint(i)},
			)
			p := &Push{Commands: []Command{{Ref: "refs/heads/main", Old: base, New: id}}}
			if err == nil {
				err = r.Update(t.Context(), p)
			}
			refusals <- fmt.Sprint(p.Commands[0].Refused, err)
		}()
	}
	won := 0
	for range many {
		if text := <-refusals; text == "<nil>" {
			won++
		} else if text != "failed to update ref<nil>" {
			t.Error(text)
		}
	}
	if won != 1 {
		t.Errorf("%d of them won", won)
	}
}

func TestTheLockLastsAsLongAsGitDoes(t *testing.T) {
	t.Parallel()
	r := repo(t)
	lock, err := r.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.TryLock(); !errors.Is(err, ErrBusy) {
		t.Fatalf("a second lock: %v", err)
	}
	// A git that waits for more input, as if its server were dead, has the lock, too.
	cmd := r.command(t.Context(), "update-ref", "--stdin", "-z")
	cmd.ExtraFiles = []*os.File{lock.file}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lock.Release()
	if _, err := r.TryLock(); !errors.Is(err, ErrBusy) {
		t.Errorf("with git at work: %v", err)
	}
	// An incomplete command of a dying server changes nothing.
	id := strings.Repeat("0", 39) + "1"
	fmt.Fprintf(in, "start\x00update refs/heads/x\x00%s\x00%s\x00", id, Zero)
	in.Close()
	cmd.Wait()
	again, err := r.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
	if _, err := r.Ref("refs/heads/x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("half a transaction was done: %v", err)
	}
}

func TestLocksOfAKilledGitDoNotLast(t *testing.T) {
	t.Parallel()
	r := repo(t)
	commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("1")})
	old := time.Now().Add(-2 * staleAfter)
	for _, name := range []string{"refs/heads/main.lock", "HEAD.lock", "packed-refs.lock"} {
		place := filepath.Join(r.dir, name)
		if err := errors.Join(os.WriteFile(place, nil, 0o600), os.Chtimes(place, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, r, Change{Action: ActionUpdate, Path: "a", Content: []byte("2")})
}
