package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain also lets the test program run as the hashing process.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "hash-passwords" {
		if err := ServeHashes(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func hashers(args ...string) *processes { return &processes{command: os.Args[0], args: args} }

func TestAPasswordIsHashedAsideAsItIsHere(t *testing.T) {
	t.Parallel()
	p := hashers("hash-passwords")
	var all sync.WaitGroup
	for _, password := range []string{"", "correct horse", strings.Repeat("ü", 128), "a\x00\n\"b"} {
		all.Go(func() {
			o := hashRequest{Password: []byte(password), Salt: []byte("0123456789abcdef"), Time: 1, Memory: 64, Threads: 1}
			for range 3 {
				key, err := p.compute(o)
				if err != nil || !bytes.Equal(key, o.key()) {
					t.Errorf("%q: %x, %v", password, key, err)
				}
			}
		})
	}
	all.Wait()
	if n := len(p.idle); n < 1 || n > 4 {
		t.Errorf("%d processes wait", n)
	}
	p.end(time.Now())
	if len(p.idle) == 0 {
		t.Error("they did not wait for more")
	}
	p.end(time.Now().Add(idleFor))
	if len(p.idle) != 0 {
		t.Errorf("%d processes still wait", len(p.idle))
	}
}

func TestAProcessThatFailsIsReplaced(t *testing.T) {
	t.Parallel()
	o := hashRequest{Password: []byte("x"), Salt: []byte("0123456789abcdef"), Time: 1, Memory: 64, Threads: 1}
	p := hashers("hash-passwords")
	defer p.end(time.Now().Add(idleFor))
	if _, err := p.compute(o); err != nil {
		t.Fatal(err)
	}
	if err := p.idle[0].cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.idle[0].cmd.Process.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.compute(o); err == nil {
		t.Error("a dead process answered")
	}
	if key, err := p.compute(o); err != nil || !bytes.Equal(key, o.key()) {
		t.Errorf("the next one: %v", err)
	}
	for name, p := range map[string]*processes{"no program": {command: "/nowhere/svc"}, "another program": hashers("-test.run=^$")} {
		if key, err := p.compute(o); err == nil {
			t.Errorf("%s: %x", name, key)
		}
	}
}

// If the process cannot be started, signing in still works.
func TestPasswordsAreHashedHereIfNeedBe(t *testing.T) {
	stop := HashInProcesses("/nowhere/svc")
	defer stop()
	hash, err := HashPassword(context.Background(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	if good, err := CheckPassword(context.Background(), hash, "correct horse"); err != nil || !good {
		t.Errorf("%v, %v", good, err)
	}
}

func TestWhatIsNoOrderEndsTheService(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := answer(strings.NewReader("hello"), &out); err == nil || out.Len() > 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
	line, _ := json.Marshal(hashRequest{Salt: []byte("0123456789abcdef"), Time: 1, Memory: 64, Threads: 1})
	if err := answer(bytes.NewReader(line), &out); err != nil || out.Len() == 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
}
