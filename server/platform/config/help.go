package config

// help holds the help text of each setting, by its key.
var help = map[string]string{
	"config": "YAML file with settings (none if empty)",

	"listen": "address to serve HTTP on (host:port, or unix:/path of a socket; an ephemeral instance for which none is given " +
		"takes a free port of 127.0.0.1)",
	"listen-mode": "permissions of the socket, if listen is unix:/path (octal)",
	"url":         "external base URL, used in every link (if empty: http://, or https:// with TLS, and the listen address)",

	"tls-cert": "PEM file with the certificate of the service and its chain; with it, listen speaks TLS and HTTP/2",
	"tls-key":  "PEM file with the private key of tls-cert",
	"tls-acme": "obtain the certificate for the host of the URL from acme-directory, and renew it; listen then speaks TLS and HTTP/2",
	"hsts": "how long browsers must use only https for this host (header Strict-Transport-Security; only with TLS; " +
		"0s = no header)",
	"redirect-listen": "address of a listener without TLS that redirects browsers to the URL and answers ACME challenges " +
		"(host:port; none if empty; only with TLS)",
	"proxy-protocol": "expect the PROXY protocol, version 1 or 2, from trusted-proxies on listen, ssh-listen and redirect-listen",

	"ssh-listen": "address to serve git over SSH on (host:port; none if empty)",
	"ssh-port": "port in the SSH URLs of projects, if a router maps a different port to ssh-listen " +
		"(0 = the port of ssh-listen)",

	"data": "folder for all files of the service, including the SQLite database",
	"database-url": "PostgreSQL database to use, as postgres://user:password@host:port/name " +
		"(if empty: SQLite in the data folder)",
	"database-pool": "maximum number of PostgreSQL connections for requests; " +
		"background jobs use up to half as many in addition, at least 4",
	"database-statement-timeout": "how long a request waits for a PostgreSQL statement or connection " +
		"before it is answered with 503 (0s = no limit)",
	"database-lock-timeout": "how long a statement of a request waits for a PostgreSQL lock " +
		"before the request is answered with 503 (0s = no limit)",
	"sqlite-sync": "how SQLite writes to disk; normal is faster and survives a killed process, " +
		"full also survives a power failure",

	"storages": "folders for git repositories, as name=folder, separated by commas " +
		"(if empty: default in the data folder)",
	"min-free-space": "free space in MiB that the disks of the data folder and the storages must have; " +
		"with less, the service is not ready (0 = no check)",
	"move-grace": "how long the old copy of a repository is kept after a move to another storage, " +
		"for clients that still read it",
	"max-push-size": "maximum size of a push, in MiB (0 = no limit)",
	"max-lfs-size":  "maximum size of a Git LFS file, in MiB (0 = no limit)",

	"min-transfer-rate": "minimum average rate, in bytes per second, at which a client that pushes or fetches must send " +
		"(0 = no minimum)",
	"transfer-pause": "how long a client that pushes or fetches over HTTP may send nothing, " +
		"or less than min-transfer-rate",
	"ssh-transfer-pause": "how long a client that pushes over SSH may send nothing, or less than min-transfer-rate, " +
		"for example while it builds its pack",

	"blob-url": "where job logs, artifacts, packages, uploads, exports and Git LFS files are stored, " +
		"as s3://id:secret@bucket/prefix?endpoint=https://host&region=name " +
		"(if empty: in the data folder, and Git LFS files on the storages)",
	"max-log-size":        "maximum size of the log of a job, in MiB",
	"max-artifact-size":   "maximum size of an artifact, in MiB (0 = no limit)",
	"max-package-size":    "maximum size of a file of a package, in MiB; formats may have smaller limits",
	"max-attachment-size": "maximum size of a file that a user uploads to a project or group, in MiB (0 = no limit)",
	"artifact-days":       "number of days after which artifacts expire if the CI file does not set expire_in (0 = never)",
	"max-import-size":     "maximum size of the archive of an imported group or project, in MiB (0 = no limit)",
	"runner-poll":         "how long a job request of a runner waits for a job (0s = it does not wait)",

	"pages": "let projects publish sites",
	"pages-host": "domain under which each site has its own name " +
		"(if empty: pages. and the host of the URL, or pages.localhost if the host is an IP address)",
	"pages-dns": "DNS server for the check that a domain belongs to a project " +
		"(host:port; if empty: the DNS server of the system)",
	"pages-listen": "address to serve sites on (host:port; none if empty)",
	"pages-port": "port in the URLs of sites, if a router maps a different port to pages-listen " +
		"(0 = the port of pages-listen)",
	"pages-tls-listen": "address to serve sites with TLS on (host:port; none if empty)",
	"pages-tls-port": "port in the URLs of sites with TLS, if a router maps a different port to pages-tls-listen " +
		"(0 = the port of pages-tls-listen)",
	"pages-tls-cert": "PEM file with the certificate for all names below pages-host",
	"pages-tls-key":  "PEM file with the private key of pages-tls-cert",
	"max-pages-size": "maximum total size of the files of a site, in MiB",

	"acme-directory": "directory URL of the ACME authority that issues certificates for sites and, with tls-acme, for the service; " +
		"by setting it you accept the terms of the authority (if empty: no certificates are requested)",
	"acme-email": "mail address for messages from the ACME authority (none if empty)",
	"acme-ca": "PEM file with CA certificates to trust for the server of the ACME authority, " +
		"in addition to those of the system",

	"ephemeral": "keep everything in a temporary folder that is deleted at the end, for tests of clients; " +
		"one line of JSON on standard output says where the instance is",
	"stop-with-stdin": "stop when standard input ends, so that the service never outlives the program that started it",
	"seed": "number from which demonstration data is generated, used at the first start only " +
		"(0 = no data; --seed without a value is 1)",
	"fixtures": "YAML file that declares users, groups and projects to create, used at the first start only " +
		"(svc fixtures schema prints its format)",

	"test-mode": "offer the control plane for tests of clients, with which anybody on this machine can reset the instance; " +
		"only together with ephemeral",
	"control-listen": "loopback address of the control plane (host:port; port 0 = a free port)",

	"secret-key": "key that encrypts stored secrets, the same for all processes on one database " +
		"(if empty: generated at the first start and stored in secret.key in the data folder)",
	"root-password": "password of the user root, used at the first start only",
	"root-token":    "personal access token of the user root, used at the first start only",

	"tier":          "tier whose features are offered",
	"impersonation": "accept impersonation tokens",

	"registration": "whether people may register: not at all, with the approval of an administrator, or freely",
	"smtp-url": "server for outgoing mail, as smtp://user:password@host:587 or smtps://user:password@host:465 " +
		"(if empty: mail is written to the log)",
	"mail-from": "sender of mail, as name@example.com or Name <name@example.com> " +
		"(if empty: noreply at the host of the URL)",

	"webhook-allow": "receivers of webhooks, and servers of imported repositories, that may have local or private addresses " +
		"(hosts or addresses, each with or without a port, and CIDR ranges, separated by commas)",
	"webhook-early-expiry": "announce tokens that expire to webhooks 60 and 30 days before, too (otherwise only 7 days before)",

	"log-level":  "lowest level of messages to log",
	"log-format": "format of log messages",
	"slow-request": "requests that take longer are logged with the number and time of their statements, " +
		"the time of git and the time spent waiting (0s = none)",

	"otlp-endpoint": "collector to which traces are sent with OTLP over HTTP, as http://host:4318 (none if empty)",
	"otlp-headers":  "headers of the requests to the collector, as name=value, separated by commas",
	"otlp-sampling": "share of requests and background jobs that are traced",

	"audit-file":   "file to which audit events are appended, one line of JSON each (none if empty)",
	"audit-url":    "URL to which audit events are posted, one after the other (none if empty)",
	"audit-header": "header of the requests to audit-url, as Authorization: Bearer token",

	"trusted-proxies": "proxies whose X-Forwarded-For header, or PROXY header, is trusted " +
		"(addresses or CIDR ranges, separated by commas)",
	"metrics-allow": "clients that may read /-/metrics, and the reasons of /-/readiness " +
		"(addresses or CIDR ranges, separated by commas)",

	"throttle-unauthenticated": "maximum number of requests without a credential, per period and address (0 = no limit)",
	"throttle-authenticated":   "maximum number of requests with a credential, per period and user (0 = no limit)",
	"throttle-period":          "period over which requests are counted",
	"throttle-alerts":          "maximum number of alert messages per period and project (0 = no limit)",
	"throttle-alerts-period":   "period over which alert messages are counted",

	"limit-archive": "maximum number of downloads of a project's archives per minute and caller " +
		"(0 = no limit; 5 is suitable for a public instance)",
	"limit-changelog":       "maximum number of changelogs of a project per minute and caller (0 = no limit)",
	"limit-export":          "maximum number of exports of a group or project per minute and caller (0 = no limit)",
	"limit-export-download": "maximum number of downloads of an export per minute and caller (0 = no limit)",
	"limit-hook-test":       "maximum number of tests and resends of the hooks of a project or group per minute and caller (0 = no limit)",
	"limit-import":          "maximum number of imports per minute and caller (0 = no limit)",
	"limit-jobs":            "maximum number of requests for job lists of projects per minute and caller (0 = no limit)",
	"limit-notes":           "maximum number of new notes per minute and caller (0 = no limit)",
	"limit-large-blob": "maximum number of API reads of a project's files over 10 MB per minute and caller " +
		"(0 = no limit)",
	"limit-search":        "maximum number of searches per minute and caller (0 = no limit)",
	"limit-tracked-event": "maximum number of error tracking events of a project per minute and caller (0 = no limit)",
	"limit-users": "maximum number of requests for single users per 10 minutes and caller, " +
		"except for administrators (0 = no limit)",

	"changelog-commits-limitation": "refuse changelogs of more than 15,000 commits",

	"max-offset":             "maximum offset in lists of projects, groups and users (0 = no limit)",
	"max-instance-variables": "maximum number of instance-level CI/CD variables",
	"max-token-lifetime":     "maximum lifetime of an access token, in days",
	"token-ttl":              "lifetime of the access tokens of OAuth applications",

	"shutdown-timeout": "how long running requests may take to finish when the server stops",
	"shutdown-delay": "how long a stopping server still answers requests, but not /-/readiness, so that a load balancer " +
		"can take it out first",
}
