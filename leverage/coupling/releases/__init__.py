"""The releases of a substrate: what names each has and in which form, and what a port's touchpoints meet in each."""
