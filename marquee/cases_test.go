package marquee

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// The cases that all clients of the service must pass: ../spec/cases, with a README that says how they are run.

type caseFile struct {
	Cases []clientCase `json:"cases"`
}

type clientCase struct {
	Name   string `json:"name"`
	Client *struct {
		APIKey             *string `json:"apiKey"`
		BaseURL            *string `json:"baseUrl"`
		MarketplaceBaseURL *string `json:"marketplaceBaseUrl"`
		KeyPrefix          *string `json:"keyPrefix"`
		Marketplace        *string `json:"marketplace"`
		Retries            *int    `json:"retries"`
		TimeoutMs          *int    `json:"timeoutMs"`
		Cache              bool    `json:"cache"`
	} `json:"client"`
	Call      caseCall   `json:"call"`
	Exchanges []exchange `json:"exchanges"`
	Expect    struct {
		Result json.RawMessage `json:"result"`
		Items  json.RawMessage `json:"items"`
		Error  json.RawMessage `json:"error"`
		Quota  json.RawMessage `json:"quota"`
		Waits  [][2]float64    `json:"waits"`
	} `json:"expect"`
}

type caseCall struct {
	Method     string          `json:"method"`
	Parameters json.RawMessage `json:"parameters"`
	Limits     struct {
		Pages *int `json:"pages"`
		Items *int `json:"items"`
	} `json:"limits"`
	Page   bool `json:"page"`
	Repeat int  `json:"repeat"`
}

// outcome is what came out of a call.
type outcome struct {
	result any
	items  []any
	err    error
}

func TestCases(t *testing.T) {
	files, err := filepath.Glob("../spec/cases/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no cases in ../spec/cases: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases caseFile
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		if err := decoder.Decode(&cases); err != nil || len(cases.Cases) == 0 {
			t.Fatalf("%s: no cases can be read: %v", file, err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			for _, each := range cases.Cases {
				each := each
				t.Run(each.Name, func(t *testing.T) {
					// What depends on a short timeout is not to share the machine with all others.
					if each.Client == nil || each.Client.TimeoutMs == nil {
						t.Parallel()
					}
					runCase(t, each)
				})
			}
		})
	}
}

func runCase(t *testing.T, each clientCase) {
	server := startExchangeServer(t, each.Exchanges)
	var waits waitRecorder
	var came outcome
	client, err := clientOf(each, server.address())
	if err != nil {
		came = outcome{err: err}
	} else {
		client.sleep = waits.sleep
		for i := 0; i == 0 || i < each.Call.Repeat; i++ {
			came = call(t, client, each.Call)
		}
	}
	server.check(t)
	waits.check(t, each.Expect.Waits)

	expect := each.Expect
	if expect.Error == nil && came.err != nil {
		t.Fatalf("it failed: %v", came.err)
	}
	if expect.Error != nil {
		match(t, "error", expect.Error, describe(came.err))
	}
	if expect.Result != nil {
		match(t, "result", expect.Result, came.result)
	}
	if expect.Items != nil {
		match(t, "items", expect.Items, came.items)
	}
	if expect.Quota != nil {
		var told any
		if quota, known := client.Quota(); known {
			told = map[string]any{"granted": quota.Granted, "used": quota.Used, "reset": quota.Reset}
		}
		match(t, "quota", expect.Quota, told)
	}
}

func clientOf(each clientCase, address string) (*Client, error) {
	if each.Client == nil {
		return New("mq-key-test", WithBaseURL(address+"/v4"))
	}
	var options []Option
	set := func(value *string, option func(string) Option) {
		if value != nil {
			options = append(options, option(strings.ReplaceAll(*value, "{address}", address)))
		}
	}
	set(each.Client.BaseURL, WithBaseURL)
	set(each.Client.MarketplaceBaseURL, WithMarketplaceBaseURL)
	set(each.Client.KeyPrefix, WithKeyPrefix)
	set(each.Client.Marketplace, WithMarketplace)
	if each.Client.Retries != nil {
		options = append(options, WithRetries(*each.Client.Retries))
	}
	if each.Client.TimeoutMs != nil {
		options = append(options, WithTimeout(time.Duration(*each.Client.TimeoutMs)*time.Millisecond))
	}
	if each.Client.Cache {
		options = append(options, WithCache(NewMemoryCache(10)))
	}
	if each.Client.APIKey == nil {
		return NewKeyless(options...)
	}
	return New(*each.Client.APIKey, options...)
}

