package page

import (
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"sync"

	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

//go:embed static
var files embed.FS

// assetPaths holds the URL of each of our files, by name. It changes with the content.
var assetPaths = sync.OnceValue(func() map[string]string {
	paths := map[string]string{}
	entries, err := files.ReadDir("static")
	if err != nil {
		panic(err) // cannot happen: the folder is embedded
	}
	for _, entry := range entries {
		digest := secret.Digest(string(mustRead(entry.Name())))
		paths[entry.Name()] = "/-/assets/" + hex.EncodeToString(digest[:8]) + "/" + entry.Name()
	}
	return paths
})

// AssetPath returns the URL of one of our files.
func AssetPath(name string) string { return assetPaths()[name] }

func mustRead(name string) []byte {
	data, err := files.ReadFile("static/" + name)
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return data
}

var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// ServeAssets serves our files, which browsers may cache forever.
func ServeAssets(e *echo.Echo) {
	for name, address := range assetPaths() {
		serveFile(e, address, assetTypes[path.Ext(name)], "public, max-age=31536000, immutable", mustRead(name))
	}
	for state, colour := range stateColours {
		picture := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="` + colour + `"/></svg>`
		serveFile(e, "/-/assets/ci/favicon_status_"+state+".svg", assetTypes[".svg"], "public, max-age=86400", []byte(picture))
	}
}

func serveFile(e *echo.Echo, address, kind, cache string, data []byte) {
	serve := func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", cache)
		return c.Blob(http.StatusOK, kind, data)
	}
	e.GET(address, serve)
	e.HEAD(address, serve)
}

// stateColours holds the colors of pipeline states, for the favicons in detailed_status.
var stateColours = map[string]string{
	"created": "#868686", "preparing": "#868686", "pending": "#c17d10", "running": "#1f75cb", "success": "#217645", "failed": "#dd2b0e",
	"canceled": "#333333", "skipped": "#868686", "manual": "#333333", "scheduled": "#868686",
}
