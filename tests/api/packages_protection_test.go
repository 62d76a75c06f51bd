package api

import (
	"fmt"
	"testing"

	"svc/store/model"
)

func TestProtectionRulesOfPackages(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	maintainer, developer := f.members[model.Maintainer], f.members[model.Developer]
	rules := f.base + "/packages/protection/rules"
	made := maintainer.JSON("POST", rules,
		`{"package_name_pattern":"core-*","package_type":"generic","minimum_access_level_for_push":"maintainer"}`)
	f.h.Golden("createProjectPackagesProtectionRule/push", made.Body)
	rule := read[struct{ ID int64 }](t, made, 201)
	for body, want := range map[string]int{
		`{"package_name_pattern":"core-*","package_type":"generic","minimum_access_level_for_push":"owner"}`:   422,
		`{"package_name_pattern":"core-*","package_type":"npm","minimum_access_level_for_push":"owner"}`:       201,
		`{"package_name_pattern":"x","package_type":"generic"}`:                                                422,
		`{"package_name_pattern":"x","package_type":"generic","minimum_access_level_for_push":"developer"}`:    400,
		`{"package_name_pattern":"x","package_type":"generic","minimum_access_level_for_delete":"developer"}`:  400,
		`{"package_name_pattern":"","package_type":"generic","minimum_access_level_for_push":"owner"}`:         400,
		`{"package_name_pattern":" ","package_type":"generic","minimum_access_level_for_push":"owner"}`:        422,
		`{"package_name_pattern":"***********","package_type":"pypi","minimum_access_level_for_push":"owner"}`: 422,
		`{"package_name_pattern":"x","package_type":"tar","minimum_access_level_for_push":"owner"}`:            400,
		`{"package_type":"generic","minimum_access_level_for_push":"owner"}`:                                   400,
	} {
		expect(t, maintainer.JSON("POST", rules, body), want, "")
	}
	expect(t, developer.JSON("POST", rules,
		`{"package_name_pattern":"y","package_type":"npm","minimum_access_level_for_push":"owner"}`), 403, "")
	expect(t, developer.Send("GET", rules, ""), 403, "")
	if rows := read[[]struct{ ID int64 }](t, maintainer.Send("GET", rules, ""), 200); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}

	protected, free := f.generic("core-lib", "1.0", "a"), f.generic("lib", "1.0", "a")
	expect(t, developer.Send("PUT", protected, "x"), 403, `{"message":"403 Forbidden - Package protected."}`)
	expect(t, developer.Send("PUT", free, "x"), 201, "")
	expect(t, maintainer.Send("PUT", protected, "x"), 201, "")
	_, token := f.deployToken(f.base, "write_package_registry")
	expect(t, f.h.WithHeaders("DEPLOY-TOKEN", token).Send("PUT", protected, "x"), 403, `{"message":"403 Forbidden - Package protected."}`)
	expect(t, f.h.WithHeaders("DEPLOY-TOKEN", token).Send("PUT", free, "x"), 201, "")

	one := fmt.Sprintf("%s/%d", rules, rule.ID)
	expect(t, maintainer.JSON("PATCH", one, `{"minimum_access_level_for_push":"admin","minimum_access_level_for_delete":"owner"}`), 200, "")
	expect(t, f.members[model.Owner].Send("PUT", protected, "x"), 403, "")
	expect(t, f.h.Root().Send("PUT", protected, "x"), 201, "")
	id := f.list("?package_name=core")[0].ID
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/packages/%d", f.base, id), ""), 403,
		`{"message":"403 Forbidden - Package is deletion protected."}`)
	file := f.files(id)[0].ID
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/packages/%d/package_files/%d", f.base, id, file), ""), 403, "")
	expect(t, maintainer.JSON("PATCH", one, `{"minimum_access_level_for_push":null,"minimum_access_level_for_delete":null}`), 422, "")
	expect(t, maintainer.JSON("PATCH", one, `{"package_type":"npm"}`), 422, "")
	expect(t, maintainer.JSON("PATCH", one, `{"minimum_access_level_for_push":null}`), 200, "")
	expect(t, developer.Send("PUT", protected, "x"), 201, "")
	expect(t, maintainer.JSON("PATCH", rules+"/999999", `{"minimum_access_level_for_push":"owner"}`), 404, "")
	expect(t, f.members[model.Owner].Send("DELETE", fmt.Sprintf("%s/packages/%d", f.base, id), ""), 204, "")
	expect(t, developer.Send("DELETE", one, ""), 403, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, maintainer.Send("DELETE", one, ""), 404, "")
}
