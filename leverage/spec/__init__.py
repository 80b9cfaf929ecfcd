"""`repos.yaml` and `repos.lock`: what a user writes, checked and typed."""
