package marquee

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"
)

// The types of this package are written by hand, so that they read well. Here they are held against the OpenAPI document
// of the service, so that they cannot drift away from it.

type schema struct {
	Properties map[string]struct {
		Type   string `json:"type"`
		Format string `json:"format"`
		Ref    string `json:"$ref"`
		Items  struct {
			Ref string `json:"$ref"`
		} `json:"items"`
	} `json:"properties"`
	Required []string `json:"required"`
	Enum     []string `json:"enum"`
}

type parameter struct {
	Name   string `json:"name"`
	In     string `json:"in"`
	Schema struct {
		Enum []string `json:"enum"`
	} `json:"schema"`
}

type document struct {
	Paths map[string]struct {
		Get struct {
			Parameters []parameter `json:"parameters"`
		} `json:"get"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

func readDocument(t *testing.T) document {
	t.Helper()
	text, err := os.ReadFile("../spec/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var read document
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

var typesOfSchemas = map[string]any{
	"Season": Season{}, "Episode": Episode{}, "StreamingOption": StreamingOption{}, "Provenance": Provenance{}, "Popularity": Popularity{}, "Price": Price{}, "Locale": Locale{},
	"Subtitle": Subtitle{}, "ShowImageSet": ShowImageSet{}, "VerticalImage": VerticalImage{},
	"HorizontalImage": HorizontalImage{}, "ServiceInfo": ServiceInfo{}, "Addon": Addon{}, "Service": Service{},
	"ServiceImageSet": ServiceImageSet{}, "StreamingOptionTypes": StreamingOptionTypes{}, "Country": Country{},
	"Genre": Genre{}, "Person": Person{}, "Change": Change{}, "StreamedChange": StreamedChange{}, "Error": errorBody{}, "Problem": problem{},
	"SearchResult": ShowPage{}, "ShowCount": ShowCount{}, "Facets": Facets{}, "FacetCount": FacetCount{}, "StepCount": StepCount{}, "ShowHistory": ShowHistory{}, "PlaceHistory": PlaceHistory{}, "Span": Span{}, "PriceSpan": PriceSpan{}, "ChangesResult": ChangePage{}, "ExportHead": ExportHead{},
	"ExportRemoval": ExportRemoval{}, "ExportCheckpoint": exportCheckpoint{}, "ExportEnd": exportEnd{},
}

func TestTypesHaveTheFieldsOfTheOpenAPIDocument(t *testing.T) {
	schemas := readDocument(t).Components.Schemas
	for name, value := range typesOfSchemas {
		described, found := schemas[name]
		if !found {
			t.Errorf("there is no schema %s any more", name)
		}
		compareFields(t, name, described, fieldsOf(reflect.TypeOf(value)))
	}
	// A Show is a movie or a series, and has the fields of both.
	movie, series := schemas["Movie"], schemas["Series"]
	for name, property := range series.Properties {
		movie.Properties[name] = property
	}
	compareFields(t, "Show", movie, fieldsOf(reflect.TypeOf(Show{})))

	for name, described := range schemas {
		_, known := typesOfSchemas[name]
		isObject := len(described.Properties) > 0
		if isObject && !known && name != "Movie" && name != "Series" {
			t.Errorf("the schema %s has no type", name)
		}
	}
}

type field struct {
	kind      reflect.Type
	omitEmpty bool
}

func fieldsOf(of reflect.Type) map[string]field {
	fields := map[string]field{}
	for i := 0; i < of.NumField(); i++ {
		each := of.Field(i)
		if each.Anonymous {
			for name, inner := range fieldsOf(each.Type) {
				fields[name] = inner
			}
			continue
		}
		name, rest, _ := strings.Cut(each.Tag.Get("json"), ",")
		fields[name] = field{each.Type, rest == "omitempty"}
	}
	return fields
}

func compareFields(t *testing.T, name string, described schema, fields map[string]field) {
	t.Helper()
	required := map[string]bool{}
	for _, key := range described.Required {
		required[key] = true
	}
	for key, property := range described.Properties {
		has, found := fields[key]
		if !found {
			t.Errorf("%s lacks %s", name, key)
			continue
		}
		if has.omitEmpty == required[key] && name != "Error" && name != "Problem" {
			t.Errorf("%s.%s is required: %v", name, key, required[key])
		}
		kind := has.kind
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		want := map[string][]reflect.Kind{
			"string": {reflect.String}, "boolean": {reflect.Bool}, "array": {reflect.Slice},
			"object": {reflect.Map, reflect.Struct}, "integer": {reflect.Int, reflect.Int64}, "number": {reflect.Float64},
			"": {reflect.Struct, reflect.String},
		}[property.Type]
		if property.Format == "int64" {
			want = []reflect.Kind{reflect.Int64}
		}
		if !containsKind(want, kind.Kind()) {
			t.Errorf("%s.%s is a %v, and %q in the document", name, key, has.kind, property.Type)
		}
	}
	for key := range fields {
		if _, found := described.Properties[key]; !found {
			t.Errorf("%s has %s, which the document lacks", name, key)
		}
	}
}

func containsKind(kinds []reflect.Kind, kind reflect.Kind) bool {
	for _, each := range kinds {
		if each == kind {
			return true
		}
	}
	return false
}

func TestConstantsAreTheValuesOfTheOpenAPIDocument(t *testing.T) {
	read := readDocument(t)
	enums := map[string][]string{}
	for name, described := range read.Components.Schemas {
		enums[name] = described.Enum
	}
	for _, path := range read.Paths {
		for _, each := range path.Get.Parameters {
			enums[each.Name] = each.Schema.Enum
		}
	}
	compare := func(name string, constants ...string) {
		want := append([]string{}, enums[name]...)
		sort.Strings(want)
		sort.Strings(constants)
		if !reflect.DeepEqual(want, constants) {
			t.Errorf("%s: the constants are %v, the document has %v", name, constants, want)
		}
	}
	compare("ShowType", string(Movie), string(Series))
	compare("ItemType", string(ItemShow), string(ItemSeason), string(ItemEpisode))
	compare("ChangeType", string(ChangeNew), string(ChangeUpdated), string(ChangeRemoved), string(ChangeExpiring),
		string(ChangeUpcoming))
	compare("StreamingOptionType", string(OptionSubscription), string(OptionFree), string(OptionRent), string(OptionBuy),
		string(OptionAddon))
	compare("series_granularity", string(GranularityShow), string(GranularitySeason), string(GranularityEpisode))
	compare("genres_relation", string(AllGenres), string(AnyGenre))
	compare("order_by", string(OrderByOriginalTitle), string(OrderByReleaseDate), string(OrderByRating),
		string(OrderByPopularityAllTime), string(OrderByPopularity1Year), string(OrderByPopularity1Month),
		string(OrderByPopularity1Week), string(OrderByRuntime), string(OrderByAvailableSince), string(OrderByLeaving), string(OrderByRandom))
	compare("order_direction", string(Ascending), string(Descending))
}

// Every parameter of every endpoint is a field of the parameters of its method, under a name that follows from its own.
func TestEveryParameterOfTheOpenAPIDocumentCanBeGiven(t *testing.T) {
	methods := map[string]any{
		"/shows/{id}": GetShowParams{}, "/shows": GetShowsParams{}, "/shows/{id}/similar": SimilarShowsParams{}, "/shows/{id}/history": ShowHistoryParams{}, "/shows/search/filters": FilterShowsParams{}, "/shows/count": CountShowsParams{}, "/shows/search/title": SearchTitleParams{},
		"/shows/top": TopShowsParams{}, "/people/search": SearchPeopleParams{}, "/changes": ChangesParams{}, "/changes/stream": StreamParams{}, "/catalog/export": ExportParams{}, "/countries": LocalizedParams{},
		"/countries/{country-code}": LocalizedParams{}, "/genres": LocalizedParams{},
	}
	for path, endpoint := range readDocument(t).Paths {
		params, found := methods[path]
		if !found {
			t.Errorf("%s has no method", path)
			continue
		}
		for _, each := range endpoint.Get.Parameters {
			name := ""
			for _, word := range strings.Split(each.Name, "_") {
				if word == "ids" {
					name += "IDs"
					continue
				}
				name += strings.ToUpper(word[:1]) + word[1:]
			}
			if _, has := reflect.TypeOf(params).FieldByName(name); !has && each.In == "query" {
				t.Errorf("%s: %s cannot be given", path, each.Name)
			}
		}
	}
}
