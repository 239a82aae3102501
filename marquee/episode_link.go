package marquee

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
