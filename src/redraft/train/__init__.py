"""Training: data, supervised fine-tuning, adapters (`redraft[train]`)."""
