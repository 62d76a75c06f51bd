package upload

import (
	"strings"
	"testing"
)

func TestNamesAreMadeSafe(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"a.png": "a.png", "../../etc/passwd": "passwd", `C:\temp\a b.txt`: "a_b.txt", "": "file", "..": "file", "/": "file",
		"a\r\nX-Evil: 1": "a__X-Evil__1", "<script>.html": "_script_.html", "grün.pdf": "grün.pdf", "a](b).png": "a__b_.png",
		"\xff.txt": "_.txt", ".gitignore": ".gitignore", "a\x00b": "a_b", "%2e%2e": "_2e_2e",
	} {
		if got := SafeName(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
	long := SafeName(strings.Repeat("ü", 300) + ".tar")
	if len(long) > maxName || !strings.HasSuffix(long, "ü.tar") {
		t.Errorf("%q", long)
	}
}

func TestOnlyHarmlessFilesAreShown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a.PNG": true, "a.mp4": true, "a.mp3": true, "a.pdf": true,
		"a.svg": false, "a.html": false, "a.xhtml": false, "a.xml": false, "a.js": false, "a.txt": false, "png": false, "a.png.svg": false,
	} {
		if _, inline := ContentType(name); inline != want {
			t.Errorf("%s is shown: %v", name, inline)
		}
	}
}
