package syntax

import (
	"strings"
	"unicode"

	"svc/openapi/wire"
)

const maxLinks = 100

// release reads the release that is created after the job.
func (d decoder) release(path string, v *value) *Release {
	r := &Release{}
	d.object(path, v, fields{
		"tag_name":    func(v *value) { r.TagName = d.text(path+" tag name", v) },
		"tag_message": func(v *value) { r.TagMessage = d.text(path+" tag message", v) },
		"name":        func(v *value) { r.Name = d.text(path+" name", v) },
		"description": func(v *value) { r.Description = d.text(path+" description", v) },
		"ref":         func(v *value) { r.Ref = d.releaseRef(path, v) },
		"milestones":  func(v *value) { r.Milestones = d.textOrTexts(path+" milestones", v) },
		"released_at": func(v *value) { r.ReleasedAt = d.releasedAt(path, v) },
		"assets": func(v *value) {
			d.object(path+":assets", v, fields{
				"links": func(v *value) { r.Links = d.releaseLinks(path+":assets:links", v) },
			})
		},
	})
	if v.kind == dict && r.TagName == "" {
		d.fail(v.at, "%s tag name can't be blank", path)
	}
	if v.kind == dict && r.Description == "" {
		d.fail(v.at, "%s description can't be blank", path)
	}
	return r
}

// releaseRef reads what a new tag points to. A name with variables is checked when the release is created.
func (d decoder) releaseRef(path string, v *value) string {
	ref := d.text(path+" ref", v)
	if ref != "" && !isRefName(ref) {
		d.fail(v.at, "%s ref must be a valid ref", path)
	}
	return ref
}

// isRefName reports whether git could have a branch or tag with a name.
func isRefName(name string) bool {
	switch {
	case strings.ContainsAny(name, " ~^:?*[\\"), strings.ContainsFunc(name, unicode.IsControl),
		strings.Contains(name, ".."), strings.Contains(name, "@{"), strings.Contains(name, "//"):
		return false
	case strings.HasPrefix(name, "-"), strings.HasPrefix(name, "/"), strings.HasSuffix(name, "/"),
		strings.HasSuffix(name, "."), strings.HasSuffix(name, ".lock"):
		return false
	}
	return true
}

// releasedAt reads the time of a release. A time with variables is checked when the release is created.
func (d decoder) releasedAt(path string, v *value) string {
	at := d.text(path+" released at", v)
	if _, err := wire.ParseTime(at); err != nil && at != "" && !strings.Contains(at, "$") {
		d.fail(v.at, "%s released at must be a valid datetime", path)
	}
	return at
}

func (d decoder) releaseLinks(path string, v *value) []ReleaseLink {
	if v.kind != list || len(v.items) > maxLinks {
		d.fail(v.at, "%s config should be an array of at most %d hashes", path, maxLinks)
		return nil
	}
	links := make([]ReleaseLink, 0, len(v.items))
	for _, item := range v.items {
		var l ReleaseLink
		former := "" // filepath, the name that direct_asset_path had formerly
		at := path + ":link"
		d.object(at, item, fields{
			"name":              func(v *value) { l.Name = d.text(at+" name", v) },
			"url":               func(v *value) { l.URL = d.text(at+" url", v) },
			"filepath":          func(v *value) { former = d.text(at+" filepath", v) },
			"direct_asset_path": func(v *value) { l.FilePath = d.text(at+" direct asset path", v) },
			"link_type":         func(v *value) { l.LinkType = d.choice(at+" link type", v, "other", "runbook", "image", "package") },
		})
		if item.kind == dict && (l.Name == "" || l.URL == "") {
			d.fail(item.at, "%s config must have a name and a url", at)
		}
		if l.FilePath == "" {
			l.FilePath = former
		}
		links = append(links, l)
	}
	return links
}