// caseParameters are all parameters of all endpoints, by their names in the API.
type caseParameters struct {
	ID                   string         `json:"id"`
	IDs                  []string       `json:"ids"`
	CountryCode          string         `json:"country-code"`
	Country              string         `json:"country"`
	Title                string         `json:"title"`
	Name                 string         `json:"name"`
	People               []string       `json:"people"`
	Limit                *int           `json:"limit"`
	Service              string         `json:"service"`
	Catalogs             []string       `json:"catalogs"`
	OutputLanguage       string         `json:"output_language"`
	ShowType             ShowType       `json:"show_type"`
	Genres               []string       `json:"genres"`
	GenresRelation       GenresRelation `json:"genres_relation"`
	ShowOriginalLanguage string         `json:"show_original_language"`
	YearMin              *int           `json:"year_min"`
	YearMax              *int           `json:"year_max"`
	RatingMin            *int           `json:"rating_min"`
	RatingMax            *int           `json:"rating_max"`
	Keyword              string         `json:"keyword"`
	RuntimeMin           *int           `json:"runtime_min"`
	RuntimeMax           *int           `json:"runtime_max"`
	SeasonsMax           *int           `json:"seasons_max"`
	ExcludeGenres        []string       `json:"exclude_genres"`
	ExcludeIDs           []string       `json:"exclude_ids"`
	OptionTypes          []OptionType   `json:"option_types"`
	Audios               []string       `json:"audios"`
	Subtitles            []string       `json:"subtitles"`
	QualityMin           Quality        `json:"quality_min"`
	PriceMax             string         `json:"price_max"`
	Currency             string         `json:"currency"`
	AvailableSinceMin    *int64         `json:"available_since_min"`
	LeavingBefore        *int64         `json:"leaving_before"`
	Seed                 *int           `json:"seed"`
	Facets               []Facet        `json:"facets"`
	FacetFilters         FacetFilters   `json:"facet_filters"`
	Steps                []string       `json:"steps"`
	SeriesGranularity    Granularity    `json:"series_granularity"`
	OrderBy              OrderBy        `json:"order_by"`
	OrderDirection       OrderDirection `json:"order_direction"`
	Cursor               string         `json:"cursor"`
	ChangeType           caseWords      `json:"change_type"`
	ItemType             caseWords      `json:"item_type"`
	Since                string         `json:"since"`
	From                 *int64         `json:"from"`
	To                   *int64         `json:"to"`
	IncludeUnknownDates  *bool          `json:"include_unknown_dates"`
	Fields               []string       `json:"fields"`
	Include              []string       `json:"include"`
	Services             []string       `json:"services"`
}

func (p caseParameters) shape() Shape { return Shape{p.Fields, p.Include, p.Services} }

// caseWords are one word or a list of words.
type caseWords []string

func (w *caseWords) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]string)(w))
	}
	var one string
	if err := json.Unmarshal(text, &one); err != nil || one == "" {
		return err
	}
	*w = caseWords{one}
	return nil
}

func call(t *testing.T, client *Client, of caseCall) outcome {
	var p caseParameters
	if of.Parameters != nil {
		strict := json.NewDecoder(strings.NewReader(string(of.Parameters)))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&p); err != nil {
			t.Fatalf("the parameters of the case cannot be read: %v", err)
		}
	}
	var limits []Limit
	if of.Limits.Pages != nil {
		limits = append(limits, MaxPages(*of.Limits.Pages))
	}
	if of.Limits.Items != nil {
		limits = append(limits, MaxItems(*of.Limits.Items))
	}
	ctx := context.Background()
	switch of.Method {
	case "shows.get":
		show, err := client.GetShow(ctx, p.ID, GetShowParams{p.Country, p.SeriesGranularity, p.OutputLanguage, p.shape()})
		return outcome{result: show, err: err}
	case "shows.getMany":
		shows, err := client.GetShows(ctx, GetShowsParams{p.IDs, p.Country, p.SeriesGranularity, p.OutputLanguage, p.shape()})
		return outcome{result: shows, err: err}
	case "shows.similar":
		shows, err := client.SimilarShows(ctx, p.ID, SimilarShowsParams{
			p.Country, p.Catalogs, p.ShowType, p.Limit, p.SeriesGranularity, p.OutputLanguage, p.shape(),
		})
		return outcome{result: shows, err: err}
	case "shows.history":
		history, err := client.ShowHistory(ctx, p.ID, ShowHistoryParams{p.Country, p.SeriesGranularity, p.OutputLanguage})
		return outcome{result: history, err: err}
	case "shows.search":
		shows, err := client.SearchTitle(ctx, SearchTitleParams{
			Title: p.Title, Country: p.Country, Catalogs: p.Catalogs, ShowType: p.ShowType, Genres: p.Genres,
			YearMin: p.YearMin, YearMax: p.YearMax, Limit: p.Limit, SeriesGranularity: p.SeriesGranularity,
			OutputLanguage: p.OutputLanguage, Shape: p.shape(),
		})
		return outcome{result: shows, err: err}
	case "people.search":
		people, err := client.SearchPeople(ctx, SearchPeopleParams{p.Name, p.Limit})
		return outcome{result: people, err: err}
	case "shows.top":
		shows, err := client.TopShows(ctx, TopShowsParams{p.Country, p.Service, p.ShowType, p.OutputLanguage, p.shape()})
		return outcome{result: shows, err: err}
	case "shows.filter":
		return filter(ctx, client, p.filter(), limits, of.Page)
	case "catalog.export":
		return export(ctx, client, ExportParams{p.Country, p.Since, p.SeriesGranularity, p.OutputLanguage, p.Cursor})
	case "shows.count":
		count, err := client.CountShows(ctx, CountShowsParams{p.filter(), p.Facets, p.FacetFilters, p.Steps})
		return outcome{result: count, err: err}
	case "changes.list":
		return changes(ctx, client, p.changes(), limits, of.Page)
	case "countries.list":
		countries, err := client.Countries(ctx, LocalizedParams{p.OutputLanguage, p.Include})
		return outcome{result: countries, err: err}
	case "countries.get":
		country, err := client.Country(ctx, p.CountryCode, LocalizedParams{p.OutputLanguage, p.Include})
		return outcome{result: country, err: err}
	case "genres.list":
		genres, err := client.Genres(ctx, LocalizedParams{OutputLanguage: p.OutputLanguage})
		return outcome{result: genres, err: err}
	}
	t.Fatalf("there is no method %q", of.Method)
	return outcome{}
}

