package secret

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// The hashing process has a lower priority than other sessions, not only than its own threads.
func TestWhoHashesStepsBack(t *testing.T) {
	t.Parallel()
	p := hashers("hash-passwords")
	defer p.end(time.Now().Add(idleFor))
	request := hashRequest{Password: []byte("x"), Salt: []byte("0123456789abcdef"), Time: 1, Memory: 64, Threads: 1}
	if _, err := p.compute(request); err != nil {
		t.Fatal(err)
	}
	pid := p.idle[0].cmd.Process.Pid
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if session := fields[3]; session != fmt.Sprint(pid) {
		t.Errorf("process %d is of session %s", pid, session)
	}
	if nice := fields[16]; nice != fmt.Sprint(niceness) {
		t.Errorf("its niceness is %s", nice)
	}
	for late := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		group, err := os.ReadFile(fmt.Sprintf("/proc/%d/autogroup", pid))
		if err != nil || strings.HasSuffix(strings.TrimSpace(string(group)), fmt.Sprintf(" nice %d", niceness)) {
			break // a kernel that does not weigh sessions has no such file
		}
		if time.Now().After(late) {
			t.Fatalf("its session has %q", group)
		}
	}
}
