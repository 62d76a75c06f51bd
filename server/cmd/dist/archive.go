package main

import "os"

// archive returns the archive for a platform: the program, its manual page, its completions and the texts.
func (d distribution) archive(b built) ([]byte, error) {
	folder := d.name(b.platform) + "/"
	files := []file{
		{name: folder + "svc", mode: 0o755, data: b.data},
		{name: folder + "svc.1", mode: 0o644, data: b.docs.manual},
		{name: folder + "completions/svc.bash", mode: 0o644, data: b.docs.bash},
		{name: folder + "completions/_svc", mode: 0o644, data: b.docs.zsh},
		{name: folder + "completions/svc.fish", mode: 0o644, data: b.docs.fish},
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: folder + name, mode: 0o644, data: data})
	}
	return tarGz("", withParents(files), d.time)
}
