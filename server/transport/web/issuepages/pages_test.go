package issuepages

import (
	"testing"

	"svc/server/transport/web/issuablepages"
)

func TestTheTemplatesCanBeRead(t *testing.T) {
	t.Parallel()
	if err := issuablepages.Templates(templates).Check(); err != nil {
		t.Error(err)
	}
}
