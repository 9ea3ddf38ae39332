// Package notify makes the HTTP client for results.
package notify

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

// Client verifies certificates against the system's roots and, when a file
// is named, against that authority; without one internal addresses are refused.
func Client(caFile string) (*http.Client, error) {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	tlsConfig := &tls.Config{MinVersion: tls.VersionTLS12}
	if caFile == "" {
		dialer.Control = publicOnly
	} else {
		pem, err := os.ReadFile(caFile)
		if err != nil {
			return nil, err
		}
		roots, err := x509.SystemCertPool()
		if err != nil {
			return nil, err
		}
		if !roots.AppendCertsFromPEM(pem) {
			return nil, errors.New(caFile + ": no certificate in it")
		}
		tlsConfig.RootCAs = roots
	}
	return &http.Client{
		Timeout:   15 * time.Second,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSClientConfig: tlsConfig},
	}, nil
}

// publicOnly looks at the address that is about to be dialled, so that a name
// that changes its address between look-up and use does not pass.
func publicOnly(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	ip := net.ParseIP(host)
	if ip == nil || ip.IsPrivate() || ip.IsLoopback() || ip.IsUnspecified() || ip.IsLinkLocalUnicast() || ip.IsMulticast() {
		return fmt.Errorf("%s is not a public address", host)
	}
	return nil
}
