package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// readyLine is the line that an ephemeral instance prints.
type readyLine struct {
	URL        string
	Username   string
	Password   string
	Token      string
	ControlURL string `json:"control_url"`
	SSHAddress string `json:"ssh_address"`
	Version    string
	Data       string
	Users      []struct{ Username, Token, About string }
}

// ephemeralServer is an ephemeral instance whose standard input and output the test has.
type ephemeralServer struct {
	readyLine
	stdin  io.Closer
	stdout *bufio.Reader
	stderr *bytes.Buffer
	cmd    *exec.Cmd
}

// startEphemeral starts an ephemeral instance and reads its line.
func startEphemeral(t *testing.T, args ...string) *ephemeralServer {
	t.Helper()
	program := Svc(t) // perhaps it is built now
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	s := &ephemeralServer{stderr: &bytes.Buffer{}}
	s.cmd = exec.CommandContext(ctx, program, append([]string{"serve", "--ephemeral", "--stop-with-stdin"}, args...)...)
	s.cmd.Env, s.cmd.Stderr = environment(), s.stderr
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.stdin, s.stdout = stdin, bufio.NewReader(stdout)
	line, err := s.stdout.ReadBytes('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, s.stderr)
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s.readyLine); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return s
}

// end closes standard input, and returns what the instance has printed on standard output after its line.
func (s *ephemeralServer) end(t *testing.T) string {
	t.Helper()
	s.stdin.Close()
	rest, err := io.ReadAll(s.stdout)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, s.stderr)
	}
	return string(rest)
}

// signedInAs returns the name of the user with a token.
func signedInAs(t *testing.T, url, token string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url+"/api/v4/user", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var user struct{ Username string }
	if err := json.NewDecoder(res.Body).Decode(&user); err != nil {
		t.Fatal(err)
	}
	return user.Username
}

func TestAnEphemeralServerPrintsOneLineOfJSONAndEndsWithStandardInput(t *testing.T) {
	t.Parallel()
	s := startEphemeral(t, "--seed", "3", "--ssh-listen", "127.0.0.1:0")
	if !strings.HasPrefix(s.URL, "http://127.0.0.1:") || strings.HasSuffix(s.URL, ":8080") {
		t.Errorf("without --listen it takes a free port: %s", s.URL)
	}
	if s.Username != "root" || len(s.Password) < 8 || s.Version == "" || s.ControlURL != "" {
		t.Errorf("%+v", s.readyLine)
	}
	if who := signedInAs(t, s.URL, s.Token); who != "root" {
		t.Errorf("the token is of %q", who)
	}
	if len(s.Users) < 5 || s.Users[0].About == "" || signedInAs(t, s.URL, s.Users[0].Token) != s.Users[0].Username {
		t.Errorf("users: %+v", s.Users)
	}
	conn, err := net.Dial("tcp", s.SSHAddress)
	if err != nil {
		t.Error(err)
	} else {
		conn.Close()
	}
	if _, err := os.Stat(s.Data); err != nil {
		t.Error(err)
	}
	if rest := s.end(t); rest != "" {
		t.Errorf("it printed more on standard output: %q", rest)
	}
	if !strings.Contains(s.stderr.String(), "svc serves "+s.URL) || !strings.Contains(s.stderr.String(), "Stopped.") {
		t.Errorf("the texts for people: %s", s.stderr)
	}
	if _, err := os.Stat(s.Data); !os.IsNotExist(err) {
		t.Errorf("its folder is still there: %v", err)
	}
}

func TestWithoutSeedTheLineHasNoUsers(t *testing.T) {
	t.Parallel()
	s := startEphemeral(t, "--root-password", "correct horse battery", "--root-token", Token)
	if s.Users == nil || len(s.Users) != 0 || s.SSHAddress != "" || s.Password != "correct horse battery" || s.Token != Token {
		t.Errorf("%+v", s.readyLine)
	}
	s.end(t)
}
