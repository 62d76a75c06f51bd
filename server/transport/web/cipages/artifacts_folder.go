package cipages

import (
	"archive/zip"
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/server/transport/web/page"
)

const (
	maxFiles     = 20_000 // of an archive that is browsed
	entriesShown = 60
	maxName      = 250 // bytes of the path of an entry that is shown
)

// folderEntry is a file or a folder inside an archive.
type folderEntry struct {
	Name, Path, Raw string
	Folder          bool
	Size            int64
}

// entriesOf returns the entries directly in a folder, folders first, and the number of entries whose names cannot be shown:
// they lead out of the archive, are not UTF-8, or are very long.
func entriesOf(files []*zip.File, folder string) (entries []folderEntry, hidden int) {
	prefix := ""
	if folder != "" {
		prefix = folder + "/"
	}
	known := map[string]bool{}
	for _, file := range files {
		name, isFolder := strings.CutSuffix(file.Name, "/")
		rest, inside := strings.CutPrefix(name, prefix)
		switch {
		case !inside || rest == "":
			continue
		case len(name) > maxName || !fs.ValidPath(name) || !utf8.ValidString(name):
			hidden++
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		entry := folderEntry{Name: first, Folder: deeper || isFolder}
		if !entry.Folder {
			if !file.Mode().IsRegular() {
				hidden++
				continue
			}
			entry.Size = int64(min(file.UncompressedSize64, 1<<62))
		}
		if !known[first] {
			known[first] = true
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b folderEntry) int {
		if a.Folder != b.Folder {
			if a.Folder {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return entries, hidden
}

// linked adds the links to entries.
func linked(entries []folderEntry, base, folder string) []folderEntry {
	for i := range entries {
		path := entries[i].Name
		if folder != "" {
			path = folder + "/" + path
		}
		if path = page.EscapePath(path); entries[i].Folder {
			entries[i].Path = base + "/browse/" + path
		} else {
			entries[i].Path, entries[i].Raw = base+"/file/"+path, base+"/raw/"+path
		}
	}
	return entries
}
