package git

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"

	"golang.org/x/crypto/ssh"
)

// packets encodes lines of the Git protocol. Four digits are a special packet without content, called a mark here.
func packets(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		if len(line) == 4 && strings.Trim(line, "0123456789") == "" {
			b.WriteString(line)
			continue
		}
		fmt.Fprintf(&b, "%04x%s", len(line)+4, line)
	}
	return b.String()
}

// fetchRequest returns a fetch request for a version of the protocol. The mark ends the wants.
func fetchRequest(version int, mark string, lines ...string) string {
	if version == 2 {
		head := packets("command=fetch", "object-format=sha1", "0001")
		if mark == "0000" || len(mark) < 4 {
			return head + packets(lines...) + packets("done\n") + mark
		}
		return head + packets(lines...) + mark + packets("done\n", "0000")
	}
	text := packets(lines...) + mark
	if len(mark) < 4 {
		return text
	}
	return text + packets("done\n")
}

// sender sends a request. It returns the whole answer, and the HTTP status or the error output of SSH.
type sender func(t *testing.T, version int, path, body string) (answer []byte, status string)

// overHTTP sends requests with a token, or without credentials if the token is empty.
func overHTTP(h *harness.H, token string) sender {
	return func(t *testing.T, version int, path, body string) ([]byte, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/"+path+".git/git-upload-pack", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-git-upload-pack-request")
		req.Header.Set("Git-Protocol", "version="+strconv.Itoa(version))
		if token != "" {
			req.SetBasicAuth("x", token)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		answer, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer, strconv.Itoa(res.StatusCode)
	}
}

// overSSH sends requests with a key.
func overSSH(t *testing.T, address, key string) sender {
	t.Helper()
	client := dialSSH(t, address, key)
	return func(t *testing.T, version int, path, body string) ([]byte, string) {
		t.Helper()
		session, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		if err := session.Setenv("GIT_PROTOCOL", "version="+strconv.Itoa(version)); err != nil {
			t.Fatal(err)
		}
		var out, told bytes.Buffer
		session.Stdin, session.Stdout, session.Stderr = strings.NewReader(body), &out, &told
		err = session.Run("git-upload-pack '" + path + ".git'")
		return out.Bytes(), fmt.Sprint(err, told.String())
	}
}

// dialSSH opens a connection with a user's key.
func dialSSH(t *testing.T, address, key string) *ssh.Client {
	t.Helper()
	text, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		t.Fatal(err)
	}
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{
		User: "git", Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// packContains reports whether an answer contains a pack with the given object.
func packContains(t *testing.T, answer []byte, id string) bool {
	t.Helper()
	pack := packOf(answer)
	if len(pack) == 0 {
		return false
	}
	folder := t.TempDir()
	must(t, folder, "init", "-q", "--bare")
	cmd := exec.CommandContext(t.Context(), "git", "--git-dir", folder, "unpack-objects", "-q", "-r")
	cmd.Stdin = bytes.NewReader(pack)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("unpack: %v %s", err, out)
	}
	_, ok := git(t, folder, "cat-file", "-e", id)
	return ok
}

// packOf returns the pack in an answer: as it is, or in pieces on the first side band.
func packOf(answer []byte) []byte {
	var pack []byte
	for len(answer) >= 4 {
		if bytes.HasPrefix(answer, []byte("PACK")) {
			return answer
		}
		n, err := strconv.ParseUint(string(answer[:4]), 16, 16)
		if err != nil || int(n) > len(answer) {
			return pack
		}
		line := answer[4:max(n, 4)]
		if len(line) > 0 && line[0] == 1 {
			pack = append(pack, line[1:]...)
		}
		answer = answer[max(n, 4):]
	}
	return pack
}

