package upload

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name of a file, in bytes.
const maxName = 255

// noName is the name of a file that came without one.
const noName = "file"

// SafeName returns a name for a file that is safe in paths, headers and Markdown: without folders, and with an underscore
// for everything but letters, digits, dots, dashes and underscores.
func SafeName(given string) string {
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(given, "_"), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(".-_", r) {
			return r
		}
		return '_'
	}, name)
	if strings.Trim(name, "._") == "" {
		return noName
	}
	return shorten(name)
}

// shorten cuts a long name and keeps its extension.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	ending := path.Ext(name)
	if len(ending) > maxName/2 {
		ending = ""
	}
	cut := name[:maxName-len(ending)]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	return cut + ending
}

// kind is what browsers do with a file.
type kind struct {
	media string // the content type
	shown byte   // p: a picture, v: a film, a: sound, d: a document
}

// kinds lists the files that a browser may show in the page, by extension. Everything else is only downloaded, above all
// HTML and SVG, which could contain scripts.
var kinds = map[string]kind{
	".png": {"image/png", 'p'}, ".jpg": {"image/jpeg", 'p'}, ".jpeg": {"image/jpeg", 'p'}, ".gif": {"image/gif", 'p'},
	".bmp": {"image/bmp", 'p'}, ".tiff": {"image/tiff", 'p'}, ".ico": {"image/x-icon", 'p'}, ".webp": {"image/webp", 'p'},
	".mp4": {"video/mp4", 'v'}, ".m4v": {"video/mp4", 'v'}, ".mov": {"video/quicktime", 'v'}, ".webm": {"video/webm", 'v'},
	".ogv": {"video/ogg", 'v'},
	".mp3": {"audio/mpeg", 'a'}, ".oga": {"audio/ogg", 'a'}, ".ogg": {"audio/ogg", 'a'}, ".wav": {"audio/wav", 'a'},
	".pdf": {"application/pdf", 'd'},
}

func kindOf(name string) kind { return kinds[strings.ToLower(path.Ext(name))] }

// ContentType returns the type with which a file is sent, and whether a browser may show it instead of saving it.
func ContentType(name string) (media string, inline bool) {
	if k := kindOf(name); k.media != "" {
		return k.media, true
	}
	return "application/octet-stream", false
}

// IsPicture reports whether browsers show a file as a picture.
func IsPicture(name string) bool { return kindOf(name).shown == 'p' }

// IsPictureOrFilm reports whether a file is embedded into pages, where browsers ask for it without a token.
func IsPictureOrFilm(name string) bool {
	shown := kindOf(name).shown
	return shown == 'p' || shown == 'v'
}
