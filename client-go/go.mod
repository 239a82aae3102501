module github.com/marquee-catalog/marquee/client-go

go 1.19
