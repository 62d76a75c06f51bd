package createpages

import (
	"testing"

	"svc/server/transport/web/page"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}
