"""Settings that all tests share."""

import os

from hypothesis import settings

# A shared machine is slow at times; what is tested is the answer, never the wall clock. On CI the examples are the same
# every time, so that a red run can be repeated.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
