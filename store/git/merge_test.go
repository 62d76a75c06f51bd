package git

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// outside runs git in a folder with a work tree.
func outside(t testing.TB, folder string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.CommandContext(
		t.Context(), "git",
		append([]string{"-c", "user.name=x", "-c", "user.email=x@y", "-c", "protocol.file.allow=always"}, args...)...,
	)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err == nil
}

// histories are shell scripts; each leaves branches that the tests pick onto each other.
const histories = `
set -e
git init -q -b main .
c() { git add -A; git commit -q --allow-empty -m "$1"; }
seq 1 60 > long; seq 100 160 > other; printf 'a\n' > small; mkdir dir; seq 1 30 > dir/x; seq 2 40 > dir/y
printf '\000\001' > bin; printf 'no newline' > open
c base
git checkout -q -b edit; sed -i 's/^5$/five/' long; c edit-top
sed -i 's/^55$/fifty/' long; printf 'more' >> open; c edit-bottom
git checkout -q -b rename main; git mv long renamed; c rename
sed -i 's/^30$/thirty/' renamed; c rename-edit
git checkout -q -b folder main; git mv dir moved; c folder
git checkout -q -b inside main; printf 'new\n' > dir/z; sed -i 's/^10$/ten/' dir/x; c inside
git checkout -q -b remove main; git rm -q small other; c remove
git checkout -q -b touch main; printf 'b\n' > small; c touch
git checkout -q -b clash main; sed -i 's/^5$/cinq/' long; c clash
git checkout -q -b binary main; printf '\000\002' > bin; c binary
git checkout -q -b binary2 main; printf '\000\003' > bin; c binary2
git checkout -q -b mode main; chmod +x small; ln -s small link; c mode
git checkout -q -b sub main; git update-index --add --cacheinfo 160000,$(git rev-parse main),lib; git commit -q -m sub
git checkout -q -f -b file-folder main; rm -rf lib; git rm -q small; mkdir small; printf x > small/x; c file-folder
git checkout -q -b merged edit; git merge -q -m merged inside
git checkout -q -b latin main; printf 'caf\351\n' > "$(printf 'na\303\257ve')"; c latin
git checkout -q --orphan root; git rm -rqf .; printf 'root\n' > root; printf 'a\n' > small; c root
git checkout -q main
`

// A merge without a work tree gives what git cherry-pick and git revert give, and is refused where they are.
func TestMergeIsWhatCherryPickAndRevertDo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	script := exec.CommandContext(t.Context(), "sh", "-c", histories)
	script.Dir = folder
	script.Env = append(
		os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x",
		"GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x",
	)
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := repo(t)
	ask(t, r, "fetch", "-q", folder, "+refs/heads/*:refs/heads/*")
	names := strings.Fields(ask(t, r, "for-each-ref", "--format=%(refname:short)", "refs/heads"))
	merges, conflicts := 0, 0
	for verb, branches := range map[string][]string{"cherry-pick": {"folder", "clash"}, "revert": {"merged"}} {
		for _, onto := range branches {
			for _, picked := range names {
				want, got := byHand(t, folder, verb, onto, picked), ours(t, r, verb, onto, picked)
				if got != want {
					t.Errorf("%s %s onto %s: ours %s, git's %s", verb, picked, onto, got, want)
				}
				if want == "conflict" {
					conflicts++
				} else {
					merges++
				}
			}
		}
	}
	if merges < 30 || conflicts < 4 {
		t.Errorf("%d merges and %d conflicts are too few to tell", merges, conflicts)
	}
	if left, _ := filepath.Glob(filepath.Join(r.dir, "objects", "incoming-*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	if got := ask(t, r, "fsck", "--strict", "--no-dangling"); strings.Contains(got, "error") {
		t.Errorf("git finds fault: %s", got)
	}
}

// byHand returns the tree that git itself makes, or the word conflict.
func byHand(t *testing.T, folder, verb, onto, picked string) string {
	t.Helper()
	if out, ok := outside(t, folder, "checkout", "-q", "-f", "--detach", onto); !ok {
		t.Fatal(out)
	}
	outside(t, folder, "clean", "-qfdx")
	args := []string{verb, "--no-commit"}
	if parents, _ := outside(t, folder, "rev-list", "--parents", "-1", picked); len(strings.Fields(parents)) > 2 {
		args = append(args, "-m", "1")
	}
	out, ok := outside(t, folder, append(args, picked)...)
	tree, whole := outside(t, folder, "write-tree")
	if !ok || !whole {
		if !strings.Contains(out, "CONFLICT") && !strings.Contains(out, "could not") && !strings.Contains(out, "conflict") {
			t.Fatalf("%s %s onto %s: %s", verb, picked, onto, out)
		}
		outside(t, folder, "reset", "-q", "--hard")
		return "conflict"
	}
	return tree
}

func ours(t *testing.T, r Repo, verb, onto, picked string) string {
	t.Helper()
	read := func(rev string) Commit {
		id, err := r.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.Commit(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := read(picked)
	before := ""
	if len(c.Parents) > 0 {
		before = read(c.Parents[0]).Tree
	}
	base, theirs := before, c.Tree
	if verb == "revert" {
		base, theirs = theirs, base
	}
	tree, err := r.MergeTrees(t.Context(), base, read(onto).Tree, theirs)
	if errors.Is(err, ErrConflict) {
		return "conflict"
	}
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestLastCommitAndBlameAreGits(t *testing.T) {
	t.Parallel()
	r := repo(t)
	commit(
		t, r, Change{Action: ActionCreate, Path: "a*b", Content: []byte("1\n2\n3\n")},
		Change{Action: ActionCreate, Path: "axb", Content: []byte("x\n")},
		Change{Action: ActionCreate, Path: ":(top)x", Content: []byte("x")},
	)
	commit(t, r, Change{Action: ActionUpdate, Path: "axb", Content: []byte("y\n")})
	commit(t, r, Change{Action: ActionUpdate, Path: "a*b", Content: []byte("1\n2\ncaf\xe9\n")})
	tip := commit(t, r, Change{Action: ActionCreate, Path: "z"})
	for _, path := range []string{"a*b", "axb", ":(top)x", "z"} {
		want := ask(t, r, "--literal-pathspecs", "log", "-1", "--format=%H", tip, "--", path)
		for range 2 { // the second time from the cache
			if got, err := r.LastCommit(t.Context(), tip, path); err != nil || got != want {
				t.Errorf("%s: %s, %v, want %s", path, got, err, want)
			}
		}
	}
	if got, err := r.LastCommit(t.Context(), tip, "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("none: %s, %v", got, err)
	}
	groups, err := r.Blame(t.Context(), tip, "a*b", 0, 0)
	if err != nil || len(groups) != 2 || strings.Join(groups[0].Lines, ",") != "1,2" || groups[1].Lines[0] != "café" {
		t.Errorf("blamed %+v, %v", groups, err)
	}
	for _, path := range []string{"", "../x", "--contents"} {
		if groups, err := r.Blame(t.Context(), tip, path, 0, 0); err == nil {
			t.Errorf("%q is blamed: %+v", path, groups)
		}
	}
}
