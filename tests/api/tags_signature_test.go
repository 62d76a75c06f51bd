package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestTheSignatureOfATagIsChecked(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser(named("jane", confirmed))
	project := h.Project(*jane.User.NamespaceID, called("web", model.Public))
	s := newSigner(t)
	s.Write("a", "a")
	s.Commit("Jane <jane@example.com>", "Begin")
	key, public := s.newSSH("ed25519")
	expect(t, jane.JSON("POST", "/user/keys", fmt.Sprintf(`{"title":"k","key":%q}`, public)), 201, "")
	fingerprint := s.newGPG(nil, "Mallory <mallory@example.com>")
	tag := func(name string, settings ...string) {
		var args []string
		for _, setting := range settings {
			args = append(args, "-c", setting)
		}
		args = append(args, "tag", "-s", "-m", "Version", name)
		s.GitWith([]string{"GNUPGHOME=" + s.home, "GIT_COMMITTER_EMAIL=jane@example.com"}, "", args...)
	}
	tag("v1", "gpg.format=ssh", "user.signingkey="+key)
	tag("v2", "user.signingkey="+fingerprint)
	s.Git("tag", "-a", "-m", "Version", "v3")
	s.Git("tag", "v4")
	s.Push(jane, project, "HEAD:refs/heads/main", "refs/tags/*:refs/tags/*")
	tags := fmt.Sprintf("/projects/%d/repository/tags/", project.ID)
	expect(t, h.Anonymous().Send("GET", tags+"v1/signature", ""), 200, `{"signature_type":"SSH","verification_status":"verified"}`)
	expect(t, h.Anonymous().Send("GET", tags+"v2/signature", ""), 200, `{"signature_type":"PGP","verification_status":"unknown_key"}`)
	for _, unsigned := range []string{"v3", "v4"} {
		expect(t, jane.Send("GET", tags+unsigned+"/signature", ""), 404, `{"message":"404 Signature Not Found"}`)
	}
	expect(t, jane.Send("GET", tags+"none/signature", ""), 404, `{"message":"404 Tag Not Found"}`)
}
