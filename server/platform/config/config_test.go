package config

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "svc.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaultsAreValid(t *testing.T) {
	t.Parallel()
	got, err := Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Listen: "127.0.0.1:8080", ListenMode: "0660", URL: "http://127.0.0.1:8080", Data: "./data", DatabasePool: 16,
		StatementTimeout: 4 * time.Second, LockTimeout: 3 * time.Second, SQLiteSync: "full", MinFreeSpace: 16,
		MaxLogSize: 100, MaxArtifactSize: 100, MaxPackageSize: 5120, MaxAttachmentSize: 100, ArtifactDays: 30,
		RunnerPoll: 25 * time.Second, Pages: true,
		MaxPagesSize: 100, MoveGrace: 30 * time.Second, MinTransferRate: 1024, TransferPause: 2 * time.Minute,
		SSHTransferPause: 10 * time.Minute,
		Tier:             "ultimate", Impersonation: true, Registration: "off", LogLevel: "info", LogFormat: "text", OTLPSampling: 1,
		MetricsAllow:   []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		ThrottlePeriod: time.Hour, ThrottleAlertsPeriod: time.Hour,
		LimitChangelog: 5, LimitExport: 6, LimitExportDownload: 1, LimitHookTest: 5, LimitImport: 6, LimitJobs: 600, LimitNotes: 300,
		LimitLargeBlob: 5, LimitSearch: 30, LimitTrackedEvent: 600,
		LimitUsers: 300, ChangelogLimitation: true, MaxOffset: 50000, MaxInstanceVariables: 25, MaxTokenLifetime: 365,
		ShutdownTimeout: 20 * time.Second, ControlListen: "127.0.0.1:0", TokenTTL: 2 * time.Hour,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, file string
		environ    []string
		args       []string
		want       int
	}{
		{name: "default", want: 16},
		{name: "file over default", file: "database-pool: 2", want: 2},
		{name: "file with underscore", file: "database_pool: 2", want: 2},
		{name: "file with no value", file: "database-pool:", want: 16},
		{name: "empty file", file: "# nothing\n", want: 16},
		{name: "environment over file", file: "database-pool: 2", environ: []string{"SVC_DATABASE_POOL=3"}, want: 3},
		{name: "empty environment is absent", file: "database-pool: 2", environ: []string{"SVC_DATABASE_POOL="}, want: 2},
		{
			name: "flag over all", file: "database-pool: 2", environ: []string{"SVC_DATABASE_POOL=3"},
			args: []string{"--database-pool", "4"}, want: 4,
		},
		{name: "flag with equals sign", args: []string{"--database-pool=5"}, want: 5},
		{name: "last flag counts", args: []string{"--database-pool=5", "-database-pool", "6"}, want: 6},
		{
			name: "stronger value hides a wrong one", environ: []string{"SVC_DATABASE_POOL=many"},
			args: []string{"--database-pool=7"}, want: 7,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.file != "" {
				c.environ = append(c.environ, "SVC_CONFIG="+writeFile(t, c.file))
			}
			cfg, err := Load(c.args, c.environ)
			if err != nil || cfg.DatabasePool != c.want {
				t.Errorf("got %d, %v; want %d", cfg.DatabasePool, err, c.want)
			}
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "impersonation: off\nmetrics-allow: []\ntrusted_proxies: [10.1.2.3/8, '::1']\nroot-password: 0123456789\n")
	cfg, err := Load([]string{"--config", file, "--throttle-period=90s", "--url", "https://git.example.com/svc//"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Impersonation || len(cfg.MetricsAllow) != 0 || cfg.RootPassword != "0123456789" || cfg.ThrottlePeriod != 90*time.Second {
		t.Errorf("got %v", cfg)
	}
	if got := fmt.Sprint(cfg.TrustedProxies); got != "[10.0.0.0/8 ::1/128]" {
		t.Errorf("got proxies %s", got)
	}
	if cfg.URL != "https://git.example.com/svc" {
		t.Errorf("got URL %s", cfg.URL)
	}
	for arg, want := range map[string]bool{"--impersonation": true, "--impersonation=true": true, "--impersonation=false": false} {
		if cfg, err := Load([]string{arg}, nil); err != nil || cfg.Impersonation != want {
			t.Errorf("%s: got %v, %v", arg, cfg.Impersonation, err)
		}
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "colour: red\ntier: [free]\nlog-level: loud\nlog_level: info\nmax-offset: -1\nconfig: other.yaml\n")
	_, err := Load(
		[]string{
			"stray", "--no-such", "value", "--listen", "8080", "--metrics-allow=10.0.0.1, ten, 10.0.0.0/99",
			"--config=" + file, "--sqlite-sync", "--url=https://example.com/?a",
		},
		[]string{"SVC_LOG_FORMAT=xml", "SVC_DATABASE_POOL=0", "SVC_IMPERSONATION=maybe", "SVC_SHUTDOWN_TIMEOUT=20"},
	)
	at := func(key string, line int) string { return fmt.Sprintf("%s (%s, line %d)", key, file, line) }
	want := Mistakes{
		`--no-such: unknown flag, --help lists all flags`,
		`--sqlite-sync: the value is missing, write --sqlite-sync=VALUE`,
		`argument "stray": not expected here; write settings as --name value or --name=value, and switches as --name or --name=false`,
		at("colour", 1) + `: unknown setting, --help lists all settings`,
		at("tier", 2) + `: the value must be a single value, not a list or a mapping`,
		at("log_level", 4) + `: already set as ` + at("log-level", 3) + `, remove one`,
		at("config", 6) + `: a settings file cannot refer to another one, remove the line`,
		`SVC_DATABASE_POOL (environment): "0" is out of range, use 2 to 500`,
		`SVC_IMPERSONATION (environment): "maybe" is neither true nor false`,
		at("log-level", 3) + `: "loud" is not one of debug, info, warn, error`,
		`SVC_LOG_FORMAT (environment): "xml" is not one of text, json`,
		`--metrics-allow: "ten", "10.0.0.0/99": not an address like 10.0.0.1 or a range like 10.0.0.0/8`,
		at("max-offset", 5) + `: "-1" is out of range, use 0 or more`,
		`SVC_SHUTDOWN_TIMEOUT (environment): "20" is not a duration, write it like 90s, 5m or 1h30m`,
		`--listen: "8080" is not host:port with a port from 0 to 65535, write it like 127.0.0.1:8080`,
		`--url: "https://example.com/?a" has a query or a fragment, write it like https://git.example.com`,
	}
	if err == nil || err.Error() != want.Error() {
		t.Errorf("got\n%v\n\nwant\n%v", err, want)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	cases := []struct{ arg, want string }{
		{"--config=/does/not/exist", "cannot read the file"},
		{"--config=" + writeFile(t, "a: [1"), "is not valid YAML"},
		{"--config=" + writeFile(t, "- a"), "key: value"},
		{"--config=" + writeFile(t, "tier: free\n---\ntier: free\n"), "more than one YAML document"},
		{"--config=" + writeFile(t, "metrics-allow: {a: b}"), "must be a list"},
		{"--data=", "set a folder"},
		{"--pages-listen=8090", "not host:port"},
		{"--pages-tls-listen=host:https", "not host:port"},
		{"--pages-tls-cert=site.pem", "needs its key"},
		{"--acme-directory=http://ca.example.com/dir", "https URL"},
		{"--acme-email=Jane <jane@example.com>", "not a mail address"},
		{"--listen=host:http", "not host:port"},
		{"--listen=1.2.3.4:70000", "not host:port"},
		{"--url=git.example.com", "not an absolute"},
		{"--url=ftp://git.example.com", "not an absolute"},
		{"--url=https://", "not an absolute"},
		{"--url=https://example.com#", "fragment"},
		{"--throttle-period=25h", "use 1s to 24h"},
		{"--max-offset=99999999999999999999", "too large"},
		{"--trusted-proxies=fe80::1%eth0", "not an address"},
		{"--trusted-proxies=::ffff:10.0.0.0/104", "not an address"},
	}
	for _, c := range cases {
		if _, err := Load([]string{c.arg}, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.arg, err, c.want)
		}
	}
}

func TestDefaultURL(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]string{
		":8080": "http://127.0.0.1:8080", "0.0.0.0:8080": "http://127.0.0.1:8080", "[::]:8080": "http://127.0.0.1:8080",
		"[::1]:9": "http://[::1]:9", "git.example.com:80": "http://git.example.com", "[::1]:80": "http://[::1]",
	} {
		if cfg, err := Load([]string{"--listen", listen}, nil); err != nil || cfg.URL != want {
			t.Errorf("%s: got %s, %v; want %s", listen, cfg.URL, err, want)
		}
	}
}

func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	args := []string{
		"--root-password=hunter2hunter2", "--root-token=hunter2-0123456789abcdef",
		"--database-url=postgres://svc:hunter2@db/svc",
	}
	cfg, err := Load(args, nil)
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("start", "config", cfg, "pointer", &cfg)
	shown := []string{cfg.String(), fmt.Sprintf("%v %+v %#v %s %q %d", cfg, cfg, cfg, cfg, cfg, &cfg), logged.String()}
	_, err = Load([]string{
		"--root-password=hunter2", "--root-token=hunter2 \n", "--database-url=mysql://svc:hunter2@db/svc", "--url=http://svc:hunter2@%zz",
	}, nil)
	var wrong Mistakes
	if !errors.As(err, &wrong) || len(wrong) != 5 {
		t.Errorf("got %v, want five mistakes", err)
	}
	for _, text := range append(shown, wrong...) {
		if strings.Contains(text, "hunter2") {
			t.Errorf("a secret is shown: %s", text)
		}
	}
}

