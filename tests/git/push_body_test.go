package git

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/tests/harness"
	"svc/tests/wait"

	"golang.org/x/crypto/ssh"
)

// zeros is the object id that means no object.
const zeros = "0000000000000000000000000000000000000000"

// gzipped compresses a text with gzip.
func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text) // writes to memory do not fail
	_ = w.Close()
	return b.String()
}

// postGit posts a body to a Git service, and returns the status and the answer.
func postGit(t *testing.T, h *harness.H, token, path, service, body string, pairs ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/"+path+".git/"+service, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-"+service+"-request")
	for i := 0; i < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	req.SetBasicAuth("x", token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

func TestMalformedBodiesAreAnsweredWith400(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "x", ann.Token, p.FullPath), "main")
	main := id(t, here, "main")
	line := func(ref string) string { return zeros + " " + main + " refs/heads/" + ref }
	many := strings.Repeat(packets(zeros+" "+main+" refs/heads/"+strings.Repeat("x", 1000)), 3840)
	for _, service := range []string{"git-receive-pack", "git-upload-pack"} {
		for name, c := range map[string]struct {
			body string
			zip  bool
		}{
			"garbage":                    {"garbage", false},
			"no length":                  {"zzzz", false},
			"three bytes":                {"001", false},
			"a line that breaks off":     {"00ffwant", false},
			"a command that breaks off":  {packets(line("a"))[:60], false},
			"commands without an end":    {packets(line("a")), false},
			"a line that means nothing":  {packets("hello world", "0000"), false},
			"a mark of version 2":        {packets(line("a"), "0001"), false},
			"a want without an end":      {packets("want " + main), false},
			"a command that is too long": {packets(line(strings.Repeat("x", 2000)), "0000"), false},
			"a command of 65 KB":         {packets(line(strings.Repeat("x", 65000)), "0000"), false},
			"too many bytes of commands": {many + "0000", false},
			"the same, packed":           {gzipped(many + "0000"), true},
			"not gzip":                   {"garbage", true},
			"half of a gzip":             {gzipped(strings.Repeat(packets("want "+main), 100))[:40], true},
			"a gzip that is damaged":     {gzipped(packets("want " + main))[:12] + "garbage and more garbage", true},
			"a gzip of 150 MB":           {gzipped(strings.Repeat(packets("have "+main+"\n"), 3<<20)), true},
			"a gzip of 150 MB of wants":  {gzipped(strings.Repeat(packets("want "+main+"\n"), 3<<20)), true},
		} {
			var pairs []string
			if c.zip {
				pairs = []string{"Content-Encoding", "gzip"}
			}
			if status, answer := postGit(t, h, ann.Token, p.FullPath, service, c.body, pairs...); status != 400 {
				t.Errorf("%s, %s: %d %.200q", service, name, status, answer)
			}
		}
	}
	if status, answer := postGit(
		t, h, ann.Token, p.FullPath, "git-upload-pack", gzipped(fetchRequest(0, "0000", "want "+main+"\n")),
		"Content-Encoding", "gzip",
	); status != 200 || !strings.Contains(answer, "PACK") {
		t.Errorf("a good fetch: %d %q", status, answer)
	}
	if status, answer := postGit(
		t, h, ann.Token, p.FullPath, "git-receive-pack",
		gzipped(packets(main+" "+zeros+" refs/heads/none\x00report-status", "0000")), "Content-Encoding", "gzip",
	); status != 200 || !strings.Contains(answer, "ng refs/heads/none") {
		t.Errorf("a good push: %d %q", status, answer)
	}
	if logged := h.Logs.String(); strings.Contains(logged, "status=500") || strings.Contains(logged, `"status":500`) {
		t.Error("a failure of the service was logged")
	}
}

func TestAPushOfTooManyRefsIsRefusedWithTheLimit(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	var commands strings.Builder
	for i := range 10001 {
		commands.WriteString(packets(fmt.Sprintf("%s %s refs/heads/b%05d\x00report-status", zeros, strings.Repeat("1a", 20), i)))
	}
	status, answer := postGit(t, h, ann.Token, p.FullPath, "git-receive-pack", commands.String()+"0000PACK")
	const limit = "a push can change at most 10000 refs: push them in several steps"
	if status != 200 || !strings.Contains(answer, "unpack "+limit+"\n") ||
		!strings.Contains(answer, "ng refs/heads/b00000 "+limit) || strings.Contains(answer, "ok refs/") {
		t.Errorf("%d %.300q", status, answer)
	}
}

