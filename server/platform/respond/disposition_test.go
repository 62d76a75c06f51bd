package respond

import (
	"mime"
	"strings"
	"testing"
)

func TestTheNameOfAnArchiveIsWhatTheHeaderSays(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"p-main.tar":     `attachment; filename="p-main.tar"`,
		"a b;c=d,e.zip":  `attachment; filename="a b;c=d,e.zip"`,
		`say "hi".tar`:   `attachment; filename="say _hi_.tar"; filename*=UTF-8''say%20%22hi%22.tar`,
		"100%41.tar":     `attachment; filename="100_41.tar"; filename*=UTF-8''100%2541.tar`,
		"größe.tar":      `attachment; filename="gr__e.tar"; filename*=UTF-8''gr%C3%B6%C3%9Fe.tar`,
		"日.tar":          `attachment; filename="_.tar"; filename*=UTF-8''%E6%97%A5.tar`,
		"a\r\nX: y.tar":  `attachment; filename="a__X: y.tar"; filename*=UTF-8''a%0D%0AX%3A%20y.tar`,
		"tab\tdel\x7f":   `attachment; filename="tab_del_"; filename*=UTF-8''tab%09del%7F`,
		`..\..\a.tar`:    `attachment; filename=".._.._a.tar"; filename*=UTF-8''..%5C..%5Ca.tar`,
		"../../a.tar":    `attachment; filename=".._.._a.tar"; filename*=UTF-8''..%2F..%2Fa.tar`,
		"it's (1)*!.tar": `attachment; filename="it's (1)*!.tar"`,
		"é'(*)!.tar":     `attachment; filename="_'(*)!.tar"; filename*=UTF-8''%C3%A9%27%28%2A%29%21.tar`,
	} {
		got := Attachment(name)
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", name, got, want)
		}
		kind, members, err := mime.ParseMediaType(got)
		if err != nil || kind != "attachment" || members["filename"] != name {
			t.Errorf("%q is read as %q, %v", name, members["filename"], err)
		}
		if strings.ContainsAny(got, "\r\n") {
			t.Errorf("%q begins a new line", name)
		}
	}
}
