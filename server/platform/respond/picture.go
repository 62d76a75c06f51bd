package respond

import (
	"path"
	"strings"
)

// pictures are the types of pictures that a browser may show, by the end of the name. They are sent in a sandbox, because a
// picture in SVG can contain scripts.
var pictures = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif",
	".bmp": "image/bmp", ".ico": "image/x-icon", ".svg": "image/svg+xml",
}

// PictureType returns the type of a file that pages show as a picture, by its name; empty for all other files.
func PictureType(name string) string { return pictures[strings.ToLower(path.Ext(name))] }
