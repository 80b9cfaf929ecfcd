"""Static reading of Python: names, receivers, call graph. One engine for anchors, touchpoints, reach; empty so far."""
