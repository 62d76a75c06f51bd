package logview

import (
	"encoding/json"
	"strings"
	"testing"
)

// describeEvents writes events in a short form.
func describeEvents(events []Event) string {
	var all []string
	for _, e := range events {
		switch {
		case e.Open != "":
			fold := ""
			if e.Fold {
				fold = " folded"
			}
			all = append(all, "<"+e.Open+fold+": "+string(e.HTML)+">")
		case e.Close != "":
			all = append(all, "</"+e.Close+" "+e.Duration+">")
		default:
			all = append(all, string(e.HTML))
		}
	}
	return strings.Join(all, "|")
}

func TestALogIsShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ log, want string }{
		"plain":      {"one\ntwo\r\n", "one|two"},
		"no newline": {"one\ntwo", "one|two"},
		"escaped":    {"<script>&\"\n", "&lt;script&gt;&amp;&#34;"},
		"colours": {
			"\x1b[32;1mgreen\x1b[0;m plain \x1b[31mred\n",
			`<span class="f2 bold">green</span> plain <span class="f1">red</span>`,
		},
		"colour goes on": {"\x1b[31mred\nstill\x1b[0m\nno\n", `<span class="f1">red</span>|<span class="f1">still</span>|no`},
		"256 colours": {
			"\x1b[38;5;196mred\x1b[48;2;0;0;255mon blue\x1b[39;49m\n",
			`<span class="f9">red</span><span class="f9 b12">on blue</span>`,
		},
		"other escapes": {"a\x1b[0Kb\x1b[2Jc\x1b]0;title\ad\x1b", "abcd"},
		"overwritten":   {"10 %\r50 %\r100 %\n", "100 %"},
		"bells":         {"a\ab\x00c\td\n", "abc\td"},
		"not UTF-8":     {"a\xffb\n", "a\ufffdb"},
		"stamped":       {"2026-11-15T12:43:46.962646Z 00O hello\n2026-11-15T12:43:46.962646Z 00O+ more\nbare", "hello more|bare"},
		"other stream": {
			"2026-11-15T12:43:46.962646Z 00O hello\n2026-11-15T12:43:46.962646Z 00E+oops\n2026-11-15T12:43:46.962646Z 01O+x\n",
			"hello|oops|x",
		},
		"progress": {
			"2026-11-15T12:43:46.962646Z 00O 10 %\r\n2026-11-15T12:43:46.962646Z 00O+50 %\r\n2026-11-15T12:43:46.962646Z 00O+done\n",
			"done",
		},
		"stamped sections": {
			"2026-11-15T12:43:46.962646Z 00O section_start:10:prepare_executor\r\n2026-11-15T12:43:46.962650Z " +
				"00O+\x1b[0K\x1b[0K\x1b[36;1mPreparing\x1b[0;m\x1b[0;m\n" +
				"2026-11-15T12:43:46.962646Z 00O Using Shell\n2026-11-15T12:43:46.962646Z 00O section_end:12:prepare_executor\r\n" +
				"2026-11-15T12:43:46.962646Z 00O+\x1b[0Ksection_start:12:step_script\r\n2026-11-15T12:43:46.962646Z 00O+\x1b[0KScript\n",
			`<prepare_executor: <span class="f6 bold">Preparing</span>>|Using Shell|</prepare_executor 00:02>|` +
				`<step_script: Script>|</step_script >`,
		},
		"section": {
			"section_start:1560896352:build[collapsed=true]\r\x1b[0K\x1b[36mBuilding\x1b[0m\ninside\n" +
				"section_end:1560896417:build\r\x1b[0K\nafter\n",
			`<build folded: <span class="f6">Building</span>>|inside|</build 01:05>|after`,
		},
		"sections in one line": {
			"section_start:1:a\r\x1b[0KA\nsection_end:2:a\r\x1b[0Ksection_start:2:b\r\x1b[0KB\nx", "<a: A>|</a 00:01>|<b: B>|x|</b >",
		},
		"inner sections end with the outer": {
			"section_start:1:a\r\x1b[0KA\nsection_start:1:b\r\x1b[0KB\nsection_end:3:a\r\x1b[0K\n",
			"<a: A>|<b: B>|</b >|</a 00:02>",
		},
		"an end without a beginning": {"section_end:3:a\r\x1b[0K\nx\n", "x"},
		"a section without a title": {
			"section_start:1:restore_cache\r\x1b[0Ksection_end:2:restore_cache\r\x1b[0K\n",
			"<restore_cache: restore cache>|</restore_cache 00:01>",
		},
		"not a section": {"section_start:x:a\r\nsection_start:1:<b>\n", "section_start:x:a|section_start:1:&lt;b&gt;"},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			r := &Reader{}
			var events []Event
			for rest := []byte(c.log); len(rest) > 0; {
				n := min(size, len(rest))
				events = append(events, r.Read(rest[:n])...)
				rest = rest[n:]
			}
			if got := describeEvents(append(events, r.End()...)); got != c.want {
				t.Errorf("%s in pieces of %d: %s\nwant %s", name, size, got, c.want)
			}
		}
	}
}

