package syntax

const maxLinks = 100

// release reads the release that is created after the job.
func (d decoder) release(path string, v *value) *Release {
	r := &Release{}
	d.object(path, v, fields{
		"tag_name":    func(v *value) { r.TagName = d.text(path+" tag name", v) },
		"tag_message": func(v *value) { r.TagMessage = d.text(path+" tag message", v) },
		"name":        func(v *value) { r.Name = d.text(path+" name", v) },
		"description": func(v *value) { r.Description = d.text(path+" description", v) },
		"ref":         func(v *value) { r.Ref = d.text(path+" ref", v) },
		"milestones":  func(v *value) { r.Milestones = d.textOrTexts(path+" milestones", v) },
		"released_at": func(v *value) { r.ReleasedAt = d.text(path+" released at", v) },
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

func (d decoder) releaseLinks(path string, v *value) []ReleaseLink {
	if v.kind != list || len(v.items) > maxLinks {
		d.fail(v.at, "%s config should be an array of at most %d hashes", path, maxLinks)
		return nil
	}
	links := make([]ReleaseLink, 0, len(v.items))
	for _, item := range v.items {
		var l ReleaseLink
		at := path + ":link"
		d.object(at, item, fields{
			"name":      func(v *value) { l.Name = d.text(at+" name", v) },
			"url":       func(v *value) { l.URL = d.text(at+" url", v) },
			"filepath":  func(v *value) { l.FilePath = d.text(at+" filepath", v) },
			"link_type": func(v *value) { l.LinkType = d.choice(at+" link type", v, "other", "runbook", "image", "package") },
		})
		if item.kind == dict && (l.Name == "" || l.URL == "") {
			d.fail(item.at, "%s config must have a name and a url", at)
		}
		links = append(links, l)
	}
	return links
}
