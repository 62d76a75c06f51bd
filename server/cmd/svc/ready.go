package main

import (
	"encoding/json"
	"io"

	"svc/server/cmd/svc/control"
	"svc/server/platform/build"
	"svc/server/platform/config"
)

// readyLine is what an ephemeral instance prints on standard output when it is ready: one line of JSON for the program
// that started it. docs/testing-clients.md describes its members.
type readyLine struct {
	URL        string      `json:"url"`
	Username   string      `json:"username"`
	Password   string      `json:"password"`
	Token      string      `json:"token"`
	ControlURL string      `json:"control_url,omitempty"`
	SSHAddress string      `json:"ssh_address,omitempty"`
	Version    string      `json:"version"`
	Data       string      `json:"data"`
	Users      []readyUser `json:"users"`
}

// readyUser is a user of the test data who has a token.
type readyUser struct {
	Username string `json:"username"`
	Token    string `json:"token"`
	About    string `json:"about"`
}

// newReadyLine returns the line for an instance that has just been created.
func newReadyLine(cfg config.Config, first firstStart) readyLine {
	line := readyLine{
		URL: cfg.URL, SSHAddress: cfg.SSHListen, Version: build.Read().Version, Data: cfg.Data, Users: []readyUser{},
	}
	if first.data != nil {
		line.Users = readyUsers(first.data.users())
	}
	if root := first.root; root != nil {
		line.Username, line.Password, line.Token = root.Username, root.Password, root.Token
	}
	return line
}

// readyUsers returns the users for the line.
func readyUsers(users []control.User) []readyUser {
	shown := []readyUser{}
	for _, u := range users {
		shown = append(shown, readyUser(u))
	}
	return shown
}

// write writes the line.
func (l readyLine) write(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(l)
}
