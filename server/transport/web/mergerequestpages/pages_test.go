package mergerequestpages

import (
	"testing"

	"svc/server/transport/web/issuablepages"
)

func TestTheTemplatesCanBeRead(t *testing.T) {
	t.Parallel()
	if err := issuablepages.Templates(templates, "heading").Check(); err != nil {
		t.Error(err)
	}
}
