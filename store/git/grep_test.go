package git

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTextIsFoundInFiles(t *testing.T) {
	t.Parallel()
	r := repo(t)
	many := ""
	for i := range 100 {
		many += fmt.Sprintf("needle %d\n", i)
	}
	head := commit(t, r, file("a", "one\nthe Needle: x\n"), file("dir/b c", many), file("bin", "needle\x00"), file("-e", "-e pattern\n"))
	found, more, err := r.Grep(t.Context(), head, Grep{Text: "needle", Most: 50})
	if err != nil || more || len(found) != 3 || found[0] != (Chunk{"a", 1, "one\nthe Needle: x\n"}) ||
		found[1].Path != "dir/b c" || found[2].Line != 1+maxChunkLines {
		t.Errorf("%+v, more %t, %v", found, more, err)
	}
	if found, more, err = r.Grep(t.Context(), head, Grep{Text: "needle", Skip: 1, Most: 1}); err != nil || !more || len(found) != 1 ||
		found[0].Path != "dir/b c" || found[0].Line != 1 {
		t.Errorf("%+v, more %t, %v", found, more, err)
	}
	only := Grep{Text: "needle", Most: 9, Keep: func(path string) bool { return path == "a" }}
	if found, more, err = r.Grep(t.Context(), head, only); err != nil || more || len(found) != 1 {
		t.Errorf("%+v, more %t, %v", found, more, err)
	}
	if found, _, err = r.Grep(t.Context(), head, Grep{Text: "-e pat", Most: 2}); err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if found, more, err = r.Grep(t.Context(), head, Grep{Text: "nowhere.*", Most: 2}); err != nil || more || len(found) != 0 {
		t.Errorf("%+v, more %t, %v", found, more, err)
	}
	for _, bad := range []string{"", "a\nb", "a\x00"} {
		if _, _, err := r.Grep(t.Context(), head, Grep{Text: bad, Most: 2}); err == nil {
			t.Errorf("%q is searched for", bad)
		}
	}
}

func TestMatchesThatAreFarApartAreChunks(t *testing.T) {
	t.Parallel()
	r := repo(t)
	long := strings.Repeat("x", 5000)
	head := commit(t, r, file("a", "1\n2\nhit\n4\n5\n6\n7\n8\n9\nhit \xff\r\n11\n"), file("b", "hit"+long+"\n"))
	found, more, err := r.Grep(t.Context(), head, Grep{Text: "HIT", Most: 9})
	want := []Chunk{{"a", 1, "1\n2\nhit\n4\n5\n"}, {"a", 8, "8\n9\nhit \uFFFD\r\n11\n"}, {"b", 1, "hit" + long[:maxGrepLine-3] + "\n"}}
	if err != nil || more || !slices.Equal(found, want) {
		t.Errorf("%v, more %t, %v", found, more, err)
	}
}

func TestFilesAreFoundByTheirPaths(t *testing.T) {
	t.Parallel()
	r := repo(t)
	head := commit(t, r, file("a/x.go", "1\n2\n3\n4\n5\n6\n"), file("b/[x].go", "one"), file("bin.go", "a\x00"), file("c", "x"))
	paths, err := r.FindPaths(t.Context(), head, func(path string) bool { return strings.HasSuffix(path, ".go") }, 9)
	if want := []string{"a/x.go", "b/[x].go", "bin.go"}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("%q, %v", paths, err)
	}
	texts, err := r.FirstLines(t.Context(), head, paths)
	if want := map[string]string{"a/x.go": "1\n2\n3\n4\n5\n", "b/[x].go": "one\n"}; err != nil || !maps.Equal(texts, want) {
		t.Errorf("%q, %v", texts, err)
	}
	if paths, err = r.FindPaths(t.Context(), head, func(string) bool { return true }, 2); err != nil || len(paths) != 2 {
		t.Errorf("%q, %v", paths, err)
	}
}

func TestCommitsAreFoundByTheirMessages(t *testing.T) {
	t.Parallel()
	r := repo(t)
	head := commit(t, r, file("a", "1"))
	for text, want := range map[string]int{"TITLE": 1, "bod": 1, "titl.": 0} {
		if ids, err := r.Log(t.Context(), LogFilter{From: head, Message: text}, 0, 9); err != nil || len(ids) != want {
			t.Errorf("%q finds %q, %v", text, ids, err)
		}
	}
}

// Git is stopped in the middle of its output: what the reader says about the end of the output is not the cause.
func TestACommandThatIsStoppedIsTooSlow(t *testing.T) {
	t.Parallel()
	r := repo(t)
	head := commit(t, r, file("a", "x\n"))
	err := r.run(t.Context(), call{wait: 50 * time.Millisecond, args: []string{"ls-tree", head}}, func(io.Reader) error {
		time.Sleep(100 * time.Millisecond)
		return io.ErrUnexpectedEOF
	})
	if err = orTooSlow(t.Context(), err); !errors.Is(err, ErrTooSlow) {
		t.Errorf("error is %v", err)
	}
	enough := func(io.Reader) error { time.Sleep(100 * time.Millisecond); return errEnough }
	if err := r.run(t.Context(), call{wait: 50 * time.Millisecond, args: []string{"ls-tree", head}}, enough); !errors.Is(err, errEnough) {
		t.Errorf("error is %v", err)
	}
}
