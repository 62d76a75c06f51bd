package api

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// signer signs commits with gpg and ssh-keygen.
type signer struct {
	*harness.History
	home string // home directory of gpg
}

func newSigner(t *testing.T) *signer {
	t.Helper()
	harness.RequireProgram(t, "gpg", "gpg")
	harness.RequireProgram(t, "gpg-agent", "gpg-agent")
	harness.RequireProgram(t, "ssh-keygen", "openssh-client")
	home, err := os.MkdirTemp("", "gpg") // the agent's socket must have a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run()
		os.RemoveAll(home)
	})
	return &signer{harness.NewHistory(t), home}
}

func (s *signer) gpg(input string, args ...string) string {
	s.T.Helper()
	args = append([]string{"--homedir", s.home, "--batch", "--yes", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""}, args...)
	cmd := exec.CommandContext(s.T.Context(), "gpg", args...)
	cmd.Stdin = strings.NewReader(input)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		s.T.Fatalf("gpg %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return string(out)
}

// newGPG generates a key for the given user IDs and returns its fingerprint.
func (s *signer) newGPG(flags []string, people ...string) string {
	s.T.Helper()
	s.gpg("", append(flags, "--quick-generate-key", people[0], "ed25519", "sign", "1y")...)
	listed := s.gpg("", "--with-colons", "--list-keys", people[0])
	_, rest, _ := strings.Cut(listed, "\nfpr:::::::::")
	fingerprint, _, _ := strings.Cut(rest, ":")
	for _, more := range people[1:] {
		s.gpg("", "--quick-add-uid", fingerprint, more)
	}
	return fingerprint
}

func (s *signer) export(fingerprint string) string {
	s.T.Helper()
	return s.gpg("", "--armor", "--export", fingerprint)
}

// commit creates a signed commit and returns its SHA.
func (s *signer) commit(committer string, settings ...string) string {
	s.T.Helper()
	var args []string
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	args = append(args, "commit", "-q", "--allow-empty", "-S", "-m", "Signed")
	s.GitWith([]string{"GNUPGHOME=" + s.home, "GIT_COMMITTER_EMAIL=" + committer}, "", args...)
	return s.Line("rev-parse", "HEAD")
}

// forged creates a commit from the changed text of another commit and returns its SHA.
func (s *signer) forged(id string, change func(string) string) string {
	s.T.Helper()
	text := s.Git("cat-file", "commit", id)
	made := strings.TrimSpace(s.GitWith(nil, change(text), "hash-object", "-t", "commit", "-w", "--stdin", "--literally"))
	s.Git("update-ref", "refs/heads/forged-"+made[:12], made)
	return made
}

// newSSH generates a key and returns the path of the private key file and the public key.
func (s *signer) newSSH(kind string, flags ...string) (path, public string) {
	s.T.Helper()
	path = filepath.Join(s.T.TempDir(), kind)
	args := append([]string{"-q", "-t", kind, "-N", "", "-f", path}, flags...)
	if out, err := exec.CommandContext(s.T.Context(), "ssh-keygen", args...).CombinedOutput(); err != nil {
		s.T.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	data, err := os.ReadFile(path + ".pub")
	if err != nil {
		s.T.Fatal(err)
	}
	return path, strings.TrimSpace(string(data))
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// expectMembers compares members of a response, each printed as JSON.
func expectMembers(t *testing.T, what string, a harness.Answer, want map[string]any) {
	t.Helper()
	if a.Status != 200 {
		t.Errorf("%s: %d %s", what, a.Status, a.Body)
		return
	}
	for name, value := range want {
		if got := text(t, member(t, a, name)); got != text(t, value) {
			t.Errorf("%s: %s is %s, want %s: %s", what, name, got, text(t, value), a.Body)
		}
	}
}

func addGPG(t *testing.T, c *harness.Caller, key string) int64 {
	t.Helper()
	added := c.JSON("POST", "/user/gpg_keys", `{"key":`+text(t, key)+`}`)
	if added.Status != 201 {
		t.Fatal(added.Body)
	}
	return int64(member(t, added, "id").(float64))
}

func confirmedEmail(t *testing.T, h *harness.H, u model.User, address string, confirmed bool) {
	t.Helper()
	row := model.Email{UserID: u.ID, Email: address}
	if now := time.Now().UTC(); confirmed {
		row.ConfirmedAt = &now
	}
	if err := h.Store.Emails.Create(t.Context(), &row); err != nil {
		t.Fatal(err)
	}
}

func TestGPGSignaturesOfCommits(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	s := newSigner(t)
	ann, ben := h.NewUser(named("ann", confirmed)), h.NewUser(named("ben", confirmed))
	confirmedEmail(t, h, ann.User, "ann@work.example.com", true)
	confirmedEmail(t, h, ann.User, "ann@new.example.com", false)
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })

	main := s.newGPG(nil, "Zoe <ann@other.example.com>", "Ann Doe <Ann@example.com>")
	strange := s.newGPG(nil, "Ben <ben@elsewhere.example.com>")
	old := s.newGPG([]string{"--faked-system-time", "20200101T000000!"}, "Ann Old <ann@example.com>")
	lost := s.newGPG(nil, "Ann Lost <ann@example.com>")
	use := func(key string) string { return "user.signingkey=" + key + "!" }
	good, elsewhere := s.commit("ann@example.com", use(main)), s.commit("ann@work.example.com", use(main))
	others, unconfirmed := s.commit("ben@example.com", use(main)), s.commit("ann@new.example.com", use(main))
	foreign, gone := s.commit("ben@example.com", use(strange)), s.commit("ann@example.com", use(lost))
	past := filepath.Join(t.TempDir(), "gpg")
	if err := os.WriteFile(past, []byte("#!/bin/sh\nexec gpg --faked-system-time 20200601T000000! \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	expired := s.commit("ann@example.com", use(old), "gpg.program="+past)
	s.gpg("", "--quick-add-key", main, "ed25519", "sign", "1y")
	bySubkey := s.commit("ann@example.com", "user.signingkey="+main)
	revocation, err := os.ReadFile(filepath.Join(s.home, "openpgp-revocs.d", lost+".rev"))
	if err != nil {
		t.Fatal(err)
	}
	s.gpg(strings.Replace(string(revocation), ":-----BEGIN", "-----BEGIN", 1), "--import")

	_, block, _ := strings.Cut(s.Git("cat-file", "commit", good), "gpgsig ")
	block, _, _ = strings.Cut(block, "\n\n")
	header := "gpgsig " + block
	changed := s.forged(good, func(text string) string { return strings.Replace(text, "\n\nSigned", "\n\nChanged", 1) })
	twice := s.forged(good, func(text string) string { return strings.Replace(text, "\n\nSigned", "\n"+header+"\n\nSigned", 1) })
	sha256Too := s.forged(good, func(text string) string {
		return strings.Replace(text, "\n\nSigned", "\ngpgsig-sha256 -----BEGIN PGP SIGNATURE-----\n \n other\n\nSigned", 1)
	})
	nonsense := s.forged(good, func(text string) string { return strings.Replace(text, header, "gpgsig nonsense\n more", 1) })
	x509 := s.forged(good, func(text string) string {
		return strings.Replace(text, header, "gpgsig -----BEGIN SIGNED MESSAGE-----\n MIIB\n -----END SIGNED MESSAGE-----", 1)
	})
	unsigned := s.Commit("Ann <ann@example.com>", "Plain")
	s.Push(ann, p)

	get := func(sha string) harness.Answer {
		return h.Anonymous().Send("GET", fmt.Sprintf("/projects/%d/repository/commits/%s/signature", p.ID, sha), "")
	}
	unknown := map[string]any{
		"signature_type": "PGP", "verification_status": "unknown_key", "gpg_key_id": nil,
		"gpg_key_primary_keyid": main[24:], "gpg_key_user_name": nil,
		"gpg_key_user_email": nil, "gpg_key_subkey_id": nil, "commit_source": "gitaly",
	}
	expectMembers(t, "before the key is known", get(good), unknown)
	id := addGPG(t, ann, s.export(main))
	addGPG(t, ben, s.export(strange))
	addGPG(t, ann, s.export(old))
	addGPG(t, ann, s.export(lost))

	known := func(status string) map[string]any {
		return map[string]any{
			"signature_type": "PGP", "verification_status": status, "gpg_key_id": id, "gpg_key_primary_keyid": main[24:],
			"gpg_key_user_name": "Ann Doe", "gpg_key_user_email": "Ann@example.com", "gpg_key_subkey_id": nil, "commit_source": "gitaly",
		}
	}
	with := func(m map[string]any, pairs ...any) map[string]any {
		for i := 0; i+1 < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	expectMembers(t, "good", get(good), known("verified"))
	expectMembers(t, "by branch", get("main~1"), map[string]any{"verification_status": "verified"})
	expectMembers(t, "another address", get(elsewhere), known("same_user_different_email"))
	expectMembers(t, "another user", get(others), known("other_user"))
	expectMembers(t, "an address that is not confirmed", get(unconfirmed), known("other_user"))
	expectMembers(t, "a key without a confirmed address", get(foreign), map[string]any{
		"verification_status": "unverified_key", "gpg_key_user_name": "Ben",
		"gpg_key_user_email": "ben@elsewhere.example.com",
	})
	expectMembers(t, "an expired key", get(expired), map[string]any{"verification_status": "unverified", "gpg_key_user_name": "Ann Old"})
	expectMembers(t, "a revoked key", get(gone), map[string]any{"verification_status": "revoked_key", "gpg_key_user_name": "Ann Lost"})
	expectMembers(t, "changed", get(changed), known("unverified"))
	expectMembers(t, "twice", get(twice), map[string]any{
		"verification_status": "multiple_signatures", "gpg_key_primary_keyid": main[24:], "gpg_key_id": nil,
	})
	expectMembers(t, "another signature beside it", get(sha256Too), known("verified"))
	expectMembers(t, "nonsense", get(nonsense), map[string]any{
		"signature_type": "PGP", "verification_status": "unverified", "gpg_key_primary_keyid": nil,
	})
	expectMembers(t, "a certificate", get(x509), map[string]any{
		"signature_type": "X509", "verification_status": "unverified", "commit_source": "gitaly",
	})
	sub := get(bySubkey)
	expectMembers(t, "a subkey", sub, with(known("verified"), "gpg_key_subkey_id", member(t, sub, "gpg_key_subkey_id")))
	if member(t, sub, "gpg_key_subkey_id") == nil {
		t.Errorf("a subkey has signed: %s", sub.Body)
	}
	expect(t, get(unsigned), 404, `{"message":"404 Signature Not Found"}`)
	expect(t, get("none"), 404, `{"message":"404 Commit Not Found"}`)
	if gone := ann.Send("DELETE", fmt.Sprintf("/user/gpg_keys/%d", id), ""); gone.Status != 204 {
		t.Fatal(gone.Body)
	}
	expectMembers(t, "after the key is gone", get(good), unknown)
}

func TestSSHSignaturesOfCommits(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	s := newSigner(t)
	ann, ben := h.NewUser(named("ann", confirmed)), h.NewUser(named("ben", confirmed))
	confirmedEmail(t, h, ann.User, "ann@work.example.com", true)
	p := h.Project(*ann.User.NamespaceID)
	get := func(sha string) harness.Answer {
		return ann.Send("GET", fmt.Sprintf("/projects/%d/repository/commits/%s/signature", p.ID, sha), "")
	}
	add := func(c *harness.Caller, key, usage string) float64 {
		t.Helper()
		added := c.JSON("POST", "/user/keys", fmt.Sprintf(`{"title":"Key","key":%q,"usage_type":%q}`, key, usage))
		if added.Status != 201 {
			t.Fatal(added.Body)
		}
		return member(t, added, "id").(float64)
	}
	sign := func(committer, path string) string {
		return s.commit(committer, "gpg.format=ssh", "user.signingkey="+path)
	}
	made := map[string]string{} // commits by the kind of key
	public := map[string]string{}
	for kind, flags := range map[string][]string{"ed25519": nil, "ecdsa": {"-b", "384"}, "rsa": {"-b", "2048"}} {
		path, key := s.newSSH(kind, flags...)
		made[kind], public[kind] = sign("ann@example.com", path), key
		if kind == "ed25519" {
			made["work"], made["other"] = sign("ann@work.example.com", path), sign("ben@example.com", path)
		}
	}
	authPath, authKey := s.newSSH("ed25519")
	strangePath, _ := s.newSSH("ed25519")
	onlyAuth, strange := sign("ann@example.com", authPath), sign("ann@example.com", strangePath)
	changed := s.forged(made["ed25519"], func(text string) string { return strings.Replace(text, "\n\nSigned", "\n\nChanged", 1) })
	// The key and the content are right, but the signature is for another namespace than git.
	unsignedText := func(text string) string {
		head, signature, _ := strings.Cut(text, "gpgsig ")
		_, message, _ := strings.Cut(signature, "\n\n")
		return head + "\n" + message
	}
	content := filepath.Join(t.TempDir(), "commit")
	purposePath, purposeKey := s.newSSH("ed25519")
	if err := os.WriteFile(content, []byte(unsignedText(s.Git("cat-file", "commit", made["ed25519"]))), 0o600); err != nil {
		t.Fatal(err)
	}
	forPurpose := func(namespace string) string {
		os.Remove(content + ".sig")
		if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f",
			purposePath, content).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		signature, err := os.ReadFile(content + ".sig")
		if err != nil {
			t.Fatal(err)
		}
		header := "gpgsig " + strings.ReplaceAll(strings.TrimSpace(string(signature)), "\n", "\n ")
		return s.forged(made["ed25519"], func(text string) string {
			return strings.Replace(unsignedText(text), "\n\n", "\n"+header+"\n\n", 1)
		})
	}
	forGit, forFiles := forPurpose("git"), forPurpose("file")
	broken := s.forged(made["ed25519"], func(text string) string {
		at := strings.Index(text, "SIGNATURE-----\n ") + len("SIGNATURE-----\n ")
		return text[:at] + "AAAA" + text[at+4:]
	})
	s.Push(ann, p)

	expectMembers(t, "nobody's", get(made["ed25519"]), map[string]any{
		"signature_type": "SSH", "verification_status": "unknown_key", "key": nil, "commit_source": "gitaly",
	})
	for kind, key := range public {
		id := add(ann, key, model.KeyAuthAndSigning)
		got := get(made[kind])
		expectMembers(t, kind, got, map[string]any{"signature_type": "SSH", "verification_status": "verified", "commit_source": "gitaly"})
		if shown, ok := member(t, got, "key").(map[string]any); !ok || shown["id"] != id || shown["title"] != "Key" ||
			shown["usage_type"] != "auth_and_signing" {
			t.Errorf("%s: %s", kind, got.Body)
		}
	}
	add(ben, authKey, model.KeyAuth)
	add(ann, purposeKey, model.KeySigning)
	for name, c := range map[string]struct{ sha, status string }{
		"another confirmed address":  {made["work"], "verified"},
		"another committer":          {made["other"], "other_user"},
		"changed":                    {changed, "unverified"},
		"a key that does not sign":   {onlyAuth, "unknown_key"},
		"a key that nobody has":      {strange, "unknown_key"},
		"made by hand":               {forGit, "verified"},
		"made for something else":    {forFiles, "unverified"},
		"a signature that is broken": {broken, "unverified"},
	} {
		expectMembers(t, name, get(c.sha), map[string]any{"signature_type": "SSH", "verification_status": c.status})
	}
	if got := ben.Send("GET", fmt.Sprintf("/projects/%d/repository/commits/main/signature", p.ID), ""); got.Status != 404 {
		t.Errorf("who does not see the project got %d %s", got.Status, got.Body)
	}
}
