// Package config reads the settings of the server into one struct, once at start, and checks them as a whole. A setting
// comes from a flag, an environment variable, a YAML file or its default, in this order.
//
//	config.go    the settings, values derived from them, and loading
//	help.go      the help texts of the settings
//	setting.go   one setting: its tags, and how its text is parsed
//	source.go    values from the command line and the environment
//	file.go      values from the YAML file
//	validate.go  checks that the tags cannot express
//	listen.go    checks of the addresses and of TLS
//	live.go      the settings that may change while the service runs
//	unknown.go   environment variables that look like settings and are none
//	show.go      settings as help text and in logs, with secrets hidden
//	explain.go   the settings in force and where they came from
package config

import (
	"flag"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// Config holds every setting of the server. To add a setting, add one field here and its help text in help.go.
//
// Tags: key names the flag, the environment variable and the file key. Usage shows default. bare is the value
// of a flag that is given without one. oneof, min and max limit the value (for text, min counts characters, and an
// empty text is always allowed). secret keeps the value out of messages and logs. reload marks a setting that may change
// while the service runs.
type Config struct {
	ConfigFile string `key:"config"`

	Listen     string `key:"listen" default:"127.0.0.1:8080"`
	ListenMode string `key:"listen-mode" default:"0660"`
	URL        string `key:"url"`

	TLSCert        string        `key:"tls-cert" reload:"true"`
	TLSKey         string        `key:"tls-key" reload:"true"`
	TLSACME        bool          `key:"tls-acme" default:"false"`
	HSTS           time.Duration `key:"hsts" default:"0s" min:"0s" max:"17520h" reload:"true"`
	RedirectListen string        `key:"redirect-listen"`
	ProxyProtocol  bool          `key:"proxy-protocol" default:"false"`

	SSHListen string `key:"ssh-listen"`
	SSHPort   int    `key:"ssh-port" default:"0" min:"0" max:"65535"`

	Data         string `key:"data" default:"./data"`
	DatabaseURL  string `key:"database-url" secret:"true"`
	DatabasePool int    `key:"database-pool" default:"16" min:"2" max:"500"`

	StatementTimeout time.Duration `key:"database-statement-timeout" default:"4s" min:"0s" max:"1h"`
	LockTimeout      time.Duration `key:"database-lock-timeout" default:"3s" min:"0s" max:"1h"`

	SQLiteSync string `key:"sqlite-sync" default:"full" oneof:"full,normal"`

	Storages     []Storage     `key:"storages"`
	MinFreeSpace int           `key:"min-free-space" default:"16" min:"0"`
	MoveGrace    time.Duration `key:"move-grace" default:"30s" min:"0s" max:"24h"`
	MaxPushSize  int           `key:"max-push-size" default:"0" min:"0"`
	MaxLFSSize   int           `key:"max-lfs-size" default:"0" min:"0"`

	// The default is low on purpose: a telephone line transfers a few kilobytes a second.
	MinTransferRate  int           `key:"min-transfer-rate" default:"1024" min:"0"`
	TransferPause    time.Duration `key:"transfer-pause" default:"2m" min:"1s" max:"1h"`
	SSHTransferPause time.Duration `key:"ssh-transfer-pause" default:"10m" min:"1s" max:"1h"`

	BlobURL           string `key:"blob-url" secret:"true"`
	MaxLogSize        int    `key:"max-log-size" default:"100" min:"1"`
	MaxArtifactSize   int    `key:"max-artifact-size" default:"100" min:"0"`
	MaxPackageSize    int    `key:"max-package-size" default:"5120" min:"1"`
	MaxAttachmentSize int    `key:"max-attachment-size" default:"100" min:"0"`
	ArtifactDays      int    `key:"artifact-days" default:"30" min:"0" max:"36500"`

	MaxImportSize int `key:"max-import-size" default:"0" min:"0"`

	RunnerPoll time.Duration `key:"runner-poll" default:"25s" min:"0s" max:"10m"`

	Pages     bool   `key:"pages" default:"true"`
	PagesHost string `key:"pages-host"`
	PagesDNS  string `key:"pages-dns"`

	PagesListen    string `key:"pages-listen"`
	PagesPort      int    `key:"pages-port" default:"0" min:"0" max:"65535"`
	PagesTLSListen string `key:"pages-tls-listen"`
	PagesTLSPort   int    `key:"pages-tls-port" default:"0" min:"0" max:"65535"`
	PagesTLSCert   string `key:"pages-tls-cert"`
	PagesTLSKey    string `key:"pages-tls-key"`
	MaxPagesSize   int    `key:"max-pages-size" default:"100" min:"1" max:"1048576"`

	ACMEDirectory string `key:"acme-directory"`
	ACMEEmail     string `key:"acme-email"`
	ACMECA        string `key:"acme-ca"`

	Ephemeral     bool   `key:"ephemeral" default:"false"`
	StopWithStdin bool   `key:"stop-with-stdin" default:"false"`
	Seed          int    `key:"seed" default:"0" bare:"1" min:"0"`
	Fixtures      string `key:"fixtures"`

	TestMode      bool   `key:"test-mode" default:"false"`
	ControlListen string `key:"control-listen" default:"127.0.0.1:0"`

	SecretKey string `key:"secret-key" secret:"true" min:"32"`

	RootPassword string `key:"root-password" secret:"true" min:"8"`
	RootToken    string `key:"root-token" secret:"true" min:"20"`

	Tier          string `key:"tier" default:"ultimate" oneof:"free,premium,ultimate"`
	Impersonation bool   `key:"impersonation" default:"true"`

	Registration string `key:"registration" default:"off" oneof:"off,approval,open"`
	SMTPURL      string `key:"smtp-url" secret:"true" reload:"true"`
	MailFrom     string `key:"mail-from" reload:"true"`

	WebhookAllow       []string `key:"webhook-allow" reload:"true"`
	WebhookEarlyExpiry bool     `key:"webhook-early-expiry" default:"false"`

	LogLevel  string `key:"log-level" default:"info" oneof:"debug,info,warn,error" reload:"true"`
	LogFormat string `key:"log-format" default:"text" oneof:"text,json"`

	SlowRequest time.Duration `key:"slow-request" default:"0s" min:"0s" max:"1h"`

	OTLPEndpoint string  `key:"otlp-endpoint"`
	OTLPHeaders  string  `key:"otlp-headers" secret:"true"`
	OTLPSampling float64 `key:"otlp-sampling" default:"1" min:"0" max:"1"`

	AuditFile   string `key:"audit-file"`
	AuditURL    string `key:"audit-url" secret:"true"`
	AuditHeader string `key:"audit-header" secret:"true"`

	TrustedProxies []netip.Prefix `key:"trusted-proxies" reload:"true"`
	MetricsAllow   []netip.Prefix `key:"metrics-allow" default:"127.0.0.0/8,::1/128" reload:"true"`

	ThrottleUnauthenticated int           `key:"throttle-unauthenticated" default:"0" min:"0" reload:"true"`
	ThrottleAuthenticated   int           `key:"throttle-authenticated" default:"0" min:"0" reload:"true"`
	ThrottlePeriod          time.Duration `key:"throttle-period" default:"1h" min:"1s" max:"24h" reload:"true"`

	ThrottleAlerts       int           `key:"throttle-alerts" default:"0" min:"0" reload:"true"`
	ThrottleAlertsPeriod time.Duration `key:"throttle-alerts-period" default:"1h" min:"1s" max:"24h" reload:"true"`

	LimitArchive        int `key:"limit-archive" default:"0" min:"0" reload:"true"`
	LimitChangelog      int `key:"limit-changelog" default:"5" min:"0" reload:"true"`
	LimitExport         int `key:"limit-export" default:"6" min:"0" reload:"true"`
	LimitExportDownload int `key:"limit-export-download" default:"1" min:"0" reload:"true"`
	LimitHookTest       int `key:"limit-hook-test" default:"5" min:"0" reload:"true"`
	LimitImport         int `key:"limit-import" default:"6" min:"0" reload:"true"`
	LimitJobs           int `key:"limit-jobs" default:"600" min:"0" reload:"true"`
	LimitNotes          int `key:"limit-notes" default:"300" min:"0" reload:"true"`
	LimitLargeBlob      int `key:"limit-large-blob" default:"5" min:"0" reload:"true"`
	LimitSearch         int `key:"limit-search" default:"30" min:"0" reload:"true"`
	LimitTrackedEvent   int `key:"limit-tracked-event" default:"600" min:"0" reload:"true"`
	LimitUsers          int `key:"limit-users" default:"300" min:"0" reload:"true"`

	ChangelogLimitation bool `key:"changelog-commits-limitation" default:"true"`

	MaxOffset            int `key:"max-offset" default:"50000" min:"0"`
	MaxInstanceVariables int `key:"max-instance-variables" default:"25" min:"1"`
	MaxTokenLifetime     int `key:"max-token-lifetime" default:"365" min:"1" max:"36500"`

	TokenTTL time.Duration `key:"token-ttl" default:"2h" min:"1s" max:"8760h"`

	ShutdownTimeout time.Duration `key:"shutdown-timeout" default:"20s" min:"0s" max:"1h"`
	ShutdownDelay   time.Duration `key:"shutdown-delay" default:"0s" min:"0s" max:"10m"`
}

// Limits returns the rate limits of single operations, by name.
func (c Config) Limits() map[string]int {
	return map[string]int{
		"archive": c.LimitArchive, "changelog": c.LimitChangelog, "export": c.LimitExport,
		"export_download": c.LimitExportDownload, "hook_test": c.LimitHookTest, "import": c.LimitImport,
		"jobs": c.LimitJobs, "notes": c.LimitNotes, "large_blob": c.LimitLargeBlob,
		"search": c.LimitSearch, "tracked_event": c.LimitTrackedEvent, "users": c.LimitUsers,
	}
}

// SSHURLPort returns the port of SSH URLs; 22 if none is configured.
func (c Config) SSHURLPort() int {
	if c.SSHPort != 0 {
		return c.SSHPort
	}
	if _, port, err := net.SplitHostPort(c.SSHListen); err == nil {
		if n, err := strconv.Atoi(port); err == nil && n != 0 {
			return n
		}
	}
	return 22
}

// Storage is a named folder for git repositories.
type Storage struct{ Name, Folder string }

// Roots returns the folders of the storages by name. There is always one called default.
func (c Config) Roots() map[string]string {
	roots := map[string]string{"default": filepath.Join(c.Data, "repositories")}
	for _, s := range c.Storages {
		roots[s.Name] = s.Folder
	}
	return roots
}

// URLGiven reports whether the settings have a URL other than the one that follows from the listen address.
func (c Config) URLGiven() bool { return c.URL != DefaultURL(c.Listen) }

// Hostname returns the host of the service's own URL, in lower case.
func (c Config) Hostname() string {
	base, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(base.Hostname())
}

// PagesDomain returns the domain under which each site has its own name. An IP address cannot have names below it, so
// the fallback is pages.localhost: every browser resolves names below localhost.
func (c Config) PagesDomain() string {
	if c.PagesHost != "" {
		return strings.ToLower(c.PagesHost)
	}
	if host := c.Hostname(); net.ParseIP(host) == nil {
		return "pages." + host
	}
	return "pages.localhost"
}

// SharedDomain returns the domain that the sites and the service share, or an empty text. Browsers treat pages below
// one domain as the same site, so scripts of a project's site can bypass SameSite cookies and can set cookies that the
// service receives.
func (c Config) SharedDomain() string {
	if !c.Pages || c.PagesListen == "" && c.PagesTLSListen == "" {
		return ""
	}
	own, sites := c.Hostname(), c.PagesDomain()
	if net.ParseIP(own) != nil || net.ParseIP(sites) != nil {
		return ""
	}
	if own == sites || strings.HasSuffix(sites, "."+own) {
		return own
	}
	if strings.HasSuffix(own, "."+sites) {
		return sites
	}
	one, err := publicsuffix.EffectiveTLDPlusOne(own)
	if err != nil {
		return ""
	}
	if two, err := publicsuffix.EffectiveTLDPlusOne(sites); err != nil || one != two {
		return ""
	}
	return one
}

// PagesURL returns the URL of the site with a name below PagesDomain. If the service has no certificate for sites, the
// scheme is that of the service's own URL, because a proxy in front terminates TLS.
func (c Config) PagesURL(name string) string {
	return c.siteURL(strings.ToLower(name)+"."+c.PagesDomain(), c.PagesTLSCert != "")
}

// PagesOwnURL returns the URL of a site at a domain that its project has verified; certified says whether the domain
// has a certificate.
func (c Config) PagesOwnURL(host string, certified bool) string { return c.siteURL(host, certified) }

func (c Config) siteURL(host string, certified bool) string {
	at := url.URL{Scheme: "http", Host: host}
	shown, usual := port(c.PagesPort, c.PagesListen), 80
	switch {
	case c.PagesTLSListen != "" && certified:
		at.Scheme, shown, usual = "https", c.PagesTLSURLPort(), 443
	case c.PagesProxied():
		at.Scheme, shown, usual = "https", c.PagesPort, 443
	}
	if shown != 0 && shown != usual {
		at.Host = net.JoinHostPort(at.Host, strconv.Itoa(shown))
	}
	return at.String()
}

// PagesProxied reports whether a proxy in front of the service terminates TLS for sites.
func (c Config) PagesProxied() bool {
	return strings.HasPrefix(c.URL, "https:") && c.PagesTLSCert == "" && !c.TLS()
}

// PagesTLSURLPort returns the port on which clients reach sites with TLS.
func (c Config) PagesTLSURLPort() int { return port(c.PagesTLSPort, c.PagesTLSListen) }

// port returns the given port, or else the port of an address; 0 if there is none.
func port(given int, address string) int {
	if given != 0 {
		return given
	}
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(text) // validate has checked the address
	return n
}

// Sender returns the sender of outgoing mail.
func (c Config) Sender() string {
	if c.MailFrom != "" {
		return c.MailFrom
	}
	base, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	host := base.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		host = "[" + host + "]" // RFC 5321 §4.1.3
	}
	return "svc <noreply@" + host + ">"
}

