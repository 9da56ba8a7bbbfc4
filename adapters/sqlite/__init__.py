"""Embedded databases: what several processes of one user write and read together."""
