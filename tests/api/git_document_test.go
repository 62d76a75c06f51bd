package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"svc/tests/harness"
)

// described calls operations of other protocols as the document describes them.
type described struct {
	t             *testing.T
	h             *harness.H
	repository    string
	authorization string
	succeeded     map[string]bool
}

// call sends a request to an operation, and compares the answer with the document. The pairs are the parameters of the
// path; the path of the repository or project is added, with slashes as %2F.
func (d described) call(operationID, contentType, body string, want int, pairs ...string) string {
	d.t.Helper()
	for _, r := range harness.ProtocolRoutes() {
		if r.Op.OperationID != operationID {
			continue
		}
		pairs = append(pairs, "{repository}", url.PathEscape(d.repository), "{project}", url.PathEscape(d.repository))
		path := strings.NewReplacer(pairs...).Replace(r.Path)
		if operationID == "getGitInfoRefs" {
			path += "?service=git-upload-pack"
		}
		req, err := http.NewRequestWithContext(d.t.Context(), r.Method, d.h.URL+path, strings.NewReader(body))
		if err != nil {
			d.t.Fatal(err)
		}
		req.Header.Set("Authorization", d.authorization)
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Git-Protocol", "version=2")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			d.t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, complaint := range harness.CheckOperation(r, req, res, data) {
			d.t.Errorf("%s answered %d against the document: %s", operationID, res.StatusCode, complaint)
		}
		if res.StatusCode != want {
			d.t.Errorf("%s: %d %s", operationID, res.StatusCode, data)
		}
		d.succeeded[operationID] = d.succeeded[operationID] || res.StatusCode < 300
		return string(data)
	}
	d.t.Fatalf("%s is not in the document", operationID)
	return ""
}

func TestOtherProtocolsAnswerAsTheDocumentDescribes(t *testing.T) {
	t.Parallel()
	h, owner, _, base, i := projectWithAlertIntegration(t)
	made := read[struct {
		Path string `json:"path_with_namespace"`
	}](t, owner.JSON("POST", "/projects", `{"name":"code","initialize_with_readme":true}`), 201)
	d := described{t: t, h: h, repository: made.Path, authorization: "Bearer " + owner.Token, succeeded: map[string]bool{}}
	callGit(d)
	callLFS(d)
	callGraphQL(d)
	callPackages(d, owner)
	d.repository = owner.User.Username + "/web"
	callAlerts(t, d, owner, base, i)
	for _, r := range harness.ProtocolRoutes() {
		if !d.succeeded[r.Op.OperationID] {
			t.Errorf("no call of %s succeeded", r.Op.OperationID)
		}
	}
}

func callGraphQL(d described) {
	d.t.Helper()
	for _, got := range []string{
		d.call("executeGraphql", "application/json", `{"query":"{ currentUser { active } }"}`, 200),
		d.call("queryGraphql", "", "", 200, "/graphql", "/graphql?query=%7BcurrentUser%7Bactive%7D%7D"),
	} {
		if !strings.Contains(got, `{"data":{"currentUser":{"active":true}}}`) {
			d.t.Errorf("%q", got)
		}
	}
}

func callGit(d described) {
	d.t.Helper()
	refs := d.call("getGitInfoRefs", "", "", 200)
	if !strings.Contains(refs, "version 2") {
		d.t.Errorf("%q", refs)
	}
	const fetch, push = "application/x-git-upload-pack-request", "application/x-git-receive-pack-request"
	if got := d.call("fetchGitObjects", fetch, "0014command=ls-refs\n0000", 200); !strings.Contains(got, "refs/heads/main") {
		d.t.Errorf("%q", got)
	}
	d.call("fetchGitObjects", "text/plain", "0000", 415)
	d.call("pushGitObjects", push, "0000", 200)
	stranger := d
	stranger.authorization = "Bearer wrong"
	stranger.call("getGitInfoRefs", "", "", 401)
	stranger.call("pushGitObjects", push, "0000", 401)
	stranger.call("batchLfsObjects", lfsMedia, `{"operation":"download","objects":[]}`, 401)
	stranger.repository = "no/where"
	stranger.authorization = d.authorization
	stranger.call("getGitInfoRefs", "", "", 404)
	stranger.call("listLfsLocks", "", "", 404)
}

const lfsMedia = "application/vnd.git-lfs+json"

func callLFS(d described) {
	d.t.Helper()
	const content = "large enough"
	sum := sha256.Sum256([]byte(content))
	oid := hex.EncodeToString(sum[:])
	pointer := fmt.Sprintf(`{"oid":%q,"size":%d}`, oid, len(content))
	at := []string{"{oid}", oid, "{size}", fmt.Sprint(len(content))}
	d.call("batchLfsObjects", lfsMedia, `{"operation":"upload","objects":[`+pointer+`]}`, 200)
	d.call("batchLfsObjects", lfsMedia, `{"operation":"move","objects":[]}`, 422)
	d.call("verifyLfsObject", lfsMedia, pointer, 404)
	d.call("uploadLfsObject", "application/octet-stream", content, 200, at...)
	d.call("verifyLfsObject", lfsMedia, pointer, 200)
	d.call("batchLfsObjects", lfsMedia, `{"operation":"download","objects":[`+pointer+`]}`, 200)
	if got := d.call("downloadLfsObject", "", "", 200, at...); got != content {
		d.t.Errorf("downloaded %q", got)
	}
	d.call("createLfsLock", lfsMedia, `{"path":"logo.png"}`, 201)
	d.call("createLfsLock", lfsMedia, `{"path":"logo.png"}`, 409)
	d.call("createLfsLock", lfsMedia, `{"path":"../logo.png"}`, 422)
	d.call("verifyLfsLocks", lfsMedia, `{}`, 200)
	locks := d.call("listLfsLocks", "", "", 200)
	_, rest, _ := strings.Cut(locks, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	d.call("unlockLfsFile", lfsMedia, `{"force":false}`, 200, "{id}", id)
	d.call("unlockLfsFile", lfsMedia, `{}`, 404, "{id}", id)
}

func callAlerts(t *testing.T, d described, owner *harness.Caller, base string, i integration) {
	t.Helper()
	legacy := func(kind string) integration {
		t.Helper()
		return read[integration](t, owner.JSON("POST", base+"/alert_integrations", `{"type":"`+kind+`","name":"old","legacy":true}`), 201)
	}
	plain, metered := legacy("http"), legacy("metrics")
	const asJSON = "application/json"
	at := []string{"{name}", "any", "{identifier}", i.Identifier}
	d.authorization = "Bearer " + i.Key
	d.call("sendAlert", asJSON, `{"title":"a","hosts":"db","fingerprint":["x",1]}`, 200, at...)
	d.call("sendAlert", asJSON, `[]`, 400, at...)
	d.authorization = "Bearer wrong"
	d.call("sendAlert", asJSON, `{}`, 401, at...)
	d.authorization = "Bearer " + plain.Key
	d.call("sendLegacyAlert", asJSON, metrics(metric("m", "firing")), 200)
	d.authorization = "Bearer " + metered.Key
	d.call("sendLegacyMetricsAlerts", asJSON, metrics(metric("n", "firing")), 200)
	d.call("sendLegacyMetricsAlerts", asJSON, `{"title":"b"}`, 422)
}
