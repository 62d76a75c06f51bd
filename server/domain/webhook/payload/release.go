package payload

import (
	"path"
	"strings"
	"time"

	"svc/store/git"
	"svc/store/model"
)

// ReleaseInput is what the body of a release is made of.
type ReleaseInput struct {
	Project     model.Project
	ID          int64
	Tag         string
	Name        string // empty if the release is named like its tag
	Description *string
	CreatedAt   time.Time
	ReleasedAt  time.Time
	Links       []ReleaseLink
	Commit      *git.Commit // of the tag; nil if the tag is gone
	Action      string      // create, update or delete
}

// ReleaseLink is an asset of a release.
type ReleaseLink struct {
	ID       int64  `json:"id"`
	External bool   `json:"external"` // of older instances; true
	LinkType string `json:"link_type"`
	Name     string `json:"name"`
	URL      string `json:"url"`
}

// Release is the body of a release.
type Release struct {
	ID          int64         `json:"id"`
	CreatedAt   string        `json:"created_at"`
	Description *string       `json:"description"`
	Name        string        `json:"name"`
	ReleasedAt  string        `json:"released_at"`
	Tag         string        `json:"tag"`
	ObjectKind  string        `json:"object_kind"`
	Project     Project       `json:"project"`
	URL         string        `json:"url"`
	Action      string        `json:"action"`
	Assets      ReleaseAssets `json:"assets"`
	Commit      *Commit       `json:"commit"`
}

// ReleaseAssets are the files of a release.
type ReleaseAssets struct {
	Count   int             `json:"count"`
	Links   []ReleaseLink   `json:"links"`
	Sources []ReleaseSource `json:"sources"`
}

// ReleaseSource is an archive of the files of a release.
type ReleaseSource struct {
	Format string `json:"format"`
	URL    string `json:"url"`
}

// Release builds the body of a release.
func (i Instance) Release(in ReleaseInput) Release {
	body := Release{
		ID: in.ID, CreatedAt: stamp(in.CreatedAt), Description: i.absoluteOrNull(in.Project, in.Description), Name: in.Name,
		ReleasedAt: stamp(in.ReleasedAt), Tag: in.Tag, ObjectKind: "release", Project: i.project(in.Project),
		URL: i.web(in.Project) + "/-/releases/" + escape(in.Tag), Action: in.Action,
		Assets: ReleaseAssets{
			Links:   each(in.Links, func(l ReleaseLink) ReleaseLink { l.External = true; return l }),
			Sources: i.archives(in.Project, in.Tag),
		},
		Commit: i.commitOrNull(in.Project, in.Commit),
	}
	if body.Name == "" {
		body.Name = in.Tag
	}
	body.Assets.Count = len(body.Assets.Links) + len(body.Assets.Sources)
	return body
}

// archives returns the URLs of the archives of a tag, one for each format.
func (i Instance) archives(p model.Project, tag string) []ReleaseSource {
	file := path.Base(p.FullPath) + "-" + strings.ReplaceAll(tag, "/", "-")
	return each([]git.Format{git.Zip, git.TarGz, git.TarBz, git.Tar}, func(format git.Format) ReleaseSource {
		return ReleaseSource{string(format), i.web(p) + "/-/archive/" + escape(tag+"/"+file+"."+string(format))}
	})
}
