"""Screening of untrusted text."""
