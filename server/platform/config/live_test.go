package config

import (
	"slices"
	"strings"
	"testing"
)

func TestSomeSettingsMayChangeAtRunTime(t *testing.T) {
	t.Parallel()
	load := func(args ...string) Config {
		t.Helper()
		cfg, err := Load(args, nil)
		if err != nil {
			t.Fatal(err)
		}
		return cfg
	}
	before := load("--tls-cert=a", "--tls-key=b")
	after := load(
		"--tls-cert=c", "--tls-key=b", "--hsts=1h", "--log-level=debug", "--trusted-proxies=10.0.0.0/8", "--limit-jobs=1", "--tier=free",
	)
	merged, changed, restart := before.Reload(after)
	if want := []string{"tls-cert", "hsts", "log-level", "trusted-proxies", "limit-jobs"}; !slices.Equal(changed, want) {
		t.Errorf("changed: %q", changed)
	}
	if !slices.Equal(restart, []string{"tier"}) {
		t.Errorf("needs a restart: %q", restart)
	}
	if merged.TLSCert != "c" || merged.LimitJobs != 1 || merged.LogLevel != "debug" || merged.Tier != "ultimate" {
		t.Errorf("%v", merged)
	}
	// Without a change there is nothing to do, but what needs a restart still does.
	if _, changed, restart := merged.Reload(after); len(changed) != 0 || !slices.Equal(restart, []string{"tier"}) {
		t.Errorf("%q, %q", changed, restart)
	}
	// TLS cannot be turned off without a restart.
	merged, changed, restart = before.Reload(load())
	if len(changed) != 0 || !slices.Equal(restart, []string{"url", "tls-cert", "tls-key"}) || merged.TLSCert != "a" {
		t.Errorf("%q, %q", changed, restart)
	}
}

func TestSettingsOfListenersAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string // empty for no mistake
	}{
		{[]string{"--listen=unix:/run/svc.sock", "--url=https://git.example.com"}, ""},
		{[]string{"--listen=unix:/run/svc.sock"}, "does not know its URL"},
		{[]string{"--listen=unix:svc.sock", "--url=https://git.example.com"}, "absolute path"},
		{[]string{"--listen-mode=rw"}, "not an octal mode"},
		{[]string{"--listen-mode=1777"}, "not an octal mode"},
		{[]string{"--tls-cert=a"}, "needs its key"},
		{[]string{"--tls-cert=a", "--tls-key=b"}, ""},
		{[]string{"--tls-cert=a", "--tls-key=b", "--url=http://git.example.com"}, "must begin with https"},
		{[]string{"--tls-cert=a", "--tls-key=b", "--redirect-listen=:80", "--hsts=8760h"}, ""},
		{[]string{"--hsts=1h"}, "only a service with TLS"},
		{[]string{"--redirect-listen=:80"}, "nothing to redirect to"},
		{[]string{"--tls-cert=a", "--tls-key=b", "--redirect-listen=80"}, "not host:port"},
		{[]string{"--tls-acme", "--acme-directory=https://ca.example.com/dir", "--url=https://git.example.com"}, ""},
		{[]string{"--tls-acme", "--url=https://git.example.com"}, "set acme-directory"},
		{[]string{"--tls-acme", "--acme-directory=https://ca.example.com/dir"}, "set url to a public name"},
		{[]string{"--tls-acme", "--acme-directory=https://ca.example.com/dir", "--tls-cert=a", "--tls-key=b"}, "not from both"},
		{[]string{"--proxy-protocol"}, "in trusted-proxies"},
		{[]string{"--proxy-protocol", "--trusted-proxies=10.0.0.1"}, ""},
		{[]string{"--test-mode", "--ephemeral", "--audit-file=/a"}, "not offered together with test-mode"},
		{[]string{"--test-mode", "--ephemeral", "--tls-cert=a", "--tls-key=b"}, "not offered together with test-mode"},
	} {
		_, err := Load(c.args, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v", c.args, err)
		}
	}
	if cfg, err := Load([]string{"--tls-cert=a", "--tls-key=b", "--listen=:443"}, nil); err != nil || cfg.URL != "https://127.0.0.1" {
		t.Errorf("%s, %v", cfg.URL, err)
	}
}
