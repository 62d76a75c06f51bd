package api

import (
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"testing"

	"svc/store/model"
)

func TestAMavenPackageIsDeployedAndResolved(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer, reporter := f.members[model.Developer], f.members[model.Reporter]
	base := f.base + "/packages/maven/"
	jar, list := base+"com/acme/demo/1.0/demo-1.0.jar", base+"com/acme/demo/maven-metadata.xml"
	expect(t, reporter.Send("GET", list, ""), 404, "")
	expect(t, developer.Send("PUT", jar, "the jar"), 200, "")
	expect(t, developer.Send("PUT", base+"com/acme/demo/1.0/demo-1.0.pom", "<project/>"), 200, "")
	expect(t, developer.Send("PUT", list, "<metadata/>"), 200, "")
	sha, md := sha1.Sum([]byte("the jar")), md5.Sum([]byte("the jar"))
	expect(t, developer.Send("PUT", jar+".sha1", hex.EncodeToString(sha[:])), 204, "")
	expect(t, developer.Send("PUT", jar+".md5", hex.EncodeToString(md[:])+"  demo-1.0.jar\n"), 204, "")
	expect(t, developer.Send("PUT", jar+".sha512", "anything"), 204, "")
	expect(t, developer.Send("PUT", jar+".sha1", "0000"), 409, "")
	expect(t, developer.Send("PUT", base+"com/acme/demo/2.0/demo-2.0.jar.sha1", "0000"), 404, "")
	for _, place := range []string{base, "/groups/acme/-/packages/maven/"} {
		got := reporter.Send("GET", place+"com/acme/demo/1.0/demo-1.0.jar", "")
		if expect(t, got, 200, "the jar"); got.Header.Get("X-Checksum-Sha1") != hex.EncodeToString(sha[:]) {
			t.Error(got.Header)
		}
		expect(t, reporter.Send("GET", place+"com/acme/demo/1.0/demo-1.0.jar.sha1", ""), 200, hex.EncodeToString(sha[:]))
		expect(t, reporter.Send("GET", place+"com/acme/demo/1.0/demo-1.0.jar.md5", ""), 200, hex.EncodeToString(md[:]))
		expect(t, reporter.Send("GET", place+"com/acme/demo/1.0/demo-1.0.jar.sha512", ""), 404, "")
		expect(t, reporter.Send("GET", place+"com/acme/demo/maven-metadata.xml", ""), 200, "<metadata/>")
		head := reporter.Send("HEAD", place+"com/acme/demo/1.0/demo-1.0.jar", "")
		if head.Status != 200 || head.Header.Get("Content-Length") != "7" {
			t.Errorf("%d %v", head.Status, head.Header)
		}
	}
	// Snapshots have a list of files, and the newest file of a name counts.
	snapshot := base + "com/acme/demo/1.1-SNAPSHOT/"
	for _, text := range []string{"old", "new"} {
		expect(t, developer.Send("PUT", snapshot+"maven-metadata.xml", text), 200, "")
	}
	expect(t, reporter.Send("GET", snapshot+"maven-metadata.xml", ""), 200, "new")
	versions := ""
	for _, row := range f.list("?package_type=maven&order_by=version") {
		versions += row.Name + " " + *row.Version + ", "
	}
	if versions != "com/acme/demo 1.0, com/acme/demo 1.1-SNAPSHOT, " {
		t.Error(versions)
	}
	if rows := f.list("?package_type=maven&include_versionless=true"); len(rows) != 3 {
		t.Errorf("%+v", rows)
	}
}

