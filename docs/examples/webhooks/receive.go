// A receiver of webhooks in Go, with nothing but its standard library:
//
//	WEBHOOK_SECRET=whsec_… PORT=3000 go run receive.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

// verify says whether a message is signed with the secret, and recent.
func verify(secret string, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	// While a secret is being replaced there are two signatures.
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		version, value, _ := strings.Cut(signature, ",")
		given, err := base64.StdEncoding.DecodeString(value)
		if err == nil && version == "v1" && hmac.Equal(given, mac.Sum(nil)) {
			return true
		}
	}
	return false
}

type message struct {
	Type string `json:"type"`
	Data struct {
		Changes []struct {
			ChangeType string                `json:"changeType"`
			ShowID     string                `json:"showId"`
			Service    struct{ Name string } `json:"service"`
		} `json:"changes"`
		Shows map[string]struct{ Title string } `json:"shows"`
	} `json:"data"`
}

func main() {
	var lock sync.Mutex
	// A message comes again when its answer was lost. Use your database for this.
	handled := map[string]bool{}
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
		if err != nil || !verify(os.Getenv("WEBHOOK_SECRET"), r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		lock.Lock()
		defer lock.Unlock()
		if id := r.Header.Get("webhook-id"); !handled[id] {
			var got message
			if err := json.Unmarshal(body, &got); err != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			for _, change := range got.Data.Changes {
				fmt.Println(got.Type, change.ChangeType, got.Data.Shows[change.ShowID].Title, "on", change.Service.Name)
			}
			handled[id] = true
		}
		w.WriteHeader(http.StatusNoContent)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		panic(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(receive)))
}
