package web

// StyleSheet returns the URL of the style sheet of all pages.
func StyleSheet() string { return assetPath("style.css") }

// Icon returns the URL of the icon of all pages.
func Icon() string { return assetPath("icon.svg") }
