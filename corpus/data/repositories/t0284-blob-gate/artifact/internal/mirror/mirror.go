// Package mirror copies blobs to a second instance.
package mirror

import (
	"crypto/tls"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"time"

	"blobgate.example/gate/internal/store"
)

// Config says where to and how often.
type Config struct {
	URL    string        `yaml:"url"`
	APIKey string        `yaml:"api_key"`
	Every  time.Duration `yaml:"every"`
}

// Run copies for ever; errors are logged and tried again in the next turn.
func Run(cfg Config, blobs *store.Store) {
	client := &http.Client{
		Timeout: 5 * time.Minute,
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true},
		},
	}
	for range time.Tick(cfg.Every) {
		keys, err := blobs.Keys()
		if err != nil {
			log.Printf("mirror: %v", err)
			continue
		}
		for _, key := range keys {
			if err := push(client, cfg, blobs, key); err != nil {
				log.Printf("mirror: %s: %v", key, err)
			}
		}
	}
}

func push(client *http.Client, cfg Config, blobs *store.Store, key string) error {
	file, err := blobs.Get(key)
	if err != nil {
		return err
	}
	defer file.Close()
	req, err := http.NewRequest(http.MethodPut, cfg.URL+"/blobs/"+url.PathEscape(key), file)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+cfg.APIKey)
	reply, err := client.Do(req)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusCreated {
		return fmt.Errorf("answer %s", reply.Status)
	}
	return nil
}
