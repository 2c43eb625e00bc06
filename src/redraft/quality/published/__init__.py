"""Quality by the models that papers report: GPT-2 Large, BARTScore, SOME, GLiNER (`redraft[torch]`)."""

from redraft.quality.published.folders import Folders, find_folders
from redraft.quality.published.names import GlinerFinder
from redraft.quality.published.quality import TorchQuality

__all__ = ["Folders", "GlinerFinder", "TorchQuality", "find_folders"]
