package web

import "strings"

// The names of browsers and systems, and the words by which their user agents are known. The first match wins: most browsers
// also claim to be those that come after them here.
var (
	browserNames = [][2]string{
		{"Edg/", "Edge"},
		{"OPR/", "Opera"},
		{"Firefox/", "Firefox"},
		{"Chrome/", "Chrome"},
		{"Chromium/", "Chromium"},
		{"Safari/", "Safari"},
	}
	systemNames = [][2]string{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"},
		{"Linux", "Linux"},
	}
)

// Browser returns the browser and the system of a user agent for people, such as "Firefox on Linux". A user agent that is not
// known is returned as it is.
func (sessionsPage) Browser(agent string) string {
	browser, system := firstName(browserNames, agent), firstName(systemNames, agent)
	if browser == "" || system == "" {
		return agent
	}
	return browser + " on " + system
}

// firstName returns the name of the first word that a user agent has.
func firstName(names [][2]string, agent string) string {
	for _, name := range names {
		if strings.Contains(agent, name[0]) {
			return name[1]
		}
	}
	return ""
}
