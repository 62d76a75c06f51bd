package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestFeatureSwitchesAreStored(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	p := h.Project(h.Group(func(g *model.Namespace) { g.Path = "acme" }).ID, called("web", model.Private))
	jane := h.NewUser(named("jane"))
	expect(t, root.Send("GET", "/features", ""), 200, "[]")
	on := `{"name":"new_look","state":"on","gates":[{"key":"boolean","value":true}],"definition":null}`
	for _, body := range []string{`{"value":true}`, `{"value":"true","force":true,"user":"","group":"","project":"","feature_group":""}`} {
		expect(t, root.JSON("POST", "/features/new_look", body), 201, on)
	}
	expect(t, root.Form("POST", "/features/new_look", "value=true"), 201, on)
	expect(t, root.Send("GET", "/features", ""), 200, "["+on+"]")
	expect(t, root.JSON("POST", "/features/new_look", `{"value":false}`), 201,
		`{"name":"new_look","state":"off","gates":[{"key":"boolean","value":false}],"definition":null}`)
	expect(t, root.JSON("POST", "/features/part", `{"value":30}`), 201,
		`{"name":"part","state":"conditional","gates":[{"key":"boolean","value":false},`+
			`{"key":"percentage_of_time","value":30}],"definition":null}`)
	expect(t, root.JSON("POST", "/features/part", `{"value":"40","key":"percentage_of_actors"}`), 201,
		`{"name":"part","state":"conditional",`+
			`"gates":[{"key":"boolean","value":false},{"key":"percentage_of_time","value":30},`+
			`{"key":"percentage_of_actors","value":40}],"definition":null}`)
	expect(t, root.JSON("POST", "/features/some",
		`{"value":true,"user":"jane","project":"acme/web","group":"acme","feature_group":"staff"}`), 201,
		fmt.Sprintf(`{"name":"some","state":"conditional","gates":[{"key":"boolean","value":false},{"key":"actors","value":["Group:%d",`+
			`"Project:%d","User:%d"]},{"key":"groups","value":["staff"]}],"definition":null}`, p.NamespaceID, p.ID, jane.User.ID))
	expect(t, root.JSON("POST", "/features/some", `{"value":true,"user":"nobody"}`), 400, `{"message":"404 User Not Found"}`)
	expect(t, root.JSON("POST", "/features/some", `{"value":true,"project":"acme/nothing"}`), 400, `{"message":"404 Project Not Found"}`)
	expect(t, root.JSON("POST", "/features/some", `{}`), 400, `{"error":"value is missing"}`)
	expect(t, root.JSON("POST", "/features/some", `{"value":101}`), 400, `{"error":"value is invalid"}`)
	expect(t, root.JSON("POST", "/features/some", `{"value":"perhaps"}`), 400, `{"error":"value is invalid"}`)
	expect(t, root.Send("DELETE", "/features/some", ""), 204, "")
	expect(t, root.Send("DELETE", "/features/some", ""), 204, "")
	for _, c := range []struct {
		caller *harness.Caller
		status int
	}{{h.Anonymous(), 401}, {jane, 403}} {
		expect(t, c.caller.Send("GET", "/features", ""), c.status, "")
		expect(t, c.caller.JSON("POST", "/features/x", `{"value":true}`), c.status, "")
		expect(t, c.caller.Send("DELETE", "/features/x", ""), c.status, "")
	}
}