// The test requests a commit of a deleted branch, with every version of the protocol and every way to end the wants.
func TestNoEndOfTheWantsRevealsUnreachableObjects(t *testing.T) {
	t.Parallel()
	h, address, _ := newSSHServerWithFolder(t)
	ann := h.NewUser()
	bySSH := overSSH(t, address, sshKey(t, ann, ""))
	if made := ann.JSON("POST", "/projects", `{"name":"p","visibility":"public"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	path := ann.User.Username + "/p"
	here := newRepository(t)
	must(t, here, "checkout", "-q", "-b", "topic")
	commit(t, here, "secret", "a secret\n")
	secret, blob, main := id(t, here, "HEAD"), id(t, here, "HEAD:secret"), id(t, here, "main")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, path), "main", "topic")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, path), ":topic")
	for way, send := range map[string]sender{"HTTP": overHTTP(h, ""), "SSH": bySSH} {
		for version := range 3 {
			for _, mark := range []string{"0000", "0001", "0002", "0003", "0004", "", "00", "zzzz"} {
				for _, wants := range [][]string{
					{"want " + secret + "\n"},
					{"want " + main + "\n", "want " + secret + "\n"},
					{"want " + blob + "\n"},
				} {
					what := fmt.Sprintf("%s, version %d, mark %q, %q", way, version, mark, wants)
					answer, told := send(t, version, path, fetchRequest(version, mark, wants...))
					if packContains(t, answer, secret) || packContains(t, answer, blob) || len(packOf(answer)) > 0 {
						t.Errorf("%s: the object is given", what)
					}
					if mark == "0000" {
						checkNotOurRef(t, what, answer)
					} else if way == "HTTP" {
						checkRefusedMark(t, what, version, answer, told)
					}
				}
			}
			if answer, told := send(t, version, path, fetchRequest(version, "0000", "want "+main+"\n")); !packContains(t, answer, main) {
				t.Errorf("%s, version %d: the branch is not given: %s %q", way, version, told, answer)
			}
		}
	}
}

// checkNotOurRef checks that an answer refuses the objects that were wanted.
func checkNotOurRef(t *testing.T, what string, answer []byte) {
	t.Helper()
	if !bytes.Contains(answer, []byte("ERR upload-pack: not our ref ")) {
		t.Errorf("%s: %q", what, answer)
	}
}

// checkRefusedMark checks that wants that end with a wrong mark get status 400. Version 2 may refuse the objects instead.
func checkRefusedMark(t *testing.T, what string, version int, answer []byte, status string) {
	t.Helper()
	begin := answer[:min(len(answer), 30)]
	notOurs := version == 2 && status == "200" && bytes.Contains(begin, []byte("ERR upload-pack: not our"))
	if status != "400" && !notOurs {
		t.Errorf("%s: status %s %q", what, status, answer)
	}
}

// The test sends fetch lines that name objects or refs in other ways than a want.
func TestOtherFetchLinesRevealNoUnreachableObjects(t *testing.T) {
	t.Parallel()
	h, address, folder := newSSHServerWithFolder(t)
	ann := h.NewUser()
	bySSH := overSSH(t, address, sshKey(t, ann, ""))
	if made := ann.JSON("POST", "/projects", `{"name":"p","visibility":"public"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	path := ann.User.Username + "/p"
	here := newRepository(t)
	commit(t, here, "README.md", "hello again\n")
	must(t, here, "checkout", "-q", "-b", "topic")
	commit(t, here, "secret", "a secret\n")
	behind := id(t, here, "HEAD")
	commit(t, here, "other", "x\n")
	tip, blob, main := id(t, here, "HEAD"), id(t, here, "HEAD:secret"), id(t, here, "main")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, path), "main", "topic")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, path), ":topic")
	disk := repositories(t, folder)[0]
	must(t, here, "--git-dir", disk, "update-ref", "refs/pipelines/7", main)
	want := "want " + main
	for name, c := range map[string]struct {
		lines []string
		given bool // the branch is sent; the secret never is
	}{
		"a commit behind a forgotten end":   {[]string{want + " shallow deepen-relative", "shallow " + tip, "deepen 2147483647"}, false},
		"steps from a forgotten end":        {[]string{want + " shallow deepen-relative", "shallow " + tip, "deepen 1"}, true},
		"steps from there, by the word":     {[]string{want, "shallow " + tip, "deepen 1", "deepen-relative"}, true},
		"a time, from a forgotten end":      {[]string{want + " deepen-since", "shallow " + tip, "deepen-since 1"}, true},
		"a branch, from a forgotten end":    {[]string{want + " deepen-not", "shallow " + tip, "deepen-not refs/heads/none"}, false},
		"a hidden ref by its name":          {[]string{want, "want-ref refs/pipelines/7"}, false},
		"a branch by its name":              {[]string{"want-ref refs/heads/main"}, false},
		"a filter that reads a secret file": {[]string{want + " filter", "filter sparse:oid=" + blob}, false},
		"the same in a combined filter":     {[]string{want + " filter", "filter combine:blob:none+sparse:oid=" + blob}, false},
		"a filter by a path of a commit":    {[]string{want + " filter", "filter sparse:oid=" + tip + ":secret"}, false},
		"a commit that the client has":      {[]string{want, "have " + tip}, true},
	} {
		for way, send := range map[string]sender{"HTTP": overHTTP(h, ""), "SSH": bySSH} {
			for version := range 3 {
				lines := c.lines
				if version == 2 && strings.HasPrefix(lines[0], want) {
					lines = append([]string{want}, lines[1:]...)
				}
				answer, told := send(t, version, path, fetchRequest(version, "0000", lines...))
				for _, id := range []string{behind, blob, tip} {
					if packContains(t, answer, id) {
						t.Errorf("%s, %s, version %d: a secret is given", name, way, version)
					}
				}
				if !c.given && packContains(t, answer, main) {
					t.Errorf("%s, %s, version %d: is answered: %s", name, way, version, told)
				}
				if told == "500" {
					t.Errorf("%s, version %d: %s %q", name, version, told, answer)
				}
			}
		}
	}
}

