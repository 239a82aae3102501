package marquee

import (
	"testing"
	"time"
)

func offer(kind OptionType, service, price string, quality Quality) StreamingOption {
	made := StreamingOption{Type: kind, Service: ServiceInfo{ID: service}, Quality: quality, Link: "https://" + service}
	if price != "" {
		made.Price = &Price{Amount: price, Currency: "USD", Formatted: price + " USD"}
	}
	return made
}

func addon(service, id string) StreamingOption {
	made := offer(OptionAddon, service, "", HD)
	made.Addon = &Addon{ID: id}
	return made
}

func inEuros(made StreamingOption) StreamingOption {
	made.Price.Currency = "EUR"
	return made
}

func TestCheapest(t *testing.T) {
	tests := map[string]struct {
		offers        []StreamingOption
		subscriptions []string
		want          int // index of the offer, or -1
	}{
		"nothing": {nil, nil, -1},
		"the lowest price, by number and not by text": {
			[]StreamingOption{offer(OptionBuy, "a", "10.00", HD), offer(OptionRent, "b", "9.99", HD)}, nil, 1},
		"free beats every price": {
			[]StreamingOption{offer(OptionRent, "a", "0.99", HD), offer(OptionFree, "b", "", SD)}, nil, 1},
		"a subscription that the viewer lacks is passed over": {
			[]StreamingOption{offer(OptionSubscription, "a", "", UHD)}, []string{"b"}, -1},
		"a subscription that the viewer has costs nothing more": {
			[]StreamingOption{offer(OptionRent, "a", "0.99", HD), offer(OptionSubscription, "b", "", HD)}, []string{"b"}, 1},
		"a subscription can be written with its type": {
			[]StreamingOption{offer(OptionSubscription, "b", "", HD)}, []string{"b.subscription"}, 0},
		"an addon needs the addon, not the service": {
			[]StreamingOption{addon("prime", "starz"), offer(OptionRent, "a", "3", HD)}, []string{"prime"}, 1},
		"an addon that the viewer has": {
			[]StreamingOption{offer(OptionRent, "a", "3", HD), addon("prime", "starz")}, []string{"prime.addon.starz"}, 1},
		"the best quality of equally cheap ones": {
			[]StreamingOption{offer(OptionRent, "a", "3", ""), offer(OptionRent, "b", "3.00", UHD), offer(OptionRent, "c", "3", HD)}, nil, 1},
		"the first of equal ones": {
			[]StreamingOption{offer(OptionRent, "a", "3", HD), offer(OptionRent, "b", "3", HD)}, nil, 0},
		"another currency cannot be compared": {
			[]StreamingOption{offer(OptionRent, "a", "3", HD), inEuros(offer(OptionRent, "b", "1", HD))}, nil, 0},
		"an option to buy without a price": {
			[]StreamingOption{offer(OptionBuy, "a", "", HD)}, nil, -1},
	}
	for name, each := range tests {
		t.Run(name, func(t *testing.T) {
			got := StreamingOptions{"us": each.offers}.Cheapest("US", each.subscriptions...)
			var want *StreamingOption
			if each.want >= 0 {
				want = &each.offers[each.want]
			}
			if got != want {
				t.Errorf("%+v came, not %+v", got, want)
			}
		})
	}
}

func TestByType(t *testing.T) {
	options := StreamingOptions{
		"us": {offer(OptionRent, "a", "3", HD), offer(OptionFree, "b", "", HD), offer(OptionRent, "c", "2", HD)},
		"de": {offer(OptionBuy, "d", "9", HD)},
	}
	byType := options.ByType("us")
	if len(byType) != 2 || len(byType[OptionRent]) != 2 || byType[OptionRent][1].Service.ID != "c" || len(byType[OptionFree]) != 1 {
		t.Errorf("%+v came", byType)
	}
	if len(options.ByType("fr")) != 0 {
		t.Error("there are offers where there are none")
	}
}

func TestLeavingSoon(t *testing.T) {
	now := time.Unix(1_790_000_000, 0)
	at := func(days int) *int64 {
		instant := now.Add(time.Duration(days) * 24 * time.Hour).Unix()
		return &instant
	}
	farAway := int64(253368063900)
	tests := map[string]struct {
		offer  StreamingOption
		within time.Duration
		want   bool
	}{
		"no end":                 {StreamingOption{}, Soon, false},
		"imminent":               {StreamingOption{ExpiresSoon: true}, time.Hour, true},
		"on the last day":        {StreamingOption{ExpiresOn: at(31), ExpiresSoon: true}, Soon, true},
		"soon, but not so soon":  {StreamingOption{ExpiresOn: at(8), ExpiresSoon: true}, 7 * 24 * time.Hour, false},
		"within the week":        {StreamingOption{ExpiresOn: at(7), ExpiresSoon: true}, 7 * 24 * time.Hour, true},
		"later than any 32 bits": {StreamingOption{ExpiresOn: &farAway}, Soon, false},
	}
	for name, each := range tests {
		if got := each.offer.LeavingSoon(now, each.within); got != each.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestEpisodeLink(t *testing.T) {
	playable := offer(OptionSubscription, "b", "", HD)
	playable.VideoLink = "https://b/play"
	options := StreamingOptions{"us": {offer(OptionRent, "a", "3", HD), playable}}
	series := Show{ShowType: Series, Seasons: []Season{{Episodes: []Episode{{}, {StreamingOptions: options}}}}}
	tests := []struct {
		choice EpisodeChoice
		want   string
	}{
		{EpisodeChoice{Season: 1, Episode: 2, Country: "us"}, "https://a"},
		{EpisodeChoice{Season: 1, Episode: 2, Country: "US", Service: "b"}, "https://b/play"},
		{EpisodeChoice{Season: 1, Episode: 2, Country: "us", Type: OptionSubscription}, "https://b/play"},
		{EpisodeChoice{Season: 1, Episode: 2, Country: "us", Service: "b", Type: OptionBuy}, ""},
		{EpisodeChoice{Season: 1, Episode: 2, Country: "de"}, ""},
		{EpisodeChoice{Season: 1, Episode: 1, Country: "us"}, ""},
		{EpisodeChoice{Season: 1, Episode: 3, Country: "us"}, ""},
		{EpisodeChoice{Season: 2, Episode: 1, Country: "us"}, ""},
		{EpisodeChoice{Country: "us"}, ""},
	}
	for _, each := range tests {
		if got := series.EpisodeLink(each.choice); got != each.want {
			t.Errorf("%+v: %q, not %q", each.choice, got, each.want)
		}
	}
}
