package marquee

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// In are the offers of a country, in any case of its code; none where there are none.
func (o StreamingOptions) In(country string) []StreamingOption {
	return o[strings.ToLower(country)]
}

// ByType are the offers of a country by type. Types without offers have no entry.
func (o StreamingOptions) ByType(country string) map[OptionType][]StreamingOption {
	byType := map[OptionType][]StreamingOption{}
	for _, offer := range o.In(country) {
		byType[offer.Type] = append(byType[offer.Type], offer)
	}
	return byType
}

// Cheapest is the offer of a country that costs a viewer least, or nil if there is none. What is free, or on a
// subscription that the viewer has, costs nothing more. Subscriptions are written as catalogs are: "netflix", or
// "prime.addon.starzaddon" for an addon. Others have no price and are passed over, and so are prices in another currency
// than the first one, since they cannot be compared. Of equally cheap offers the one of the best quality wins, then the
// first.
func (o StreamingOptions) Cheapest(country string, subscriptions ...string) *StreamingOption {
	offers := o.In(country)
	currency := firstCurrency(offers)
	var best *StreamingOption
	bestCost := math.Inf(1)
	for i := range offers {
		offer := &offers[i]
		cost := offer.cost(subscriptions, currency)
		if cost < bestCost || best != nil && cost == bestCost && offer.Quality.rank() > best.Quality.rank() {
			best, bestCost = offer, cost
		}
	}
	return best
}

func firstCurrency(offers []StreamingOption) string {
	for i := range offers {
		if offers[i].isPriced() {
			return offers[i].Price.Currency
		}
	}
	return ""
}

func (s *StreamingOption) isPriced() bool {
	return s.Price != nil && (s.Type == OptionRent || s.Type == OptionBuy)
}

// cost is what an offer costs beyond the subscriptions; infinite if that cannot be said.
func (s *StreamingOption) cost(subscriptions []string, currency string) float64 {
	if s.Type == OptionFree || s.isOn(subscriptions) {
		return 0
	}
	if s.isPriced() && s.Price.Currency == currency {
		if amount, err := strconv.ParseFloat(s.Price.Amount, 64); err == nil {
			return amount
		}
	}
	return math.Inf(1)
}

func (s *StreamingOption) isOn(subscriptions []string) bool {
	for _, name := range subscriptions {
		switch {
		case s.Type == OptionSubscription && (name == s.Service.ID || name == s.Service.ID+".subscription"):
			return true
		case s.Type == OptionAddon && s.Addon != nil && name == s.Service.ID+".addon."+s.Addon.ID:
			return true
		}
	}
	return false
}

// rank is the higher the better; 0 if the quality is not known.
func (q Quality) rank() int {
	return map[Quality]int{SD: 1, HD: 2, QHD: 3, UHD: 4}[q]
}

// Soon is how far ahead the service looks when it says that an offer expires soon.
const Soon = 31 * 24 * time.Hour

// LeavingSoon says whether the offer ends within some time. One that is about to end on a day that is not known does.
func (s *StreamingOption) LeavingSoon(now time.Time, within time.Duration) bool {
	if s.ExpiresOn == nil {
		return s.ExpiresSoon
	}
	return *s.ExpiresOn <= now.Add(within).Unix()
}

// EpisodeChoice says which episode, and where it is to be watched.
type EpisodeChoice struct {
	// Season is the number of the season, from 1.
	Season int
	// Episode is the number of the episode in its season, from 1.
	Episode int
	// Country is required.
	Country string
	// Service limits to one service.
	Service string
	// Type limits to one type of offers.
	Type OptionType
}

// EpisodeLink is the link that opens an episode: in the player where the service has such links, else its page. It is
// empty where there is no such offer. The series must have been asked for at granularity episode.
func (s *Show) EpisodeLink(choice EpisodeChoice) string {
	if choice.Season < 1 || choice.Season > len(s.Seasons) {
		return ""
	}
	episodes := s.Seasons[choice.Season-1].Episodes
	if choice.Episode < 1 || choice.Episode > len(episodes) {
		return ""
	}
	for _, offer := range episodes[choice.Episode-1].StreamingOptions.In(choice.Country) {
		if choice.Service != "" && offer.Service.ID != choice.Service || choice.Type != "" && offer.Type != choice.Type {
			continue
		}
		if offer.VideoLink != "" {
			return offer.VideoLink
		}
		return offer.Link
	}
	return ""
}
