package git

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// crossed makes two branches that have merged each other, so there are two best common ancestors.
const crossed = `
git checkout -q -b left main; sed -i 's/^8$/eight/' long; c left-1
git checkout -q -b right main; sed -i 's/^40$/forty/' long; c right-1
git checkout -q left; git merge -q -m left-2 right~0
git checkout -q right; git merge -q -m right-2 left~1
sed -i 's/^20$/twenty/' long; c right-3
git checkout -q left; sed -i 's/^58$/fiftyeight/' long; c left-3
git checkout -q -b twice main; git cherry-pick -x edit~1 >/dev/null; sed -i 's/^12$/twelve/' long; c twice-2
git checkout -q -b nothing main; git commit -q --allow-empty -m nothing; printf 'n\n' > nothing; c nothing-2
git checkout -q main
`

func scripted(t *testing.T, text string) (string, Repo, []string) {
	t.Helper()
	folder := t.TempDir()
	script := exec.CommandContext(t.Context(), "sh", "-c", text)
	script.Dir = folder
	script.Env = append(
		os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ann",
		"GIT_AUTHOR_EMAIL=ann@x", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x",
	)
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := repo(t)
	ask(t, r, "fetch", "-q", folder, "+refs/heads/*:refs/heads/*")
	return folder, r, strings.Fields(ask(t, r, "for-each-ref", "--format=%(refname:short)", "refs/heads"))
}

func tip(t *testing.T, r Repo, branch string) string {
	t.Helper()
	id, err := r.Ref("refs/heads/" + branch)
	if err != nil {
		t.Fatal(branch, err)
	}
	return id
}

// A merge without a work tree gives the same files as git merge, and is refused where git merge is.
func TestAMergeIsWhatGitMerges(t *testing.T) {
	t.Parallel()
	folder, r, names := scripted(t, histories+crossed)
	merged, conflicts, unrelated := 0, 0, 0
	for _, onto := range []string{"edit", "left", "folder", "rename"} {
		for _, from := range names {
			outside(t, folder, "checkout", "-q", "-f", "--detach", onto)
			_, ok := outside(t, folder, "merge", "-q", "--no-ff", "-m", "m", from)
			want := "conflict"
			switch {
			case ok:
				want, _ = outside(t, folder, "rev-parse", "HEAD^{tree}")
				merged++
			case from == "root":
				want = "unrelated"
				unrelated++
			default:
				conflicts++
			}
			outside(t, folder, "merge", "--abort")
			outside(t, folder, "reset", "-q", "--hard")
			got, err := r.MergeCommits(t.Context(), tip(t, r, onto), tip(t, r, from), true)
			switch {
			case errors.Is(err, ErrConflict):
				got = "conflict"
			case errors.Is(err, ErrUnrelated):
				got = "unrelated"
			case err != nil:
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s into %s: ours %s, git's %s", from, onto, got, want)
			}
			if len(got) == 40 {
				ask(t, r, "ls-tree", "-r", got) // all objects were kept
			}
		}
	}
	if merged < 40 || conflicts < 3 || unrelated != 4 {
		t.Errorf("%d merges, %d conflicts and %d strangers are too few to tell", merged, conflicts, unrelated)
	}
}

func TestACheckLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	_, r, _ := scripted(t, histories+crossed)
	before := ask(t, r, "count-objects", "-v")
	for _, from := range []string{"right", "clash", "inside", "root"} {
		_, _ = r.MergeCommits(t.Context(), tip(t, r, "left"), tip(t, r, from), false)
	}
	if after := ask(t, r, "count-objects", "-v"); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// A rebase without a work tree gives the same commits as git rebase.
func TestARebaseIsWhatGitRebases(t *testing.T) {
	t.Parallel()
	folder, r, names := scripted(t, histories+crossed)
	const form = "--format=%T %an <%ae> %ad %s%n%b"
	done, refused := 0, 0
	for _, onto := range []string{"edit", "right", "inside", "clash"} {
		for _, head := range names {
			if head == "root" {
				continue
			}
			outside(t, folder, "checkout", "-q", "-f", "--detach", head)
			_, ok := outside(t, folder, "rebase", "-q", onto)
			want := "conflict"
			if ok {
				want, _ = outside(t, folder, "log", "--reverse", form, onto+"..HEAD")
				done++
			} else {
				outside(t, folder, "rebase", "--abort")
				refused++
			}
			id, err := r.Rebase(
				t.Context(), tip(t, r, onto), tip(t, r, head),
				Person{Name: "Rob", Email: "rob@x", When: time.Unix(1700000000, 0)},
			)
			got := "conflict"
			switch {
			case errors.Is(err, ErrConflict):
			case err != nil:
				t.Fatal(err)
			default:
				got = strings.TrimSpace(ask(t, r, "log", "--reverse", form, onto+".."+id))
			}
			if got != strings.TrimSpace(want) {
				t.Errorf("%s onto %s: ours\n%s\ngit's\n%s", head, onto, got, want)
			}
		}
	}
	if done < 40 || refused < 3 {
		t.Errorf("%d rebases and %d conflicts are too few to tell", done, refused)
	}
	if _, err := r.Rebase(t.Context(), tip(t, r, "main"), tip(t, r, "root"), Person{}); !errors.Is(err, ErrUnrelated) {
		t.Errorf("a stranger is rebased: %v", err)
	}
}

func TestTheRefOfAMergeRequestIsFetchedAndNotPushed(t *testing.T) {
	t.Parallel()
	_, r, _ := scripted(t, histories)
	other := repo(t)
	if err := other.SetMergeRequestRef(t.Context(), 7, r, tip(t, r, "edit")); err != nil {
		t.Fatal(err)
	}
	if err := other.SetMergeRequestRef(t.Context(), 7, r, tip(t, r, "edit")); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(ask(t, other, "rev-parse", "refs/merge-requests/7/head")); got != tip(t, r, "edit") {
		t.Errorf("the ref is %s", got)
	}
	ask(t, other, "fsck", "--connectivity-only")
	var told strings.Builder
	if err := other.AdvertiseReceive(&told, false); err != nil || strings.Contains(told.String(), "merge-requests") {
		t.Errorf("who pushes sees %q (%v)", told.String(), err)
	}
	told.Reset()
	if err := other.Advertise(t.Context(), "", &told); err != nil || !strings.Contains(told.String(), "refs/merge-requests/7/head") {
		t.Errorf("who fetches sees %q (%v)", told.String(), err)
	}
	if err := errors.Join(other.DeleteMergeRequestRef(t.Context(), 7), other.DeleteMergeRequestRef(t.Context(), 7)); err != nil {
		t.Error(err)
	}
}
