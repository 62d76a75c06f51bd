package packagepages

import (
	"fmt"
	"net/url"
	"strings"

	"svc/store/model"
)

// step is a part of the way to install a package: a sentence, and a text to copy.
type step struct {
	Label string
	Text  string
}

// registry returns the address of the packages of a type in a project.
func (p *Pages) registry(project model.Project, kind string) string {
	return fmt.Sprintf("%s/api/v4/projects/%d/packages/%s", p.URL, project.ID, kind)
}

// publishCommand returns a command that publishes a file, for a project without packages.
func (p *Pages) publishCommand(project model.Project) string {
	return `curl --upload-file tools.tar.gz --header "PRIVATE-TOKEN: $TOKEN" "` +
		p.registry(project, model.GenericPackage) + `/tools/1.0.0/tools.tar.gz"`
}

// install returns the commands that install a package. The token is a variable of the shell of the reader.
func (p *Pages) install(project model.Project, pkg model.Package, files []model.PackageFileRow) []step {
	version := ""
	if pkg.Version != nil {
		version = *pkg.Version
	}
	at := p.registry(project, pkg.PackageType)
	switch pkg.PackageType {
	case model.NPMPackage:
		return npmSteps(at, pkg.Name, version)
	case model.PyPIPackage:
		index := strings.Replace(at, "://", "://any:$TOKEN@", 1) + "/simple"
		return []step{{"Install it", `pip install --index-url "` + index + `" ` + pkg.Name + "==" + version}}
	case model.MavenPackage:
		return mavenSteps(at, pkg.Name, version)
	}
	var steps []step
	for _, f := range files[:min(1, len(files))] {
		file := at + "/" + url.PathEscape(pkg.Name) + "/" + url.PathEscape(version) + "/" + f.File.FileName
		steps = append(steps, step{"Download a file", `curl --fail --header "PRIVATE-TOKEN: $TOKEN" -O "` + file + `"`})
	}
	return steps
}

func npmSteps(at, name, version string) []step {
	scope, _, scoped := strings.Cut(name, "/")
	line := "registry=" + at + "/"
	if scoped {
		line = scope + ":" + line
	}
	_, host, _ := strings.Cut(at, ":")
	return []step{
		{"Add these lines to .npmrc", line + "\n" + host + "/:_authToken=${TOKEN}"},
		{"Install it", "npm install " + name + "@" + version},
	}
}

func mavenSteps(at, name, version string) []step {
	group, artifact := name, ""
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		group, artifact = strings.ReplaceAll(name[:i], "/", "."), name[i+1:]
	}
	return []step{
		{"Add this repository to pom.xml", "<repository>\n  <id>svc</id>\n  <url>" + at + "</url>\n</repository>"},
		{"Add this dependency to pom.xml", "<dependency>\n  <groupId>" + group + "</groupId>\n  <artifactId>" + artifact +
			"</artifactId>\n  <version>" + version + "</version>\n</dependency>"},
	}
}
