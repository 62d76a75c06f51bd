package release

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// The limits of a link.
const (
	maxName = 255
	maxURL  = 2048
	maxPath = 128
)

// linkPath is what the path of a link must look like.
var linkPath = regexp.MustCompile(`^(/[A-Za-z0-9._-]+)+$`)

const taken = "has already been taken"

func orOther(linkType string) string {
	if linkType == "" {
		return model.LinkOther
	}
	return linkType
}

func (l Link) row() model.ReleaseLink {
	return model.ReleaseLink{Name: l.Name, URL: l.URL, FilePath: l.FilePath, LinkType: orOther(l.LinkType)}
}

// newLinks checks the links of a new release, alone and against each other.
func newLinks(drafts []Link) ([]model.ReleaseLink, error) {
	links := make([]model.ReleaseLink, 0, len(drafts))
	for _, draft := range drafts {
		link := draft.row()
		if err := checkLink(link); err != nil {
			return nil, err
		}
		if err := checkNew(link, links); err != nil {
			return nil, err
		}
		links = append(links, link)
	}
	return links, nil
}

// checkLink refuses a link without a name, with an address that browsers do not download from, or with a wrong path.
func checkLink(l model.ReleaseLink) error {
	wrong := map[string][]string{}
	switch {
	case strings.TrimSpace(l.Name) == "":
		wrong["name"] = []string{"can't be blank"}
	case len(l.Name) > maxName:
		wrong["name"] = []string{"is too long (maximum is 255 characters)"}
	}
	if !validURL(l.URL) {
		wrong["url"] = []string{"is blocked: Only allowed schemes are http, https, ftp"}
	}
	switch {
	case l.FilePath == nil:
	case len(*l.FilePath) > maxPath:
		wrong["filepath"] = []string{"is too long (maximum is 128 characters)"}
	case !validPath(*l.FilePath):
		wrong["filepath"] = []string{"is in an invalid format"}
	}
	if len(wrong) > 0 {
		return apierr.InvalidFields(wrong)
	}
	return nil
}

func validURL(text string) bool {
	if len(text) > maxURL {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && slices.Contains([]string{"http", "https", "ftp"}, u.Scheme)
}

// validPath reports whether a link may have a path: parts of a few plain characters, and a letter or digit at the end.
// Browsers would resolve parts that are only dots.
func validPath(path string) bool {
	if !linkPath.MatchString(path) || strings.ContainsAny(path[len(path)-1:], "._-") {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "." || part == ".." {
			return false
		}
	}
	return true
}

// checkNew refuses a link whose name, address or path another link of the release has.
func checkNew(l model.ReleaseLink, others []model.ReleaseLink) error {
	wrong := map[string][]string{}
	for _, other := range others {
		if other.ID != 0 && other.ID == l.ID {
			continue
		}
		if other.Name == l.Name {
			wrong["name"] = []string{taken}
		}
		if other.URL == l.URL {
			wrong["url"] = []string{taken}
		}
		if l.FilePath != nil && other.FilePath != nil && *other.FilePath == *l.FilePath {
			wrong["filepath"] = []string{taken}
		}
	}
	if len(wrong) > 0 {
		return apierr.InvalidFields(wrong)
	}
	return nil
}