// beginPush opens a connection to the service and sends the beginning of a push.
func beginPush(t *testing.T, h *harness.H, token, path, body string) net.Conn {
	t.Helper()
	u, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST /%s.git/git-receive-pack HTTP/1.1\r\nHost: %s\r\nPRIVATE-TOKEN: x\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/x-git-receive-pack-request\r\nContent-Length: 100000\r\n\r\n%s", path, u.Host, token, body)
	return conn
}

func TestASlowPushTimesOutAndAnAbortedPushIsNotAnError(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.TransferPause, c.LogLevel = time.Second, "info" })
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	head := packets(zeros+" "+strings.Repeat("1a", 20)+" refs/heads/a\x00report-status", "0000")
	for name, body := range map[string]string{"in the commands": head[:50], "before the objects": head, "in the objects": head + "PACK"} {
		conn := beginPush(t, h, ann.Token, p.FullPath, body)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusRequestTimeout {
			t.Errorf("%s: %s", name, res.Status)
		}
	}
	patient := harness.New(t, func(c *config.Config) { c.LogLevel = "info" })
	bob := patient.NewUser()
	q := patient.Project(*bob.User.NamespaceID)
	for _, body := range []string{head[:50], head, head + "PACK"} {
		beginPush(t, patient, bob.Token, q.FullPath, body).Close()
	}
	wait.Until(t, "all pushes are logged as closed by the client", func() bool {
		return strings.Count(patient.Logs.String(), "499") >= 3
	})
	if logged := patient.Logs.String(); strings.Contains(logged, "request failed") {
		t.Errorf("a failure of the service was logged: %s", logged)
	}
}

// beginSSHPush starts a push over SSH. It sends body, and then a byte now and then.
func beginSSHPush(t *testing.T, client *ssh.Client, path, body string) (session *ssh.Session, said *bytes.Buffer) {
	t.Helper()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	said = &bytes.Buffer{}
	session.Stderr = said
	in, err := session.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Start("git-receive-pack '" + path + ".git'"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 4)); err != nil { // the server answers, so the push has begun
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if _, err := io.WriteString(in, body); err != nil {
		t.Fatal(err)
	}
	go func() {
		drip := time.NewTicker(400 * time.Millisecond)
		defer drip.Stop()
		for t.Context().Err() == nil {
			<-drip.C
			if _, err := in.Write([]byte("0")); err != nil {
				return
			}
		}
	}()
	return session, said
}

func TestASlowPushOverSSHTimesOutAndAnAbortedPushIsNotAnError(t *testing.T) {
	t.Parallel()
	head := packets(zeros+" "+strings.Repeat("1a", 20)+" refs/heads/a\x00report-status", "0000")
	bodies := map[string]string{"in the commands": head[:50], "before the objects": head, "in the objects": head + "PACK"}

	h, address := newSSHServer(t, func(c *config.Config) { c.SSHTransferPause = time.Second })
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	client := dialSSH(t, address, sshKey(t, ann, ""))
	for name, body := range bodies {
		session, said := beginSSHPush(t, client, p.FullPath, body)
		var exit *ssh.ExitError
		if err := session.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 1 ||
			!strings.Contains(said.String(), "svc: The transfer is too slow.") {
			t.Errorf("%s: %v %q", name, err, said)
		}
	}
	wait.Until(t, "all pushes are logged as too slow", func() bool {
		return strings.Count(h.Logs.String(), "status=408") == len(bodies)
	})

	patient, address := newSSHServer(t)
	bob := patient.NewUser()
	q := patient.Project(*bob.User.NamespaceID)
	key := sshKey(t, bob, "")
	for _, body := range bodies {
		client := dialSSH(t, address, key)
		beginSSHPush(t, client, q.FullPath, body)
		client.Close()
	}
	wait.Until(t, "all pushes are logged as closed by the client", func() bool {
		return strings.Count(patient.Logs.String(), "status=499") == len(bodies)
	})
	for _, logged := range []string{h.Logs.String(), patient.Logs.String()} {
		if strings.Contains(logged, "level=ERROR") {
			t.Errorf("a failure of the service was logged: %s", logged)
		}
	}
}
