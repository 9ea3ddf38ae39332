// Package store keeps blobs as files.
package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

var validKey = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,127}$`)

// ErrKey is returned for a key that cannot be a file name.
var ErrKey = errors.New("key must be 1 to 128 of a-z 0-9 . _ -")

// Store is a folder of blobs.
type Store struct{ root string }

// Open makes the folder when it is missing.
func Open(root string) (*Store, error) {
	if err := os.MkdirAll(root, 0o750); err != nil {
		return nil, err
	}
	return &Store{root: root}, nil
}

// Put writes a blob; the name becomes visible when all bytes are there.
func (s *Store) Put(key string, body io.Reader) error {
	if !validKey.MatchString(key) {
		return ErrKey
	}
	tmp, err := os.CreateTemp(s.root, ".put-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := io.Copy(tmp, body); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(s.root, key))
}

// Get opens a blob for reading.
func (s *Store) Get(key string) (*os.File, error) {
	return os.Open(filepath.Join(s.root, key))
}

// Purge deletes what was not written to for the given time.
func (s *Store) Purge(age time.Duration) (int, error) {
	removed := 0
	limit := time.Now().Add(-age)
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || info.ModTime().After(limit) {
			return err
		}
		removed++
		return os.Remove(path)
	})
	return removed, err
}

// Keys lists all blobs.
func (s *Store) Keys() ([]string, error) {
	entries, err := os.ReadDir(s.root)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, e := range entries {
		if validKey.MatchString(e.Name()) {
			keys = append(keys, e.Name())
		}
	}
	return keys, nil
}
