package settingspages

import (
	"testing"

	"svc/server/transport/web/page"
	"svc/store/model"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}

func TestEverySettingShowsItsPresentValue(t *testing.T) {
	t.Parallel()
	p, g := model.DefaultProject(), model.DefaultNamespace(model.NamespaceGroup)
	for _, c := range []struct {
		settings []setting
		now      map[string]string
	}{{features, featuresNow(p)}, {mergeSettings, mergeNow(p)}, {groupRules, rulesNow(g)}} {
		for _, s := range c.settings {
			value, known := c.now[s.column]
			chosen := s.options == nil
			for _, o := range s.options {
				chosen = chosen || o.Value == value
			}
			if !known || !chosen {
				t.Errorf("%s has the value %q, which its field does not offer", s.column, value)
			}
		}
		if len(c.now) != len(c.settings) {
			t.Errorf("%d values for %d settings", len(c.now), len(c.settings))
		}
	}
}
