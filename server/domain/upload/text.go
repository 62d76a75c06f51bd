package upload

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"svc/store/model"
)

// Address returns the address of a file as Markdown of its project or group writes it.
func Address(u model.Upload) string { return "/uploads/" + u.Secret + "/" + url.PathEscape(u.Filename) }

// FullPath returns the path of a file on this service.
func FullPath(u model.Upload) string {
	if u.ProjectID != nil {
		return "/-/project/" + strconv.FormatInt(*u.ProjectID, 10) + Address(u)
	}
	return "/-/group/" + strconv.FormatInt(*u.GroupID, 10) + Address(u)
}

// Alt returns the text that stands for a file: its name, for pictures and films without the extension.
func Alt(name string) string {
	if IsPictureOrFilm(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// Markdown returns a link to an address; pictures, films and sound are embedded.
func Markdown(name, address string) string {
	link := "[" + Alt(name) + "](" + address + ")"
	if IsPictureOrFilm(name) || kindOf(name).shown == 'a' {
		return "!" + link
	}
	return link
}
