package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
)

func TestAGroupForbidsDuplicatesOfPackages(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	owner, developer := f.members[model.Owner], f.members[model.Developer]
	group := fmt.Sprintf("/groups/%d", f.group.ID)
	jar, list := f.base+"/packages/maven/com/acme/demo/1.0/demo-1.0.jar", f.base+"/packages/maven/com/acme/demo/maven-metadata.xml"
	const refused = `{"message":"400 Bad request - Duplicate package is not allowed"}`
	for range 2 { // by default, the newer file counts
		f.upload("tools", "1.0", "a.txt", "hello")
		expect(t, developer.Send("PUT", jar, "jar"), 200, "")
	}
	a := owner.JSON("PUT", group, `{"maven_duplicates_allowed":false,"generic_duplicates_allowed":false,
		"generic_duplicate_exception_regex":"nightly|.*-dev"}`)
	if a.Status != 200 || !strings.Contains(a.Body, `"generic_duplicate_exception_regex":"nightly|.*-dev"`) {
		t.Fatal(a.Status, a.Body)
	}
	expect(t, developer.Send("PUT", f.generic("tools", "1.0", "a.txt"), "again"), 400, refused)
	expect(t, developer.Send("PUT", jar, "again"), 400, refused)
	expect(t, developer.Send("GET", f.generic("tools", "1.0", "a.txt"), ""), 200, "hello")
	f.upload("tools", "1.0", "b.txt", "another file")
	for range 2 { // what the expression matches as a whole may be repeated, and the list of versions always
		f.upload("nightly", "1.0", "a.txt", "hello")
		f.upload("tools", "1.0-dev", "a.txt", "hello")
		expect(t, developer.Send("PUT", list, "<metadata/>"), 200, "")
	}
	f.upload("nightly-tools", "1.0", "a.txt", "hello")
	expect(t, developer.Send("PUT", f.generic("nightly-tools", "1.0", "a.txt"), "again"), 400, refused)
	expect(t, owner.JSON("PUT", group, `{"generic_duplicates_allowed":true}`), 200, "") // now the expression forbids
	expect(t, developer.Send("PUT", f.generic("nightly", "1.0", "a.txt"), "again"), 400, refused)
	expect(t, owner.JSON("PUT", group, `{"generic_duplicate_exception_regex":""}`), 200, "")
	f.upload("nightly", "1.0", "a.txt", "hello")
	expect(t, owner.JSON("PUT", group, `{"maven_duplicate_exception_regex":"("}`), 400, "")
	expect(t, owner.JSON("PUT", group, fmt.Sprintf(`{"maven_duplicate_exception_regex":%q}`, strings.Repeat("a", 256))), 400, "")
	expect(t, f.members[model.Maintainer].JSON("PUT", group, `{"maven_duplicates_allowed":true}`), 403, "")
}
