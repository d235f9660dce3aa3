"""`make shrink`: the smallest input that fails as a run did."""
