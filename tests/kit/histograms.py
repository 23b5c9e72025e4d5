"""Reading histograms of prometheus_client."""

from prometheus_client import Histogram


def observed(histogram: Histogram) -> tuple[float, float]:
    """Return how many values were observed, and their sum."""
    (metric,) = histogram.collect()
    values = {sample.name.removeprefix(metric.name): sample.value for sample in metric.samples}
    return values["_count"], values["_sum"]