func TestMavenRefusesHostilePathsAndOtherCallers(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	base := f.base + "/packages/maven/"
	for _, path := range []string{
		"demo.jar", "acme/demo.jar", "acme/1.0/demo.jar", "com/acme/demo/../1.0/demo.jar", "com/acme/demo/1.0/..%2fdemo.jar",
		"com/acme/demo/1.0/.hidden", "com//demo/1.0/demo.jar", "com/acme/demo/1.0/d%20emo.jar", "com/acme/d%C3%A9mo/1.0/demo.jar",
		"com/acme/demo/1.0/",
	} {
		if got := developer.Send("PUT", base+path, "x"); got.Status != 400 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	jar := "com/acme/demo/1.0/demo-1.0.jar"
	expect(t, developer.Send("PUT", base+jar, "x"), 200, "")
	expect(t, f.members[model.Reporter].Send("PUT", base+jar, "x"), 403, "")
	expect(t, f.members[model.Guest].Send("GET", base+jar, ""), 403, "")
	expect(t, f.h.NewUser().Send("GET", base+jar, ""), 404, "")
	got := f.h.Anonymous().Send("GET", base+jar, "")
	if expect(t, got, 401, ""); got.Header.Get("WWW-Authenticate") != `Basic realm="GitLab Packages Registry"` {
		t.Error(got.Header)
	}
	expect(t, f.h.NewUser().Send("GET", "/groups/acme/-/packages/maven/"+jar, ""), 404, "")
	expect(t, developer.Send("PUT", "/groups/acme/-/packages/maven/"+jar, "x"), 405, "")
	expect(t, f.h.WithHeaders("Authorization", basicHeader("any", developer.Token)).Send("GET", base+jar, ""), 200, "x")

	// In the whole instance, the name is the path of the project.
	own := fmt.Sprintf("%sacme/web/1.0/web-1.0.jar", base)
	expect(t, developer.Send("PUT", own, "mine"), 200, "")
	expect(t, developer.Send("GET", "/packages/maven/acme/web/1.0/web-1.0.jar", ""), 200, "mine")
	expect(t, developer.Send("GET", "/packages/maven/"+jar, ""), 404, "")
	expect(t, f.h.NewUser().Send("GET", "/packages/maven/acme/web/1.0/web-1.0.jar", ""), 404, "")
}

func TestADeletedVersionIsNotInTheListOfAnArtifact(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer, maintainer := f.members[model.Developer], f.members[model.Maintainer]
	base := f.base + "/packages/maven/com/acme/demo/"
	for _, version := range []string{"1.0", "1.1", "1.2-SNAPSHOT"} {
		expect(t, developer.Send("PUT", base+version+"/demo-"+version+".jar", "jar"), 200, "")
	}
	expect(t, developer.Send("PUT", base+"maven-metadata.xml", `<?xml version="1.0" encoding="UTF-8"?>
<metadata><groupId>com.acme</groupId><artifactId>demo</artifactId><versioning><latest>1.2-SNAPSHOT</latest><release>1.1</release>
<versions><version>1.0</version><version>1.1</version><version>1.2-SNAPSHOT</version></versions><lastUpdated>20200101000000</lastUpdated>
</versioning></metadata>`), 200, "")
	remove := func(version string) {
		t.Helper()
		for _, row := range f.list("") {
			if *row.Version == version {
				expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/packages/%d", f.base, row.ID), ""), 204, "")
				return
			}
		}
		t.Fatalf("there is no version %s", version)
	}
	list := func() (got struct {
		GroupID  string   `xml:"groupId"`
		Latest   string   `xml:"versioning>latest"`
		Release  string   `xml:"versioning>release"`
		Versions []string `xml:"versioning>versions>version"`
		Updated  string   `xml:"versioning>lastUpdated"`
	},
	) {
		t.Helper()
		a := developer.Send("GET", base+"maven-metadata.xml", "")
		if err := xml.Unmarshal([]byte(a.Body), &got); err != nil || a.Status != 200 {
			t.Fatal(a.Status, a.Body, err)
		}
		sum := sha1.Sum([]byte(a.Body))
		expect(t, developer.Send("GET", base+"maven-metadata.xml.sha1", ""), 200, hex.EncodeToString(sum[:]))
		return got
	}
	remove("1.1")
	if got := list(); got.GroupID != "com.acme" || got.Latest != "1.2-SNAPSHOT" || got.Release != "1.0" ||
		fmt.Sprint(got.Versions) != "[1.0 1.2-SNAPSHOT]" || got.Updated == "20200101000000" {
		t.Errorf("%+v", got)
	}
	remove("1.2-SNAPSHOT")
	if got := list(); got.Latest != "1.0" || fmt.Sprint(got.Versions) != "[1.0]" {
		t.Errorf("%+v", got)
	}
	remove("1.0")
	expect(t, developer.Send("GET", base+"maven-metadata.xml", ""), 404, "")
	if rows := f.list("?include_versionless=true"); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
}

func TestTheDeletionOfAVersionLeavesOtherListsAlone(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer, base := f.members[model.Developer], f.base+"/packages/maven/com/acme/demo/"
	expect(t, developer.Send("PUT", base+"1.0/demo-1.0.jar", "jar"), 200, "")
	expect(t, developer.Send("PUT", base+"maven-metadata.xml", "<not xml"), 200, "")
	id := f.list("")[0].ID
	expect(t, f.members[model.Maintainer].Send("DELETE", fmt.Sprintf("%s/packages/%d", f.base, id), ""), 204, "")
	expect(t, developer.Send("GET", base+"maven-metadata.xml", ""), 200, "<not xml")
}
