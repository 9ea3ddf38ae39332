// Package web is the HTTP side.
package web

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"time"

	"blobgate.example/gate/internal/store"
)

const maxBlob = 512 << 20

type server struct {
	blobs *store.Store
	token string
	fetch *http.Client
}

// Handler routes the requests.
func Handler(blobs *store.Store, token string) http.Handler {
	s := &server{blobs: blobs, token: token, fetch: &http.Client{Timeout: time.Minute}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /blobs/{key...}", s.get)
	mux.HandleFunc("PUT /blobs/{key}", s.withToken(s.put))
	mux.HandleFunc("POST /import", s.withToken(s.importURL))
	mux.HandleFunc("GET /admin/keys", s.withToken(s.keys))
	mux.HandleFunc("POST /admin/purge", s.purge)
	return mux
}

func (s *server) withToken(next http.HandlerFunc) http.HandlerFunc {
	want := []byte("Bearer " + s.token)
	return func(w http.ResponseWriter, r *http.Request) {
		got := []byte(r.Header.Get("Authorization"))
		if subtle.ConstantTimeCompare(got, want) != 1 {
			http.Error(w, "token required", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	file, err := s.blobs.Get(r.PathValue("key"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	io.Copy(w, file)
}

func (s *server) put(w http.ResponseWriter, r *http.Request) {
	err := s.blobs.Put(r.PathValue("key"), http.MaxBytesReader(w, r.Body, maxBlob))
	if errors.Is(err, store.ErrKey) {
		http.Error(w, err.Error(), http.StatusBadRequest)
	} else if err != nil {
		http.Error(w, "cannot store", http.StatusInternalServerError)
	} else {
		w.WriteHeader(http.StatusCreated)
	}
}

func (s *server) importURL(w http.ResponseWriter, r *http.Request) {
	source, err := url.Parse(r.URL.Query().Get("url"))
	if err != nil || source.Host == "" {
		http.Error(w, "url is missing", http.StatusBadRequest)
		return
	}
	reply, err := s.fetch.Get(source.String())
	if err != nil {
		http.Error(w, "cannot fetch", http.StatusBadGateway)
		return
	}
	defer reply.Body.Close()
	if err := s.blobs.Put(path.Base(source.Path), io.LimitReader(reply.Body, maxBlob)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *server) keys(w http.ResponseWriter, _ *http.Request) {
	keys, err := s.blobs.Keys()
	if err != nil {
		http.Error(w, "cannot list", http.StatusInternalServerError)
		return
	}
	for _, key := range keys {
		fmt.Fprintln(w, key)
	}
}

func (s *server) purge(w http.ResponseWriter, r *http.Request) {
	days, err := strconv.Atoi(r.URL.Query().Get("days"))
	if err != nil || days < 1 {
		http.Error(w, "days must be a positive number", http.StatusBadRequest)
		return
	}
	removed, err := s.blobs.Purge(time.Duration(days) * 24 * time.Hour)
	if err != nil {
		http.Error(w, "purge stopped", http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "%d removed\n", removed)
}
