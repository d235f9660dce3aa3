"""Networks of users, described by files: readers, writers, routes, what a report says of them."""
