package git

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/server/platform/config"
)

// batch returns the body of a batch request for files with the given content.
func batch(operation string, data ...[]byte) string {
	var objects []string
	for _, d := range data {
		objects = append(objects, fmt.Sprintf(`{"oid":%q,"size":%d}`, digest(d), len(d)))
	}
	return fmt.Sprintf(
		`{"operation":%q,"transfers":["basic"],"ref":{"name":"refs/heads/main"},"objects":[%s]}`, operation,
		strings.Join(objects, ","),
	)
}

// batchAnswer is the answer to a batch request.
type batchAnswer struct {
	Transfer, HashAlgo string
	Objects            []struct {
		Oid           string
		Size          int64
		Authenticated bool
		Actions       map[string]struct {
			Href   string
			Header map[string]string
		}
		Error *struct {
			Code    int
			Message string
		}
	}
}

// readBatch reads the answer to a batch request that must succeed.
func readBatch(t *testing.T, r reply) batchAnswer {
	t.Helper()
	var said batchAnswer
	if err := json.Unmarshal([]byte(r.body), &said); err != nil || r.status != 200 ||
		said.Transfer != "basic" || r.header.Get("Content-Type") != "application/vnd.git-lfs+json" {
		t.Fatalf("%d %s %v", r.status, r.body, err)
	}
	return said
}

// codes returns the error code of each object, 0 for an object without an error.
func (a batchAnswer) codes() []int {
	var codes []int
	for _, o := range a.Objects {
		code := 0
		if o.Error != nil {
			code = o.Error.Code
		}
		codes = append(codes, code)
	}
	return codes
}

func TestABatchReturnsUploadAndDownloadURLs(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t, func(c *config.Config) { c.MaxLFSSize = 1 })
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	data, missing := []byte("content"), []byte("missing")
	send := func(body string) reply {
		return lfs(t, h, ann.Token, "POST", p.FullPath, "info/lfs/objects/batch", body)
	}
	base := h.URL + "/" + p.FullPath + ".git/"
	got := send(batch("upload", data))
	o := readBatch(t, got).Objects[0]
	if o.Oid != digest(data) || o.Size != 7 || !o.Authenticated || o.Actions["upload"].Href != base+objectPath(data) ||
		o.Actions["verify"].Href != base+"info/lfs/verify" ||
		o.Actions["upload"].Header["Authorization"] == "" || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("to upload: %s %v", got.body, got.header)
	}
	upload(t, h, ann, p, data)
	if o := readBatch(t, send(batch("upload", data))).Objects[0]; len(o.Actions) > 0 || o.Error != nil {
		t.Errorf("an object that is stored: %+v", o)
	}
	mixed := strings.Replace(batch("download", data, missing), `"objects":[`, fmt.Sprintf(
		`"objects":[{"oid":"ABC","size":1},{"oid":"\u0000","size":1},{"oid":%q,"size":-1},{"oid":%q,"size":2097152},{"oid":%q,"size":8},`,
		digest(missing), digest(missing), digest(data),
	), 1)
	said := readBatch(t, send(mixed))
	if fmt.Sprint(said.codes()) != "[422 422 422 413 422 0 404]" ||
		said.Objects[5].Actions["download"].Href != base+"svc-lfs/objects/"+digest(data) {
		t.Errorf("codes %v, %+v", said.codes(), said)
	}
}

func TestAnUploadIsVerified(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t, func(c *config.Config) { c.MaxLFSSize = 1 })
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	data := []byte("content")
	verify := func(body string) reply {
		return lfs(t, h, ann.Token, "POST", p.FullPath, "info/lfs/verify", body)
	}
	pointer := fmt.Sprintf(`{"oid":%q,"size":7}`, digest(data))
	checkRefusal(t, "verify too early", verify(pointer), 404, "does not have the object")
	upload(t, h, ann, p, data)
	upload(t, h, ann, p, data) // a second upload changes nothing
	if got := verify(pointer); got.status != 200 {
		t.Errorf("verify: %d %s", got.status, got.body)
	}
	checkRefusal(t, "verify another size", verify(strings.Replace(pointer, "7}", "8}", 1)), 422, "7 bytes")
	checkRefusal(t, "verify nonsense", verify(`{"oid":"\u0000"}`), 422, "SHA-256")
}

func TestBadBatchesAreRefused(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	for name, c := range map[string]struct {
		body, kind string
		status     int
		text       string
	}{
		"not JSON":       {"{", "", 422, "not a valid Git LFS request"},
		"empty":          {"", "", 422, "not a valid Git LFS request"},
		"wrong type":     {`{"operation":"download","objects":[{"oid":1}]}`, "", 422, "not a valid Git LFS request"},
		"operation":      {`{"operation":"delete"}`, "", 422, "upload or download"},
		"hash algorithm": {`{"operation":"download","hash_algo":"sha512"}`, "", 409, "sha256"},
		"too many":       {`{"operation":"download","objects":[{}` + strings.Repeat(",{}", 1000) + `]}`, "", 413, "1000"},
		"too long":       {`{"operation":"` + strings.Repeat("x", 1<<20) + `"}`, "", 413, "413"},
		"another type":   {`{}`, "text/plain", 415, "text/plain"},
	} {
		var pairs []string
		if c.kind != "" {
			pairs = []string{"Content-Type", c.kind}
		}
		checkRefusal(t, name, lfs(t, h, ann.Token, "POST", p.FullPath, "info/lfs/objects/batch", c.body, pairs...), c.status, c.text)
	}
}
