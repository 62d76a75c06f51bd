package naming

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Sites computes the host names of projects' sites, below the domain of all sites, and finds the project of such a
// name. A name begins with the path of the project and ends with a checksum that only this instance can compute, and
// the project's id. So nobody can choose a name, and nothing has to be stored.
type Sites struct{ key []byte }

// NewSites derives the names from the instance's secret key.
func NewSites(secretKey string) Sites {
	sum := sha256.Sum256([]byte("names of sites\x00" + secretKey))
	return Sites{sum[:]}
}

const (
	siteSum   = 8  // letters of the checksum
	maxPrefix = 40 // letters of the project's path, so that the name fits into 63
)

// Of returns the name of a project's site: one label of a host name.
func (s Sites) Of(projectID int64, path string) string {
	id := strconv.FormatInt(projectID, 36)
	return slug(path) + "-" + s.sum(id) + id
}

// Project returns the id of the project whose site may have a name. The caller must still check that the name matches
// the project's current path.
func (s Sites) Project(name string) (int64, bool) {
	end := name[strings.LastIndexByte(name, '-')+1:]
	if len(end) <= siteSum || len(end) == len(name) {
		return 0, false
	}
	sum, id := end[:siteSum], end[siteSum:]
	number, err := strconv.ParseInt(id, 36, 64)
	if err != nil || number <= 0 || strconv.FormatInt(number, 36) != id || !hmac.Equal([]byte(sum), []byte(s.sum(id))) {
		return 0, false
	}
	return number, true
}

func (s Sites) sum(id string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(id))
	return hex.EncodeToString(mac.Sum(nil))[:siteSum]
}

// slug turns a path into a part of a host name.
func slug(path string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(path))
	clean = strings.Trim(clean[:min(len(clean), maxPrefix)], "-")
	if clean == "" {
		return "site"
	}
	return clean
}
