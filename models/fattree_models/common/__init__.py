"""What the models of several families share."""
