package template

import (
	"strconv"
	"strings"
	"time"
)

// License is a license with its text, in which [year], [fullname] and [project] stand for what a project fills in.
type License struct {
	Key         string
	Name        string
	Popular     bool
	Source      string // a page with the original text; empty if there is none
	SPDX        string
	Description string
	Conditions  []string
	Content     string
}

// PageURL returns the address of a page about the license.
func (l License) PageURL() string { return "https://spdx.org/licenses/" + l.SPDX + ".html" }

// Permissions and Limitations are the same for all licenses here.
var (
	Permissions = []string{"commercial-use", "modifications", "distribution", "private-use"}
	Limitations = []string{"liability", "warranty"}
)

const includeCopyright = "include-copyright"

// licenses are all licenses, sorted by key. Their texts are files.
var licenses = []License{
	{
		Key: "0bsd", Name: "BSD Zero Clause License", SPDX: "0BSD", Conditions: []string{},
		Description: "Allows everything, even without the license text.",
	},
	{
		Key: "apache-2.0", Name: "Apache License 2.0", SPDX: "Apache-2.0", Popular: true,
		Source:      "https://www.apache.org/licenses/LICENSE-2.0",
		Conditions:  []string{includeCopyright, "document-changes"},
		Description: "Allows almost everything if the license text stays and changes are named. It also grants patents.",
	},
	{
		Key: "bsd-2-clause", Name: `BSD 2-Clause "Simplified" License`, SPDX: "BSD-2-Clause", Conditions: []string{includeCopyright},
		Description: "Allows almost everything if the copyright notice stays.",
	},
	{
		Key: "bsd-3-clause", Name: `BSD 3-Clause "New" or "Revised" License`, SPDX: "BSD-3-Clause",
		Conditions:  []string{includeCopyright},
		Description: "Allows almost everything if the copyright notice stays and the names of the authors are not used for advertising.",
	},
	{
		Key: "isc", Name: "ISC License", SPDX: "ISC", Conditions: []string{includeCopyright},
		Description: "Allows almost everything if the copyright notice stays, in few words.",
	},
	{
		Key: "mit", Name: "MIT License", SPDX: "MIT", Popular: true, Conditions: []string{includeCopyright},
		Source:      "https://opensource.org/license/mit",
		Description: "A short license that allows almost everything if the copyright notice stays.",
	},
	{
		Key: "unlicense", Name: "The Unlicense", SPDX: "Unlicense", Source: "https://unlicense.org", Conditions: []string{},
		Description: "Gives the work to the public.",
	},
}

// ListLicenses returns licenses with their texts: all of them, or only those that are popular or not.
func ListLicenses(popular *bool) ([]License, error) {
	var found []License
	for _, l := range licenses {
		if popular != nil && l.Popular != *popular {
			continue
		}
		text, err := files.ReadFile("files/licenses/" + l.Key + ".txt")
		if err != nil {
			return nil, err
		}
		l.Content = string(text)
		found = append(found, l)
	}
	return found, nil
}

// GetLicense returns a license whose text has the year, the copyright holder and the project. What is empty stays a
// placeholder.
func GetLicense(key, holder, project string, now time.Time) (License, error) {
	all, err := ListLicenses(nil)
	if err != nil {
		return License{}, err
	}
	for _, l := range all {
		if strings.EqualFold(l.Key, key) {
			l.Content = fill(l.Content, map[string]string{"year": strconv.Itoa(now.Year()), "fullname": holder, "project": project})
			return l, nil
		}
	}
	return License{}, notFound(Licenses)
}

// fill replaces placeholders. It replaces all of them at once, so that a value that looks like one stays as it is.
func fill(text string, values map[string]string) string {
	var pairs []string
	for name, value := range values {
		if value != "" {
			pairs = append(pairs, "["+name+"]", value)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