func TestLinesAreNumberedAndBounded(t *testing.T) {
	t.Parallel()
	r := &Reader{}
	events := r.Read([]byte("a\nsection_start:1:s\r\x1b[0Ktitle\nb\n" + strings.Repeat("x", 3*maxLine) + "\n"))
	if len(events) != 4 || events[0].Line != 1 || events[2].Line != 2 || events[3].Line != 3 || len(events[3].HTML) != maxLine+len("…") {
		t.Error(len(events), events[2].Line, len(events[3].HTML))
	}
	for range 100 {
		r.Read([]byte("section_start:1:s\r\x1b[0Ktitle\n"))
	}
	if got := len(r.OpenSections()); got != maxSections {
		t.Error(got)
	}
}

// A user who follows a log sees the last line at once, and again when it continues.
func TestTheLastLineIsFlushed(t *testing.T) {
	t.Parallel()
	r := &Reader{}
	at := "2026-11-15T12:43:46.962646Z 00O"
	if got := r.Read([]byte(at + " \x1b[31mLoading\n")); got != nil {
		t.Error("a line that may go on is told:", got)
	}
	for _, step := range []struct{ log, want string }{
		{"", `[{"line":1,"html":"\u003cspan class=\"f1\"\u003eLoading\u003c/span\u003e"}]`},
		{"", `null`},
		{at + "+ ...\n", `[{"line":1,"html":"\u003cspan class=\"f1\"\u003eLoading ...\u003c/span\u003e"}]`},
		{
			at + "+!\n" + at + " next\n" + at + " section_start:1:s\r\n",
			`[{"line":1,"html":"\u003cspan class=\"f1\"\u003eLoading ...!\u003c/span\u003e"},{"line":2,` +
				`"html":"\u003cspan class=\"f1\"\u003enext\u003c/span\u003e"}]`,
		},
		{
			at + "+\x1b[0Ktitle\n" + at + " in\n",
			`[{"html":"\u003cspan class=\"f1\"\u003etitle\u003c/span\u003e","open":"s"},{"line":3,"html":"\u003cspan ` +
				`class=\"f1\"\u003ein\u003c/span\u003e"}]`,
		},
	} {
		events := append(r.Read([]byte(step.log)), r.Flush()...)
		if got, _ := json.Marshal(events); string(got) != step.want {
			t.Errorf("%q: %s\nwant %s", step.log, got, step.want)
		}
	}
}

func FuzzLog(f *testing.F) {
	f.Add("a\x1b[31mb\nsection_start:1:s\r\x1b[0Kt\n<", 3)
	f.Add("2026-11-15T12:43:46.962646Z 00O section_start:1:s\r\n2026-11-15T12:43:46.962646Z 00O+\x1b[0Kt\n", 40)
	f.Fuzz(func(t *testing.T, log string, size int) {
		size = min(max(size, 1), 1000)
		r := &Reader{}
		var events []Event
		for rest := []byte(log); len(rest) > 0; {
			n := min(size, len(rest))
			events = append(events, r.Read(rest[:n])...)
			rest = rest[n:]
			if size%2 == 0 {
				events = append(events, r.Flush()...)
			}
		}
		events = append(events, r.End()...)
		open := 0
		for _, e := range events {
			if e.Open != "" {
				open++
			}
			if e.Close != "" {
				open--
			}
			bare := strings.ReplaceAll(string(e.HTML), "</span>", "")
			for _, part := range strings.Split(bare, "<")[1:] {
				if !strings.HasPrefix(part, `span class="`) {
					t.Fatalf("%q has a tag of its own", e.HTML)
				}
			}
			if _, err := json.Marshal(e); err != nil {
				t.Fatal(err)
			}
		}
		if open != 0 {
			t.Fatalf("%d sections are not closed", open)
		}
	})
}
