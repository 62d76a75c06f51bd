package cipages

import (
	"testing"

	"svc/server/transport/web/page"
)

func TestTheTemplatesCanBeRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates, "ci").Check(); err != nil {
		t.Error(err)
	}
}