// Mistakes lists everything that is wrong with the settings, one sentence each. Each sentence names the setting the way
// the user gave it.
type Mistakes []string

// Error lists the mistakes, one per line.
func (m Mistakes) Error() string { return strings.Join(m, "\n") }

func (m *Mistakes) add(label, format string, args ...any) {
	*m = append(*m, label+": "+fmt.Sprintf(format, args...))
}

// Load reads the settings from args (without the program's name), environ (in the form of os.Environ) and the file that
// they name. The error is flag.ErrHelp if args ask for help, otherwise Mistakes.
func Load(args, environ []string) (Config, error) {
	l := load(args, environ, nil, false)
	return l.config, l.err
}

// LoadWith is Load for a command with flags of its own, which extra adds, and positional arguments, which LoadWith
// returns. Flags and positional arguments may be mixed, and "--" ends the flags.
func LoadWith(args, environ []string, extra func(*flag.FlagSet)) (Config, []string, error) {
	l := load(args, environ, extra, true)
	return l.config, l.rest, l.err
}

// loaded is the result of reading the settings.
type loaded struct {
	config  Config   // empty if there are mistakes
	partial Config   // the settings that are right, even if there are mistakes
	values  givens   // where the settings came from
	rest    []string // positional arguments
	err     error
}

func load(args, environ []string, extra func(*flag.FlagSet), positional bool) loaded {
	table := settings()
	flags := newFlagReader(table, extra)
	flags.read(args)
	if flags.help {
		return loaded{err: flag.ErrHelp}
	}
	wrong := flags.wrong
	if !positional {
		for _, arg := range flags.rest {
			wrong.add(fmt.Sprintf("argument %q", arg),
				"not expected here; write settings as --name value or --name=value, and switches as --name or --name=false")
		}
	}

	values := fromEnviron(table, environ)
	maps.Copy(values, flags.values)
	if file := values["config"]; file.text != "" {
		fromFile, mistakes := readFile(table, file)
		wrong = append(wrong, mistakes...)
		maps.Copy(fromFile, values)
		values = fromFile
	}

	cfg := Config{}
	wrong = append(wrong, cfg.fill(table, values)...)
	wrong = append(wrong, cfg.validate(values)...)
	l := loaded{partial: cfg, values: values, rest: flags.rest}
	if len(wrong) > 0 {
		l.err = wrong
		return l
	}
	l.config = cfg
	return l
}

// fill sets every field. A setting that is missing in values gets its default.
func (c *Config) fill(table []setting, values givens) Mistakes {
	var wrong Mistakes
	fields := reflect.ValueOf(c).Elem()
	for _, s := range table {
		text := s.def
		if g, ok := values[s.key]; ok {
			text = g.text
		}
		if err := s.set(fields.Field(s.index), text); err != nil {
			wrong.add(values.label(s.key), "%v", err)
		}
	}
	return wrong
}
