package store

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestPutThenGet(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put("a.txt", strings.NewReader("hello")); err != nil {
		t.Fatal(err)
	}
	f, err := s.Get("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, _ := io.ReadAll(f)
	if string(got) != "hello" {
		t.Fatalf("got %q", got)
	}
}

func TestPutRefusesOtherFolders(t *testing.T) {
	s, _ := Open(t.TempDir())
	for _, key := range []string{"", "../x", "a/b", ".hidden"} {
		if err := s.Put(key, strings.NewReader("")); !errors.Is(err, ErrKey) {
			t.Errorf("%q: %v", key, err)
		}
	}
}
