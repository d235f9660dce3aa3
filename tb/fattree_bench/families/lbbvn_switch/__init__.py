"""The whole switch round that tree: queues, five schemes."""
