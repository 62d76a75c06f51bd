package web

import "svc/server/transport/web/page"

// StyleSheet returns the URL of the style sheet of all pages.
func StyleSheet() string { return page.AssetPath("style.css") }

// Icon returns the URL of the icon of all pages.
func Icon() string { return page.AssetPath("icon.svg") }
