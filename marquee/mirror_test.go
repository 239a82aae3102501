package marquee

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// exportServer answers exports of a country in versions: each call of add alters a show or, without a title, removes it.
type exportServer struct {
	titles  map[string]string
	altered []string
	first   int
	cuts    int
}

func (s *exportServer) add(id, title string) {
	if s.titles[id] = title; title == "" {
		delete(s.titles, id)
	}
	s.altered = append(s.altered, id)
}

func (s *exportServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	since := s.first
	if token := r.URL.Query().Get("since"); token != "" {
		fmt.Sscanf(token, "%d.hash", &since)
		if since < s.first {
			w.Header().Set("X-Error-Code", "token_expired")
			w.WriteHeader(http.StatusGone)
			fmt.Fprint(w, `{"message":"Start again."}`)
			return
		}
	}
	fmt.Fprintf(w, `{"kind":"export","since":"%d.hash"}`+"\n", len(s.altered))
	ids := map[string]bool{}
	for _, id := range s.altered[since:] {
		ids[id] = true
	}
	if r.URL.Query().Get("since") == "" {
		for id := range s.titles {
			ids[id] = true
		}
	}
	for id := range ids {
		if s.cuts > 0 {
			s.cuts--
			panic(http.ErrAbortHandler)
		}
		if title, found := s.titles[id]; found {
			fmt.Fprintf(w, `{"itemType":"show","showType":"movie","id":%q,"title":%q}`+"\n", id, title)
		} else {
			fmt.Fprintf(w, `{"kind":"remove","id":%q}`+"\n", id)
		}
	}
	fmt.Fprint(w, `{"kind":"end","complete":true,"shows":0}`+"\n")
}

func startMirror(t *testing.T) (*exportServer, *Mirror) {
	t.Helper()
	service := &exportServer{titles: map[string]string{}}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	client, err := New("mq-key-test", WithBaseURL(server.URL+"/v4"))
	if err != nil {
		t.Fatal(err)
	}
	client.sleep = func(context.Context, time.Duration) error { return nil }
	return service, client.Mirror(MirrorParams{Country: "us"}, nil)
}

func (m *Mirror) isLike(t *testing.T, titles map[string]string) {
	t.Helper()
	if m.Len() != len(titles) {
		t.Fatalf("the copy has %d shows, the service %d", m.Len(), len(titles))
	}
	for id, title := range titles {
		if show, found := m.Show(id); !found || show.Title != title {
			t.Fatalf("show %s is %q in the copy, %q in the service", id, show.Title, title)
		}
	}
}

func TestAMirrorIsTheCatalogAfterAThousandAlterations(t *testing.T) {
	service, mirror := startMirror(t)
	for i := 0; i < 1000; i++ {
		title := fmt.Sprintf("Title %d", i)
		if i%7 == 3 {
			title = ""
		}
		service.add(fmt.Sprint(i*i%37), title)
		// Now and then a response is cut off, and what happened long ago is no longer kept.
		if i%50 == 10 {
			service.cuts = 2
		}
		if i%97 == 96 {
			service.first = len(service.altered)
		}
		done, err := mirror.Sync(context.Background())
		if err != nil || done.Whole != (i == 0 || i%97 == 96) {
			t.Fatalf("after %d alterations, %+v came: %v", i, done, err)
		}
		mirror.isLike(t, service.titles)
	}
}

func TestAMirrorThatFailsKeepsItsCopy(t *testing.T) {
	service, mirror := startMirror(t)
	service.add("1", "Alpha")
	if _, err := mirror.Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
	since := mirror.Since()
	service.add("1", "Beta")
	service.cuts = 100
	var cut *ConnectionError
	if _, err := mirror.Sync(context.Background()); !errors.As(err, &cut) {
		t.Fatalf("it should have failed: %v", err)
	}
	if mirror.Since() != since {
		t.Errorf("the token is %s, not %s", mirror.Since(), since)
	}
	mirror.isLike(t, map[string]string{"1": "Alpha"})
}

func TestAMirrorSaysWhatExpiresSoonByThePresentTime(t *testing.T) {
	_, mirror := startMirror(t)
	now := time.Unix(1_000_000_000, 0)
	mirror.now = func() time.Time { return now }
	expiresOn := now.Unix() + 40*86400
	options := func() map[string][]StreamingOption {
		return map[string][]StreamingOption{"us": {{ExpiresOn: &expiresOn}}}
	}
	mirror.shows["1"] = &Show{ID: "1", StreamingOptions: options(), Seasons: []Season{{StreamingOptions: options()}}}
	for days, want := range map[int]bool{0: false, 9: true} {
		now = time.Unix(1_000_000_000+int64(days)*86400, 0)
		show, _ := mirror.Show("1")
		if got := show.StreamingOptions["us"][0].ExpiresSoon; got != want {
			t.Errorf("after %d days, it expires soon: %v", days, got)
		}
		if got := show.Seasons[0].StreamingOptions["us"][0].ExpiresSoon; got != want {
			t.Errorf("after %d days, the season expires soon: %v", days, got)
		}
	}
}
