module marquee.test/generated

go 1.19
