package changelog

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 5, 12, 4, 9, 7_000_000, time.FixedZone("", 2*3600))

func entry(title, category string, author *Author) Entry {
	return Entry{
		Title: title, Category: category, Reference: "acme/web@" + title, WebURL: "http://svc/" + title, Author: author,
		Trailers: map[string]string{"Changelog": category, "EE": "yes"},
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	jane, member := &Author{Reference: "@jane", Contributor: true, Credit: true}, &Author{Reference: "@joe"}
	three := []Entry{entry("C", "fixed", nil), entry("B", "added", jane), entry("A", "fixed", member)}
	for name, c := range map[string]struct {
		config  string
		entries []Entry
		want    string
	}{
		"nothing": {"", nil, "## 1.0.0 (2026-03-05)\n\nNo changes.\n\n"},
		"as it comes": {
			"", three,
			"## 1.0.0 (2026-03-05)\n\n### fixed (2 changes)\n\n- [C](http://svc/C)\n- [A](http://svc/A)\n\n### added " +
				"(1 change)\n\n- [B](http://svc/B) by @jane\n\n",
		},
		"titles in the order of the file": {
			"categories:\n  added: Features\n  other: Unused\n  fixed: Bugs\n", three,
			"## 1.0.0 (2026-03-05)\n\n### Features (1 change)\n\n- [B](http://svc/B) by @jane\n\n### Bugs (2 " +
				"changes)\n\n- [C](http://svc/C)\n- [A](http://svc/A)\n\n",
		},
		"one title for two values": {
			"categories: {added: All, fixed: All}", three,
			"## 1.0.0 (2026-03-05)\n\n### All (3 changes)\n\n- [C](http://svc/C)\n- [B](http://svc/B) by @jane\n- [A](http://svc/A)\n\n",
		},
		"values are literal": {
			"categories: {Fixed: X, added: ~}", three[:2],
			"## 1.0.0 (2026-03-05)\n\n### added (1 change)\n\n- [B](http://svc/B) by @jane\n\n### fixed (1 " +
				"change)\n\n- [C](http://svc/C)\n\n",
		},
		"a date":             {"date_format: '%d %b %y, %H:%M %:z'", nil, "## 1.0.0 (05 Mar 26, 12:04 +02:00)\n\nNo changes.\n\n"},
		"a date on one line": {`date_format: "%Y%n## 9.9.9"`, nil, "## 1.0.0 (2026 ## 9.9.9)\n\nNo changes.\n\n"},
		"a template": {
			"template: |\n  {% each categories %}{{ title }}:{% each entries %} {{ commit.reference }}/{{ " +
				"commit.trailers.EE }}{% end %};{% end %}\n",
			three,
			"## 1.0.0 (2026-03-05)\n\nfixed: acme/web@C/yes acme/web@A/yes;added: acme/web@B/yes;\n\n",
		},
		"an empty template":        {"template: ''", three, "## 1.0.0 (2026-03-05)\n\n"},
		"keys of others and nulls": {"x: [1]\ncategories:\ntemplate: ~\n", nil, "## 1.0.0 (2026-03-05)\n\nNo changes.\n\n"},
	} {
		config, err := ParseConfig([]byte(c.config))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := config.Section("1.0.0", noon, c.entries); err != nil || got != c.want {
			t.Errorf("%s:\n%s\n%v, want\n%s", name, got, err, c.want)
		}
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i := range 20 {
		bomb += fmt.Sprintf(
			"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", 'b'+i, 'b'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i, 'a'+i,
			'a'+i, 'a'+i,
		)
	}
	for text, want := range map[string]string{
		"categories: [a]":           `The "categories" configuration key must be a Hash`,
		"categories: text":          `The "categories" configuration key must be a Hash`,
		"categories: {a: [b]}":      `The "categories" configuration key must be a Hash of Strings`,
		bomb + "categories: *f":     `The "categories" configuration key must be a Hash`,
		bomb + "include_groups: *f": `The "include_groups" configuration key must be an Array of Strings`,
		"- a":                       `The configuration must be a Hash`,
		"text":                      `The configuration must be a Hash`,
		"a: [":                      `The configuration is not valid YAML`,
		"a: *b":                     `The configuration is not valid YAML`,
		"date_format: {a: b}":       `The "date_format" configuration key must be a String`,
		"date_format: '" + strings.Repeat("%c", 200) + "'":   `The "date_format" configuration key is longer than 200 characters`,
		"include_groups: acme":                               `The "include_groups" configuration key must be an Array`,
		"include_groups: [" + strings.Repeat("a,", 21) + "]": `The "include_groups" configuration key has more than 20 entries`,
		"template: [a]":                           `The "template" configuration key must be a String`,
		"template: '{% if a %}'":                  `The template is not valid: line 1: the if of line 1 has no end`,
		"tag_regex: '('":                          `The "tag_regex" configuration key is not a valid regular expression: missing closing )`,
		"tag_regex: '(?=a)'":                      `The "tag_regex" configuration key is not a valid regular expression`,
		"tag_regex: '((a{900}){900}){900}'":       `The "tag_regex" configuration key is not a valid regular expression`,
		"tag_regex: " + strings.Repeat("a", 1001): `The "tag_regex" configuration key is longer than 1000 characters`,
		"# " + strings.Repeat("x", MaxConfig):     `The configuration has more than 131072 bytes`,
	} {
		if _, err := ParseConfig([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

func TestTheLastStableVersionIsFound(t *testing.T) {
	t.Parallel()
	names := []string{
		"v0.9.0", "1.0.0", "v1.10.0", "1.9.0", "v2.0.0-rc1", "2.0.0+build", "release-1.5.0", "v1", "latest", "01.0.0",
		"version-3.1.4", "version-3.2.0-beta",
	}
	for _, c := range []struct{ config, version, want string }{
		{"", "1.11.0", "v1.10.0"},
		{"", "v1.10.0", "1.9.0"},
		{"", "2.0.0", "v1.10.0"},
		{"", "2.0.1", "2.0.0+build"},
		{"", "1.0.0-rc1", "v0.9.0"},
		{"", "0.9.0", ""},
		{`tag_regex: '^version-(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)(-(?P<pre>.+))?$'`, "4.0.0", "version-3.1.4"},
		{`tag_regex: '^release-(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)$'`, "4.0.0", "release-1.5.0"},
		{`tag_regex: '^v(?P<major>\d+)$'`, "4.0.0", ""},
		{`tag_regex: '^(?P<major>\w+)(?P<minor>)(?P<patch>)$'`, "4.0.0", ""},
	} {
		config, err := ParseConfig([]byte(c.config))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if tags := config.Before(c.version, names); len(tags) > 0 {
			got = tags[0].Name
		}
		if got != c.want {
			t.Errorf("before %s with %q: %q, want %q", c.version, c.config, got, c.want)
		}
	}
}

func id(n int) string { return fmt.Sprintf("%040x", 0xabcdef0000+n) }

func TestCommitsArePickedByTrailer(t *testing.T) {
	t.Parallel()
	with := func(n int, message string, trailer ...string) Commit {
		c := Commit{ID: id(n), Message: message, Trailers: map[string]string{}}
		for _, value := range trailer {
			c.Trailers["Changelog"] = value
		}
		return c
	}
	for name, c := range map[string]struct {
		commits []Commit // newest first
		want    string
	}{
		"only those with it": {
			[]Commit{with(2, "Two", "added"), {ID: id(1), Message: "One", Trailers: map[string]string{"changelog": "added"}}},
			"Two=added",
		},
		"first line":                {[]Commit{with(1, "\n  Title \nmore\n\nbody", "x")}, "Title=x"},
		"reverted":                  {[]Commit{with(2, "Revert\n\nThis reverts commit "+id(1)+"."), with(1, "One", "added")}, ""},
		"reverted by its beginning": {[]Commit{with(2, "This reverts commit "+id(1)[:39]), with(1, "One", "added")}, ""},
		"reverted with a trailer": {
			[]Commit{with(2, "Back\n\nThis reverts commit "+id(1)+".", "removed"), with(1, "One", "added")},
			"Back=removed",
		},
		"the revert is reverted": {
			[]Commit{with(3, "This reverts commit "+id(2)), with(2, "This reverts commit "+id(1)), with(1, "One", "added")},
			"One=added",
		},
		"another is reverted":   {[]Commit{with(2, "This reverts commit "+id(9)), with(1, "One", "added")}, "One=added"},
		"too short to be meant": {[]Commit{with(2, "This reverts commit "+id(1)[:6]), with(1, "One", "added")}, "One=added"},
		"several are reverted": {
			[]Commit{with(3, "This reverts commit "+id(2)+".\nThis reverts commit "+id(1)+"."), with(2, "Two", "a"), with(1, "One", "b")},
			"",
		},
		"an empty value is a value too": {[]Commit{with(1, "One", "")}, "One="},
	} {
		picker := NewPicker("Changelog")
		for _, commit := range c.commits {
			picker.Add(commit)
		}
		var got []string
		for _, p := range picker.Picked {
			got = append(got, p.Title+"="+p.Category)
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestInsertGoesByVersion(t *testing.T) {
	t.Parallel()
	const section = "## 1.5.0 (today)\n\nNew.\n\n"
	for name, c := range map[string]struct{ file, want string }{
		"no file": {"", "## 1.5.0 (today)\n\nNew.\n"},
		"above a lower": {
			"# Log\n\n## 2.0.0\n\n- x\n\n## 1.0.0\n\n- y\n",
			"# Log\n\n## 2.0.0\n\n- x\n\n## 1.5.0 (today)\n\nNew.\n\n## 1.0.0\n\n- y\n",
		},
		"newest of all": {
			"# Log\n\n## v1.4.9 (then)\n\n## 1.0.0\n",
			"# Log\n\n## 1.5.0 (today)\n\nNew.\n\n## v1.4.9 (then)\n\n## 1.0.0\n",
		},
		"oldest of all":            {"## 2.0.0\n\n- x\n", "## 2.0.0\n\n- x\n\n## 1.5.0 (today)\n\nNew.\n"},
		"no end of line":           {"# Log", "# Log\n\n## 1.5.0 (today)\n\nNew.\n"},
		"a blank line":             {"# Log\n\n", "# Log\n\n## 1.5.0 (today)\n\nNew.\n"},
		"a release before":         {"## 1.5.0-rc1\n", "## 1.5.0 (today)\n\nNew.\n\n## 1.5.0-rc1\n"},
		"the next lower of a mess": {"## 1.0.0\n## 3.0.0\n## 1.4.0\n", "## 1.0.0\n## 3.0.0\n## 1.5.0 (today)\n\nNew.\n\n## 1.4.0\n"},
		"by number":                {"## 1.10.0\n## 1.4.0\n", "## 1.10.0\n## 1.5.0 (today)\n\nNew.\n\n## 1.4.0\n"},
		"others are text": {
			"## Unreleased\n### 1.0.0\n## 1.0\n", "## Unreleased\n### 1.0.0\n## 1.0\n\n## 1.5.0 (today)\n\nNew.\n",
		},
		"foreign line ends": {"# Log\r\n\r\n## 1.0.0 (x)\r\n", "# Log\r\n\r\n## 1.5.0 (today)\n\nNew.\n\n## 1.0.0 (x)\r\n"},
	} {
		if got, changed := Insert(c.file, section, "1.5.0"); got != c.want || !changed {
			t.Errorf("%s: %v\n%q, want\n%q", name, changed, got, c.want)
		}
	}
	for _, file := range []string{"## 1.5.0\n", "# Log\n## v1.5.0 (then)\n\n", "## 1.0.0\n## 1.5.0 (x)", "##1.5.0\r\n"} {
		if got, changed := Insert(file, section, "v1.5.0"); got != file || changed {
			t.Errorf("%q became %q", file, got)
		}
	}
}

// In whatever order the versions are inserted, the file is sorted, nothing is lost, and inserting twice changes
// nothing.
func TestInsertKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		head := []string{"", "# Changelog\n", "# Changelog\n\nText.\n\n", "text without end"}[random.IntN(4)]
		file, seen := head, map[string]bool{}
		for range random.IntN(12) {
			version := fmt.Sprintf("%d.%d.%d", random.IntN(3), random.IntN(12), random.IntN(2))
			if random.IntN(4) == 0 {
				version += "-rc." + fmt.Sprint(random.IntN(3))
			}
			section := "## " + version + " (day)\n\n- change of " + version + "\n\n"
			before := file
			var changed bool
			file, changed = Insert(file, section, version)
			if changed == seen[version] {
				t.Fatalf("%s: changed %v, seen %v in\n%s", version, changed, seen[version], before)
			}
			seen[version] = true
			if again, changed := Insert(file, section, version); changed || again != file {
				t.Fatalf("%s is there twice:\n%s", version, again)
			}
			if rest := strings.Replace(file, strings.TrimRight(section, "\n"), "", 1); strings.Join(strings.Fields(rest), " ") !=
				strings.Join(strings.Fields(before), " ") && changed {
				t.Fatalf("more than %s has changed:\n%s\nfrom\n%s", version, file, before)
			}
		}
		if !strings.HasPrefix(file, head) {
			t.Fatalf("the head is gone:\n%s", file)
		}
		last, _ := ParseVersion("99.0.0")
		for line := range strings.Lines(file) {
			if v, ok := headingVersion(line); ok {
				if !v.LessThan(last) {
					t.Fatalf("%s is not below %s:\n%s", v, last, file)
				}
				last = v
			}
		}
	}
}

func TestStrftime(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		"%Y-%m-%d": "2026-03-05", "%F %T": "2026-03-05 12:04:09", "%-d.%-m.%y": "5.3.26",
		"%e|%_m|%03d|%5Y": " 5| 3|005|02026", "%B %b %h %A %a": "March Mar Mar Thursday Thu",
		"%^a %^B %#p": "THU MARCH pm", "%H %I %k %l %p %P": "12 12 12 12 PM pm",
		"%j %u %w %V %G %g %U %W %C": "064 4 4 10 2026 26 09 09 20",
		"%z %:z %s":                  "+0200 +02:00 1772705049", "%L %N": "007 007000000",
		"%D %x %R %r %X": "03/05/26 03/05/26 12:04 12:04:09 PM 12:04:09", "%c": "Thu Mar  5 12:04:09 2026",
		"%v": " 5-MAR-2026", "100%%": "100%", "%Q %": "%Q %", "%99999999999999999999d": "%99999999999999999999d",
		"%-": "%-", "plain ü": "plain ü", "%60d": "%60d",
	} {
		if got := strftime(format, noon); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte("categories: {a: b}\ndate_format: '%Y'\ntemplate: '{{ it }}'\ntag_regex: '^(?P<major>.)'\ninclude_groups: [a]"), "v1.0.0")
	f.Add([]byte("a: &a [*a]"), "1")
	f.Fuzz(func(t *testing.T, data []byte, tag string) {
		config, err := ParseConfig(data)
		if err != nil {
			return
		}
		config.Before("1.0.0", []string{tag})
		if _, err := config.Section("1.0.0", noon, []Entry{entry("A", tag, nil)}); err != nil {
			t.Log(err)
		}
	})
}
