// Package config reads the settings of the server into one struct, once at start, and checks them as a whole. A setting
// comes from a flag, an environment variable, a YAML file or its default, in this order.
//
//	config.go    the settings, values derived from them, and loading
//	setting.go   one setting: its tags, and how its text is parsed
//	source.go    values from the command line and the environment
//	file.go      values from the YAML file
//	validate.go  checks that the tags cannot express
//	unknown.go   environment variables that look like settings and are none
//	show.go      settings as help text and in logs, with secrets hidden
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

// Config holds every setting of the server. To add a setting, add one field here and nothing elsewhere.
//
// Tags: key names the flag, the environment variable and the file key. Usage shows default and help. bare is the value
// of a flag that is given without one. oneof, min and max limit the value (for text, min counts characters, and an
// empty text is always allowed). secret keeps the value out of messages and logs.
type Config struct {
	ConfigFile string `key:"config" help:"YAML file with settings (none if empty)"`

	Listen string `key:"listen" default:"127.0.0.1:8080" help:"address to serve HTTP on (host:port)"`
	URL    string `key:"url" help:"external base URL, used in every link (if empty: http:// and the listen address)"`

	SSHListen string `key:"ssh-listen" help:"address to serve git over SSH on (host:port; none if empty)"`
	SSHPort   int    `key:"ssh-port" default:"0" min:"0" max:"65535" help:"port in the SSH URLs of projects, where a router maps another one (0 = that of ssh-listen)"`

	Data         string `key:"data" default:"./data" help:"folder for everything that is kept in files, the SQLite database among them"`
	DatabaseURL  string `key:"database-url" secret:"true" help:"PostgreSQL to use, as postgres://user:password@host:port/name (if empty: SQLite in the data folder)"`
	DatabasePool int    `key:"database-pool" default:"16" min:"2" max:"500" help:"largest number of connections to PostgreSQL for requests; background work takes up to half as many more, at least 4"`

	StatementTimeout time.Duration `key:"database-statement-timeout" default:"4s" min:"0s" max:"1h" help:"how long a request waits for a statement or a connection of PostgreSQL until it is answered with 503 (0s = for ever)"`
	LockTimeout      time.Duration `key:"database-lock-timeout" default:"3s" min:"0s" max:"1h" help:"how long a statement of a request waits for a lock of PostgreSQL until it is answered with 503 (0s = for ever)"`

	SQLiteSync string `key:"sqlite-sync" default:"full" oneof:"full,normal" help:"how SQLite writes to disk; normal is faster and survives a killed process, full survives a power cut too"`

	Storages     []Storage     `key:"storages" help:"folders for git repositories, as name=folder, separated by commas (if empty: default in the data folder)"`
	MinFreeSpace int           `key:"min-free-space" default:"16" min:"0" help:"number of MiB that the disks of the data folder and the storages must have left, else the service is not ready (0 = not looked at)"`
	MoveGrace    time.Duration `key:"move-grace" default:"30s" min:"0s" max:"24h" help:"how long the old copy of a repository stays that was moved to another storage, for those who still read it"`
	MaxPushSize  int           `key:"max-push-size" default:"0" min:"0" help:"largest number of MiB that one push may bring (0 = no limit)"`
	MaxLFSSize   int           `key:"max-lfs-size" default:"0" min:"0" help:"largest number of MiB that one large file (Git LFS) may have (0 = no limit)"`

	// The default is low on purpose: a telephone line transfers a few kilobytes a second.
	MinTransferRate  int           `key:"min-transfer-rate" default:"1024" min:"0" help:"least number of bytes a second that a client that pushes or fetches must send, on average (0 = any)"`
	TransferPause    time.Duration `key:"transfer-pause" default:"2m" min:"1s" max:"1h" help:"how long a client that pushes or fetches over HTTP may send nothing, or less than min-transfer-rate"`
	SSHTransferPause time.Duration `key:"ssh-transfer-pause" default:"10m" min:"1s" max:"1h" help:"how long a client that pushes over SSH may send nothing, or less than min-transfer-rate; it makes its pack meanwhile"`

	BlobURL         string `key:"blob-url" secret:"true" help:"where logs and artifacts of jobs and exports of groups are kept, as s3://id:secret@bucket/prefix?endpoint=https://host&region=name (if empty: in the data folder)"`
	MaxLogSize      int    `key:"max-log-size" default:"100" min:"1" help:"largest number of MiB that the log of one job may have"`
	MaxArtifactSize int    `key:"max-artifact-size" default:"100" min:"0" help:"largest number of MiB that one artifact may have (0 = no limit)"`
	ArtifactDays    int    `key:"artifact-days" default:"30" min:"0" max:"36500" help:"number of days after which artifacts expire whose CI file says nothing about it (0 = never)"`

	MaxImportSize int `key:"max-import-size" default:"0" min:"0" help:"largest number of MiB that the archive of an imported group may have (0 = no limit)"`

	RunnerPoll time.Duration `key:"runner-poll" default:"25s" min:"0s" max:"10m" help:"how long a runner that asks for a job is kept waiting for one (0s = not at all)"`

	Pages     bool   `key:"pages" default:"true" help:"let projects have sites"`
	PagesHost string `key:"pages-host" help:"name below which each site has its own (if empty: pages. and the host of the URL, or pages.localhost if that is an address)"`
	PagesDNS  string `key:"pages-dns" help:"DNS server that is asked whether a name belongs to a project (host:port; if empty: the system's)"`

	PagesListen    string `key:"pages-listen" help:"address to serve sites on (host:port; none if empty)"`
	PagesPort      int    `key:"pages-port" default:"0" min:"0" max:"65535" help:"port in the URLs of sites, where a router maps another one (0 = that of pages-listen)"`
	PagesTLSListen string `key:"pages-tls-listen" help:"address to serve sites with TLS on (host:port; none if empty)"`
	PagesTLSPort   int    `key:"pages-tls-port" default:"0" min:"0" max:"65535" help:"port of sites with TLS, where a router maps another one (0 = that of pages-tls-listen)"`
	PagesTLSCert   string `key:"pages-tls-cert" help:"PEM file with the certificate for all names below pages-host"`
	PagesTLSKey    string `key:"pages-tls-key" help:"PEM file with the private key of pages-tls-cert"`
	MaxPagesSize   int    `key:"max-pages-size" default:"100" min:"1" max:"1048576" help:"largest number of MiB that the files of one site may have"`

	ACMEDirectory string `key:"acme-directory" help:"URL of the authority that certificates of sites are obtained from, whose terms you accept by it (if empty: none are)"`
	ACMEEmail     string `key:"acme-email" help:"mail address that the authority may write to (none if empty)"`
	ACMECA        string `key:"acme-ca" help:"PEM file with certificates that the authority's server is trusted by, besides the system's"`

	Ephemeral bool `key:"ephemeral" default:"false" help:"keep everything in a temporary folder that is deleted at the end, for tests of clients"`
	Seed      int  `key:"seed" default:"0" bare:"1" min:"0" help:"number to make demonstration data from, used at the first start only (0 = none; --seed alone is 1)"`

	SecretKey string `key:"secret-key" secret:"true" min:"32" help:"key that seals stored secrets which are read again, the same for all processes on one database (if empty: made up at the first start, in secret.key in the data folder)"`

	RootPassword string `key:"root-password" secret:"true" min:"8" help:"password of the user root, used at the first start only"`
	RootToken    string `key:"root-token" secret:"true" min:"20" help:"personal access token of the user root, used at the first start only"`

	Tier          string `key:"tier" default:"ultimate" oneof:"free,premium,ultimate" help:"which features are offered"`
	Impersonation bool   `key:"impersonation" default:"true" help:"accept impersonation tokens"`

	Registration string `key:"registration" default:"off" oneof:"off,approval,open" help:"whether strangers may register: not at all, with an administrator's approval, or at once"`
	SMTPURL      string `key:"smtp-url" secret:"true" help:"server for outgoing mail, as smtp://user:password@host:587 or smtps://user:password@host:465 (if empty: mail is written into the log)"`
	MailFrom     string `key:"mail-from" help:"sender of mail, as name@example.com or Name <name@example.com> (if empty: noreply at the host of the URL)"`

	LogLevel  string `key:"log-level" default:"info" oneof:"debug,info,warn,error" help:"least important message to log"`
	LogFormat string `key:"log-format" default:"text" oneof:"text,json" help:"how a logged message is written"`

	TrustedProxies []netip.Prefix `key:"trusted-proxies" help:"proxies whose X-Forwarded-For is believed (addresses or CIDR ranges, separated by commas)"`
	MetricsAllow   []netip.Prefix `key:"metrics-allow" default:"127.0.0.0/8,::1/128" help:"who may read /-/metrics (addresses or CIDR ranges, separated by commas)"`

	ThrottleUnauthenticated int           `key:"throttle-unauthenticated" default:"0" min:"0" help:"requests per period and address without a credential (0 = no limit)"`
	ThrottleAuthenticated   int           `key:"throttle-authenticated" default:"0" min:"0" help:"requests per period and user with a credential (0 = no limit)"`
	ThrottlePeriod          time.Duration `key:"throttle-period" default:"1h" min:"1s" max:"24h" help:"period over which requests are counted"`

	ThrottleAlerts       int           `key:"throttle-alerts" default:"0" min:"0" help:"alert messages per period and project (0 = no limit)"`
	ThrottleAlertsPeriod time.Duration `key:"throttle-alerts-period" default:"1h" min:"1s" max:"24h" help:"period over which alert messages are counted"`

	LimitArchive        int `key:"limit-archive" default:"0" min:"0" help:"archives of a project per minute and caller (0 = no limit; a public instance may want 5)"`
	LimitChangelog      int `key:"limit-changelog" default:"5" min:"0" help:"changelogs of a project per minute and caller (0 = no limit)"`
	LimitExport         int `key:"limit-export" default:"6" min:"0" help:"exports of a group per minute and caller (0 = no limit)"`
	LimitExportDownload int `key:"limit-export-download" default:"1" min:"0" help:"downloads of the export of a group per minute and caller (0 = no limit)"`
	LimitImport         int `key:"limit-import" default:"6" min:"0" help:"imports of groups per minute and caller (0 = no limit)"`
	LimitJobs           int `key:"limit-jobs" default:"600" min:"0" help:"lists of the jobs of projects per minute and caller (0 = no limit)"`
	LimitNotes          int `key:"limit-notes" default:"300" min:"0" help:"new notes per minute and caller (0 = no limit)"`
	LimitLargeBlob      int `key:"limit-large-blob" default:"5" min:"0" help:"files over 10 MB of a project, read by the API, per minute and caller (0 = no limit)"`
	LimitTrackedEvent   int `key:"limit-tracked-event" default:"600" min:"0" help:"error tracking events of a project per minute and caller (0 = no limit)"`
	LimitUsers          int `key:"limit-users" default:"300" min:"0" help:"reads of single users per 10 minutes and caller, administrators excepted (0 = no limit)"`

	ChangelogLimitation bool `key:"changelog-commits-limitation" default:"true" help:"refuse changelogs of more than 15,000 commits"`

	MaxOffset            int `key:"max-offset" default:"50000" min:"0" help:"largest offset into lists of projects, groups and users (0 = no limit)"`
	MaxInstanceVariables int `key:"max-instance-variables" default:"25" min:"1" help:"largest number of instance-level CI/CD variables"`
	MaxTokenLifetime     int `key:"max-token-lifetime" default:"365" min:"1" max:"36500" help:"largest number of days that an access token is good for"`

	ShutdownTimeout time.Duration `key:"shutdown-timeout" default:"20s" min:"0s" max:"1h" help:"how long running requests may take to finish when the server stops"`
}

