"""C3EBench: four tasks of writing in English and Chinese (the RAVEL paper, §4 and §5)."""
