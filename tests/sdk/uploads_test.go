package sdk

import (
	"io"
	"strings"
	"testing"

	"svc/tests/harness"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestTheGoLibraryManagesUploads(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	sdk := connect(t, h, h.Root().Token)
	p := projectWithCommit(t, sdk, "tool")
	made := must[*gitlab.ProjectMarkdownUploadedFile](t)(
		sdk.ProjectMarkdownUploads.UploadProjectMarkdown(p.ID, strings.NewReader("bytes"), "plan.txt"),
	)
	if made.ID == 0 || made.Alt != "plan.txt" || !strings.HasSuffix(made.FullPath, made.URL) {
		t.Errorf("%+v", made)
	}
	rows := must[[]*gitlab.ProjectMarkdownUpload](t)(sdk.ProjectMarkdownUploads.ListProjectMarkdownUploads(p.ID, nil))
	if len(rows) != 1 || rows[0].Size != 5 || rows[0].UploadedBy.Username != "root" {
		t.Errorf("%+v", rows)
	}
	secret, name, _ := strings.Cut(strings.TrimPrefix(made.URL, "/uploads/"), "/")
	file := must[io.Reader](t)(sdk.ProjectMarkdownUploads.DownloadProjectMarkdownUploadBySecretAndFilename(p.ID, secret, name))
	if data, err := io.ReadAll(file); err != nil || string(data) != "bytes" {
		t.Errorf("%s %v", data, err)
	}
	if _, err := sdk.ProjectMarkdownUploads.DeleteProjectMarkdownUploadByID(p.ID, made.ID); err != nil {
		t.Error(err)
	}
}