func TestUsageShowsEverySetting(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	Usage(&out)
	lines := strings.Split(out.String(), "\n")
	for _, s := range settings() {
		if s.key == "" || s.help == "" {
			t.Errorf("%+v lacks a key or help", s)
		}
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(line, "  --"+s.key+" ") && strings.Contains(line, s.env) && strings.HasSuffix(line, s.def)
		}) {
			t.Errorf("--%s is missing", s.key)
		}
	}
	for _, line := range lines {
		if len(line) > usageWidth {
			t.Errorf("longer than %d columns: %s", usageWidth, line)
		}
	}
}

func TestLoadWith(t *testing.T) {
	t.Parallel()
	var name string
	var force bool
	extra := func(f *flag.FlagSet) {
		f.StringVar(&name, "name", "", "")
		f.BoolVar(&force, "force", false, "")
	}
	cfg, rest, err := LoadWith([]string{"one", "--force", "--tier", "free", "--name=n", "two", "--", "--tier"}, nil, extra)
	if err != nil || cfg.Tier != "free" || name != "n" || !force || !slices.Equal(rest, []string{"one", "two", "--tier"}) {
		t.Errorf("got %v %q %v %v %v", cfg, name, force, rest, err)
	}
	if _, _, err := LoadWith([]string{"--force=maybe"}, nil, extra); err == nil ||
		!strings.HasPrefix(err.Error(), `--force: "maybe" is not valid`) {
		t.Errorf("got %v", err)
	}
	for _, arg := range []string{"-h", "--help", "-help"} {
		if _, err := Load([]string{"--tier=gold", arg}, nil); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: got %v", arg, err)
		}
	}
}

func TestASharedDomainOfSitesAndServiceIsSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ url, host, want string }{
		{"https://git.example.com", "", "git.example.com"},
		{"https://git.example.com", "pages.example.com", "example.com"},
		{"https://git.example.com", "example.com", "example.com"},
		{"https://git.example.com", "example.io", ""},
		{"https://git.example.co.uk", "sites.co.uk", ""},
		{"https://one.github.io", "two.github.io", ""},
		{"http://127.0.0.1:8080", "pages.localhost", ""},
	} {
		cfg := Config{URL: c.url, PagesHost: c.host, Pages: true, PagesListen: "127.0.0.1:0"}
		if got := cfg.SharedDomain(); got != c.want {
			t.Errorf("%s and %s share %q, want %q", c.url, c.host, got, c.want)
		}
		if cfg.PagesListen = ""; cfg.SharedDomain() != "" {
			t.Errorf("%s: no sites are served, and yet they share a domain", c.url)
		}
	}
}
