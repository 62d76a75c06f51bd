//go:build clients

package packages

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// wheel returns a Python package.
func wheel(t *testing.T, version string) string {
	t.Helper()
	info := "acme_demo-" + version + ".dist-info/"
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, file := range [][2]string{
		{"acme_demo/__init__.py", "version = '" + version + "'\n"},
		{info + "METADATA", "Metadata-Version: 2.1\nName: acme-demo\nVersion: " + version + "\nSummary: A demo\nRequires-Python: >=3.6\n"},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{info + "RECORD", "acme_demo/__init__.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n"},
	} {
		to, err := archive.Create(file[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write([]byte(file[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTwineUploadsAndPipInstalls(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "twine", "twine")
	harness.RequireProgram(t, "pip3", "python3-pip")
	p := newPlace(t, model.Private)
	for _, version := range []string{"1.0.0", "1.1.0"} {
		p.write("dist/acme_demo-"+version+"-py3-none-any.whl", wheel(t, version))
	}
	login := []string{"TWINE_USERNAME=any", "TWINE_PASSWORD=" + p.developer.Token, "TWINE_NON_INTERACTIVE=1"}
	upload := []string{"twine", "upload", "--disable-progress-bar", "--repository-url", p.url("pypi")}
	wheels := []string{"dist/acme_demo-1.0.0-py3-none-any.whl", "dist/acme_demo-1.1.0-py3-none-any.whl"}
	p.run(".", login, append(upload, wheels...)...)
	if out, err := p.try(".", login, append(upload, wheels...)...); err == nil {
		t.Errorf("uploaded twice:\n%s", out)
	}
	p.run(".", login, append(append(upload, "--skip-existing"), wheels...)...)
	wrong := []string{"TWINE_USERNAME=any", "TWINE_PASSWORD=wrong", "TWINE_NON_INTERACTIVE=1"}
	if out, err := p.try(".", wrong, append(upload, wheels...)...); err == nil {
		t.Errorf("uploaded with a wrong token:\n%s", out)
	}
	host := strings.TrimPrefix(p.h.URL, "http://")
	for place, index := range map[string]string{
		"project": strings.Replace(p.url("pypi"), host, "any:"+p.developer.Token+"@"+host, 1) + "/simple",
		"group":   "http://any:" + p.developer.Token + "@" + host + "/api/v4/groups/acme/-/packages/pypi/simple",
	} {
		p.run(".", nil, "pip3", "install", "--no-cache-dir", "--disable-pip-version-check", "--no-input", "--target", place,
			"--index-url", index, "Acme_Demo")
		if got := p.read(place + "/acme_demo/__init__.py"); got != "version = '1.1.0'\n" {
			t.Errorf("%s: %s", place, got)
		}
	}
	p.run(".", nil, "pip3", "install", "--no-cache-dir", "--disable-pip-version-check", "--no-input", "--target", "old",
		"--index-url", strings.Replace(p.url("pypi"), host, "any:"+p.developer.Token+"@"+host, 1)+"/simple", "acme-demo==1.0.0")
	if got := p.read("old/acme_demo/__init__.py"); got != "version = '1.0.0'\n" {
		t.Error(got)
	}
}
