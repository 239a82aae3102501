// Package marquee is the Go client of Marquee, a streaming-availability service: which movies and series can be
// watched on which streaming services in which countries, what changed, and what is about to.
//
// Make one Client and share it; it is safe for use by several goroutines.
//
//	client, err := marquee.New(os.Getenv("MARQUEE_KEY"), marquee.WithBaseURL("http://127.0.0.1:8080/v4"))
//
// The prefix of the key decides on base URL and header. The client retries, after a pause, when the service is busy or
// cannot be reached, and in no other case.
//
// Every endpoint is a method. Those with pages return an iterator that fetches pages as they are needed:
//
//	shows := client.FilterShows(ctx, marquee.FilterShowsParams{Country: "us"}, marquee.MaxPages(3))
//	for shows.Next() {
//		fmt.Println(shows.Show().Title)
//	}
//	if err := shows.Err(); err != nil {
//		return err
//	}
//
// From Go 1.23 on, All makes a range loop of an iterator.
//
// A call fails in one of three ways, to be distinguished with errors.As: the service could not be reached
// (ConnectionError), it returned an error (ServiceError), or its response breaks the contract (ContractError, or
// ResponseTooLargeError for one beyond WithMaxResponseBytes). If the caller's context ended the call, errors.Is finds
// context.Canceled or context.DeadlineExceeded instead, and only then: the client's own timeout is a ConnectionError
// with TimedOut.
package marquee
