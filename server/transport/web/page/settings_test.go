package page

import (
	"slices"
	"testing"
)

func TestSettingsHaveAnOrder(t *testing.T) {
	t.Parallel()
	var links []tabLink
	for _, label := range []string{"Webhooks", "Advanced", "Something new", "CI variables", "General"} {
		links = inOrder(append(links, tabLink{label: label}))
	}
	var labels []string
	for _, l := range links {
		labels = append(labels, l.label)
	}
	if want := []string{"General", "CI variables", "Webhooks", "Something new", "Advanced"}; !slices.Equal(labels, want) {
		t.Errorf("the order is %q", labels)
	}
}
