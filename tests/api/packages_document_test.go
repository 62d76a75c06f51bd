package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"

	"svc/tests/harness"
)

// callPackages calls the operations of package managers as the document describes them.
func callPackages(d described, owner *harness.Caller) {
	d.t.Helper()
	d.authorization = basicHeader("any", owner.Token)
	project := []string{"{id}", url.PathEscape(d.repository)}
	with := func(pairs ...string) []string { return append(pairs, project...) }
	const octets = "application/octet-stream"
	file := with("{package_name}", "tools", "{package_version}", "1.0", "{file_name}", "a.txt")
	d.call("uploadGenericPackageFile", octets, "hello", 201, file...)
	if got := d.call("downloadGenericPackageFile", "", "", 200, file...); got != "hello" {
		d.t.Errorf("downloaded %q", got)
	}
	stranger := d
	stranger.authorization = "Bearer wrong"
	stranger.call("uploadGenericPackageFile", octets, "hello", 401, file...)
	d.call("downloadGenericPackageFile", "", "", 404, append([]string{"{id}", "no%2Fwhere"}, file...)...)
	callNPM(d, owner, with)
	callGo(d, with)
	callPyPI(d, owner, with)
	jar := with("{path}", "com/acme/demo/1.0/demo-1.0.jar")
	d.call("uploadMavenPackageFile", octets, "the jar", 200, jar...)
	d.call("downloadMavenPackageFile", "", "", 200, jar...)
	d.call("uploadMavenPackageFile", octets, "0000", 409, with("{path}", "com/acme/demo/1.0/demo-1.0.jar.sha1")...)
	own := d.repository + "/1.0/code-1.0.jar"
	d.call("uploadMavenPackageFile", octets, "the jar", 200, with("{path}", own)...)
	d.call("downloadInstanceMavenPackageFile", "", "", 200, "{path}", own)
	group := publishInGroup(d, owner)
	d.call("downloadGroupMavenPackageFile", "", "", 200, "{id}", group, "{path}", "com/acme/demo/1.0/demo-1.0.jar")
}

func callNPM(d described, owner *harness.Caller, with func(...string) []string) {
	d.t.Helper()
	name := "@" + owner.User.Username + "/demo"
	at := with("{package_name}", url.PathEscape(name), "{file_name}", "demo-1.0.0.tgz", "{tag}", "beta")
	d.call("publishNpmPackage", "application/json", npmBody(name, "1.0.0", "x"), 200, at...)
	d.call("publishNpmPackage", "application/json", npmBody(name, "1.0.0", "x"), 403, at...)
	d.call("getNpmPackage", "", "", 200, at...)
	d.call("getInstanceNpmPackage", "", "", 200, at...)
	d.call("downloadNpmTarball", "", "", 200, at...)
	d.call("setNpmDistTag", "application/json", `"1.0.0"`, 204, at...)
	d.call("listNpmDistTags", "", "", 200, at...)
	d.call("deleteNpmDistTag", "", "", 204, at...)
	d.call("deleteNpmDistTag", "", "", 404, at...)
	d.call("auditNpmPackages", "application/json", "{}", 200, at...)
}

func callGo(d described, with func(...string) []string) {
	d.t.Helper()
	host, err := url.Parse(d.h.URL)
	if err != nil {
		d.t.Fatal(err)
	}
	module := with("{module}", host.Hostname()+"/"+d.repository, "{version}", "main")
	d.call("listGoModuleVersions", "", "", 200, module...)
	d.call("getLatestGoModuleVersion", "", "", 200, module...)
	info := d.call("getGoModuleVersion", "", "", 200, module...)
	d.call("getGoModuleFile", "", "", 404, module...)
	module[3] = strings.Split(info, `"`)[3]
	d.call("getGoModuleFile", "", "", 200, module...)
	d.call("downloadGoModule", "", "", 200, module...)
}

func callPyPI(d described, owner *harness.Caller, with func(...string) []string) {
	d.t.Helper()
	const form = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\ndemo\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"version\"\r\n\r\n1.0\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"content\"; filename=\"demo-1.0.tar.gz\"\r\n\r\nx\r\n--b--\r\n"
	sum := sha256.Sum256([]byte("x"))
	at := with("{package_name}", "demo", "{sha256}", hex.EncodeToString(sum[:]), "{file_name}", "demo-1.0.tar.gz")
	d.call("uploadPypiPackageFile", "multipart/form-data; boundary=b", form, 201, at...)
	d.call("uploadPypiPackageFile", "multipart/form-data; boundary=b", form, 400, at...)
	d.call("getPypiIndex", "", "", 200, at...)
	d.call("getPypiPackage", "", "", 200, at...)
	d.call("downloadPypiPackageFile", "", "", 200, at...)
	group := publishInGroup(d, owner)
	d.repository = group + "/web"
	inGroup := append([]string{"{id}", url.PathEscape(d.repository)}, at...)
	d.call("uploadPypiPackageFile", "multipart/form-data; boundary=b", form, 201, inGroup...)
	inGroup[1] = group
	d.call("getGroupPypiIndex", "", "", 200, inGroup...)
	d.call("getGroupPypiPackage", "", "", 200, inGroup...)
	d.call("downloadGroupPypiPackageFile", "", "", 200, inGroup...)
	npm := []string{"{id}", group, "{package_name}", "demo"}
	d.call("getGroupNpmPackage", "", "", 200, npm...)
}

// publishInGroup makes a group with a project that has a Maven package and an npm package, and returns its path.
func publishInGroup(d described, owner *harness.Caller) string {
	d.t.Helper()
	group := d.h.Group()
	d.h.Join(group, owner.User, 50)
	p := d.h.Project(group.ID, called("web", 0))
	at := "/projects/" + url.PathEscape(p.FullPath) + "/packages/"
	expect(d.t, owner.Send("PUT", at+"maven/com/acme/demo/1.0/demo-1.0.jar", "the jar"), 200, "")
	expect(d.t, owner.Send("PUT", at+"npm/demo", npmBody("demo", "1.0.0", "x")), 200, "")
	return group.FullPath
}
