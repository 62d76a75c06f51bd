package site

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxFiles = 200_000
	maxPath  = 1000 // bytes
	maxPart  = 200  // bytes between slashes; some file systems allow at most 255, and packing makes names longer
	maxDepth = 50
)

// entry is a file of a site, with its name there.
type entry struct {
	name string
	file *zip.File
}

// choose returns the files of a folder in an archive. It refuses names that lead out of the folder, links and other
// files that are not regular, and more than most bytes in total.
func choose(files []*zip.File, root string, most int64) ([]entry, error) {
	if !fs.ValidPath(root) || strings.ContainsRune(root, '\\') {
		return nil, refusal("the folder to publish is not a path inside the artifacts")
	}
	within := root + "/"
	if root == "." {
		within = ""
	}
	var chosen []entry
	left := uint64(most)
	for _, file := range files {
		name, inside := strings.CutPrefix(file.Name, within)
		if !inside || name == "" || strings.HasSuffix(name, "/") && file.Mode().IsDir() {
			continue // folders come with their files
		}
		if why := wrongName(name); why != "" {
			return nil, refusal(fmt.Sprintf("the name %q %s", clip(name), why))
		}
		if !file.Mode().IsRegular() {
			return nil, refusal(name + " is not a regular file")
		}
		if file.UncompressedSize64 > left {
			return nil, refusal(fmt.Sprintf("its files have more than %d bytes in total", most))
		}
		left -= file.UncompressedSize64
		chosen = append(chosen, entry{name, file})
	}
	if len(chosen) == 0 {
		return nil, refusal("the artifacts have no files in the folder " + root)
	}
	return chosen, distinct(chosen)
}

// wrongName returns what is wrong with the name of a file.
func wrongName(name string) string {
	switch {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.ContainsRune(name, '\\'):
		return "contains characters that are not allowed in file names"
	case !fs.ValidPath(name) || name == ".":
		return "is not a path inside the site"
	case len(name) > maxPath || strings.Count(name, "/") >= maxDepth:
		return "is too long"
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxPart {
			return "is too long"
		}
	}
	return ""
}

// distinct refuses duplicate names, and names that are both a file and a folder.
func distinct(chosen []entry) error {
	isFile := make(map[string]bool, len(chosen))
	for _, c := range chosen {
		if isFile[c.name] {
			return refusal(c.name + " is in the artifacts twice")
		}
		isFile[c.name] = true
	}
	known := map[string]bool{}
	for _, c := range chosen {
		for folder := path.Dir(c.name); folder != "." && !known[folder]; folder = path.Dir(folder) {
			if isFile[folder] {
				return refusal(folder + " is both a file and a folder")
			}
			known[folder] = true
		}
	}
	return nil
}

func clip(text string) string {
	if len(text) > 100 {
		text = text[:100]
	}
	return strings.ToValidUTF8(text, "�")
}