func (p caseParameters) filter() FilterShowsParams {
	params := FilterShowsParams{
		Country: p.Country, Catalogs: p.Catalogs, OutputLanguage: p.OutputLanguage, ShowType: p.ShowType,
		Genres: p.Genres, GenresRelation: p.GenresRelation, ShowOriginalLanguage: p.ShowOriginalLanguage,
		YearMin: p.YearMin, YearMax: p.YearMax, RatingMin: p.RatingMin, RatingMax: p.RatingMax, Keyword: p.Keyword,
		People: p.People, RuntimeMin: p.RuntimeMin, RuntimeMax: p.RuntimeMax, SeasonsMax: p.SeasonsMax,
		ExcludeGenres: p.ExcludeGenres, IDs: p.IDs, ExcludeIDs: p.ExcludeIDs, OptionTypes: p.OptionTypes, Audios: p.Audios,
		Subtitles: p.Subtitles, QualityMin: p.QualityMin, PriceMax: p.PriceMax, Currency: p.Currency,
		SeriesGranularity: p.SeriesGranularity, OrderBy: p.OrderBy, OrderDirection: p.OrderDirection, Seed: p.Seed,
		Limit: p.Limit, Cursor: p.Cursor, Shape: p.shape(),
	}
	if p.AvailableSinceMin != nil {
		params.AvailableSinceMin = time.Unix(*p.AvailableSinceMin, 0)
	}
	if p.LeavingBefore != nil {
		params.LeavingBefore = time.Unix(*p.LeavingBefore, 0)
	}
	return params
}

func (p caseParameters) changes() ChangesParams {
	params := ChangesParams{
		Country: p.Country, Catalogs: p.Catalogs, ShowType: p.ShowType, Since: p.Since,
		IncludeUnknownDates: p.IncludeUnknownDates, Cursor: p.Cursor, OrderDirection: p.OrderDirection,
		OutputLanguage: p.OutputLanguage, Shape: p.shape(),
	}
	for _, word := range p.ChangeType {
		params.ChangeTypes = append(params.ChangeTypes, ChangeType(word))
	}
	for _, word := range p.ItemType {
		params.ItemTypes = append(params.ItemTypes, ItemType(word))
	}
	if p.From != nil {
		params.From = time.Unix(*p.From, 0)
	}
	if p.To != nil {
		params.To = time.Unix(*p.To, 0)
	}
	return params
}

func filter(ctx context.Context, client *Client, params FilterShowsParams, limits []Limit, page bool) outcome {
	items := []any{}
	if page {
		got, err := client.FilterShowsPage(ctx, params)
		if err != nil {
			return outcome{err: err}
		}
		return outcome{result: pageResult(got.Shows, got.NextCursor)}
	}
	it := client.FilterShows(ctx, params, limits...)
	for it.Next() {
		items = append(items, it.Show())
	}
	return outcome{items: items, err: it.Err()}
}