// The test calls the other services of git.
func TestOnlyFetchAndPushAreServed(t *testing.T) {
	t.Parallel()
	h, address, _ := newSSHServerWithFolder(t)
	ann := h.NewUser()
	key := sshKey(t, ann, "")
	if made := ann.JSON("POST", "/projects", `{"name":"p","visibility":"public"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	path := ann.User.Username + "/p"
	here := newRepository(t)
	main := id(t, here, "main")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, path), "main")
	for way, send := range map[string]sender{"HTTP": overHTTP(h, ""), "SSH": overSSH(t, address, key)} {
		for _, command := range []string{"object-info", "bundle-uri", "archive", "upload-pack"} {
			answer, told := send(t, 2, path, packets("command="+command, "0001", "size", "oid "+main, "0000"))
			if bytes.Contains(answer, []byte(main+" ")) || told == "500" || told == "200" {
				t.Errorf("%s, %s: %s %q", way, command, told, answer)
			}
		}
	}
	refused(t, "This server accepts only git-upload-pack and git-receive-pack.", here,
		"-c", "core.sshCommand="+sshCommand(key), "archive", "--remote=ssh://git@"+address+"/"+path+".git", main)
	for _, ask := range [][2]string{
		{"POST", "/git-upload-archive"},
		{"GET", "/info/refs?service=git-upload-archive"},
		{"GET", "/info/refs"},
		{"GET", "/HEAD"},
		{"GET", "/objects/info/packs"},
		{"GET", "/objects/" + main[:2] + "/" + main[2:]},
		{"GET", "/packed-refs"},
		{"GET", "/config"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), ask[0], h.URL+"/"+path+".git"+ask[1], http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-git-upload-archive-request")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 404 {
			t.Errorf("%v: %d", ask, res.StatusCode)
		}
	}
}

// The test requests an object that no ref leads to from the repositories of wikis and snippets.
func TestWikisAndSnippetsServeOnlyReachableObjects(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	g := h.Group(func(n *model.Namespace) { n.Path = "acme" })
	p := h.Project(g.ID, func(p *model.Project) { p.Path = "web" })
	dev := h.Member(g, model.Developer)
	page := `{"title":"home","content":"hello"}`
	for _, call := range [][2]string{
		{fmt.Sprintf("/projects/%d/wikis", p.ID), page},
		{fmt.Sprintf("/groups/%d/wikis", g.ID), page},
		{"/snippets", `{"title":"t","content":"hello","file_name":"home.md"}`},
	} {
		if got := dev.JSON("POST", call[0], call[1]); got.Status != 201 {
			t.Fatalf("%s: %d %s", call[0], got.Status, got.Body)
		}
	}
	here := newRepository(t)
	var secrets []string
	for _, disk := range repositories(t, folder) {
		file := filepath.Join(disk, "secret")
		if err := os.WriteFile(file, []byte("a secret of "+filepath.Base(disk)), 0o600); err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, strings.TrimSpace(must(t, here, "--git-dir", disk, "hash-object", "-w", file)))
	}
	send := overHTTP(h, dev.Token)
	for _, path := range []string{"acme/web.wiki", "acme.wiki", "snippets/1"} {
		for version := range 3 {
			for _, mark := range []string{"0000", "0001", "0002", ""} {
				for _, secret := range secrets {
					answer, told := send(t, version, path, fetchRequest(version, mark, "want "+secret+"\n"))
					if len(packOf(answer)) > 0 || told != "400" && !bytes.Contains(answer, []byte("not our ref")) {
						t.Errorf("%s, version %d, mark %q: %s %q", path, version, mark, told, answer)
					}
				}
			}
		}
	}
}
