package api

import (
	"bufio"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAGenericPackageIsUploadedAndDownloaded(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer, reporter := f.members[model.Developer], f.members[model.Reporter]
	const content = "the bytes of a program"
	f.upload("tools", "1.4.2", "tools-linux.tar.gz", content)
	got := reporter.Send("GET", f.generic("tools", "1.4.2", "tools-linux.tar.gz"), "")
	sum := sha256.Sum256([]byte(content))
	if got.Status != 200 || got.Body != content || got.Header.Get("X-Checksum-Sha256") != hex.EncodeToString(sum[:]) ||
		got.Header.Get("Content-Disposition") != `attachment; filename="tools-linux.tar.gz"` {
		t.Errorf("%d %s %v", got.Status, got.Body, got.Header)
	}
	part := reporter.Send("GET", f.generic("tools", "1.4.2", "tools-linux.tar.gz"), "", "Range", "bytes=4-8")
	expect(t, part, 206, "bytes")
	// Clients escape dots, and name the project by its path.
	expect(t, reporter.Send("GET", "/projects/acme%2Fweb/packages/generic/tools/1%2E4%2E2/tools-linux%2Etar%2Egz", ""), 200, content)
	head := reporter.Send("HEAD", f.generic("tools", "1.4.2", "tools-linux.tar.gz"), "")
	if head.Status != 200 || head.Body != "" || head.Header.Get("Content-Length") != fmt.Sprint(len(content)) {
		t.Errorf("HEAD: %d %v", head.Status, head.Header)
	}
	rows := f.list("")
	if len(rows) != 1 || rows[0].Name != "tools" || *rows[0].Version != "1.4.2" || rows[0].PackageType != "generic" ||
		rows[0].LastDownloadedAt == nil || *rows[0].CreatorID != developer.User.ID {
		t.Fatalf("%+v", rows)
	}
	files := f.files(rows[0].ID)
	md, sha := md5.Sum([]byte(content)), sha1.Sum([]byte(content))
	if len(files) != 1 || files[0].Size != int64(len(content)) || files[0].FileSHA256 != hex.EncodeToString(sum[:]) ||
		files[0].FileMD5 != hex.EncodeToString(md[:]) || files[0].FileSHA1 != hex.EncodeToString(sha[:]) {
		t.Errorf("%+v", files)
	}
	expect(t, reporter.Send("GET", f.generic("tools", "1.4.3", "tools-linux.tar.gz"), ""), 404, `{"message":"404 Not Found"}`)
	expect(t, reporter.Send("GET", f.generic("tools", "1.4.2", "other"), ""), 404, `{"message":"404 Not Found"}`)
	expect(t, reporter.Send("DELETE", f.generic("tools", "1.4.2", "other"), ""), 405, "")
}

func TestTheNewestOfSeveralFilesWithOneNameIsDownloaded(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	f.upload("tools", "1.0", "a.txt", "first")
	f.upload("tools", "1.0", "a.txt", "second")
	f.upload("tools", "1.0", "docs/en/a.txt", "third")
	reporter := f.members[model.Reporter]
	expect(t, reporter.Send("GET", f.generic("tools", "1.0", "a.txt"), ""), 200, "second")
	got := reporter.Send("GET", f.generic("tools", "1.0", "docs/en/a.txt"), "")
	expect(t, got, 200, "third")
	if got.Header.Get("Content-Disposition") != `attachment; filename="a.txt"` {
		t.Error(got.Header)
	}
	expect(t, reporter.Send("GET", f.generic("tools", "1.0", "docs%2Fen%2Fa.txt"), ""), 200, "third")
	rows := f.list("")
	if files := f.files(rows[0].ID); len(rows) != 1 || len(files) != 3 || files[2].FileName != "docs%2Fen%2Fa.txt" {
		t.Errorf("%+v %+v", rows, files)
	}
	names := read[[]shownPackageFile](t, reporter.Send("GET",
		fmt.Sprintf("%s/packages/%d/package_files?order_by=file_name&sort=desc&per_page=1", f.base, rows[0].ID), ""), 200)
	if len(names) != 1 || names[0].FileName != "docs%2Fen%2Fa.txt" {
		t.Errorf("%+v", names)
	}
}

func TestAnUploadReturnsTheStoredFileAndSetsTheStatus(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	made := read[shownPackageFile](t, developer.Send("PUT", f.generic("tools", "1.0", "a.txt")+"?select=package_file", "hello"), 200)
	if made.Size != 5 || made.FileName != "a.txt" || made.File.URL != f.h.URL+"/api/v4"+f.generic("tools", "1.0", "a.txt") {
		t.Errorf("%+v", made)
	}
	expect(t, developer.Send("PUT", f.generic("tools", "1.0", "b.txt")+"?status=hidden", "hello"), 201, "")
	if rows := f.list(""); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	rows := f.list("?status=hidden")
	if len(rows) != 1 || rows[0].Links.WebPath != nil {
		t.Fatalf("%+v", rows)
	}
	expect(t, developer.Send("GET", fmt.Sprintf("%s/packages/%d", f.base, rows[0].ID), ""), 404, `{"message":"404 Not found"}`)
	expect(t, developer.Send("GET", f.generic("tools", "1.0", "b.txt"), ""), 200, "hello")
	f.upload("tools", "1.0", "c.txt", "hello")
	if rows := f.list("?status=hidden"); len(rows) != 1 {
		t.Errorf("an upload without a status changed it: %+v", rows)
	}
	expect(t, developer.Send("PUT", f.generic("tools", "1.0", "d.txt")+"?status=default", "hello"), 201, "")
	if rows := f.list(""); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
}

func TestHostileGenericUploadsAreRefused(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	long := strings.Repeat("a", 256)
	for name, path := range map[string]string{
		"traversal in the file":    f.generic("a", "1", "..%2f..%2fetc%2fpasswd"),
		"a file that is ..":        f.generic("a", "1", ".."),
		"a hidden traversal":       f.generic("a", "1", "%2e%2e"),
		"a folder that is ..":      f.generic("a", "1", "b/../c"),
		"an empty folder":          f.generic("a", "1", "b//c"),
		"no file":                  f.generic("a", "1", ""),
		"a backslash":              f.generic("a", "1", "b%5Cc"),
		"a space":                  f.generic("a", "1", "b%20c"),
		"a new line":               f.generic("a", "1", "b%0Ac"),
		"unicode":                  f.generic("a", "1", "%C3%A9"),
		"a quote":                  f.generic("a", "1", "b%22c"),
		"a tilde at the beginning": f.generic("a", "1", "~b"),
		"an at sign at the end":    f.generic("a", "1", "b@"),
		"a slash in the name":      f.generic("a%2Fb", "1", "c"),
		"a name that is ..":        f.generic("%2e%2e", "1", "c"),
		"unicode in the name":      f.generic("%E2%82%AC", "1", "c"),
		"two dots in the version":  f.generic("a", "1..2", "c"),
		"a space in the version":   f.generic("a", "1%202", "c"),
		"a long name":              f.generic(long, "1", "c"),
		"a long version":           f.generic("a", long, "c"),
		"a long file":              f.generic("a", "1", long),
		"an unknown status":        f.generic("a", "1", "b") + "?status=processing",
		"an unknown selection":     f.generic("a", "1", "b") + "?select=everything",
		"no body":                  "",
	} {
		body := "content"
		if path == "" {
			path, body = f.generic("a", "1", "b"), ""
		}
		if got := developer.Send("PUT", path, body); got.Status != 400 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	for _, path := range []string{f.generic("a", "1", "%ff"), f.generic("a", "1", "b%00"), f.base + "/packages/generic/a/1"} {
		if got := developer.Send("PUT", path, "content"); got.Status != 404 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	if rows := f.list(""); len(rows) != 0 {
		t.Errorf("stored %+v", rows)
	}
}

func TestAFileWithAnotherChecksumIsRefused(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	sum := sha256.Sum256([]byte("content"))
	good := hex.EncodeToString(sum[:])
	path := f.generic("tools", "1.0", "a.txt")
	expect(t, developer.Send("PUT", path, "other", "X-Checksum-Sha256", good), 400, "")
	expect(t, developer.Send("PUT", path, "content", "X-Checksum-Sha1", "0123"), 400, "")
	expect(t, developer.Send("PUT", path, "content", "X-Checksum-Md5", good), 400, "")
	if rows := f.list(""); len(rows) != 0 {
		t.Errorf("stored %+v", rows)
	}
	expect(t, developer.Send("PUT", path, "content", "X-Checksum-Sha256", strings.ToUpper(good)), 201, "")
}

func TestAnUploadThatIsCutOffStoresNothing(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	address := strings.TrimPrefix(f.h.URL, "http://")
	for _, framing := range []string{"Content-Length: 1000\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "PUT /api/v4%s HTTP/1.1\r\nHost: %s\r\nPRIVATE-TOKEN: %s\r\n%s",
			f.generic("tools", "1.0", "a.txt"), address, developer.Token, framing)
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		line, _ := bufio.NewReader(conn).ReadString('\n')
		if !strings.Contains(line, " 400 ") {
			t.Errorf("answered %q", line)
		}
		conn.Close()
	}
	if rows := f.list("?include_versionless=true"); len(rows) != 0 {
		t.Errorf("stored %+v", rows)
	}
	expect(t, developer.Send("GET", f.generic("tools", "1.0", "a.txt"), ""), 404, "")
}

func TestAFileThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t, smallPackages)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	path := fmt.Sprintf("/projects/%d/packages/generic/a/1/b", p.ID)
	large := strings.Repeat("x", 1<<20+1)
	expect(t, owner.Send("PUT", path, large), 400, `{"message":"400 Bad request - File is too large"}`)
	expect(t, owner.Send("PUT", path, large[1:]), 201, "")
}
