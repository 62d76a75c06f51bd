package memberpages

import (
	"slices"
	"testing"

	"svc/server/transport/web/page"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}

func TestPeopleAreUsernamesAndAddresses(t *testing.T) {
	t.Parallel()
	names, addresses := people(" ada, @grace;\nx@example.com ,, @ ")
	if !slices.Equal(names, []string{"ada", "grace"}) || !slices.Equal(addresses, []string{"x@example.com"}) {
		t.Errorf("%q, %q", names, addresses)
	}
}
