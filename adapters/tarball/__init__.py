"""A .tar.gz on disk: strict streaming extraction, and packing that gives the same bytes again."""
