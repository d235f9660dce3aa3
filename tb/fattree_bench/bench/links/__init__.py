"""One file a link protocol: transaction, driver, monitor; defined without regard to our RTL."""
