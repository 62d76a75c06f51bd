package sdk

import (
	"crypto/ed25519"
	"crypto/rand"
	"strings"
	"testing"

	"svc/tests/harness"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
	"golang.org/x/crypto/ssh"
)

func TestTheGoLibraryManagesDeployKeys(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	sdk := connect(t, h, h.Root().Token)
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + " flux"
	one, two := projectWithCommit(t, sdk, "one"), projectWithCommit(t, sdk, "two")
	made := must[*gitlab.ProjectDeployKey](t)(sdk.DeployKeys.AddDeployKey(one.ID, &gitlab.AddDeployKeyOptions{
		Title: new("flux"), Key: new(line + "\n"), CanPush: new(true),
	}))
	if made.Title != "flux" || made.Key != line || !made.CanPush || made.FingerprintSHA256 != ssh.FingerprintSHA256(key) {
		t.Errorf("%+v", made)
	}
	must[*gitlab.ProjectDeployKey](t)(sdk.DeployKeys.EnableDeployKey(two.ID, made.ID))
	changed := must[*gitlab.ProjectDeployKey](t)(sdk.DeployKeys.UpdateDeployKey(two.ID, made.ID, &gitlab.UpdateDeployKeyOptions{
		Title: new("renamed"),
	}))
	got := must[*gitlab.ProjectDeployKey](t)(sdk.DeployKeys.GetDeployKey(one.ID, made.ID))
	if got.Title != changed.Title || changed.CanPush {
		t.Errorf("%+v %+v", got, changed)
	}
	all := must[[]*gitlab.InstanceDeployKey](t)(sdk.DeployKeys.ListAllDeployKeys(nil))
	if len(all) != 1 || len(all[0].ProjectsWithWriteAccess) != 1 || len(all[0].ProjectsWithReadonlyAccess) != 1 {
		t.Errorf("%+v", all)
	}
	if _, err := sdk.DeployKeys.DeleteDeployKey(one.ID, made.ID); err != nil {
		t.Error(err)
	}
	if rows := must[[]*gitlab.ProjectDeployKey](t)(sdk.DeployKeys.ListProjectDeployKeys(two.ID, nil)); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
}
