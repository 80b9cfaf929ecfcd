"""Static reading of Python: names, receivers, call graph. One engine for anchors, touchpoints and reach; empty so far."""
