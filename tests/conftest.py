"""What holds for all tests: properties are tried on the same examples on every run, however busy the machine is.

`pytest --hypothesis-profile=search` looks for other examples instead.
"""

import gc

from hypothesis import HealthCheck, settings

settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.load_profile("same")

# What tests leave behind is little; looking for it after every 700 objects takes a quarter of a service's start.
gc.set_threshold(50_000)
