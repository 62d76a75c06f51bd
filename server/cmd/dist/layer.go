package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// blob is a file of an image: its content, and the type that others know it by.
type blob struct {
	mediaType string
	data      []byte
}

// digest returns the name of content in an image.
func digest(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

// layer is a compressed archive of files. It also has the digest of the archive before it was compressed.
type layer struct {
	blob
	plainDigest string
}

// newLayer returns the layer that a function writes as a tar archive.
func newLayer(write func(w io.Writer) error) (layer, error) {
	var b bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return layer{}, err
	}
	sum := sha256.New()
	if err := errors.Join(write(io.MultiWriter(sum, compressed)), compressed.Close()); err != nil {
		return layer{}, err
	}
	return layer{
		blob:        blob{"application/vnd.oci.image.layer.v1.tar+gzip", b.Bytes()},
		plainDigest: fmt.Sprintf("sha256:%x", sum.Sum(nil)),
	}, nil
}
