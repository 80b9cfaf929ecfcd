"""Where bytes come from: git, package index, directory. The only layer that knows git or the network."""
