package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// sizes are the sizes in the statistics of a project or group.
type sizes struct {
	Packages int64 `json:"packages_size"`
	Uploads  int64 `json:"uploads_size"`
	Storage  int64 `json:"storage_size"`
}

// sizesAt reads the statistics of a project or group; nil if the caller does not see them.
func sizesAt(t *testing.T, by *harness.Caller, path string) *sizes {
	t.Helper()
	return read[struct{ Statistics *sizes }](t, by.Send("GET", path+"?statistics=true", ""), 200).Statistics
}

func TestTheSizesOfPackagesAndUploadsFollowEveryChange(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	owner := f.members[model.Owner]
	inside := f.h.Group(func(g *model.Namespace) { g.ParentID = &f.group.ID })
	second := f.h.Project(inside.ID)
	group := fmt.Sprintf("/groups/%d", f.group.ID)
	expectSizes := func(when string, packages, uploads, below int64) {
		t.Helper()
		if got := sizesAt(t, owner, f.base); *got != (sizes{packages, uploads, packages + uploads}) {
			t.Errorf("%s: the project has %+v", when, *got)
		}
		want := sizes{packages + below, uploads, packages + uploads + below}
		if got := sizesAt(t, owner, group); *got != want {
			t.Errorf("%s: the group has %+v, want %+v", when, *got, want)
		}
	}
	expectSizes("at first", 0, 0, 0)
	f.upload("tools", "1.0", "a.txt", "12345")
	f.upload("tools", "1.0", "a.txt", "1234567") // both stay
	f.upload("tools", "2.0", "b.txt", "123")
	expect(t, f.members[model.Developer].Send("PUT", f.generic("tools", "1.0", "a.txt"), "123", "X-Checksum-Md5", "0"), 400, "")
	upload := read[struct{ ID int64 }](t,
		owner.File("POST", f.base+"/uploads", nil, "file", "a.txt", "text/plain", "1234"), 201)
	expect(t, owner.File("POST", group+"/uploads", nil, "file", "a.txt", "text/plain", "not of a project"), 201, "")
	below := fmt.Sprintf("/projects/%d/packages/generic/c/1/c.txt", second.ID)
	expect(t, owner.Send("PUT", below, "0123456789"), 201, "")
	expectSizes("after uploads", 15, 4, 10)

	packages := f.list("?order_by=version")
	files := f.files(packages[0].ID)
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/packages/%d/package_files/%d", f.base, packages[0].ID, files[0].ID), ""), 204, "")
	expectSizes("after the removal of a file", 10, 4, 10)
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/packages/%d", f.base, packages[0].ID), ""), 204, "")
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/uploads/%d", f.base, upload.ID), ""), 204, "")
	expectSizes("after the removal of a package and an upload", 3, 0, 10)
	expect(t, f.h.Root().Send("DELETE", fmt.Sprintf("/projects/%d", second.ID), ""), 202, "")
	expectSizes("after the removal of a project", 3, 0, 0)
}

func TestOnlyOwnersSeeTheSizesOfAGroup(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	f.upload("tools", "1.0", "a.txt", "12345")
	path := fmt.Sprintf("/groups/%d", f.group.ID)
	for role, member := range f.members {
		if got := sizesAt(t, member, path); (got != nil) != (role == model.Owner) {
			t.Errorf("role %d sees %v", role, got)
		}
	}
	if got := sizesAt(t, f.h.Root(), path); got == nil || got.Packages != 5 {
		t.Errorf("an administrator sees %v", got)
	}
	rows := read[[]struct {
		ID         int64
		Statistics *sizes
	}](t, f.members[model.Owner].Send("GET", "/groups?statistics=true", ""), 200)
	if len(rows) != 1 || rows[0].Statistics == nil || rows[0].Statistics.Packages != 5 {
		t.Errorf("the list has %+v", rows)
	}
	if got := read[struct{ Statistics *sizes }](t, f.members[model.Owner].Send("GET", path, ""), 200).Statistics; got != nil {
		t.Errorf("shown without being wanted: %+v", got)
	}
}
