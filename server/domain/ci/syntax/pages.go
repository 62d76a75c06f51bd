package syntax

import "strings"

// pages reads the keyword pages: true, or a dictionary.
func (d decoder) pages(path string, v *value) *Pages {
	p := &Pages{Publish: "public"}
	switch v.kind {
	case boolean:
		if !isTrue(v) {
			return nil
		}
	case dict:
		d.object(path, v, fields{
			"publish":     func(v *value) { p.Publish = d.text(path+" publish", v) },
			"path_prefix": func(v *value) { p.PathPrefix = d.refusePrefix(path, v) },
			"expire_in":   func(v *value) { d.refuseExpiry(path, v) },
		})
	default:
		d.fail(v.at, "%s config should be a hash or a boolean value", path)
	}
	return p
}

// jobPublish reads publish, the older form of pages:publish.
func (d decoder) jobPublish(j *jobEntry, path string, v *value) {
	publish := d.text(path+" config", v)
	if j.Pages == nil {
		j.Pages = &Pages{}
	}
	j.Pages.Publish = publish
}

// publish makes the job named pages a Pages job. It also adds the published folder to the artifacts, because the
// service gets the site from there.
func (j *jobEntry) publish() {
	if j.Name == "pages" && j.Pages == nil && !j.bridge && !j.has["pages"] {
		j.Pages = &Pages{Publish: "public"}
	}
	if j.Pages == nil {
		return
	}
	artifacts := Artifacts{}
	if j.Artifacts != nil {
		artifacts = *j.Artifacts
	}
	for _, path := range artifacts.Paths {
		if strings.Trim(path, "/") == strings.Trim(j.Pages.Publish, "/") {
			return
		}
	}
	artifacts.Paths = append(artifacts.Paths[:len(artifacts.Paths):len(artifacts.Paths)], j.Pages.Publish)
	j.Artifacts = &artifacts
}
