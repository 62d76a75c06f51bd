package store

// Namespaces are the places that projects live in.
type Namespaces struct{ *base }
