"""Archives: what a .tar.gz may hold, how it is read strictly, and how it is written."""
