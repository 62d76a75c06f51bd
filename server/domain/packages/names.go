package packages

import (
	"net/url"
	"regexp"
	"strings"

	"svc/server/platform/apierr"
)

// maxName is the largest number of bytes in a name, a version or the name of a file.
const maxName = 255

var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9._+-]+$`)
	fileName  = regexp.MustCompile(`^[A-Za-z0-9._+-](?:[A-Za-z0-9._+~@-]*[A-Za-z0-9._+-])?$`)
	onlyDots  = regexp.MustCompile(`^\.+$`)
)

// CheckGeneric refuses a generic package whose name, version or file cannot be stored. The file may be in folders.
func CheckGeneric(name, version string, file []string) error {
	switch {
	case !isPlain(name):
		return apierr.BadParameter("package_name is invalid")
	case !isPlain(version) || strings.Contains(version, ".."):
		return apierr.BadParameter("package_version is invalid")
	case len(file) == 0 || len(FileName(file)) > maxName:
		return apierr.BadParameter("file_name is invalid")
	}
	for _, part := range file {
		if !fileName.MatchString(part) || onlyDots.MatchString(part) {
			return apierr.BadParameter("file_name is invalid")
		}
	}
	return nil
}

// isPlain reports whether a text can be the name or version of a package.
func isPlain(text string) bool {
	return len(text) <= maxName && plainName.MatchString(text) && !onlyDots.MatchString(text)
}

// FileName returns the name under which a file in folders is stored: a slash is written as %2F.
func FileName(path []string) string { return url.PathEscape(strings.Join(path, "/")) }