// Limits returns the rate limits of single operations, by name.
func (c Config) Limits() map[string]int {
	return map[string]int{
		"archive": c.LimitArchive, "changelog": c.LimitChangelog, "export": c.LimitExport,
		"export_download": c.LimitExportDownload, "import": c.LimitImport,
		"jobs": c.LimitJobs, "notes": c.LimitNotes, "large_blob": c.LimitLargeBlob,
		"tracked_event": c.LimitTrackedEvent, "users": c.LimitUsers,
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
	return strings.HasPrefix(c.URL, "https:") && c.PagesTLSCert == ""
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
	cfg, _, err := load(args, environ, nil, false)
	return cfg, err
}

// LoadWith is Load for a command with flags of its own, which extra adds, and positional arguments, which LoadWith
// returns. Flags and positional arguments may be mixed, and "--" ends the flags.
func LoadWith(args, environ []string, extra func(*flag.FlagSet)) (Config, []string, error) {
	return load(args, environ, extra, true)
}

func load(args, environ []string, extra func(*flag.FlagSet), positional bool) (Config, []string, error) {
	table := settings()
	flags := newFlagReader(table, extra)
	flags.read(args)
	if flags.help {
		return Config{}, nil, flag.ErrHelp
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
	if len(wrong) > 0 {
		return Config{}, nil, wrong
	}
	return cfg, flags.rest, nil
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
