"""The quality report: what a splitter did to documents, in figures (chunk quality only)."""

from .figures import NUMBERS, Bin, Figures, Sample
from .model import By, Report, report

__all__ = ["NUMBERS", "Bin", "By", "Figures", "Report", "Sample", "report"]
