"""What bmadc tells people: diagnostics, their codes and their renderers."""

from bmadc.diagnostics.model import Diagnostic, Severity, Span, count, in_reading_order
from bmadc.diagnostics.nearest import nearest_names

__all__ = ["Diagnostic", "Severity", "Span", "count", "in_reading_order", "nearest_names"]
