module github.com/marquee-catalog/marquee/marquee

go 1.19
