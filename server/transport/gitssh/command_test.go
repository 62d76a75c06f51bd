package gitssh

import "testing"

func TestCommandsAreReadAsGitWritesThem(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"git-upload-pack 'a/b.git'":           "git-upload-pack a/b",
		"git-upload-pack '/a/b.git'":          "git-upload-pack a/b",
		"git upload-pack '/a/b/c.git/'":       "git-upload-pack a/b/c",
		"git-receive-pack 'a/b'":              "git-receive-pack a/b",
		"git-receive-pack a/b.git":            "git-receive-pack a/b",
		`git-upload-pack 'a/it'\''s'\!'.git'`: "git-upload-pack a/it's!",
		"git-upload-pack":                     "",
		"git-upload-pack ''":                  "",
		"git-upload-pack 'a'":                 "git-upload-pack a",
		"git-upload-pack '-a'":                "",
		"git-upload-pack 'a/b":                "",
		"git-upload-pack 'a/b'; id":           "",
		"git-upload-pack $(id)/b":             "",
		"git-upload-pack --help":              "",
		"git-shell 'a/b'":                     "",
		"git-upload-archive 'a/b'":            "",
		"id":                                  "",
		"":                                    "",
	} {
		got := ""
		if service, path, ok := parse(command); ok {
			got = string(service) + " " + path
		}
		if got != want {
			t.Errorf("%s is %q, want %q", command, got, want)
		}
	}
}

func TestCommandsOfLargeFilesAreRead(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"git-lfs-authenticate 'a/b.git' download":   "git-upload-pack a/b",
		"git-lfs-authenticate /a/b.git upload":      "git-receive-pack a/b",
		`git-lfs-authenticate 'a/it'\''s c' upload`: "git-receive-pack a/it's c",
		"git-lfs-authenticate 'a/b.git'":            "",
		"git-lfs-authenticate 'a/b.git' delete":     "",
		"git-lfs-authenticate a/b; id upload":       "",
		"git-lfs-authenticate upload":               "",
		"git-lfs-transfer 'a/b' upload":             "",
	} {
		got := ""
		if service, path, ok := parseLFS(command); ok {
			got = string(service) + " " + path
		}
		if got != want {
			t.Errorf("%s is %q, want %q", command, got, want)
		}
	}
}
