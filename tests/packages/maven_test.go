//go:build clients

package packages

import (
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// debianPlugins has the plugins of Maven that Debian packages.
const debianPlugins = "/usr/share/maven-repo/org/apache/maven/plugins/"

// plugin returns the newest version of a plugin of Maven.
func plugin(t *testing.T, name, from string) string {
	t.Helper()
	harness.RequireFile(t, debianPlugins+name, from)
	versions, err := filepath.Glob(debianPlugins + name + "/[0-9]*")
	if err != nil || len(versions) == 0 {
		t.Fatal(versions, err)
	}
	return "org.apache.maven.plugins:" + name + ":" + filepath.Base(versions[len(versions)-1])
}

// settings returns the settings of Maven: plugins come from Debian's packages, and a server has credentials.
func settings(folder, server string) string {
	return "<settings><localRepository>" + folder + "</localRepository><mirrors><mirror><id>debian</id>" +
		"<mirrorOf>central</mirrorOf><url>file:///usr/share/maven-repo</url></mirror></mirrors>" +
		"<servers><server><id>svc</id>" + server + "</server></servers></settings>\n"
}

func TestMavenDeploysAndResolves(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "mvn", "maven")
	deploy := plugin(t, "maven-deploy-plugin", "libmaven-deploy-plugin-java") + ":deploy-file"
	build := plugin(t, "maven-jar-plugin", "libmaven-jar-plugin-java") + ":jar" // it resolves the dependencies of a project
	p := newPlace(t, model.Private)
	p.write("demo.jar", "not really a jar")
	p.write("password.xml", settings(p.folder+"/one", "<username>any</username><password>"+p.developer.Token+"</password>"))
	p.write("header.xml", settings(p.folder+"/two", "<configuration><httpHeaders><property><name>Private-Token</name><value>"+
		p.developer.Token+"</value></property></httpHeaders></configuration>"))
	for version, file := range map[string]string{"1.0": "password.xml", "1.1": "header.xml", "1.2-SNAPSHOT": "password.xml"} {
		p.run(".", nil, "mvn", "-B", "-q", "-s", file, deploy, "-Durl="+p.url("maven"), "-DrepositoryId=svc", "-Dfile=demo.jar",
			"-DgroupId=com.acme", "-DartifactId=demo", "-Dversion="+version, "-Dpackaging=jar")
	}
	for place, url := range map[string]string{"project": p.url("maven"), "group": p.h.URL + "/api/v4/groups/acme/-/packages/maven"} {
		version := map[string]string{"project": "1.0", "group": "1.2-SNAPSHOT"}[place]
		p.write(place+"/settings.xml", settings(p.folder+"/"+place+"/repository",
			"<username>any</username><password>"+p.developer.Token+"</password>"))
		p.write(place+"/pom.xml", "<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>app</artifactId>"+
			"<version>1</version><repositories><repository><id>svc</id><url>"+url+"</url></repository></repositories>"+
			"<dependencies><dependency><groupId>com.acme</groupId><artifactId>demo</artifactId><version>"+version+
			"</version></dependency></dependencies></project>")
		p.run(place, nil, "mvn", "-B", "-q", "-s", "settings.xml", build)
		if text := p.read(place + "/repository/com/acme/demo/" + version + "/demo-" + version + ".jar"); text != "not really a jar" {
			t.Errorf("%s: %q", place, text)
		}
	}
	got := p.developer.Send("GET", strings.TrimPrefix(p.url("maven"), p.h.URL+"/api/v4")+"/com/acme/demo/maven-metadata.xml", "")
	for _, version := range []string{"1.0", "1.1", "1.2-SNAPSHOT"} {
		if got.Status != 200 || !strings.Contains(got.Body, "<version>"+version+"</version>") {
			t.Errorf("%s: %d %s", version, got.Status, got.Body)
		}
	}
}
