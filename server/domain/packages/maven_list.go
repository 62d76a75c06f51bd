package packages

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// MavenList is the name of the file with the versions of a Maven artifact. Clients write it into a package without a
// version.
const MavenList = "maven-metadata.xml"

// maxMavenList is the largest size of a list of versions that is rewritten, in bytes.
const maxMavenList = 4 << 20

// mavenVersions is a list of the versions of an artifact.
type mavenVersions struct {
	XMLName    xml.Name `xml:"metadata"`
	ModelVer   string   `xml:"modelVersion,attr,omitempty"`
	GroupID    string   `xml:"groupId,omitempty"`
	ArtifactID string   `xml:"artifactId,omitempty"`
	Version    string   `xml:"version,omitempty"`
	Versioning struct {
		Latest      string   `xml:"latest,omitempty"`
		Release     string   `xml:"release,omitempty"`
		Versions    []string `xml:"versions>version"`
		LastUpdated string   `xml:"lastUpdated,omitempty"`
	} `xml:"versioning"`
	Plugins *struct {
		Text string `xml:",innerxml"`
	} `xml:"plugins"`
}

// without removes a version. It returns false if the list did not have it.
func (m *mavenVersions) without(version string, now time.Time) bool {
	v := &m.Versioning
	before := len(v.Versions)
	v.Versions = slices.DeleteFunc(v.Versions, func(one string) bool { return strings.TrimSpace(one) == version })
	if len(v.Versions) == before {
		return false
	}
	if v.Latest == version {
		v.Latest = ""
		if n := len(v.Versions); n > 0 {
			v.Latest = v.Versions[n-1]
		}
	}
	if v.Release == version {
		v.Release = ""
		for _, one := range v.Versions {
			if !strings.HasSuffix(one, "-SNAPSHOT") {
				v.Release = one
			}
		}
	}
	if m.Version == version {
		m.Version = v.Latest
	}
	v.LastUpdated = now.UTC().Format("20060102150405")
	return true
}

// mavenListChange is what the deletion of a version changes in the list of versions.
type mavenListChange struct {
	list model.Package      // the package that has the list
	file *model.PackageFile // the new list; nil if no version is left, so that the list goes, too
}

// mavenListWithout prepares the list of versions of a Maven artifact for the deletion of a version. It returns nil if there
// is no list with this version. Clients resolve versions by this list, so it must not name one that is gone.
func (s *Service) mavenListWithout(ctx context.Context, p model.Package) (*mavenListChange, error) {
	if p.PackageType != model.MavenPackage || p.Version == nil {
		return nil, nil
	}
	found, err := s.Find(ctx, p.ProjectID, model.MavenPackage, p.Name, "", MavenList)
	if store.IsNotFound(err) || err == nil && found.File.Size > maxMavenList {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	from, err := s.Open(ctx, found.File, 0, found.File.Size)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var list mavenVersions
	if xml.Unmarshal(text, &list) != nil || !list.without(*p.Version, clock.Now(ctx)) {
		return nil, nil // a client wrote something else, which stays as it is
	}
	change := &mavenListChange{list: found.Package}
	if len(list.Versioning.Versions) == 0 {
		return change, nil
	}
	if text, err = xml.MarshalIndent(list, "", "  "); err != nil {
		return nil, err
	}
	file, err := s.Receive(ctx, model.MavenPackage, bytes.NewReader(append([]byte(xml.Header), text...)), Checksums{})
	file.FileName = MavenList
	change.file = &file
	return change, err
}

// apply changes the list of versions, in the transaction of the deletion.
func (c *mavenListChange) apply(ctx context.Context, st *store.Store) error {
	switch {
	case c == nil:
		return nil
	case c.file == nil:
		return st.Packages.Delete(ctx, c.list, nil)
	}
	list := c.list
	list.ID = 0 // Publish finds it by its name
	return st.Packages.Publish(ctx, &store.PackageUpload{Package: list, File: c.file})
}