// changeWithShow is a change as cases write it: with its show.
type changeWithShow struct {
	*Change
	Show any `json:"show"`
}

func changes(ctx context.Context, client *Client, params ChangesParams, limits []Limit, page bool) outcome {
	items := []any{}
	if page {
		got, err := client.ChangesPage(ctx, params)
		if err != nil {
			return outcome{err: err}
		}
		for i := range got.Changes {
			items = append(items, changeWithShow{&got.Changes[i], got.Shows[got.Changes[i].ShowID]})
		}
		return outcome{result: pageResult(items, got.NextCursor)}
	}
	it := client.Changes(ctx, params, limits...)
	for it.Next() {
		items = append(items, changeWithShow{it.Change(), it.Show()})
	}
	return outcome{items: items, err: it.Err()}
}

func export(ctx context.Context, client *Client, params ExportParams) outcome {
	items := []any{}
	err := client.Export(ctx, params, ExportHandlers{
		Head:    func(head ExportHead) error { items = append(items, head); return nil },
		Show:    func(show *Show) error { items = append(items, show); return nil },
		Removed: func(id string) error { items = append(items, ExportRemoval{"remove", id}); return nil },
	})
	return outcome{items: items, err: err}
}

func pageResult(items any, nextCursor string) map[string]any {
	result := map[string]any{"items": items}
	if nextCursor != "" {
		result["nextCursor"] = nextCursor
	}
	return result
}

// describe is an error as cases write it.
func describe(err error) map[string]any {
	var connection *ConnectionError
	var service *ServiceError
	var contract *ContractError
	var wrongUse *UsageError
	told := map[string]any{}
	switch {
	case errors.As(err, &connection):
		told = map[string]any{"kind": "connection", "timedOut": connection.TimedOut}
	case errors.As(err, &service):
		told = map[string]any{
			"kind": "service", "status": service.Status, "code": service.Code, "message": service.Message,
			"parameter": service.Parameter, "requestId": service.RequestID, "base": service.Base, "header": service.Header,
			"type": service.Type,
		}
		if service.RetryAfter > 0 {
			told["retryAfter"] = service.RetryAfter.Seconds()
		}
	case errors.As(err, &contract):
		told = map[string]any{"kind": "contract", "status": contract.Status, "requestId": contract.RequestID}
	case errors.As(err, &wrongUse):
		told = map[string]any{"kind": "usage"}
	default:
		told["kind"] = fmt.Sprintf("another: %v", err)
	}
	for key, value := range told {
		if value == "" {
			delete(told, key)
		}
	}
	return told
}

// match compares what came with what the case names: other keys may be there, null stands for absence, and lists are
// compared whole.
func match(t *testing.T, where string, expected json.RawMessage, came any) {
	t.Helper()
	text, err := json.Marshal(came)
	if err != nil {
		t.Fatal(err)
	}
	var want, have any
	if err := json.Unmarshal(expected, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &have); err != nil {
		t.Fatal(err)
	}
	if problem := mismatch(where, want, have); problem != "" {
		t.Errorf("%s\nall that came: %s", problem, text)
	}
}

func mismatch(where string, want, have any) string {
	switch want := want.(type) {
	case map[string]any:
		object, isObject := have.(map[string]any)
		if !isObject {
			return fmt.Sprintf("%s is %v, not an object", where, have)
		}
		for key, value := range want {
			if problem := mismatch(where+"."+key, value, object[key]); problem != "" {
				return problem
			}
		}
	case []any:
		list, isList := have.([]any)
		if !isList || len(list) != len(want) {
			return fmt.Sprintf("%s is %v, not a list of %d", where, have, len(want))
		}
		for i, value := range want {
			if problem := mismatch(fmt.Sprintf("%s[%d]", where, i), value, list[i]); problem != "" {
				return problem
			}
		}
	default:
		if want != have {
			return fmt.Sprintf("%s is %v, not %v", where, have, want)
		}
	}
	return ""
}

// waitRecorder takes the place of sleeping.
type waitRecorder struct {
	mutex sync.Mutex
	waits []time.Duration
}

func (r *waitRecorder) sleep(ctx context.Context, pause time.Duration) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.waits = append(r.waits, pause)
	return ctx.Err()
}

func (r *waitRecorder) check(t *testing.T, expected [][2]float64) {
	t.Helper()
	if len(r.waits) != len(expected) {
		t.Fatalf("it paused %v, not %d times", r.waits, len(expected))
	}
	for i, bounds := range expected {
		if seconds := r.waits[i].Seconds(); seconds < bounds[0] || seconds > bounds[1] {
			t.Errorf("pause %d was %v s, not within %v", i, seconds, bounds)
		}
	}
}
