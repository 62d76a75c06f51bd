package naming

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Sites makes the names that the sites of projects have for themselves below the host of all sites, and finds the project
// behind one. A name begins with the path of the project and ends with a sum that only this instance can make, and the
// project's id: nobody can choose one, and nothing has to be stored.
type Sites struct{ key []byte }

// NewSites derives the names from the instance's secret key.
func NewSites(secretKey string) Sites {
	sum := sha256.Sum256([]byte("names of sites\x00" + secretKey))
	return Sites{sum[:]}
}

const (
	siteSum   = 8  // letters of the sum
	maxPrefix = 40 // letters of the project's path, so that the whole fits into 63
)

// Of is the name of a project's site: one label of a host.
func (s Sites) Of(projectID int64, path string) string {
	id := strconv.FormatInt(projectID, 36)
	return slug(path) + "-" + s.sum(id) + id
}

// Project is the project whose site has a name, if it may be one; the name must still be the one of the project's path.
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

// slug is a path as a part of a host name.
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
